//! What a request may not say is refused by name, never passed over and never repeated.

use serde_json::{Value, json};
use truthkeeper::Right;

use super::client::{Ask, FACTS, Running, ask, get, post};

const RETRIEVE: &str = "/v1/memory/retrieve";
const REMEMBER: &str = "/v1/memory/remember";

fn remembers(more: &Value) -> Value {
    let mut body = json!({
        "declaration": {"types": ["acme.note"], "scope": "same-user", "keepDays": 3},
        "run": {"userId": "ann"},
        "call": {"runId": "r", "toolCallId": "c", "agentId": "bot"},
        "fact": {"type": "acme.note", "text": "drinks tea"},
    });
    for (part, members) in more.as_object().unwrap() {
        let part = body[part].as_object_mut().unwrap();
        part.extend(members.as_object().unwrap().clone());
    }
    body
}

#[test]
fn a_refusal_names_the_field_and_its_limit() {
    let service = Running::start();
    let key = service.person("ann");
    let one = format!("{FACTS}/{}", service.says(&key, "ann", "tea"));
    let retrieve = |body: Value| post(RETRIEVE).json(&body);
    let agent = service.key("agent:bot", &[Right::FactsRead, Right::FactsWrite], &[], &["user:ann"]);
    let remember = |more: Value| post(REMEMBER).key(&agent).json(&remembers(&more));
    let deep = format!("{{\"content\":{}{}}}", "[".repeat(130), "]".repeat(130));
    let table: Vec<(Ask, &str)> = vec![
        (retrieve(json!({"query": "x", "limit": -1})), "limit: must be a whole number from 1 to 100"),
        (retrieve(json!({"query": "x", "limit": "5"})), "limit: must be a whole number from 1 to 100"),
        (retrieve(json!({"query": "x", "limit": 1.5})), "limit: must be a whole number from 1 to 100"),
        (retrieve(json!({"query": 5})), "query: must be text"),
        (retrieve(json!({"query": "x", "types": "t"})), "types: must be a list"),
        (retrieve(json!({"query": "x", "types": [1]})), "types[0]: must be text"),
        (retrieve(json!({"query": "x", "floor": "a"})), "floor: must be a number"),
        (retrieve(json!({"query": "x", "asOf": 5})), "asOf: must be text"),
        (retrieve(json!({"query": "x", "scope": {"projectId": 5}})), "scope.projectId: must be text"),
        (retrieve(json!({"query": "x", "scope": {"sessionId": "s"}})), "scope.sessionId: narrows no search"),
        (retrieve(json!({"query": "x", "scope": {"orgId": "o"}})), "scope.orgId: narrows no search"),
        (post(&format!("{one}/hold")).json(&json!({"legalHold": "no"})), "legalHold: must be true or false"),
        (ask("DELETE", &one).json(&json!({"reason": 5})), "reason: must be text"),
        (
            post(&format!("{one}/supersede"))
                .json(&json!({"content": "x", "expectVersion": 4_294_967_296_u64})),
            "expectVersion: must be a whole number from 1 to 4294967295",
        ),
        (post(FACTS).text(&deep), "body: is nested too deeply: a content has at most 64 levels"),
        (
            post(FACTS).text(
                "{\"type\":\"acme.note\",\"content\":1,\"scope\":{\"userId\":\"ann\",\"userId\":\"bob\"}}",
            ),
            "body: names a member twice at line 1",
        ),
        (
            remember(json!({"declaration": {"keepDays": -1}})),
            "declaration.keepDays: must be a whole number from 1",
        ),
        (
            remember(json!({"declaration": {"keepDays": 4_294_967_296_u64}})),
            "declaration.keepDays: must be a whole",
        ),
        (remember(json!({"call": {"runId": 5}})), "call.runId: must be text"),
        (remember(json!({"fact": {"text": ""}})), "fact.text: "),
        (remember(json!({"fact": {"validUntil": "2020-01-01T00:00:00Z"}})), "fact.validUntil: "),
    ];
    for (request, said) in table {
        // The first key counts.
        let answer = service.call(&request.key(&key));
        let detail = answer.refused(400, "bad-input")["detail"].as_str().unwrap().to_owned();
        assert!(detail.starts_with(said), "{said}: {detail}");
    }
    let big = format!("{{\"content\":\"{}\"}}", "x".repeat(1_048_576));
    let refused = service.call(&post(FACTS).key(&key).text(&big)).refused(413, "body-too-large");
    assert_eq!(refused["detail"], "body: has more than 1048576 bytes");
}

#[test]
fn what_a_route_does_not_take_is_not_passed_over() {
    let service = Running::start();
    let key = service.person("ann");
    let one = format!("{FACTS}/{}", service.says(&key, "ann", "tea"));
    let change = json!({"content": "two"});
    for (request, field) in [
        (post(&format!("{one}/supersede?expectVersion=99")).json(&change), "query"),
        (post(&format!("{one}/verify?expectVersion=99")), "query"),
        (post(&format!("{RETRIEVE}?limit=1")).json(&json!({"query": "tea"})), "query"),
        (post(&format!("{FACTS}?dry=1")).json(&change), "query"),
        (get(&format!("{FACTS}?expectVersion=1")), "query"),
        (post(RETRIEVE).header("If-Match", "\"1\"").json(&json!({"query": "tea"})), "If-Match"),
        (post(REMEMBER).header("If-Match", "\"1\"").json(&remembers(&json!({}))), "If-Match"),
    ] {
        let refused = service.call(&request.key(&key)).refused(400, "bad-input");
        assert!(refused["detail"].as_str().unwrap().starts_with(field), "{refused}");
    }
    assert_eq!(service.call(&get(&one).key(&key)).ok()["version"], 1);
}

// SEC-07
#[test]
fn a_secret_in_a_name_is_not_repeated() {
    const SECRET: &str = "ghp_aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cF2hJ5";
    let service = Running::start();
    let key = service.person("ann");
    let named = json!({ SECRET: 1 });
    for request in [
        post(FACTS).json(&json!({"type": "acme.note", "content": 1, SECRET: 1})),
        post(FACTS).json(&json!({"type": "acme.note", "content": 1, "scope": named})),
        post(RETRIEVE).json(&json!({"query": "x", SECRET: 1})),
        post(REMEMBER).json(&remembers(&json!({"fact": named}))),
        get(&format!("{FACTS}?{SECRET}=1")),
        get(&format!("{FACTS}?cursor={SECRET}")),
        get(FACTS).header("X-Request-Id", SECRET),
    ] {
        let answer = service.call(&request.key(&key));
        let told = format!("{answer:?}");
        assert!(!told.contains(SECRET), "{told}");
    }
}

// 101: a cursor is of one list
#[test]
fn a_cursor_belongs_to_its_list() {
    let service = Running::start();
    let (ann, bob) = (service.person("ann"), service.person("bob"));
    let fact = service.says(&ann, "ann", "tea");
    service.says(&ann, "ann", "milk");
    service
        .call(&post(&format!("{FACTS}/{fact}/supersede")).key(&ann).json(&json!({"content": "green tea"})));
    for _ in 0..2 {
        service.call(&post(RETRIEVE).key(&ann).json(&json!({"query": "tea"}))).ok();
    }
    let read = |path: &str, key: &str| service.call(&get(path).key(key));
    let cursor = |path: &str| read(path, &ann).ok()["nextCursor"].as_str().unwrap().to_owned();
    let times = "asOf=2100-01-01T00:00:00Z";
    let (facts, then) = (format!("{FACTS}?limit=1"), format!("{FACTS}?limit=1&{times}"));
    let (receipts, versions) =
        ("/v1/memory/receipts?limit=1".to_owned(), format!("{FACTS}/{fact}/revisions?limit=1"));
    for list in [&facts, &then, &receipts, &versions] {
        let next = cursor(list);
        read(&format!("{list}&cursor={next}"), &ann).ok();
        for other in [&facts, &then, &receipts, &versions] {
            if other != list {
                read(&format!("{other}&cursor={next}"), &ann).refused(400, "bad-input");
            }
        }
    }
    read(&format!("{receipts}&cursor={}", cursor(&receipts)), &bob).refused(400, "bad-input");
    for made_up in ["01a22ea7-b0ba-768b-8cf9-000000000000", "ffffffff", "", "é", "0000000000000000"] {
        let made_up = made_up.replace('é', "%C3%A9");
        for list in [&facts, &receipts, &versions] {
            read(&format!("{list}&cursor={made_up}"), &ann).refused(400, "bad-input");
        }
    }
}

#[test]
fn a_name_that_is_given_twice_or_on_the_request_line_counts() {
    let service = Running::start();
    service.call(&get("/healthz").header("Host", "evil.example")).refused(421, "host-not-allowed");
    service.call(&get("http://evil.example/healthz")).refused(421, "host-not-allowed");
    let refused = service.call(&get("/healthz").header("Host", "localhost").header("Host", "evil.example"));
    assert!([400, 421].contains(&refused.status), "{refused:?}");
}

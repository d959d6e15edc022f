//! Every refusal has one shape, the framework's own included.

use serde_json::json;

use super::client::{Ask, FACTS, NOBODYS, Running, ask, get, post};

fn note(extra: &serde_json::Value) -> serde_json::Value {
    let mut body =
        json!({"type": "acme.note", "scope": {"userId": "ann"}, "content": {"text": "secret tea"}});
    body.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
    body
}

/// A request, and the status and the code of its refusal.
type Row = (Ask, u16, &'static str);

#[test]
fn what_is_malformed_is_refused_by_name() {
    let service = Running::start();
    let key = service.person("ann");
    let fact = service.says(&key, "ann", "tea");
    let one = format!("{FACTS}/{fact}");
    let tables = [routes_and_bodies(&one), statements(&fact), reads(&one), acts(&one)];
    for (number, (request, status, code)) in tables.into_iter().flatten().enumerate() {
        let answer = service.call(&request.key(&key));
        assert_eq!(
            (answer.status, answer.json()["code"].as_str()),
            (status, Some(code)),
            "{number}: {answer:?}"
        );
        let body = answer.refused(status, code);
        assert!(!body.to_string().contains("secret tea"), "{body}");
    }
    let listed = service.call(&get(FACTS).key(&key)).ok();
    assert_eq!(listed["data"].as_array().unwrap().len(), 1, "nothing was written");
}

fn routes_and_bodies(one: &str) -> Vec<Row> {
    let big = format!("{{\"content\":\"{}\"}}", "x".repeat(1_048_576));
    vec![
        (get("/nothing"), 404, "route-not-found"),
        (get("/v1/memory/nothing"), 404, "route-not-found"),
        (get("/v1/memory/facts/"), 404, "route-not-found"),
        (ask("PATCH", one), 405, "method-not-allowed"),
        (ask("PUT", FACTS), 405, "method-not-allowed"),
        (post(FACTS).text("{"), 400, "bad-input"),
        (post(FACTS).text("[]"), 400, "bad-input"),
        (post(FACTS).text("{\"type\":\"a\",\"content\":1}"), 403, "permission-denied"),
        (post(FACTS).bytes("application/json", vec![0xff, 0xfe]), 400, "bad-input"),
        (post(FACTS).bytes("text/plain", b"{}".to_vec()), 415, "unsupported-media-type"),
        (
            post(FACTS).bytes("application/x-www-form-urlencoded", b"a=b".to_vec()),
            415,
            "unsupported-media-type",
        ),
        (post(FACTS).text(&big), 413, "body-too-large"),
        (post(FACTS), 400, "bad-input"),
        (post(FACTS).text(&"[".repeat(100_000)), 400, "bad-input"),
    ]
}

fn statements(fact: &str) -> Vec<Row> {
    let subjects: Vec<_> = (0..21).map(|n| json!({"kind": "participant", "id": format!("p{n}")})).collect();
    vec![
        (post(FACTS).json(&note(&json!({"owner": "bob"}))), 400, "bad-input"),
        (post(FACTS).json(&note(&json!({"attributedTo": {"kind": "user", "id": "bob"}}))), 400, "bad-input"),
        (post(FACTS).json(&note(&json!({"fact": fact}))), 400, "bad-input"),
        (post(FACTS).json(&note(&json!({"expectVersion": 0}))), 400, "bad-input"),
        (post(FACTS).json(&note(&json!({"subjects": subjects}))), 400, "bad-input"),
        (post(FACTS).json(&note(&json!({"subjects": [{"kind": "a", "id": "b", "c": 1}]}))), 400, "bad-input"),
        (post(FACTS).json(&note(&json!({"scope": {"participantId": "x"}}))), 400, "bad-input"),
        (
            post(FACTS).json(&note(&json!({"scope": {"tenantId": "other", "userId": "ann"}}))),
            400,
            "scope-mismatch",
        ),
        (
            post(FACTS).json(&note(
                &json!({"validFrom": "2026-01-01T00:00:00Z", "validUntil": "2026-01-01T00:00:00Z"}),
            )),
            400,
            "bad-input",
        ),
    ]
}

fn reads(one: &str) -> Vec<Row> {
    vec![
        (get(&format!("{FACTS}?owner=ann")), 400, "bad-input"),
        (get(&format!("{FACTS}?tenantId=other")), 400, "scope-mismatch"),
        (get(&format!("{FACTS}?participantId=x")), 400, "bad-input"),
        (get(&format!("{FACTS}?limit=0")), 400, "bad-input"),
        (get(&format!("{FACTS}?limit=101")), 400, "bad-input"),
        (get(&format!("{FACTS}?cursor=garbage")), 400, "bad-input"),
        (get(&format!("{FACTS}?asOf=yesterday")), 400, "bad-input"),
        (get(&format!("{FACTS}?asOf=2026-01-01T00:00:00")), 400, "bad-input"),
        (get(&format!("{FACTS}?state=true")), 400, "bad-input"),
        (get(&format!("{one}?version=0")), 400, "bad-input"),
        (get(&format!("{one}?version=x")), 400, "bad-input"),
        (get(&format!("{one}?version=2")), 404, "fact-not-found"),
        (get(&format!("{one}?version=1&asOf=2026-01-01T00:00:00Z")), 400, "bad-input"),
        (get(&format!("{FACTS}/{NOBODYS}")), 404, "fact-not-found"),
        (get(&format!("{FACTS}/nothing")), 404, "fact-not-found"),
        (get(&format!("{one}/revisions?cursor=x")), 400, "bad-input"),
        (post("/v1/memory/retrieve").json(&json!({"mode": "keyword"})), 400, "bad-input"),
        (post("/v1/memory/retrieve").json(&json!({"mode": "psychic", "query": "tea"})), 400, "bad-input"),
        (
            post("/v1/memory/retrieve").json(&json!({"query": "tea", "filters": {"owner": "ann"}})),
            400,
            "bad-input",
        ),
        (
            post("/v1/memory/retrieve").json(&json!({"query": "tea", "scope": {"tenantId": "other"}})),
            400,
            "scope-mismatch",
        ),
        (
            post("/v1/memory/retrieve").json(&json!({"query": "tea", "mode": "semantic"})),
            422,
            "semantic-unavailable",
        ),
        (get("/v1/memory/facts/%ff"), 404, "fact-not-found"),
        (get("/v1/memory/conflicts/%ff"), 400, "bad-input"),
        (get(&format!("{FACTS}?type=a&type=b")), 400, "bad-input"),
        (get("/v1/memory/conflicts/nothing"), 404, "conflict-not-found"),
        (get("/v1/memory/forgotten?state=active"), 400, "bad-input"),
        (get("/v1/memory/status"), 403, "permission-denied"),
    ]
}

fn acts(one: &str) -> Vec<Row> {
    vec![
        (post(&format!("{one}/supersede")).json(&json!({})), 400, "bad-input"),
        (post(&format!("{one}/supersede")).json(&json!({"content": 1, "type": "other"})), 400, "bad-input"),
        (
            post(&format!("{one}/supersede")).json(&json!({"content": 1, "expectVersion": "1"})),
            400,
            "bad-input",
        ),
        (
            post(&format!("{one}/supersede")).json(&json!({"content": 1, "expectVersion": 0})),
            400,
            "bad-input",
        ),
        (post(&format!("{one}/verify")).json(&json!({"trust": "verified"})), 400, "bad-input"),
        (post(&format!("{one}/hold")).json(&json!({})), 400, "bad-input"),
        (post(&format!("{one}/move")).json(&json!({"scope": {"tenantId": "other"}})), 400, "scope-mismatch"),
        (post(&format!("{one}/move")).json(&json!({})), 400, "bad-input"),
        (ask("DELETE", &format!("{one}?expectVersion=x")), 400, "bad-input"),
        (post(&format!("/v1/memory/conflicts/{NOBODYS}/settle")).json(&json!({"keep": 1})), 400, "bad-input"),
        (post(&format!("/v1/memory/review/{NOBODYS}/accept")), 404, "review-not-found"),
    ]
}

#[test]
fn it_answers_under_its_own_name_alone() {
    let service = Running::start();
    let key = service.operator();
    let port = service.address.port();
    for (host, status, code) in [
        ("evil.example".to_owned(), 421, "host-not-allowed"),
        (format!("evil.example:{port}"), 421, "host-not-allowed"),
        ("localhost.evil.example".to_owned(), 421, "host-not-allowed"),
    ] {
        service.call(&get(FACTS).key(&key).header("Host", &host)).refused(status, code);
        service.call(&get("/healthz").header("Host", &host)).refused(status, code);
    }
    for host in ["localhost", "LOCALHOST", "127.0.0.1", "[::1]"] {
        service.call(&get(FACTS).key(&key).header("Host", &format!("{host}:{port}"))).ok();
    }
    for (origin, is_ours) in [
        (format!("http://127.0.0.1:{port}"), true),
        ("http://127.0.0.1:1".to_owned(), false),
        ("http://evil.example".to_owned(), false),
        ("null".to_owned(), false),
    ] {
        let answer = service.call(&get(FACTS).key(&key).header("Origin", &origin));
        match is_ours {
            true => drop(answer.ok()),
            false => drop(answer.refused(403, "origin-not-allowed")),
        }
    }
    service.raw("GET /healthz HTTP/1.0\r\n\r\n").refused(400, "bad-input");
}

#[test]
fn a_request_keeps_its_id_where_it_is_fit() {
    let service = Running::start();
    let named =
        |id: &str| service.call(&get("/healthz").header("X-Request-Id", id)).headers["x-request-id"].clone();
    assert_eq!(named("turn-7.a_b"), "turn-7.a_b");
    for unfit in ["a b", "\"x\"", &"x".repeat(129)] {
        assert!(named(unfit).starts_with("req-"), "{unfit}");
    }
}

#[test]
fn no_key_is_refused_like_a_wrong_one() {
    let service = Running::start();
    let key = service.operator();
    let wrong = [
        get(FACTS),
        get(FACTS).key(""),
        get(FACTS).key("mem_0123456789abcdef_00"),
        get(FACTS).key(&key[..key.len() - 1]),
        get(FACTS).header("Authorization", &format!("Basic {key}")),
        get(FACTS).header("Authorization", &key),
    ];
    for request in wrong {
        let answer = service.call(&request);
        assert_eq!(answer.refused(401, "unauthenticated")["detail"], "the key is not valid");
        assert_eq!(answer.headers["www-authenticate"], "Bearer");
    }
    service.call(&get(FACTS).header("Authorization", &format!("bearer {key}"))).ok();
}

/// What has the form of one besides.
const NO_CODES: [&str; 3] = ["idempotency-key", "no-store", "x-request-id"];

/// What a source file says in quotes that has the form of a code.
fn codes(source: &str) -> Vec<&str> {
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    let quoted = code.split('"').skip(1).step_by(2);
    quoted
        .filter(|text| text.contains('-') && text.bytes().all(|c| c == b'-' || c.is_ascii_lowercase()))
        .collect()
}

#[test]
fn every_route_and_code_is_in_the_documentation() {
    let read =
        |path: &str| std::fs::read_to_string(format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let page = read("../../docs/api.md");
    for (route, method) in super::description::routes() {
        assert!(page.contains(&format!("`{} {route}`", method.to_uppercase())), "{method} {route}");
    }
    let sources = [
        "src/fault.rs",
        "src/fault/memory.rs",
        "src/door.rs",
        "src/input.rs",
        "src/keyed.rs",
        "src/rates.rs",
        "src/facts.rs",
    ];
    for source in sources.map(read) {
        for code in codes(&source).into_iter().filter(|code| !NO_CODES.contains(code)) {
            assert!(
                ["x-request-id", "idempotency-key"].contains(&code) || page.contains(&format!("`{code}`")),
                "{code}"
            );
        }
    }
}

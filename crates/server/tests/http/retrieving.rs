//! What a turn would find, and what waits for an owner.

use serde_json::{Value, json};
use truthkeeper::Right;

use super::client::{FACTS, Running, get, post};

const RETRIEVE: &str = "/v1/memory/retrieve";

fn texts(answer: &Value) -> Vec<&str> {
    answer["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["fact"]["content"]["text"].as_str().unwrap())
        .collect()
}

// 116, 117, 109
#[test]
fn a_search_finds_current_truth_and_says_what_it_lacks() {
    let service = Running::start();
    let key = service.person("ann");
    let id = service.says(&key, "ann", "tea in the morning");
    service.says(&key, "ann", "a walk at night");
    let asked = |body: &Value| service.call(&post(RETRIEVE).key(&key).json(body)).ok();
    let both = asked(&json!({"mode": "both", "query": "morning tea"}));
    assert_eq!((texts(&both), &both["degraded"]), (vec!["tea in the morning"], &json!("no-embeddings")));
    assert!(both["results"][0]["score"].is_number());
    assert_eq!((&both["results"][0]["fact"]["id"], &both["currentTruth"]), (&json!(id), &json!(true)));
    let newest = asked(&json!({"mode": "none", "limit": 1}));
    assert_eq!(texts(&newest), ["a walk at night"]);
    assert_eq!(newest["results"][0]["score"], Value::Null, "a list has no score");
    assert_eq!(texts(&asked(&json!({"query": "tea", "types": ["acme.other"]}))), [""; 0]);
    let then = both["results"][0]["fact"]["createdAt"].as_str().unwrap();
    let past = asked(&json!({"query": "tea walk", "asOf": then}));
    assert_eq!((texts(&past), &past["currentTruth"]), (vec!["tea in the morning"], &json!(false)));
    service
        .call(
            &post(&format!("{FACTS}/{id}/supersede")).key(&key).json(&json!({"content": {"text": "coffee"}})),
        )
        .ok();
    assert_eq!(texts(&asked(&json!({"query": "tea"}))), [""; 0]);
}

#[test]
fn a_search_is_narrowed_to_a_scope() {
    let service = Running::start();
    let key = service.key("user:app", &[Right::FactsRead, Right::FactsWrite], &[], &["project:desk"]);
    for (scope, text) in [
        (json!({"projectId": "desk"}), "tea for the project"),
        (json!({"projectId": "desk", "participantId": "x"}), "tea for x"),
        (json!({"projectId": "desk", "participantId": "y"}), "tea for y"),
    ] {
        let body = json!({"type": "acme.note", "scope": scope, "content": {"text": text}});
        service.call(&post(FACTS).key(&key).json(&body)).ok();
    }
    let found = |scope: Value| {
        let answer =
            service.call(&post(RETRIEVE).key(&key).json(&json!({"query": "tea", "scope": scope}))).ok();
        let mut found: Vec<String> = texts(&answer).into_iter().map(str::to_owned).collect();
        found.sort_unstable();
        found
    };
    assert_eq!(found(json!({"projectId": "desk", "participantId": "x"})), ["tea for x"]);
    assert_eq!(found(json!({"projectId": "other", "participantId": "x"})), [""; 0]);
    assert_eq!(found(json!({"projectId": "desk"})), ["tea for the project"]);
    assert_eq!(found(Value::Null).len(), 3, "a key for a project acts for its people");
}

#[test]
fn an_owner_settles_what_an_agent_made_doubtful() {
    let service = Running::start();
    let ann = service.person("ann");
    let agent = service.key(
        "agent:desk@1",
        &[Right::FactsRead, Right::FactsWrite, Right::Review],
        &[],
        &["user:ann"],
    );
    let one = format!("{FACTS}/{}", service.says(&ann, "ann", "tea"));
    let doubt = service.call(
        &post(&format!("{one}/supersede"))
            .key(&agent)
            .json(&json!({"content": {"text": "coffee"}, "confidence": 0.5})),
    );
    assert_eq!((doubt.status, &doubt.ok()["receipt"]["outcome"]), (202, &json!("conflict-opened")));
    let asked = service.call(&post(RETRIEVE).key(&agent).json(&json!({"query": "tea coffee"}))).ok();
    assert_eq!((texts(&asked), &asked["conflictsOpen"]), (vec![], &json!(1)));
    let open = service.call(&get("/v1/memory/conflicts").key(&ann)).ok();
    let conflict = open["data"][0]["conflict"].as_str().unwrap().to_owned();
    let path = format!("/v1/memory/conflicts/{conflict}");
    let shown = service.call(&get(&path).key(&ann)).ok();
    assert_eq!(
        (&shown["state"], &shown["versions"][1]["content"]["text"]),
        (&json!("open"), &json!("coffee"))
    );
    let keep = json!({"expectVersion": 1, "keep": 1, "note": "she said so"});
    let settle = post(&format!("{path}/settle"));
    service.call(&settle.clone().key(&agent).json(&keep)).refused(403, "permission-denied");
    let stale = json!({"expectVersion": 7, "keep": 1});
    let refused = service.call(&settle.clone().key(&ann).json(&stale)).refused(409, "conflict-changed");
    assert_eq!(refused["conflictVersion"], 1);
    service
        .call(&settle.clone().key(&ann).json(&json!({"expectVersion": 1, "keep": 1, "content": 1})))
        .refused(400, "bad-input");
    assert_eq!(service.call(&settle.clone().key(&ann).json(&keep)).ok()["content"]["text"], "tea");
    service.call(&post(&format!("{path}/reopen")).key(&ann)).ok();
    let word = json!({"expectVersion": 3, "content": {"text": "tea, then coffee"}});
    assert_eq!(service.call(&settle.key(&ann).json(&word)).ok()["content"]["text"], "tea, then coffee");
}

#[test]
fn what_is_said_again_after_it_was_forgotten_waits() {
    let service = Running::start();
    let ann = service.person("ann");
    let agent = service.key("agent:desk@1", &[Right::FactsRead, Right::FactsWrite], &[], &["user:ann"]);
    for (act, status, version) in [("accept", 200, json!(2)), ("dismiss", 200, Value::Null)] {
        let text = format!("tea to {act}");
        let id = service.says(&ann, "ann", &text);
        service.call(&super::client::ask("DELETE", &format!("{FACTS}/{id}")).key(&ann)).ok();
        let body = json!({"type": "acme.note", "scope": {"userId": "ann"}, "content": {"text": text}});
        let again = service.call(&post(FACTS).key(&agent).json(&body));
        assert_eq!((again.status, &again.ok()["content"]), (202, &Value::Null), "it is not shown as said");
        let waits = service.call(&get("/v1/memory/review").key(&ann)).ok();
        assert_eq!(waits["data"][0]["content"]["text"], text);
        let review = waits["data"][0]["review"].as_str().unwrap();
        let done = service.call(&post(&format!("/v1/memory/review/{review}/{act}")).key(&ann));
        assert_eq!((done.status, &done.json()["version"]), (status, &version));
        assert_eq!(service.call(&get("/v1/memory/review").key(&ann)).ok()["data"], json!([]));
    }
}

#[test]
fn memories_from_before_the_ledger_come_apart() {
    let service = Running::start();
    let (ann, bob) = (service.person("ann"), service.person("bob"));
    service.remembered_before("ann", "tea of old");
    let found = |key: &str| service.call(&post(RETRIEVE).key(key).json(&json!({"query": "tea"}))).ok();
    let older = found(&ann);
    assert_eq!((texts(&older), &older["legacy"][0]["content"]["text"]), (vec![], &json!("tea of old")));
    assert_eq!(older["legacy"][0]["currentTruth"], false);
    assert_eq!(found(&bob)["legacy"], Value::Null);
    let row = older["legacy"][0]["id"].as_str().unwrap();
    let change = post(&format!("{FACTS}/{row}/verify"));
    service.call(&change.clone().key(&ann)).refused(409, "awaiting-reconciliation");
    service.call(&change.key(&bob)).refused(404, "fact-not-found");
}

//! A secret in a request is refused by its field and by what found it, and is in no answer (SEC-03).

use serde_json::json;

use super::client::{FACTS, Running, ask, get, post};

const SAID: &str = "her password is Xylophon1c";

#[test]
fn a_secret_is_refused_and_never_echoed() {
    let service = Running::start();
    let key = service.person("ann");
    let fact = service.says(&key, "ann", "tea");
    let note = |content: serde_json::Value| json!({"type": "acme.note", "scope": {"userId": "ann"}, "content": content});
    let one = format!("{FACTS}/{fact}");
    let tagged = json!({"type": "acme.note", "scope": {"userId": "ann"}, "content": "x", "tags": [SAID]});
    for (request, field) in [
        (post(FACTS).json(&note(json!({"text": SAID}))), "content"),
        (post(FACTS).json(&note(json!({SAID: 1}))), "content"),
        (post(FACTS).json(&tagged), "tags"),
        (post(FACTS).header("Idempotency-Key", "once").json(&note(json!(SAID))), "content"),
        (post(&format!("{one}/supersede")).json(&json!({"content": SAID})), "content"),
        (ask("DELETE", &one).json(&json!({"reason": SAID})), "reason"),
    ] {
        let answer = service.call(&request.key(&key));
        let body = answer.refused(400, "secret-refused");
        assert_eq!(body["detail"], format!("{field}: holds a secret (found by: password)"));
        assert!(!format!("{answer:?}").contains("Xylophon"), "{answer:?}");
    }
    let plain = post(FACTS).header("Idempotency-Key", "once").json(&note(json!({"text": "water"})));
    assert_eq!(service.call(&plain.key(&key)).status, 201, "the key of a refused request is free");
    let listed = service.call(&get(FACTS).key(&key)).ok();
    assert_eq!(listed["data"].as_array().unwrap().len(), 2);
}

#[test]
fn a_query_with_a_secret_is_answered() {
    let service = Running::start();
    let key = service.person("ann");
    service.says(&key, "ann", "her tea is green");
    let body = json!({"query": format!("tea, {SAID}"), "mode": "keyword"});
    let answer = service.call(&post("/v1/memory/retrieve").key(&key).json(&body)).ok();
    assert_eq!(answer["results"].as_array().unwrap().len(), 1);
}

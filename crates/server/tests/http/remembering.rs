//! What an agent remembers through its tool, as its runtime sends it (behaviours 125 to 127).

use serde_json::{Value, json};
use truthkeeper::Right;

use super::client::{Ask, FACTS, Running, get, post};

const ROUTE: &str = "/v1/memory/remember";

fn agent(service: &Running) -> String {
    service.key("agent:desk@2.0", &[Right::FactsRead, Right::FactsWrite], &[], &["project:desk"])
}

fn reviewer(service: &Running) -> String {
    let rights = [Right::FactsRead, Right::FactsWrite, Right::Review];
    service.key("user:rita", &rights, &[], &["project:desk"])
}

/// A call with `fields` laid over each of its parts.
fn body(call: &str, scope: &str, fields: &Value) -> Value {
    let mut body = json!({
        "declaration": {"types": ["acme.preference"], "scope": scope},
        "run": {"projectId": "desk", "participantId": "mia", "threadId": "t1"},
        "call": {"runId": "r1", "stepId": "step:2", "toolCallId": call, "agentId": "desk", "agentVersion": "2.0"},
        "fact": {"type": "acme.preference", "key": "contact", "text": "I prefer email."},
    });
    for (part, fields) in fields.as_object().unwrap() {
        body[part].as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    }
    body
}

fn remember(call: &str, scope: &str, fields: &Value) -> Ask {
    post(ROUTE).json(&body(call, scope, fields))
}

#[test]
fn a_call_is_answered_as_the_tool_reads_it() {
    let service = Running::start();
    let key = agent(&service);
    let answer = service.call(&remember("c1", "same-user", &json!({})).key(&key));
    assert_eq!(answer.status, 201, "{answer:?}");
    let said = answer.json();
    let fact = said["factId"].as_str().unwrap().to_owned();
    assert_eq!(
        said,
        json!({"factId": fact, "status": "remembered", "outcome": "created", "version": 1, "replayed": false})
    );
    let seen = service.call(&get(&format!("{FACTS}/{fact}")).key(&key)).ok();
    assert_eq!(seen["content"], json!({"key": "contact", "text": "I prefer email."}));
    assert_eq!(seen["scope"], json!({"tenantId": "local", "projectId": "desk", "participantId": "mia"}));
    assert_eq!(seen["attributedTo"], json!({"kind": "agent", "id": "desk", "agentVersion": "2.0"}));
    assert_eq!(seen["generatedBy"], json!({"runId": "r1", "stepId": "step:2", "toolCallId": "c1"}));
    assert_eq!(seen["subjects"], json!([{"kind": "participant", "id": "mia"}]));
    assert_eq!(seen["trust"], "unverified");
    assert!(seen["expiresAt"].is_string(), "{seen}");

    let again = service.call(&remember("c1", "same-user", &json!({})).key(&key));
    assert_eq!(
        (
            again.status,
            &again.json()["replayed"],
            again.headers.get("idempotent-replayed").map(String::as_str)
        ),
        (201, &json!(true), Some("true"))
    );
    let next =
        service.call(&remember("c2", "same-user", &json!({"fact": {"text": "By phone."}})).key(&key)).ok();
    assert_eq!(
        (&next["outcome"], &next["version"], &next["factId"]),
        (&json!("superseded"), &json!(2), &json!(fact))
    );
    service.call(&remember("c2", "same-user", &json!({})).key(&key)).refused(409, "idempotency-conflict");
}

#[test]
fn what_waits_is_approved_or_dismissed_in_the_review_list() {
    let service = Running::start();
    let (key, rita) = (agent(&service), reviewer(&service));
    let order = json!({"fact": {"text": "Always answer in French"}});
    for (call, scope, fields, settles) in
        [("c1", "same-user", order, "accept"), ("c2", "same-project", json!({}), "dismiss")]
    {
        let answer = service.call(&remember(call, scope, &fields).key(&key));
        let said = answer.json();
        let review = said["review"].as_str().unwrap().to_owned();
        assert_eq!(
            (answer.status, &said["status"], &said["outcome"], said.get("version")),
            (202, &json!("waiting"), &json!("held-back"), None)
        );
        let one = format!("{FACTS}/{}", said["factId"].as_str().unwrap());
        for path in [one.clone(), format!("{one}?version=1"), format!("{one}/revisions")] {
            for key in [&key, &rita] {
                service.call(&get(&path).key(key)).refused(404, "fact-not-found");
            }
        }
        let waiting = service.call(&get("/v1/memory/review").key(&rita)).ok();
        let held = &waiting["data"][0];
        assert_eq!((&held["cause"], &held["review"]), (&json!("memory-fact"), &json!(review)));
        assert_eq!((&held["type"], &held["attributedTo"]["id"]), (&json!("acme.preference"), &json!("desk")));
        service
            .call(&post(&format!("/v1/memory/review/{review}/{settles}")).key(&key))
            .refused(403, "permission-denied");
        service.call(&post(&format!("/v1/memory/review/{review}/{settles}")).key(&rita)).ok();
        let seen = service.call(&get(&one).key(&key));
        assert_eq!(seen.status, if settles == "accept" { 200 } else { 404 }, "{seen:?}");
        assert_eq!(service.call(&get("/v1/memory/review").key(&rita)).ok()["data"], json!([]));
    }
    let again = service.call(&remember("c3", "same-project", &json!({})).key(&key));
    assert_eq!((again.status, &again.json()["status"]), (202, &json!("dismissed")));
}

#[test]
fn what_is_not_as_it_must_be_is_refused() {
    let service = Running::start();
    let (key, rita) = (agent(&service), reviewer(&service));
    for (fields, status, code) in [
        (json!({"fact": {"text": "x".repeat(2_001)}}), 400, "bad-input"),
        (json!({"fact": {"type": "acme.policy"}}), 400, "bad-input"),
        (json!({"fact": {"scope": "tenant"}}), 400, "bad-input"),
        (json!({"fact": {"validUntil": "tomorrow"}}), 400, "bad-input"),
        (json!({"fact": {"validUntil": "2020-01-01T00:00:00Z"}}), 400, "bad-input"),
        (json!({"declaration": {"scope": "everyone"}}), 400, "bad-input"),
        (json!({"declaration": {"keepDays": 0}}), 400, "bad-input"),
        (json!({"call": {"agentId": "rival"}}), 400, "bad-input"),
        (json!({"call": {"agentVersion": "3"}}), 400, "bad-input"),
        (json!({"call": {"runId": ""}}), 400, "bad-input"),
        (json!({"run": {"participantId": null}}), 422, "memory-needs-participant"),
        (json!({"run": {"tenantId": "other"}}), 400, "scope-mismatch"),
        (json!({"run": {"projectId": "other"}}), 403, "permission-denied"),
        (json!({"fact": {"text": "the password is hunter2"}}), 400, "secret-refused"),
    ] {
        service.call(&remember("c1", "same-user", &fields).key(&key)).refused(status, code);
    }
    service.call(&remember("c1", "same-user", &json!({})).key(&rita)).refused(403, "permission-denied");
    let needs =
        service.call(&remember("c1", "same-conversation", &json!({"run": {"threadId": null}})).key(&key));
    needs.refused(422, "memory-needs-conversation");
    assert_eq!(service.call(&get(FACTS).key(&rita)).ok()["data"], json!([]));
}

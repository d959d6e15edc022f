//! Requests that are sent again, and changes that expect a version.

use std::collections::BTreeSet;

use serde_json::json;

use super::client::{FACTS, Running, ask, get, post};

// 103
#[test]
fn a_stale_version_changes_nothing() {
    let service = Running::start();
    let key = service.person("ann");
    let one = format!("{FACTS}/{}", service.says(&key, "ann", "tea"));
    let supersede = post(&format!("{one}/supersede")).key(&key);
    let change = json!({"content": {"text": "coffee"}});
    service.call(&supersede.clone().header("If-Match", "\"1\"").json(&change)).ok();
    let stale = json!({"content": {"text": "milk"}, "expectVersion": 1});
    let refused = service.call(&supersede.clone().json(&stale)).refused(409, "fact-changed");
    assert_eq!(refused["currentVersion"], 2);
    for request in [
        supersede.json(&change),
        post(&format!("{one}/verify")).key(&key),
        post(&format!("{one}/move")).key(&key).json(&json!({"scope": {"userId": "ann", "sessionId": "s"}})),
        ask("DELETE", &one).key(&key),
    ] {
        let refused = service.call(&request.header("If-Match", "\"1\"")).refused(412, "precondition-failed");
        assert_eq!(refused["currentVersion"], 2);
    }
    let refused = service.call(&ask("DELETE", &format!("{one}?expectVersion=1")).key(&key));
    refused.refused(409, "fact-changed");
    for odd in ["2", "W/\"2\"", "\"x\"", "\"0\"", "\"1\", \"2\""] {
        service.call(&ask("DELETE", &one).key(&key).header("If-Match", odd)).refused(400, "bad-input");
    }
    let both = ask("DELETE", &format!("{one}?expectVersion=2")).key(&key).header("If-Match", "\"1\"");
    service.call(&both).refused(400, "bad-input");
    let got = service.call(&get(&one).key(&key));
    assert_eq!((got.headers["etag"].as_str(), &got.ok()["content"]["text"]), ("\"2\"", &json!("coffee")));
    service
        .call(
            &post(&format!("{one}/hold"))
                .key(&key)
                .header("If-Match", "\"2\"")
                .json(&json!({"legalHold": true})),
        )
        .refused(400, "bad-input");
    service.call(&ask("DELETE", &one).key(&key).header("If-Match", "\"2\"")).ok();
}

// The greatest numbers that there are name nothing, and break nothing
#[test]
fn the_greatest_numbers_name_nothing() {
    let service = Running::start();
    let key = service.person("ann");
    let one = format!("{FACTS}/{}", service.says(&key, "ann", "tea"));
    let most = u32::MAX;
    service.call(&get(&format!("{one}?version={most}")).key(&key)).refused(404, "fact-not-found");
    let change = json!({"content": "milk", "expectVersion": most});
    service.call(&post(&format!("{one}/supersede")).key(&key).json(&change)).refused(409, "fact-changed");
    let back = json!({"version": most});
    service.call(&post(&format!("{one}/restore")).key(&key).json(&back)).refused(409, "still-current");
    let delete = ask("DELETE", &format!("{one}?expectVersion={most}")).key(&key);
    service.call(&delete).refused(409, "fact-changed");
    let after = format!("/v1/memory/changes?after={}", i64::MAX);
    assert_eq!(service.call(&get(&after).key(&key)).ok()["data"], json!([]));
    for beyond in [format!("{one}?version={}", u64::from(most) + 1), format!("{after}0")] {
        service.call(&get(&beyond).key(&key)).refused(400, "bad-input");
    }
}

// 130
#[test]
fn a_request_that_is_sent_again_is_answered_again() {
    let service = Running::start();
    let (ann, bob) = (service.person("ann"), service.person("bob"));
    let body =
        json!({"type": "acme.note", "scope": {"userId": "ann"}, "key": "drink", "content": {"text": "tea"}});
    let write = post(FACTS).key(&ann).header("Idempotency-Key", "one");
    let first = service.call(&write.clone().json(&body));
    let again = service.call(&write.clone().json(&body));
    assert_eq!((first.status, again.status), (201, 201));
    assert_eq!(first.headers.get("idempotent-replayed"), None);
    assert_eq!(again.headers["idempotent-replayed"], "true");
    let (first, again) = (first.ok(), again.ok());
    assert_eq!((&first["id"], &first["content"]), (&again["id"], &again["content"]));
    let other =
        json!({"type": "acme.note", "scope": {"userId": "ann"}, "key": "drink", "content": {"text": "milk"}});
    service.call(&write.json(&other)).refused(409, "idempotency-conflict");
    // Another key's names are its own.
    let body = json!({"type": "acme.note", "scope": {"userId": "bob"}, "content": {"text": "milk"}});
    let theirs = service.call(&post(FACTS).key(&bob).header("Idempotency-Key", "one").json(&body));
    assert_eq!((theirs.status, theirs.headers.get("idempotent-replayed")), (201, None));
    let long = "x".repeat(101);
    for odd in ["", long.as_str()] {
        service
            .call(&post(FACTS).key(&ann).header("Idempotency-Key", odd).json(&other))
            .refused(400, "bad-input");
    }
    let id = first["id"].as_str().unwrap();
    let delete = ask("DELETE", &format!("{FACTS}/{id}")).key(&ann).header("Idempotency-Key", "two");
    service.call(&delete).ok();
    let again = service.call(&delete);
    assert_eq!(again.headers["idempotent-replayed"], "true");
    assert_eq!(again.ok()["state"], "retracted");
}

// In flight: one is begun, and the others are told to ask again
#[test]
fn requests_of_one_name_at_once_are_one() {
    let service = Running::start();
    let key = service.person("ann");
    let body = json!({"type": "acme.note", "scope": {"userId": "ann"}, "content": {"text": "tea"}});
    let write = post(FACTS).key(&key).header("Idempotency-Key", "at once").json(&body);
    let pending: Vec<_> = (0..8).map(|_| service.begin(&write)).collect();
    let answers: Vec<_> = pending.into_iter().map(super::client::Pending::end).collect();
    let (done, early): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 201);
    for answer in early {
        answer.refused(409, "request-in-flight");
    }
    let ids: BTreeSet<String> = done.iter().map(|answer| answer.ok()["id"].to_string()).collect();
    let replayed = done.iter().filter(|answer| answer.headers.contains_key("idempotent-replayed")).count();
    assert_eq!((ids.len(), replayed), (1, done.len() - 1));
    assert_eq!(service.call(&write).headers["idempotent-replayed"], "true", "later it is answered again");
}

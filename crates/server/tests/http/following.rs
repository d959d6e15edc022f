//! What happens is told page by page, and as it happens.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::client::{FACTS, Running, ask, get, post};

const CHANGES: &str = "/v1/memory/changes";

#[test]
fn changes_come_after_a_position() {
    let service = Running::start();
    let (ann, bob) = (service.person("ann"), service.person("bob"));
    let tea = service.says(&ann, "ann", "tea canary");
    service.says(&bob, "bob", "milk");
    let first = service.call(&get(&format!("{CHANGES}?limit=1")).key(&ann));
    assert!(!first.text.contains("canary"), "no words: {first:?}");
    let first = first.ok();
    assert_eq!((&first["data"][0]["fact"], &first["data"][0]["event"]), (&json!(tea), &json!("created")));
    assert_eq!((&first["data"][0]["version"], &first["more"]), (&json!(1), &json!(false)));
    service.call(&ask("DELETE", &format!("{FACTS}/{tea}")).key(&ann)).ok();
    let next = format!("{CHANGES}?after={}", first["after"]);
    let next = service.call(&get(&next).key(&ann)).ok();
    assert_eq!((next["data"].as_array().unwrap().len(), &next["data"][0]["event"]), (1, &json!("retracted")));
    let latest = service.call(&get(&format!("{CHANGES}?after=latest")).key(&ann)).ok();
    assert_eq!((&latest["data"], &latest["after"]), (&json!([]), &next["after"]));
    for odd in ["after=-1", "after=x", "limit=0", "limit=101", "from=1"] {
        service.call(&get(&format!("{CHANGES}?{odd}")).key(&ann)).refused(400, "bad-input");
    }
}

/// The data of each event in what a stream has said.
fn events(said: &str) -> Vec<(String, Value)> {
    let blocks = said.split("\n\n").filter(|block| block.contains("id: "));
    let field = |block: &str, name: &str| {
        block.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().trim().to_owned()
    };
    blocks
        .map(|block| (field(block, "id:"), serde_json::from_str(&field(block, "data:")).unwrap_or_default()))
        .collect()
}

#[test]
fn a_stream_goes_on_where_it_was_cut_and_ends_with_the_service() {
    let mut service = Running::start();
    let (ann, bob) = (service.person("ann"), service.person("bob"));
    let tea = service.says(&ann, "ann", "tea");
    let stream = get(CHANGES).header("Accept", "text/event-stream");
    let mut following = service.begin(&stream.clone().key(&ann));
    let said = following.said_until("created");
    let (first, event) = events(&said).remove(0);
    assert_eq!((&event["fact"], &event["event"]), (&json!(tea), &json!("created")));
    service.says(&bob, "bob", "milk");
    service.call(&post(&format!("{FACTS}/{tea}/verify")).key(&ann)).ok();
    let said = following.said_until("revised");
    assert_eq!(events(&said).len(), 1, "nobody else's: {said}");
    drop(following);
    let mut again = service.begin(&stream.clone().key(&ann).header("Last-Event-ID", &first));
    assert_eq!(events(&again.said_until("revised")).len(), 1, "not what it has");
    service.call(&stream.clone().key(&ann).header("Last-Event-ID", "x")).refused(400, "bad-input");
    let mut revoked = service.begin(&stream.key(&bob));
    revoked.said_until("created");
    service.revoke(&bob);
    revoked.end_within(Duration::from_secs(5));
    let began = Instant::now();
    service.stop();
    service.ended();
    assert!(began.elapsed() < Duration::from_secs(5), "a stream does not hold up the end");
}

//! How the install stands, for its operators alone.

use super::{Browser, contested};
use crate::client::{Running, post};
use serde_json::json;
use truthkeeper::Right;

#[test]
fn operators_see_the_areas_what_mends_them_and_the_last_days() {
    let service = Running::start();
    let ann = service.person("ann");
    service.says(&ann, "ann", "canary tea");
    contested(&service, &ann, "ann", "canary one", "canary two");
    service.call(&post("/v1/memory/retrieve").key(&ann).json(&json!({"query": "tea"}))).ok();
    let operator = service.key("operator:olga", &[Right::Operate], &[], &[]);
    let page = Browser::signed_in(&service, &operator).sees("/status");
    for part in [
        "current truth",
        "ledger integrity",
        "not verified",
        "the ledger was never checked",
        "<code class=\"mend\">memory ledger check</code>",
        "1 open, the oldest for",
        "aria-label=\"Facts that stand, by day: 0 at first, 1 today, 1 at most\"",
        "aria-label=\"Facts in conflict, by day: 0 at first, 1 today, 1 at most\"",
        "aria-label=\"Recalls, by day: 0 at first, 1 today, 1 at most\"",
        "aria-label=\"Drift, by day: 0 at first, 0 today, 0 at most\"",
        // Of drift it depends on whether the service has compared the index by then.
        "<td>1</td><td>1</td><td>0</td><td>1</td><td>",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert_eq!(page.matches("<th scope=\"row\">").count(), 30);
    assert!(!page.contains("canary"), "no content: {page}");
}

#[test]
fn others_do_not() {
    let service = Running::start();
    let browser = Browser::signed_in(&service, &service.person("ann"));
    assert!(!browser.sees("/memory").contains("href=\"/status\""));
    let answer = browser.get("/status");
    assert_eq!(answer.status, 403, "{answer:?}");
    assert!(answer.text.contains("operate"), "{answer:?}");
}

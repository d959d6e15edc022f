//! How often one may ask, who reads the metrics, and what a retrieve takes where it does not say.

use std::sync::Arc;

use serde_json::json;
use truthkeeper_server::{Search, Settings};

use super::client::{FACTS, Running, get, post};

#[test]
fn a_key_that_asks_too_often_is_told_when_to_come_back() {
    let service = Running::with(Settings { requests_per_second: 2, ..Settings::default() });
    let (ann, bob) = (service.person("ann"), service.person("bob"));
    let asked: Vec<_> = (0..12).map(|_| service.call(&get(FACTS).key(&ann))).collect();
    assert!(asked[..4].iter().all(|answer| answer.status == 200), "{asked:?}");
    let refused = asked.iter().find(|answer| answer.status != 200).unwrap();
    refused.refused(429, "rate-limited");
    assert_eq!(refused.headers["retry-after"], "1");
    service.call(&get(FACTS).key(&bob)).ok();
    service.call(&get("/healthz").key(&ann)).ok();
}

#[test]
fn who_guesses_keys_is_sent_away_and_no_one_else() {
    let service = Running::start();
    let (key, other) = (service.operator(), service.person("ann"));
    service.call(&get(FACTS).key(&key)).ok();
    service.revoke(&other);
    let statuses: Vec<u16> = (0..40).map(|_| service.call(&get(FACTS).key(&other)).status).collect();
    assert!(statuses[..30].iter().all(|status| *status == 401), "{statuses:?}");
    assert!(statuses.contains(&429), "{statuses:?}");
    let refused = service.call(&get(FACTS).key(&other));
    refused.refused(429, "rate-limited");
    assert!(refused.headers.contains_key("retry-after"));
    service.call(&get(FACTS).key(&key)).ok();
    // What is no key at all costs no look, and is told so as ever.
    service.call(&get(FACTS).key("mem_x")).refused(401, "unauthenticated");
}

#[test]
fn metrics_are_there_where_something_records_them() {
    Running::start().call(&get("/metrics")).refused(404, "route-not-found");
    let render = Arc::new(|| "truthkeeper_versions 1\n".to_owned());
    let service = Running::with(Settings { metrics: Some(render), ..Settings::default() });
    let shown = service.call(&get("/metrics"));
    assert_eq!((shown.status, shown.text.as_str()), (200, "truthkeeper_versions 1\n"));
    assert!(shown.headers["content-type"].starts_with("text/plain; version=0.0.4"));
    service.call(&get("/metrics").header("Host", "evil.example")).refused(421, "host-not-allowed");
}

#[test]
fn a_retrieve_takes_what_was_set_where_it_does_not_say() {
    let search = Search { limit: Some(1), floor: None };
    let service = Running::with(Settings { search, ..Settings::default() });
    let key = service.person("ann");
    for text in ["green tea", "black tea"] {
        service.says(&key, "ann", text);
    }
    for (asked, found) in [(json!({"query": "tea"}), 1), (json!({"query": "tea", "limit": 2}), 2)] {
        let results = service.call(&post("/v1/memory/retrieve").key(&key).json(&asked)).ok();
        assert_eq!(results["results"].as_array().unwrap().len(), found, "{asked}");
    }
}

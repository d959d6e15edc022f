//! A service that is told to stop lets the requests that run come to their end.

use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;

use super::client::{FACTS, Running, get, post};

#[test]
fn a_request_that_runs_is_answered() {
    let mut service = Running::start();
    let key = service.person("ann");
    let body =
        json!({"type": "acme.note", "scope": {"userId": "ann"}, "content": {"text": "tea"}}).to_string();
    let half = post(FACTS).key(&key).header("Content-Length", &body.len().to_string());
    let mut pending = service.begin(&half.header("Content-Type", "application/json"));
    pending.send(&body.as_bytes()[..10]);
    // It is underway once another one, which came later, is answered.
    service.call(&get("/healthz")).ok();
    let began = Instant::now();
    service.stop();
    std::thread::sleep(Duration::from_millis(200));
    assert!(TcpStream::connect(service.address).is_err(), "no new request is taken");
    pending.send(&body.as_bytes()[10..]);
    assert_eq!(pending.end().status, 201);
    service.ended();
    assert!(began.elapsed() < Duration::from_secs(5));
}

#[test]
fn one_that_does_not_end_is_given_up() {
    let mut service = Running::start();
    let key = service.person("ann");
    let half = post(FACTS).key(&key).header("Content-Length", "100");
    let pending = service.begin(&half.header("Content-Type", "application/json"));
    service.call(&get("/healthz")).ok();
    let began = Instant::now();
    service.stop();
    service.ended();
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    drop(pending);
}

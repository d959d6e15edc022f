//! Buckets at their edges, by a clock that the test turns.

use std::net::IpAddr;
use std::time::{Duration, Instant};

use truthkeeper::KeyId;

use super::rates::{Buckets, Rates};

#[test]
fn a_bucket_gives_what_it_holds_and_what_it_gained_since() {
    let (buckets, start) = (Buckets::new(2.0, 4.0), Instant::now());
    let at = |millis| start + Duration::from_millis(millis);
    for _ in 0..4 {
        buckets.take(&"ann", at(0)).unwrap();
    }
    assert_eq!(buckets.take(&"ann", at(0)), Err(Duration::from_millis(500)));
    assert_eq!(buckets.take(&"ann", at(499)), Err(Duration::from_millis(1)));
    buckets.take(&"bob", at(0)).unwrap();
    buckets.take(&"ann", at(500)).unwrap();
    buckets.take(&"ann", at(500)).unwrap_err();
    // It never holds more than its size, however long it was left alone.
    for _ in 0..4 {
        buckets.take(&"ann", at(1_000_000)).unwrap();
    }
    assert!(buckets.wait(&"ann", at(1_000_000)).is_some() && buckets.wait(&"carl", at(0)).is_none());
}

#[test]
fn who_guesses_locks_out_no_key_that_was_right() {
    let (rates, now) = (Rates::new(1), Instant::now());
    let [right, guess] = ["0123456789abcdef", "fedcba9876543210"].map(|id| KeyId::parse(id).unwrap());
    let peer: IpAddr = "2001:db8::1".parse().unwrap();
    rates.knock(peer, &right, now).unwrap();
    rates.ask(&right, now).unwrap();
    for _ in 0..30 {
        rates.knock(peer, &guess, now).unwrap();
        rates.was_wrong(peer, now);
    }
    let refused = rates.knock("2001:db8::2".parse().unwrap(), &guess, now).unwrap_err();
    assert_eq!((refused.status.as_u16(), refused.code, refused.retry_after), (429, "rate-limited", Some(2)));
    rates.knock(peer, &right, now).unwrap();
    rates.knock("2001:db8:0:1::1".parse().unwrap(), &guess, now).unwrap();
    rates.knock(peer, &guess, now + Duration::from_secs(2)).unwrap();
}

#[test]
fn no_limit_is_no_limit() {
    let (rates, now) = (Rates::new(0), Instant::now());
    let key = KeyId::parse("0123456789abcdef").unwrap();
    for _ in 0..1_000 {
        rates.ask(&key, now).unwrap();
    }
    let limited = Rates::new(1);
    assert_eq!((0..1_000).filter(|_| limited.ask(&key, now).is_ok()).count(), 2);
}

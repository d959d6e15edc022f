//! Waits, their limits, and what endpoints ask for.

use std::time::Duration;

use proptest::prelude::*;
use reqwest::header::{DATE, HeaderMap, HeaderValue, RETRY_AFTER};

use super::{RetryLimits, asked};

const SECOND: Duration = Duration::from_secs(1);
const LIMITS: RetryLimits =
    RetryLimits { tries: 4, first_wait: Duration::from_secs(1), total: Duration::from_secs(60) };

fn headers(after: &'static str, date: Option<&'static str>) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(RETRY_AFTER, HeaderValue::from_static(after));
    if let Some(date) = date {
        headers.insert(DATE, HeaderValue::from_static(date));
    }
    headers
}

#[test]
fn waits_double_and_end() {
    let waits: Vec<_> = (1..=5).map(|tried| LIMITS.wait(tried, None, 0)).collect();
    assert_eq!(waits, [Some(SECOND), Some(SECOND * 2), Some(SECOND * 4), None, None]);
    assert!(LIMITS.wait(1, None, 255).is_some_and(|wait| wait > SECOND / 2 && wait < SECOND * 51 / 100));
}

#[test]
fn what_is_asked_for_is_kept_to_or_is_too_long() {
    assert_eq!(LIMITS.wait(1, Some(SECOND * 7), 255), Some(SECOND * 7));
    assert_eq!(LIMITS.wait(1, Some(SECOND * 59), 0), Some(SECOND * 59));
    assert_eq!(LIMITS.wait(1, Some(SECOND * 60), 0), None);
    assert_eq!(LIMITS.wait(4, Some(Duration::ZERO), 0), None);
}

#[test]
fn seconds_and_dates_are_understood() {
    let now = Some("Sun, 06 Nov 1994 08:49:37 GMT");
    for (after, date, expected) in [
        ("7", None, Some(7)),
        (" 0 ", None, Some(0)),
        ("Sun, 06 Nov 1994 08:50:07 GMT", now, Some(30)),
        ("Sun, 06 Nov 1994 08:00:00 GMT", now, Some(0)),
        ("Sun, 06 Nov 1994 08:50:07 GMT", None, None),
        ("-1", now, None),
        ("soon", now, None),
    ] {
        assert_eq!(asked(&headers(after, date)), expected.map(Duration::from_secs), "{after} {date:?}");
    }
    assert_eq!(asked(&HeaderMap::new()), None);
}

proptest! {
    #[test]
    fn no_wait_is_longer_than_all_the_time(
        tried in 1_u32..100,
        tries in 1_u32..100,
        first in 0_u64..u64::MAX,
        total in 1_u64..1_000_000,
        chance in any::<u8>(),
    ) {
        let (first_wait, total) = (Duration::from_millis(first), Duration::from_millis(total));
        let limits = RetryLimits { tries, first_wait, total };
        let wait = limits.wait(tried, None, chance);
        prop_assert_eq!(wait.is_some(), tried < tries);
        prop_assert!(wait.unwrap_or_default() <= total / 2);
    }
}

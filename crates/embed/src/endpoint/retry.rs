//! How long to wait before the next try, and when there is none.

use std::time::Duration;

use chrono::DateTime;
use reqwest::StatusCode;
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};

/// How often and how long a request is tried before the endpoint counts as out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryLimits {
    /// How many requests in all, at least 1.
    pub tries: u32,
    /// The longest wait before the second request; it doubles with each.
    pub first_wait: Duration,
    /// How long all of it may take, requests and waits.
    pub total: Duration,
}

impl Default for RetryLimits {
    fn default() -> Self {
        Self { tries: 4, first_wait: Duration::from_millis(500), total: Duration::from_secs(60) }
    }
}

impl RetryLimits {
    /// How long to wait after `tried` requests, or nothing where it is enough. What the endpoint asks for is kept to;
    /// without it the wait doubles, and `chance` of 0 to 255 takes up to half of it away, so that clients part.
    pub(super) fn wait(&self, tried: u32, asked: Option<Duration>, chance: u8) -> Option<Duration> {
        if tried >= self.tries {
            return None;
        }
        let wait = asked.unwrap_or_else(|| {
            let doubled = self.first_wait.saturating_mul(1_u32.checked_shl(tried - 1).unwrap_or(u32::MAX));
            let longest = doubled.min(self.total / 2);
            longest - longest / 512 * u32::from(chance)
        });
        (wait < self.total).then_some(wait)
    }
}

/// Whether the same request may be answered another time.
pub(super) fn may_pass(status: StatusCode) -> bool {
    let passing = [StatusCode::REQUEST_TIMEOUT, StatusCode::TOO_EARLY, StatusCode::TOO_MANY_REQUESTS];
    status.is_server_error() || passing.contains(&status)
}

/// `Retry-After`: seconds, or a date, which is compared with the answer's own so that no clock need be right.
pub(super) fn asked(headers: &HeaderMap) -> Option<Duration> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let after = text(RETRY_AFTER)?;
    if let Ok(seconds) = after.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let then = DateTime::parse_from_rfc2822(after).ok()?;
    let now = DateTime::parse_from_rfc2822(text(DATE)?).ok()?;
    Some((then - now).to_std().unwrap_or_default())
}

/// A throw of a die that decides nothing but a wait; without chance, no jitter.
pub(super) fn chance() -> u8 {
    let mut byte = [0];
    getrandom::fill(&mut byte).map_or(0, |()| byte[0])
}

#[cfg(test)]
mod tests;

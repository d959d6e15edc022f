//! Taking times: medians and tails, and rates.

use std::time::{Duration, Instant};

/// Times of single operations.
#[derive(Default)]
pub(crate) struct Times(Vec<Duration>);

impl Times {
    pub(crate) fn add(&mut self, start: Instant) {
        self.0.push(start.elapsed());
    }

    /// The time below which `share` per mille of the operations stayed, in microseconds.
    pub(crate) fn micros(&mut self, share: usize) -> f64 {
        self.0.sort_unstable();
        let place = (self.0.len() * share / 1_000).min(self.0.len().saturating_sub(1));
        self.0.get(place).map_or(0.0, |time| time.as_secs_f64() * 1e6)
    }

    /// `p50 … µs, p99 … µs`.
    pub(crate) fn shown(&mut self) -> String {
        format!("p50 {:8.1} µs, p99 {:8.1} µs", self.micros(500), self.micros(990))
    }
}

/// Operations a second.
pub(crate) fn rate(count: usize, start: Instant) -> f64 {
    let seconds = start.elapsed().as_secs_f64();
    u32::try_from(count).map_or(0.0, f64::from) / seconds
}

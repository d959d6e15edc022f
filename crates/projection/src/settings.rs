//! How often, how long and how many: the numbers of projection, and what follows from them.

use fact::{FactId, Timestamp};

const SECOND: i64 = 1_000_000;

/// The numbers of projection. Times are in microseconds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Attempts before a person has to look.
    pub attempts_max: u32,
    /// The wait after the first attempt that failed; four times as long after each further one.
    pub wait_micros: i64,
    /// The longest wait.
    pub wait_micros_max: i64,
    /// How long the index is left alone once it cannot be reached; twice as long each further time.
    pub pause_micros: i64,
    /// The longest such pause.
    pub pause_micros_max: i64,
    /// How long operations that were taken are left to their holder.
    pub lease_micros: i64,
    /// Operations taken at a time: one transaction of the index.
    pub batch_operations: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            attempts_max: ledger::ATTEMPTS_MAX,
            wait_micros: 2 * SECOND,
            wait_micros_max: 60 * SECOND,
            pause_micros: SECOND,
            pause_micros_max: 60 * SECOND,
            lease_micros: 10 * SECOND,
            batch_operations: 128,
        }
    }
}

impl Settings {
    /// When an operation is tried again after that many attempts failed at `now`; not by itself, where none is left.
    pub(crate) fn next_attempt(&self, fact: FactId, attempts: u32, now: Timestamp) -> Option<Timestamp> {
        if attempts >= self.attempts_max {
            return None;
        }
        let doublings = 2 * attempts.saturating_sub(1);
        Some(later(now, spread(grown(self.wait_micros, doublings, self.wait_micros_max), fact)))
    }

    /// The end of a pause, the so-manieth in a row.
    pub(crate) fn pause_end(&self, pauses: u32, now: Timestamp) -> Timestamp {
        later(now, grown(self.pause_micros, pauses.saturating_sub(1), self.pause_micros_max))
    }
}

/// `micros` after `now`.
pub(crate) fn later(now: Timestamp, micros: i64) -> Timestamp {
    Timestamp::from_micros(now.micros().saturating_add(micros))
}

fn grown(micros: i64, doublings: u32, most: i64) -> i64 {
    micros
        .checked_shl(doublings.min(40))
        .filter(|grown| *grown >= micros)
        .map_or(most, |grown| grown.min(most))
}

/// Between a half and all of it, so that what failed together does not come back together. The same fact waits the
/// same time: no chance is needed, as facts have different ids.
fn spread(micros: i64, fact: FactId) -> i64 {
    let share = i64::from(fact.uuid().as_bytes()[15]);
    micros / 2 + micros / 2 * share / 255
}

#[cfg(test)]
mod tests;

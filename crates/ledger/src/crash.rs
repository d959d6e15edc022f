//! Places at which a test may end the process, to see what a crash leaves.
//!
//! Compiled to nothing unless the feature `crash-points` is on, which no front end turns on.

#[cfg(feature = "crash-points")]
use std::sync::atomic::{AtomicU64, Ordering};

/// Ends the process here, without any clean-up, when the test asked for this place: `TRUTHKEEPER_CRASH_AT=place`, or
/// `place:3` for the third time that it is met.
#[cfg(feature = "crash-points")]
pub fn point(name: &str) {
    static MET: AtomicU64 = AtomicU64::new(0);
    let Ok(wanted) = std::env::var("TRUTHKEEPER_CRASH_AT") else { return };
    let (place, time) = wanted.split_once(':').unwrap_or((&wanted, "1"));
    if place == name && time.parse() == Ok(MET.fetch_add(1, Ordering::Relaxed) + 1) {
        std::process::abort();
    }
}

/// Does nothing in a build without `crash-points`.
#[cfg(not(feature = "crash-points"))]
#[inline]
pub fn point(_name: &str) {}

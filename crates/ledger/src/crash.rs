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
    let Some((place, time)) = asked() else { return };
    if place == name && time == MET.fetch_add(1, Ordering::Relaxed) + 1 {
        std::process::abort();
    }
}

/// Whether the test asked for this place.
#[cfg(feature = "crash-points")]
pub(crate) fn is_asked_for(name: &str) -> bool {
    asked().is_some_and(|(place, _)| place == name)
}

#[cfg(feature = "crash-points")]
fn asked() -> Option<(String, u64)> {
    let asked = std::env::var("TRUTHKEEPER_CRASH_AT").ok()?;
    let (place, time) = asked.split_once(':').unwrap_or((&asked, "1"));
    Some((place.to_owned(), time.parse().ok()?))
}

/// Does nothing in a build without `crash-points`.
#[cfg(not(feature = "crash-points"))]
#[inline]
pub fn point(_name: &str) {}

/// Never, in a build without `crash-points`.
#[cfg(not(feature = "crash-points"))]
#[inline]
pub(crate) fn is_asked_for(_name: &str) -> bool {
    false
}

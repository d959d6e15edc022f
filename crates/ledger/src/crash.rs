//! Places at which a test may end the process, to see what a crash leaves.
//!
//! Compiled to nothing unless the feature `crash-points` is on, which no front end turns on.

/// Ends the process here, without any clean-up, when the test asked for this place.
#[cfg(feature = "crash-points")]
pub fn point(name: &str) {
    if std::env::var("TRUTHKEEPER_CRASH_AT").is_ok_and(|wanted| wanted == name) {
        std::process::abort();
    }
}

/// Does nothing in a build without `crash-points`.
#[cfg(not(feature = "crash-points"))]
#[inline]
pub fn point(_name: &str) {}

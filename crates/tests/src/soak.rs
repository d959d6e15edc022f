//! How long a soak test may take.

use std::env;
use std::time::Duration;

const SOAK_SECONDS_DEFAULT: u64 = 10;

/// The share of one soak test: what `script/soak` gives it, or a few seconds when it is run by hand.
pub fn soak_time() -> Duration {
    let seconds = match env::var("TRUTHKEEPER_SOAK_SECONDS") {
        Ok(text) => text.parse().expect("TRUTHKEEPER_SOAK_SECONDS is a whole number"),
        Err(_) => SOAK_SECONDS_DEFAULT,
    };
    Duration::from_secs(seconds)
}

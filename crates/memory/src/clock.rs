//! The time, which comes in here and is an argument everywhere below.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use fact::Timestamp;

/// Tells the time.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Timestamp + Send + Sync>);

impl Clock {
    /// The machine's clock.
    pub fn system() -> Self {
        Self::of(|| {
            let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            Timestamp::from_micros(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
        })
    }

    /// A clock that says what `tell` says.
    pub fn of(tell: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        Self(Arc::new(tell))
    }

    /// The time now.
    pub fn now(&self) -> Timestamp {
        (self.0)()
    }
}

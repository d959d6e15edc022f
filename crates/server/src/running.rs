//! Requests that are being answered, by their names: one that is sent twice at once is not begun twice.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::StatusCode;
use truthkeeper::RequestKey;

use crate::fault::Fault;

/// The names of the requests that run.
#[derive(Clone, Default)]
pub(crate) struct Running(Arc<Mutex<HashSet<RequestKey>>>);

/// A request that runs, until it is dropped.
pub(crate) struct Run {
    running: Running,
    key: RequestKey,
}

impl Running {
    /// Begins a request; refuses one whose name runs already.
    pub(crate) fn begin(&self, key: &RequestKey) -> Result<Run, Fault> {
        let mut running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if running.insert(key.clone()) {
            return Ok(Run { running: self.clone(), key: key.clone() });
        }
        let message = "a request with that Idempotency-Key is being answered; ask again when it is done";
        Err(Fault::new(StatusCode::CONFLICT, "request-in-flight", message))
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        self.running.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.key);
    }
}

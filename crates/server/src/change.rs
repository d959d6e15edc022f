//! A change that somebody asks for, and what it came to: the revision that it made or met, and its receipt.

use axum::Json;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use truthkeeper::{Caller, Memory, MemoryError, Outcome, Receipt, RequestKey, Right, Seen};

use crate::app::App;
use crate::facts::{Expected, tag};
use crate::fault::Fault;
use crate::keyed::Keyed;
use crate::running::Run;
use crate::wire::{self, Changed, tells_of_own_words};

const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// A change that somebody asks for who has the right to it.
pub(crate) struct Change {
    pub(crate) memory: Memory,
    pub(crate) caller: Caller,
    key: RequestKey,
    /// Whether the caller is shown the fact; otherwise the receipt alone.
    reads: bool,
    _run: Run,
}

impl Change {
    /// Checks the right, and names the request.
    pub(crate) fn by(app: App, keyed: &Keyed, right: Right) -> Result<Self, Fault> {
        let (caller, key) = (keyed.caller(right)?, keyed.request_key()?);
        let run = app.running.begin(&key)?;
        Ok(Self { memory: app.memory, caller, key, reads: keyed.may(Right::FactsRead), _run: run })
    }

    /// A change that holds whatever stands now: `If-Match` has no use there.
    pub(crate) fn unconditional(app: App, keyed: &Keyed, right: Right) -> Result<Self, Fault> {
        let change = Self::by(app, keyed, right)?;
        Expected::none(keyed)?;
        Ok(change)
    }

    /// The name of the request.
    pub(crate) fn key(&self) -> Option<RequestKey> {
        Some(self.key.clone())
    }

    /// The same, as the answer says it.
    pub(crate) fn name(&self) -> &RequestKey {
        &self.key
    }

    /// The answer to a change that held for a version.
    pub(crate) async fn done_of(
        self,
        expected: Expected,
        outcome: Result<Receipt, MemoryError>,
    ) -> Result<Response, Fault> {
        let receipt = outcome.map_err(|error| expected.refused(error))?;
        self.done(receipt).await
    }

    /// The answer.
    pub(crate) async fn done(self, receipt: Receipt) -> Result<Response, Fault> {
        let seen = match self.reads && tells_of_own_words(receipt.outcome) {
            true => self.read_back(&receipt).await?,
            false => None,
        };
        let fact = match &seen {
            Some(seen) => Some(wire::fact(&self.memory, seen).await),
            None => None,
        };
        let body = Json(Changed::of(fact, &receipt, &self.key));
        let mut response = (status(receipt.outcome), body).into_response();
        let headers = response.headers_mut();
        if let Some(seen) = &seen {
            let etag = HeaderValue::from_str(&tag(seen.revision.number));
            headers.extend(etag.ok().map(|etag| (header::ETAG, etag)));
        }
        Ok(marked(receipt.replayed, response))
    }

    /// None where it went to a place that the caller may not read.
    async fn read_back(&self, receipt: &Receipt) -> Result<Option<Seen>, Fault> {
        match self.memory.revision(&self.caller, receipt.fact, receipt.revision).await {
            Ok(seen) => Ok(Some(seen)),
            Err(MemoryError::NotFound) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

/// Marks the answer to a request that was answered before.
pub(crate) fn marked(replayed: bool, mut response: Response) -> Response {
    if replayed {
        response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    }
    response
}

/// Created, or accepted because it waits for an owner; otherwise done.
pub(crate) fn status(outcome: Outcome) -> StatusCode {
    match outcome {
        Outcome::Created => StatusCode::CREATED,
        Outcome::ConflictOpened { .. } | Outcome::ConflictJoined { .. } | Outcome::HeldBack { .. } => {
            StatusCode::ACCEPTED
        }
        Outcome::Superseded
        | Outcome::Unchanged
        | Outcome::EvidenceAdded
        | Outcome::History
        | Outcome::Dismissed { .. }
        | Outcome::Accepted { .. }
        | Outcome::Settled { .. }
        | Outcome::Reopened { .. }
        | Outcome::Expired
        | Outcome::Quarantined
        | Outcome::Verified
        | Outcome::Retracted
        | Outcome::Restored
        | Outcome::Moved
        | Outcome::Merged { .. }
        | Outcome::Split { .. }
        | Outcome::Admitted
        | Outcome::HoldPlaced
        | Outcome::HoldLifted => StatusCode::OK,
    }
}

//! What a change came to: the revision that it made or met, and its receipt.

use axum::Json;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use truthkeeper::{Caller, MemoryError, Outcome, Receipt, RequestKey, Right, Seen};

use crate::app::App;
use crate::facts::tag;
use crate::fault::Fault;
use crate::keyed::Keyed;
use crate::wire::{Changed, tells_of_own_words};

const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// The answer to a change. Who may not read facts gets the receipt alone.
pub(crate) async fn changed(
    app: &App,
    keyed: &Keyed,
    caller: &Caller,
    key: &RequestKey,
    receipt: Receipt,
) -> Result<Response, Fault> {
    let seen = match keyed.may(Right::FactsRead) && tells_of_own_words(receipt.outcome) {
        true => read_back(app, caller, &receipt).await?,
        false => None,
    };
    let body = Json(Changed::of(seen.as_ref(), &receipt, key));
    let mut response = (status(receipt.outcome), body).into_response();
    let headers = response.headers_mut();
    if let Some(seen) = &seen {
        let etag = HeaderValue::from_str(&tag(seen.revision.number));
        headers.extend(etag.ok().map(|etag| (header::ETAG, etag)));
    }
    if receipt.replayed {
        headers.insert(REPLAYED, HeaderValue::from_static("true"));
    }
    Ok(response)
}

/// None where it went to a place that the caller may not read.
async fn read_back(app: &App, caller: &Caller, receipt: &Receipt) -> Result<Option<Seen>, Fault> {
    match app.memory.revision(caller, receipt.fact, receipt.revision).await {
        Ok(seen) => Ok(Some(seen)),
        Err(MemoryError::NotFound) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Created, or accepted because it waits for an owner; otherwise done.
fn status(outcome: Outcome) -> StatusCode {
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

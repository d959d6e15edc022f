//! What an agent's tool is answered, as the model reads it.

use crate::described::shapes;
use serde::Serialize;
use truthkeeper::{FactId, Outcome, Receipt, RevisionNumber};
use utoipa::ToSchema;

/// The result of a call of the tool.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Remembered {
    #[schema(value_type = String, format = Uuid)]
    fact_id: FactId,
    status: &'static str,
    #[serde(flatten)]
    #[schema(value_type = shapes::Outcome)]
    outcome: Outcome,
    /// None where no revision says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u64>, minimum = 1)]
    version: Option<RevisionNumber>,
    replayed: bool,
}

impl Remembered {
    /// What a receipt says.
    pub fn of(receipt: &Receipt) -> Self {
        let Receipt { fact, revision, outcome, replayed, searchable: _ } = *receipt;
        let status = status(outcome);
        let version = ["remembered", "contested"].contains(&status).then_some(revision);
        Self { fact_id: fact, status, outcome, version, replayed }
    }
}

/// Whether it is remembered, or what keeps it from being.
fn status(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::HeldBack { .. } => "waiting",
        Outcome::Dismissed { .. } => "dismissed",
        Outcome::ConflictOpened { .. } | Outcome::ConflictJoined { .. } => "contested",
        Outcome::Created
        | Outcome::Superseded
        | Outcome::Unchanged
        | Outcome::EvidenceAdded
        | Outcome::History
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
        | Outcome::HoldLifted => "remembered",
    }
}

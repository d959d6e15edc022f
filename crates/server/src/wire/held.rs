//! What waits for its owner, as programs read it.

use serde::Serialize;
use truthkeeper::{FactId, HeldBack, ReviewId};
use utoipa::ToSchema;

use super::{Said, shown};

/// A proposal that was held back.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Held<'a> {
    #[schema(value_type = String, format = Uuid)]
    review: ReviewId,
    #[schema(value_type = String, format = Uuid)]
    fact: FactId,
    cause: &'static str,
    #[schema(format = DateTime)]
    proposed_at: String,
    #[serde(flatten)]
    said: Said<'a>,
}

impl<'a> Held<'a> {
    /// The proposal that waits.
    pub fn of(held: &'a HeldBack) -> Self {
        Self {
            review: held.review,
            fact: held.fact,
            cause: "said-again-after-forgotten",
            proposed_at: shown(held.proposed.recorded_at),
            said: Said::of(&held.proposed),
        }
    }
}

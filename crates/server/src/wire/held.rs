//! What waits for its owner, as programs read it.

use serde::Serialize;
use truthkeeper::{FactId, HeldBack, ReviewId};

use super::{Said, shown};

/// A proposal that was held back.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Held<'a> {
    review: ReviewId,
    fact: FactId,
    cause: &'static str,
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

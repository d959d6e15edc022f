//! What waits for its owner, as programs read it.

use crate::described::shapes;
use serde::Serialize;
use truthkeeper::{FactId, FactType, HeldBack, ReviewId, Scope};
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
    #[serde(rename = "type")]
    #[schema(value_type = String)]
    kind: &'a FactType,
    #[schema(value_type = shapes::Scope)]
    scope: &'a Scope,
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
            kind: &held.kind,
            scope: &held.scope,
            cause: held.cause.name(),
            proposed_at: shown(held.proposed.recorded_at),
            said: Said::of(&held.proposed),
        }
    }
}

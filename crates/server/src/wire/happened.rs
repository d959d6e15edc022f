//! A change as programs read it: ids, numbers and states, never words.

use serde::Serialize;
use truthkeeper::{
    Actor, ConflictId, Entry, FactId, FactType, Happened as Change, Happening, Position, RevisionNumber,
    Scope,
};
use utoipa::ToSchema;

use super::shown;
use crate::described::shapes;

/// A change of a fact.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Happened<'a> {
    #[schema(value_type = u64)]
    position: Position,
    event: &'static str,
    #[schema(format = DateTime)]
    recorded_at: String,
    #[schema(value_type = shapes::Actor)]
    by: &'a Actor,
    #[schema(value_type = String, format = Uuid)]
    fact: FactId,
    #[serde(rename = "type")]
    #[schema(value_type = String)]
    kind: &'a FactType,
    #[schema(value_type = shapes::Scope)]
    scope: &'a Scope,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u32)]
    version: Option<RevisionNumber>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Uuid)]
    conflict: Option<ConflictId>,
    /// The fact that it was merged into or split from, or that was merged into it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Uuid)]
    other: Option<FactId>,
}

impl<'a> Happened<'a> {
    /// What happened.
    pub fn of(change: &'a Change) -> Self {
        let Change { event, head } = change;
        Self {
            position: event.position,
            event: event.happening.name(),
            recorded_at: shown(event.recorded_at),
            by: &event.actor,
            fact: event.fact,
            kind: &head.kind,
            scope: &head.scope,
            version: event.happening.revision(),
            conflict: conflict(&event.happening),
            other: other(&event.happening),
        }
    }

    /// Where it stands among the changes.
    pub fn position(&self) -> Position {
        self.position
    }
}

fn conflict(happening: &Happening) -> Option<ConflictId> {
    match happening {
        Happening::Revised {
            entry: Entry::Opens(conflict) | Entry::Joins(conflict) | Entry::Resolves(conflict),
            ..
        }
        | Happening::Settled { conflict, .. }
        | Happening::Reopened { conflict } => Some(*conflict),
        Happening::Revised { entry: Entry::Settles | Entry::History, .. }
        | Happening::Created { .. }
        | Happening::EvidenceAdded { .. }
        | Happening::Retracted
        | Happening::Proposed { .. }
        | Happening::HeldBack { .. }
        | Happening::ReviewClosed { .. }
        | Happening::Expired
        | Happening::Moved { .. }
        | Happening::Merged { .. }
        | Happening::Absorbed(_)
        | Happening::Split { .. }
        | Happening::Released { .. }
        | Happening::Admitted { .. }
        | Happening::Quarantined { .. }
        | Happening::HoldPlaced
        | Happening::HoldLifted
        | Happening::Erased { .. } => None,
    }
}

fn other(happening: &Happening) -> Option<FactId> {
    match happening {
        Happening::Merged { into: other }
        | Happening::Split { from: other }
        | Happening::Released { fact: other } => Some(*other),
        Happening::Absorbed(link) => Some(link.fact),
        Happening::Created { .. }
        | Happening::Revised { .. }
        | Happening::EvidenceAdded { .. }
        | Happening::Retracted
        | Happening::Proposed { .. }
        | Happening::HeldBack { .. }
        | Happening::ReviewClosed { .. }
        | Happening::Settled { .. }
        | Happening::Reopened { .. }
        | Happening::Expired
        | Happening::Moved { .. }
        | Happening::Admitted { .. }
        | Happening::Quarantined { .. }
        | Happening::HoldPlaced
        | Happening::HoldLifted
        | Happening::Erased { .. } => None,
    }
}

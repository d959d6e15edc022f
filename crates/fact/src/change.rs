//! What the rules decided: the events to append, and everything they were decided on.

use serde::{Deserialize, Serialize};

use crate::{
    ConflictId, FactId, FactType, Happening, Id, Position, ReviewId, RevisionNumber, Scope, Text, Words,
};

/// The events to append, and the grounds that must still hold when they are.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// What the events were decided on; if one moved, nothing is appended.
    pub grounds: Vec<Ground>,
    /// The events, in order. None when only the request is to be remembered.
    pub events: Vec<NewEvent>,
}

/// Something that a change was decided on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ground {
    /// That fact's last event is that one.
    Head {
        /// The fact.
        fact: FactId,
        /// Its last event.
        version: Position,
    },
    /// No fact has that slot.
    SlotEmpty(Slot),
    /// No fact makes that statement: none that stands, is contested or was forgotten.
    Unsaid(Statement),
    /// No fact but that one makes that statement.
    UnsaidBut {
        /// The statement.
        statement: Statement,
        /// The fact that may make it.
        fact: FactId,
    },
}

/// One fact per scope, type, key and, for keys kept by an agent, that agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    /// The kind of fact.
    pub kind: FactType,
    /// Whose it is.
    pub scope: Scope,
    /// The key.
    pub key: Text,
    /// The agent that keeps it; none when it is nobody's own.
    pub keeper: Option<Id>,
}

/// What a fact without a key says, in one form however it was spaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// The kind of fact.
    pub kind: FactType,
    /// Whose it is.
    pub scope: Scope,
    /// The folded statement, as `Content::statement` gives it.
    pub statement: Text,
}

/// An event that has no place yet.
#[derive(Debug, Clone, PartialEq)]
pub struct NewEvent {
    /// The fact it is about.
    pub fact: FactId,
    /// What happened.
    pub happening: Happening,
    /// What was typed.
    pub words: Words,
}

/// What a request came to, as its receipt says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "outcome")]
pub enum Outcome {
    /// A new fact.
    Created,
    /// A new revision took the place of the one before, or will from its start.
    Superseded,
    /// Nothing new was said.
    Unchanged,
    /// Nothing new was said, but on new grounds.
    EvidenceAdded,
    /// Recorded as history: it was observed before what stands.
    History,
    /// A conflict was opened; no side is recalled until its owner settles it.
    ConflictOpened {
        /// The conflict.
        conflict: ConflictId,
    },
    /// The proposal joined the open conflict, or added to its side.
    ConflictJoined {
        /// The conflict.
        conflict: ConflictId,
    },
    /// The proposal waits for the owner under review.
    HeldBack {
        /// What waits.
        review: ReviewId,
    },
    /// A person dismissed it for good before: nothing changed.
    Dismissed {
        /// What had waited.
        review: ReviewId,
    },
    /// A person took a proposal that had waited back up: it is the truth.
    Accepted {
        /// What had waited.
        review: ReviewId,
    },
    /// The conflict is settled.
    Settled {
        /// The conflict.
        conflict: ConflictId,
        /// Whether what holds now stays out of recall until an operator admits it.
        quarantined: bool,
        /// The fact that another side became, where both are true.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        apart: Option<FactId>,
    },
    /// The conflict is open again.
    Reopened {
        /// The conflict.
        conflict: ConflictId,
    },
    /// Its end by the clock is on record.
    Expired,
    /// A person vouched for it.
    Verified,
    /// It was forgotten.
    Retracted,
    /// It was brought back.
    Restored,
    /// It belongs to another scope now.
    Moved,
    /// Other facts were merged into it.
    Merged {
        /// How many.
        facts: u32,
    },
    /// It is a fact of its own, and not the same as that one.
    Split {
        /// The other fact.
        from: FactId,
    },
    /// An operator let it into recall.
    Admitted,
    /// An operator took it out of recall.
    Quarantined,
    /// A legal hold was placed.
    HoldPlaced,
    /// The legal hold was lifted.
    HoldLifted,
}

/// A change, and what to tell who asked for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// What to record.
    pub change: Change,
    /// The fact.
    pub fact: FactId,
    /// The revision that the request made or met.
    pub revision: RevisionNumber,
    /// What it came to.
    pub outcome: Outcome,
}

//! What happened: appended to the ledger, never changed. Events hold ids, numbers and states, never words.

use serde::{Deserialize, Serialize};

use crate::{
    Actor, ConflictId, FactId, FactType, Position, RequestKey, ReviewId, RevisionNumber, Saying, Scope, Span,
    Timestamp,
};

/// One event of a tenant's ledger, as the fold sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Its place.
    pub position: Position,
    /// The fact it is about.
    pub fact: FactId,
    /// When it was recorded; strictly later than the event before.
    pub recorded_at: Timestamp,
    /// Who acted.
    pub actor: Actor,
    /// The request that caused it.
    pub request: Option<RequestKey>,
    /// What happened.
    pub happening: Happening,
}

/// What happened to a fact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "event")]
pub enum Happening {
    /// The fact came to be, with its first revision.
    Created {
        /// Its application-given kind.
        #[serde(rename = "type")]
        kind: FactType,
        /// Whose it is.
        scope: Scope,
        /// Whether it has a key.
        keyed: bool,
        /// Whether it is under legal hold from birth.
        held: bool,
        /// What was said, without the words.
        saying: Saying,
    },
    /// An agent's statement waits for a person before it becomes a fact.
    Proposed {
        /// Its application-given kind.
        #[serde(rename = "type")]
        kind: FactType,
        /// Whose it would be.
        scope: Scope,
        /// Whether it has a key.
        keyed: bool,
        /// What waits.
        review: ReviewId,
        /// What was said, without the words.
        saying: Saying,
    },
    /// Another revision was said.
    Revised {
        /// Its number.
        revision: RevisionNumber,
        /// What it does to the truth.
        entry: Entry,
        /// What was said, without the words.
        saying: Saying,
    },
    /// Evidence was added to a revision.
    EvidenceAdded {
        /// The revision.
        revision: RevisionNumber,
    },
    /// The fact was forgotten.
    Retracted,
    /// A proposal waits for the owner; nothing changed.
    HeldBack {
        /// What waits.
        review: ReviewId,
        /// Why it waits.
        cause: Cause,
        /// What was said, without the words.
        saying: Saying,
    },
    /// A person took a proposal that waited back up, or dismissed it for good.
    ReviewClosed {
        /// What waited.
        review: ReviewId,
        /// What became of it.
        verdict: Verdict,
    },
    /// A person kept one side of the conflict; the others are superseded.
    Settled {
        /// The conflict.
        conflict: ConflictId,
        /// The side that was kept, and when it holds.
        kept: Span,
    },
    /// A person opened the conflict again that was settled last.
    Reopened {
        /// The conflict.
        conflict: ConflictId,
    },
    /// By the clock nothing of it holds any more, and nothing will.
    Expired,
    /// It belongs to another scope from now on: what stood is written again there.
    Moved {
        /// The number of what is written again.
        revision: RevisionNumber,
        /// Whose it is now.
        scope: Scope,
        /// What was said, without the words.
        saying: Saying,
    },
    /// It says the same as another fact, which goes on for both.
    Merged {
        /// The other fact.
        into: FactId,
    },
    /// Another fact was merged into this one.
    Absorbed(Link),
    /// It does not say the same as that fact; where it was merged into it, it stands again.
    Split {
        /// The other fact.
        from: FactId,
    },
    /// What was merged into it is a fact of its own again.
    Released {
        /// The other fact.
        fact: FactId,
    },
    /// An operator let a quarantined revision into recall.
    Admitted {
        /// The revision.
        revision: RevisionNumber,
    },
    /// An operator took a revision out of recall.
    Quarantined {
        /// The revision.
        revision: RevisionNumber,
    },
    /// A legal hold was placed.
    HoldPlaced,
    /// The legal hold was lifted.
    HoldLifted,
    /// Words are gone for ever.
    Erased {
        /// The revisions whose content is gone.
        revisions: Vec<RevisionNumber>,
        /// The events whose words are gone.
        positions: Vec<Position>,
    },
}

/// What a new revision does to the truth of its fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Entry {
    /// It becomes the truth from its start.
    Settles,
    /// It is recorded as history, superseded from birth.
    History,
    /// It opens a conflict with what stands.
    Opens(ConflictId),
    /// It joins the open conflict.
    Joins(ConflictId),
    /// It settles the open conflict in other words than any side's.
    Resolves(ConflictId),
}

/// A revision that rests on what a revision of a merged fact rests on, too: a link, never a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// The revision of the fact that goes on.
    pub revision: RevisionNumber,
    /// The fact that was merged into it.
    pub fact: FactId,
    /// The revision of that one which held then.
    pub of: RevisionNumber,
}

/// Why a proposal was held back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// A machine said again what a person had made forgotten.
    SaidAgainAfterForgotten,
    /// An agent remembers for more than one person, or in words that read like an instruction.
    MemoryFact,
}

impl Cause {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::SaidAgainAfterForgotten => "said-again-after-forgotten",
            Self::MemoryFact => "memory-fact",
        }
    }
}

/// What a person made of a proposal that waited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It became the truth.
    Accepted,
    /// It is not to be asked again.
    Dismissed,
}

impl Happening {
    /// The revision it is about, where it is about one.
    pub fn revision(&self) -> Option<RevisionNumber> {
        match self {
            Self::Created { .. } => Some(RevisionNumber::FIRST),
            Self::Revised { revision, .. }
            | Self::EvidenceAdded { revision }
            | Self::Admitted { revision }
            | Self::Quarantined { revision }
            | Self::Moved { revision, .. } => Some(*revision),
            Self::Settled { kept, .. } => Some(kept.revision),
            Self::Absorbed(link) => Some(link.revision),
            Self::Retracted
            | Self::Proposed { .. }
            | Self::HeldBack { .. }
            | Self::ReviewClosed { .. }
            | Self::Reopened { .. }
            | Self::Expired
            | Self::Merged { .. }
            | Self::Split { .. }
            | Self::Released { .. }
            | Self::HoldPlaced
            | Self::HoldLifted
            | Self::Erased { .. } => None,
        }
    }

    /// What was said in it, where something was.
    pub fn saying(&self) -> Option<&Saying> {
        match self {
            Self::Created { saying, .. }
            | Self::Revised { saying, .. }
            | Self::Moved { saying, .. }
            | Self::Proposed { saying, .. }
            | Self::HeldBack { saying, .. } => Some(saying),
            Self::EvidenceAdded { .. }
            | Self::Retracted
            | Self::ReviewClosed { .. }
            | Self::Settled { .. }
            | Self::Reopened { .. }
            | Self::Expired
            | Self::Merged { .. }
            | Self::Absorbed(_)
            | Self::Split { .. }
            | Self::Released { .. }
            | Self::Admitted { .. }
            | Self::Quarantined { .. }
            | Self::HoldPlaced
            | Self::HoldLifted
            | Self::Erased { .. } => None,
        }
    }

    /// What waits because of it, and why.
    pub fn held_back(&self) -> Option<(ReviewId, Cause)> {
        match self {
            Self::HeldBack { review, cause, .. } => Some((*review, *cause)),
            Self::Proposed { review, .. } => Some((*review, Cause::MemoryFact)),
            Self::Created { .. }
            | Self::Revised { .. }
            | Self::Moved { .. }
            | Self::EvidenceAdded { .. }
            | Self::Retracted
            | Self::ReviewClosed { .. }
            | Self::Settled { .. }
            | Self::Reopened { .. }
            | Self::Expired
            | Self::Merged { .. }
            | Self::Absorbed(_)
            | Self::Split { .. }
            | Self::Released { .. }
            | Self::Admitted { .. }
            | Self::Quarantined { .. }
            | Self::HoldPlaced
            | Self::HoldLifted
            | Self::Erased { .. } => None,
        }
    }

    /// The revision that it records, and what was said in that.
    pub fn recorded(&self) -> Option<(RevisionNumber, &Saying)> {
        // What was held back has words, but they are no revision.
        self.revision().zip(self.saying())
    }

    /// Its name in the ledger.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Created { .. } => "created",
            Self::Proposed { .. } => "proposed",
            Self::Revised { .. } => "revised",
            Self::EvidenceAdded { .. } => "evidenceAdded",
            Self::Retracted => "retracted",
            Self::HeldBack { .. } => "heldBack",
            Self::ReviewClosed { .. } => "reviewClosed",
            Self::Settled { .. } => "settled",
            Self::Reopened { .. } => "reopened",
            Self::Expired => "expired",
            Self::Moved { .. } => "moved",
            Self::Merged { .. } => "merged",
            Self::Absorbed(_) => "absorbed",
            Self::Split { .. } => "split",
            Self::Released { .. } => "released",
            Self::Admitted { .. } => "admitted",
            Self::Quarantined { .. } => "quarantined",
            Self::HoldPlaced => "holdPlaced",
            Self::HoldLifted => "holdLifted",
            Self::Erased { .. } => "erased",
        }
    }
}

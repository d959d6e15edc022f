//! The truth of one fact as a row.

use serde::{Deserialize, Serialize};

use crate::{
    Contest, FactId, FactType, Id, Link, Position, ReviewId, RevisionNumber, Scope, Timestamp, Truth,
};

/// The truth of one fact, and what the rules need to know about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Head {
    /// The fact.
    pub fact: FactId,
    /// Its kind.
    #[serde(rename = "type")]
    pub kind: FactType,
    /// Whose it is.
    pub scope: Scope,
    /// Whether it has a key.
    pub keyed: bool,
    /// The agent that keeps the key; none when it is nobody's own.
    pub keeper: Option<Id>,
    /// When it was first written.
    pub created_at: Timestamp,
    /// The last event about it: what a change is decided on.
    pub version: Position,
    /// The highest revision number; the first where nothing was said yet.
    pub latest: RevisionNumber,
    /// Whether it is under legal hold.
    pub held: bool,
    /// Revisions of the truth that may not be recalled yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quarantined: Vec<RevisionNumber>,
    /// Proposals that were held back, as long as it is forgotten.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waiting: Vec<ReviewId>,
    /// Proposals of agents that wait for a person's approval, whatever the fact is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked: Vec<ReviewId>,
    /// The conflict that was settled last, as long as nothing else changed the truth: it can be opened again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reopenable: Option<Contest>,
    /// The facts that were merged into it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub absorbed: Vec<Link>,
    /// Facts that it is not the same as, by its owner's word.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub apart: Vec<FactId>,
    /// The truth.
    pub truth: Truth,
}

impl Head {
    /// The number of the next revision.
    pub fn next_revision(&self) -> RevisionNumber {
        if self.truth.is_said() { self.latest.next() } else { RevisionNumber::FIRST }
    }
}

/// The state of a revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It holds, or will from its start.
    Active,
    /// Another one took its place.
    Superseded,
    /// It was forgotten.
    Retracted,
    /// Its time is over.
    Expired,
    /// It is contested.
    Conflicted,
}

impl State {
    /// Every state.
    pub const ALL: [Self; 5] =
        [Self::Active, Self::Superseded, Self::Retracted, Self::Expired, Self::Conflicted];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Superseded => "superseded",
            Self::Retracted => "retracted",
            Self::Expired => "expired",
            Self::Conflicted => "conflicted",
        }
    }

    /// Reads a name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }
}

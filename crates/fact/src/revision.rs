//! One version of a fact, as the ledger gives it back.

use crate::{
    Actor, Admission, Cause, Content, Evidence, FactId, Head, Position, ReviewId, RevisionNumber, Saying,
    Timestamp, Words,
};

/// One version of a fact: what was said, and by whom.
#[derive(Debug, Clone, PartialEq)]
pub struct Revision {
    /// Its number within the fact.
    pub number: RevisionNumber,
    /// The event that recorded it.
    pub position: Position,
    /// When that was.
    pub recorded_at: Timestamp,
    /// Who said it.
    pub actor: Actor,
    /// What was said, without the words.
    pub saying: Saying,
    /// The words; none once they are erased.
    pub words: Option<Words>,
    /// Evidence that was added later.
    pub added_evidence: Vec<Evidence>,
    /// What the facts rest on that were merged into it.
    pub merged_evidence: Vec<Evidence>,
    /// Those facts.
    pub merged: Vec<FactId>,
    /// What operators made of its admission since it was said, and when.
    pub admissions: Vec<(Timestamp, Admission)>,
}

impl Revision {
    /// What it says; none once it is erased.
    pub fn content(&self) -> Option<&Content> {
        self.words.as_ref().and_then(|words| words.content.as_ref())
    }

    /// Who said it: a move writes it again in nobody else's name.
    pub fn author(&self) -> &Actor {
        self.saying.said_by.as_ref().unwrap_or(&self.actor)
    }

    /// Whether it could be recalled at all, as was known then.
    pub fn admission(&self, known: Timestamp) -> Admission {
        let decided = self.admissions.iter().rev().find(|(at, _)| *at <= known);
        decided.map_or(self.saying.admission, |(_, admission)| *admission)
    }

    /// From when it is true.
    pub fn valid_from(&self) -> Timestamp {
        self.saying.valid_from.unwrap_or(self.recorded_at)
    }

    /// What it rests on by itself: what it came with, then what was added.
    pub fn own_evidence(&self) -> impl Iterator<Item = &Evidence> {
        self.words.iter().flat_map(|words| &words.evidence).chain(&self.added_evidence)
    }

    /// All that it rests on.
    pub fn evidence(&self) -> impl Iterator<Item = &Evidence> {
        self.own_evidence().chain(&self.merged_evidence)
    }
}

/// A fact as the rules look at it: its head, and the revisions that its truth names.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// The head.
    pub head: Head,
    /// The revisions that its truth names, oldest first.
    pub revisions: Vec<Revision>,
    /// The revisions of other facts that were merged into those.
    pub merged: Vec<Merged>,
    /// What was proposed and held back; of a fact of which something waits, or that is forgotten.
    pub said_again: Vec<SaidAgain>,
}

/// A revision of another fact that was merged into one of this.
#[derive(Debug, Clone, PartialEq)]
pub struct Merged {
    /// The revision that rests on it.
    pub into: RevisionNumber,
    /// The other fact.
    pub fact: FactId,
    /// Its revision.
    pub revision: Revision,
}

/// A proposal that was held back.
#[derive(Debug, Clone, PartialEq)]
pub struct SaidAgain {
    /// What waits.
    pub review: ReviewId,
    /// Why it waits.
    pub cause: Cause,
    /// What was proposed: its number stands for nothing.
    pub proposed: Revision,
    /// Whether a person dismissed it for good; it waits otherwise.
    pub dismissed: bool,
}

impl Case {
    /// The revision of that number, where the truth names it.
    pub fn revision(&self, number: RevisionNumber) -> Option<&Revision> {
        self.revisions.iter().find(|revision| revision.number == number)
    }
}

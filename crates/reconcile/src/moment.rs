//! What comes in from above: the settings of the rules, the time, who acts, and ids that nothing has yet.

use fact::{Actor, Case, Confidence, ConflictId, FactId, ReviewId, Timestamp, Trust};

/// The settings of the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// A machine's update under this confidence opens a conflict.
    pub doubt_below: Confidence,
}

impl Default for Policy {
    fn default() -> Self {
        Self { doubt_below: Confidence::DOUBT_BELOW }
    }
}

/// When something is decided, and for whom.
#[derive(Debug, Clone, Copy)]
pub struct Moment<'a> {
    /// The time.
    pub now: Timestamp,
    /// Who acts.
    pub actor: &'a Actor,
    /// Ids to give away.
    pub fresh: Fresh,
    /// The least trust of the facts that a proposal is derived from; none where it is derived from none.
    pub sources: Option<Trust>,
}

/// Ids that nothing has yet; which of them are used follows from the decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fresh {
    /// For a new fact.
    pub fact: FactId,
    /// For a conflict that opens.
    pub conflict: ConflictId,
    /// For a proposal that is held back.
    pub review: ReviewId,
}

impl Moment<'_> {
    /// The time at which `case` is looked at: never before its own revisions, because what is recorded next is
    /// recorded after them, whatever a clock that went back says.
    pub(crate) fn at(&self, case: &Case) -> Timestamp {
        let recorded = case.revisions.iter().map(|revision| revision.recorded_at);
        recorded.fold(self.now, Timestamp::max)
    }
}

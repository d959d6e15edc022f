//! What a change gives back: enough to prove and to replay it.

use fact::{FactId, Outcome, RevisionNumber};
use serde::{Deserialize, Serialize};

/// What a change came to. Holds ids and names, never content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Receipt {
    /// The fact.
    pub fact: FactId,
    /// The revision that the request made or met.
    pub revision: RevisionNumber,
    /// What it came to.
    pub outcome: Outcome,
    /// The request was answered before; nothing was appended now.
    pub replayed: bool,
    /// The search index shows the change. When not, it is recorded all the same, and the copy is made later.
    pub searchable: bool,
}

/// The part that is kept for a replay.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Answer {
    pub(crate) fact: FactId,
    pub(crate) revision: RevisionNumber,
    #[serde(flatten)]
    pub(crate) outcome: Outcome,
}

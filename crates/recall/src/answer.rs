//! What a recall gives back.

use std::collections::{BTreeMap, HashSet};

use fact::{Case, Content, FactId, LegacyDecision, LegacyRow, Near, ReceiptId, Revision, RevisionNumber};
use ledger::{Instant, OpenConflict};
use serde::{Deserialize, Serialize};

use crate::gate::Reason;
use crate::{Fit, Found};

/// Why a recall looked less far than it was asked to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Degraded {
    /// There is nothing that makes vectors: it looked at the words alone.
    NoEmbeddings,
    /// What makes vectors cannot be reached: it looked at the words alone.
    EmbedderUnreachable,
    /// There are no vectors of some texts of then: they were found by their words alone.
    NotAllEmbedded,
    /// The index is searched by another model than ours: it looked at those rows that ours has embedded.
    OtherModel,
}

impl Degraded {
    /// Its name, in answers and logs.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoEmbeddings => "no-embeddings",
            Self::EmbedderUnreachable => "embedder-unreachable",
            Self::NotAllEmbedded => "not-all-embedded",
            Self::OtherModel => "other-model",
        }
    }
}

/// A fact that was found and is not among those recalled.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NearMiss {
    /// The fact.
    pub fact: FactId,
    /// The revision that was found.
    pub revision: RevisionNumber,
    /// How well it fits.
    pub score: f64,
    /// Why it is not.
    pub why: Miss,
}

/// Why something that was found is not recalled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Miss {
    /// The gate kept it back.
    Withheld(Reason),
    /// Others fit better, and there were as many as were asked for.
    TooLate,
    /// It was found by meaning alone, and fits less well than the floor says.
    BelowFloor,
}

impl NearMiss {
    pub(crate) fn of(found: &Found, why: Miss) -> Self {
        Self { fact: found.fact, revision: found.revision, score: found.score, why }
    }
}

/// A fact that may go into a prompt.
#[derive(Debug, Clone, PartialEq)]
pub struct RecalledFact {
    /// The fact, and what its truth names.
    pub case: Case,
    /// The revision that holds now, its text read from the ledger.
    pub revision: Revision,
    /// How well it fits; none in a list.
    pub score: Option<f64>,
    /// What the score comes from.
    pub fits: Vec<Fit>,
}

/// A memory from before the ledger that may go into a prompt, as what it is: never as current truth.
#[derive(Debug, Clone, PartialEq)]
pub struct RecalledLegacy {
    /// The row.
    pub row: LegacyRow,
    /// How well it fits; none in a list.
    pub score: Option<f64>,
    /// What the score comes from.
    pub fits: Vec<Fit>,
}

/// What a recall gives back.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Recalled {
    /// Current truth, best first.
    pub facts: Vec<RecalledFact>,
    /// Memories from before the ledger that no review has decided about yet, best first: they may not be true now.
    pub legacy: Vec<RecalledLegacy>,
    /// What was found and not let through, by reason.
    pub withheld: BTreeMap<Reason, usize>,
    /// Open conflicts that this reader may see, newest first, without content.
    pub conflicts: Vec<OpenConflict>,
    /// How many there are.
    pub conflicts_open: usize,
    /// Facts of this reader of which the search index does not show yet what they say.
    pub not_searchable_yet: usize,
    /// The first of them, those that changed last first.
    pub unsearchable: Vec<FactId>,
    /// Whether the index differed from the ledger when it was last checked: something may be missing.
    pub index_drifted: bool,
    /// Why the recall looked less far than it was asked to.
    pub degraded: Option<Degraded>,
    /// What the run that it is for does not have.
    pub warnings: Vec<Warning>,
    /// The first of what was found and is not among the facts, with why.
    pub near: Vec<NearMiss>,
    /// The model by which meanings were compared.
    pub model: Option<String>,
    /// The state of the copy that was searched: the same number, and the same is found. None where none was.
    pub generation: Option<i64>,
    /// The other time that it is of; none where it is current truth.
    pub then: Option<Instant>,
    /// What is kept of this recall; none where nothing is.
    pub receipt: Option<ReceiptId>,
}

/// Why a run was answered less than it asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Warning {
    /// It keeps memory for each end user, and names none.
    NeedsParticipant,
    /// It asks for its conversation's facts, and is in none.
    NeedsConversation,
    /// It asks for its project's facts, and is in none.
    NeedsProject,
}

impl Warning {
    /// What is missing where a run does not have what `near` means.
    pub fn of(near: Near) -> Option<Self> {
        match near {
            Near::SameUser => Some(Self::NeedsParticipant),
            Near::SameConversation => Some(Self::NeedsConversation),
            Near::SameProject => Some(Self::NeedsProject),
            Near::Tenant => None,
        }
    }

    /// Its name, in answers and logs.
    pub fn name(self) -> &'static str {
        match self {
            Self::NeedsParticipant => "memory-needs-participant",
            Self::NeedsConversation => "memory-needs-conversation",
            Self::NeedsProject => "memory-needs-project",
        }
    }
}

impl Recalled {
    /// Several answers as one, in their order: each fact once, and what says the same once.
    pub fn joined(answers: Vec<Self>, warnings: Vec<Warning>) -> Self {
        let mut all = Self { warnings, ..Self::default() };
        let (mut known, mut said) = (HashSet::new(), HashSet::new());
        for answer in answers {
            for fact in answer.facts {
                let is_new = known.insert(fact.case.head.fact);
                let says_new = is_new && fact.gist().is_none_or(|gist| said.insert(gist));
                match (is_new, says_new) {
                    (true, true) => all.facts.push(fact),
                    (true, false) => *all.withheld.entry(Reason::Restated).or_default() += 1,
                    (false, _) => {}
                }
            }
            for legacy in answer.legacy {
                match (known.insert(legacy.row.row), said.insert(legacy.gist())) {
                    (true, true) => all.legacy.push(legacy),
                    (true, false) => *all.withheld.entry(Reason::Restated).or_default() += 1,
                    (false, _) => {}
                }
            }
            answer
                .withheld
                .into_iter()
                .for_each(|(reason, count)| *all.withheld.entry(reason).or_default() += count);
            let is_new = |conflict: &OpenConflict| all.conflicts.iter().all(|known| known != conflict);
            let new: Vec<_> = answer.conflicts.into_iter().filter(is_new).collect();
            all.conflicts.extend(new);
            all.conflicts_open = all.conflicts_open.max(answer.conflicts_open).max(all.conflicts.len());
            all.not_searchable_yet = all.not_searchable_yet.max(answer.not_searchable_yet);
            all.unsearchable.extend(answer.unsearchable);
            all.index_drifted |= answer.index_drifted;
            all.degraded = all.degraded.or(answer.degraded);
            all.near.extend(answer.near);
            all.model = all.model.or(answer.model);
            all.generation = all.generation.max(answer.generation);
            all.then = all.then.or(answer.then);
        }
        all.warnings.dedup();
        all.unsearchable.sort_unstable();
        all.unsearchable.dedup();
        all.not_searchable_yet = all.not_searchable_yet.max(all.unsearchable.len());
        all
    }
}

impl RecalledLegacy {
    /// What it says, in a form that restatements share.
    pub(crate) fn gist(&self) -> String {
        index::gist(Content::of_text(&self.row.legacy.text).text().as_str())
    }

    /// What it is shown as: a record of something that happened, kept by a review, or not reviewed yet.
    pub fn label(&self) -> &'static str {
        match self.row.standing.decision {
            Some(LegacyDecision::Kept) => "episode",
            Some(LegacyDecision::Adopted | LegacyDecision::Rejected | LegacyDecision::Deferred) | None => {
                "legacy_unreconciled"
            }
        }
    }
}

impl RecalledFact {
    /// What it says, in a form that restatements share.
    pub(crate) fn gist(&self) -> Option<String> {
        self.revision.content().map(|content| index::gist(content.text().as_str()))
    }
}

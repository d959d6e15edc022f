//! The gate: the ledger says whether a found fact is the settled truth now, for this reader. The row never does.

use std::collections::{BTreeMap, HashSet};

use fact::{Case, FactId, Near, Reader, Revision, State, Timestamp, Truth};
use index::Candidate;
use ledger::{Ledger, OpenConflict, Sought, StoreError};

/// Why something that was found is not recalled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// Another revision took its place.
    Superseded,
    /// It was forgotten.
    Retracted,
    /// Its time is over.
    Expired,
    /// It is contested.
    Conflicted,
    /// Its time has not begun.
    NotYet,
    /// It waits for an operator's review.
    Quarantined,
    /// The row is of another revision than the one that holds.
    Stale,
    /// The fact was found already.
    Duplicate,
    /// It says what another recalled fact says.
    Restated,
    /// The ledger does not know it, or it is not this reader's.
    Unknown,
    /// Its words are erased.
    Erased,
    /// The ledger's own record of it is damaged.
    Damaged,
}

impl Reason {
    /// Its name, in answers and logs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Superseded => "superseded",
            Self::Retracted => "retracted",
            Self::Expired => "expired",
            Self::Conflicted => "conflicted",
            Self::NotYet => "not-yet-valid",
            Self::Quarantined => "quarantined",
            Self::Stale => "stale",
            Self::Duplicate => "duplicate",
            Self::Restated => "restated",
            Self::Unknown => "unknown",
            Self::Erased => "erased",
            Self::Damaged => "damaged",
        }
    }
}

/// Why a recall looked less far than it was asked to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Degraded {
    /// There is nothing that makes vectors: it looked at the words alone.
    NoEmbeddings,
    /// What makes vectors cannot be reached: it looked at the words alone.
    EmbedderUnreachable,
    /// The index is searched by another model than ours: it looked at those rows that ours has embedded.
    OtherModel,
}

impl Degraded {
    /// Its name, in answers and logs.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoEmbeddings => "no-embeddings",
            Self::EmbedderUnreachable => "embedder-unreachable",
            Self::OtherModel => "other-model",
        }
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
}

/// What a recall gives back.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Recalled {
    /// Current truth, best first.
    pub facts: Vec<RecalledFact>,
    /// What was found and not let through, by reason.
    pub withheld: BTreeMap<Reason, usize>,
    /// Open conflicts that this reader may see, newest first, without content.
    pub conflicts: Vec<OpenConflict>,
    /// How many there are.
    pub conflicts_open: usize,
    /// Changes that the search index does not show yet.
    pub not_searchable_yet: usize,
    /// Whether the index differed from the ledger when it was last checked: something may be missing.
    pub index_drifted: bool,
    /// Why the recall looked less far than it was asked to.
    pub degraded: Option<Degraded>,
    /// What the run that it is for does not have.
    pub warnings: Vec<Warning>,
}

/// Why a run was answered less than it asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
            answer
                .withheld
                .into_iter()
                .for_each(|(reason, count)| *all.withheld.entry(reason).or_default() += count);
            let is_new = |conflict: &OpenConflict| all.conflicts.iter().all(|known| known != conflict);
            let new: Vec<_> = answer.conflicts.into_iter().filter(is_new).collect();
            all.conflicts.extend(new);
            all.conflicts_open = all.conflicts_open.max(answer.conflicts_open).max(all.conflicts.len());
            all.not_searchable_yet = all.not_searchable_yet.max(answer.not_searchable_yet);
            all.index_drifted |= answer.index_drifted;
            all.degraded = all.degraded.or(answer.degraded);
        }
        all.warnings.dedup();
        all
    }
}

impl RecalledFact {
    /// What it says, in a form that restatements share.
    fn gist(&self) -> Option<String> {
        self.revision.content().map(|content| index::gist(content.text().as_str()))
    }
}

/// Lets through what is the settled truth at `now` for `reader`, at most `limit`, in the order found; counts the rest
/// by reason. Fails closed: when the ledger cannot be read, nothing is let through.
pub async fn admit(
    candidates: &[Candidate],
    ledger: &Ledger,
    reader: &Reader,
    now: Timestamp,
    limit: usize,
) -> Result<(Vec<RecalledFact>, BTreeMap<Reason, usize>), StoreError> {
    let (mut facts, mut withheld) = (Vec::new(), BTreeMap::new());
    let mut seen: HashSet<FactId> = HashSet::new();
    let mut said = HashSet::new();
    for candidate in candidates {
        if facts.len() == limit {
            break;
        }
        let verdict = match seen.insert(candidate.fact) {
            false => Err(Reason::Duplicate),
            true => weigh(candidate, ledger, reader, now).await?,
        };
        let verdict = verdict.and_then(|fact| {
            let new = fact.gist().is_none_or(|gist| said.insert(gist));
            if new { Ok(fact) } else { Err(Reason::Restated) }
        });
        match verdict {
            Ok(fact) => facts.push(fact),
            Err(reason) => *withheld.entry(reason).or_default() += 1,
        }
    }
    Ok((facts, withheld))
}

async fn weigh(
    candidate: &Candidate,
    ledger: &Ledger,
    reader: &Reader,
    now: Timestamp,
) -> Result<Result<RecalledFact, Reason>, StoreError> {
    match ledger.case(reader, &Sought::Fact(candidate.fact)).await {
        Ok(None) => Ok(Err(Reason::Unknown)),
        Ok(Some(case)) => Ok(judge(case, candidate, now)),
        Err(StoreError::Damaged { .. }) => Ok(Err(Reason::Damaged)),
        Err(error) => Err(error),
    }
}

/// The verdict on one candidate: pure.
fn judge(case: Case, candidate: &Candidate, now: Timestamp) -> Result<RecalledFact, Reason> {
    let Some(number) = case.head.truth.settled(now) else {
        return Err(why_not(&case, candidate, now));
    };
    if number != candidate.revision {
        return Err(Reason::Stale);
    }
    if case.head.quarantined.contains(&number) {
        return Err(Reason::Quarantined);
    }
    let revision = case.revision(number).cloned().ok_or(Reason::Damaged)?;
    if revision.content().is_none() {
        return Err(Reason::Erased);
    }
    Ok(RecalledFact { case, revision, score: Some(candidate.score) })
}

fn why_not(case: &Case, candidate: &Candidate, now: Timestamp) -> Reason {
    let truth = &case.head.truth;
    match truth {
        Truth::Ended(fact::Ending::Erased { .. }) => Reason::Erased,
        Truth::Settled(_) | Truth::Contested(_) | Truth::Ended(_) => {
            match truth.state(candidate.revision, now) {
                Some(State::Conflicted) => Reason::Conflicted,
                Some(State::Retracted) => Reason::Retracted,
                Some(State::Expired) => Reason::Expired,
                Some(State::Active) => Reason::NotYet,
                Some(State::Superseded) | None => Reason::Superseded,
            }
        }
    }
}

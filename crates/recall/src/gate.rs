//! The gate: the ledger says whether a found fact is the settled truth now, for this reader. The row never does.

use std::collections::{BTreeMap, HashSet};

use fact::{Case, FactId, LegacyRow, Reader, State, Timestamp, Truth, Unadmitted};
use ledger::{Ledger, Sought, StoreError};
use serde::{Deserialize, Serialize};

use crate::answer::{Miss, NearMiss, RecalledFact, RecalledLegacy};
use crate::{Found, Pick};

/// Near misses that were kept back or were under the floor, of one recall.
const NEAR_MAX: usize = 50;

/// Why something that was found is not recalled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
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
    #[serde(rename = "not-yet-valid")]
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
    /// It is a legacy row, and its owner has applied a review.
    #[serde(rename = "legacy-reconciled")]
    LegacyReconciled,
    /// It is a legacy row that nobody knows the origin of.
    #[serde(rename = "legacy-hidden")]
    LegacyHidden,
    /// It is a legacy row that a fact rests on.
    #[serde(rename = "legacy-cited")]
    LegacyCited,
    /// It is a legacy row, and the ledger says the same itself: as a fact that is current, contested or over.
    #[serde(rename = "legacy-said")]
    LegacySaid,
    /// It is a legacy row of a project that its scope does not name.
    #[serde(rename = "legacy-foreign-project")]
    LegacyForeign,
    /// It is a legacy row that a review rejected.
    #[serde(rename = "legacy-rejected")]
    LegacyRejected,
    /// It is a legacy row whose time is over, or has not begun.
    #[serde(rename = "legacy-lapsed")]
    LegacyLapsed,
}

impl From<Unadmitted> for Reason {
    fn from(why: Unadmitted) -> Self {
        match why {
            Unadmitted::Reconciled => Self::LegacyReconciled,
            Unadmitted::Hidden => Self::LegacyHidden,
            Unadmitted::Cited => Self::LegacyCited,
            Unadmitted::Said => Self::LegacySaid,
            Unadmitted::Foreign => Self::LegacyForeign,
            Unadmitted::Rejected => Self::LegacyRejected,
            Unadmitted::Lapsed => Self::LegacyLapsed,
        }
    }
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
            Self::LegacyReconciled => "legacy-reconciled",
            Self::LegacyHidden => "legacy-hidden",
            Self::LegacyCited => "legacy-cited",
            Self::LegacySaid => "legacy-said",
            Self::LegacyForeign => "legacy-foreign-project",
            Self::LegacyRejected => "legacy-rejected",
            Self::LegacyLapsed => "legacy-lapsed",
        }
    }
}

/// What the gate made of what was found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Admitted {
    /// What it let through, best first.
    pub facts: Vec<RecalledFact>,
    /// What it let through of the memories from before the ledger, best first.
    pub legacy: Vec<RecalledLegacy>,
    /// What it kept back, by reason.
    pub withheld: BTreeMap<Reason, usize>,
    /// The first of those that were kept back, and of those that came too late to be looked at.
    pub near: Vec<NearMiss>,
}

/// Lets through what is the settled truth at `now` for `reader`, as much as is picked; counts the rest by reason, and
/// of what says the same all but what fits best. Fails closed: when the ledger cannot be read, nothing is let through.
pub async fn admit(
    found: &[Found],
    ledger: &Ledger,
    reader: &Reader,
    now: Timestamp,
    pick: &Pick,
) -> Result<Admitted, StoreError> {
    let mut admitted = Admitted::default();
    let mut seen: HashSet<FactId> = HashSet::new();
    let mut said = HashSet::new();
    for (place, one) in found.iter().enumerate() {
        if admitted.facts.len() == pick.enough() {
            admitted.near.extend(pick.late(&found[place..]));
            break;
        }
        if pick.is_under(one) {
            admitted.misses(one, Miss::BelowFloor);
            continue;
        }
        if one.fact.is_legacy() && admitted.legacy.len() == pick.limit {
            admitted.misses(one, Miss::TooLate);
            continue;
        }
        let verdict = match seen.insert(one.fact) {
            false => Err(Reason::Duplicate),
            true => weigh(one, ledger, reader, now).await?,
        };
        let verdict = verdict.and_then(|let_through| {
            let new = let_through.gist().is_none_or(|gist| said.insert(gist));
            if new { Ok(let_through) } else { Err(Reason::Restated) }
        });
        match verdict {
            Ok(LetThrough::Fact(fact)) => admitted.facts.push(*fact),
            Ok(LetThrough::Legacy(legacy)) => admitted.legacy.push(*legacy),
            Err(reason) => {
                *admitted.withheld.entry(reason).or_default() += 1;
                // Of what is not this reader's not even the id is told.
                if reason != Reason::Unknown {
                    admitted.misses(one, Miss::Withheld(reason));
                }
            }
        }
    }
    pick.apply(&mut admitted);
    // What is true now comes first: older memories take the room that it leaves.
    let room = pick.limit.saturating_sub(admitted.facts.len());
    admitted.legacy.truncate(room);
    Ok(admitted)
}

impl Admitted {
    fn misses(&mut self, found: &Found, why: Miss) {
        if self.near.len() < NEAR_MAX {
            self.near.push(NearMiss::of(found, why));
        }
    }
}

/// What the gate lets through.
enum LetThrough {
    Fact(Box<RecalledFact>),
    Legacy(Box<RecalledLegacy>),
}

impl LetThrough {
    /// What it says, in a form that restatements share.
    fn gist(&self) -> Option<String> {
        match self {
            Self::Fact(fact) => fact.gist(),
            Self::Legacy(legacy) => Some(legacy.gist()),
        }
    }
}

async fn weigh(
    found: &Found,
    ledger: &Ledger,
    reader: &Reader,
    now: Timestamp,
) -> Result<Result<LetThrough, Reason>, StoreError> {
    if found.fact.is_legacy() {
        return match ledger.legacy(&reader.tenant, found.fact).await {
            Ok(row) => Ok(judge_legacy(row, found, reader, now)),
            Err(StoreError::Damaged { .. }) => Ok(Err(Reason::Damaged)),
            Err(error) => Err(error),
        };
    }
    match ledger.case(reader, &Sought::Fact(found.fact)).await {
        Ok(None) => Ok(Err(Reason::Unknown)),
        Ok(Some(case)) => Ok(judge(case, found, now).map(|fact| LetThrough::Fact(Box::new(fact)))),
        Err(StoreError::Damaged { .. }) => Ok(Err(Reason::Damaged)),
        Err(error) => Err(error),
    }
}

/// The verdict on one legacy row: pure.
fn judge_legacy(
    row: Option<LegacyRow>,
    found: &Found,
    reader: &Reader,
    now: Timestamp,
) -> Result<LetThrough, Reason> {
    let row = row.filter(|row| reader.may_read(&row.scope)).ok_or(Reason::Unknown)?;
    row.admission(now)?;
    let legacy = RecalledLegacy { row, score: Some(found.score), fits: found.fits.clone() };
    Ok(LetThrough::Legacy(Box::new(legacy)))
}

/// The verdict on one fact: pure.
fn judge(case: Case, found: &Found, now: Timestamp) -> Result<RecalledFact, Reason> {
    let Some(number) = case.head.truth.settled(now) else {
        return Err(why_not(&case, found, now));
    };
    if number != found.revision {
        return Err(Reason::Stale);
    }
    if case.head.quarantined.contains(&number) {
        return Err(Reason::Quarantined);
    }
    let revision = case.revision(number).cloned().ok_or(Reason::Damaged)?;
    if revision.content().is_none() {
        return Err(Reason::Erased);
    }
    Ok(RecalledFact { case, revision, score: Some(found.score), fits: found.fits.clone() })
}

fn why_not(case: &Case, found: &Found, now: Timestamp) -> Reason {
    let truth = &case.head.truth;
    match truth {
        Truth::Ended(fact::Ending::Erased { .. }) => Reason::Erased,
        Truth::Settled(_) | Truth::Contested(_) | Truth::Ended(_) => match truth.state(found.revision, now) {
            Some(State::Conflicted) => Reason::Conflicted,
            Some(State::Retracted) => Reason::Retracted,
            Some(State::Expired) => Reason::Expired,
            Some(State::Active) => Reason::NotYet,
            Some(State::Superseded) | None => Reason::Superseded,
        },
    }
}

//! The gate: the ledger says whether a found fact is the settled truth now, for this reader. The row never does.

use std::collections::{BTreeMap, HashSet};

use fact::{Case, FactId, Reader, State, Timestamp, Truth};
use ledger::{Ledger, Sought, StoreError};
use serde::{Deserialize, Serialize};

use crate::answer::{Miss, NearMiss, RecalledFact};
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

/// What the gate made of what was found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Admitted {
    /// What it let through, best first.
    pub facts: Vec<RecalledFact>,
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
    let Admitted { mut facts, mut withheld, mut near } = Admitted::default();
    let mut seen: HashSet<FactId> = HashSet::new();
    let mut said = HashSet::new();
    for (place, one) in found.iter().enumerate() {
        if facts.len() == pick.enough() {
            near.extend(pick.late(&found[place..]));
            break;
        }
        if pick.is_under(one) {
            near.extend((near.len() < NEAR_MAX).then(|| NearMiss::of(one, Miss::BelowFloor)));
            continue;
        }
        let verdict = match seen.insert(one.fact) {
            false => Err(Reason::Duplicate),
            true => weigh(one, ledger, reader, now).await?,
        };
        let verdict = verdict.and_then(|fact| {
            let new = fact.gist().is_none_or(|gist| said.insert(gist));
            if new { Ok(fact) } else { Err(Reason::Restated) }
        });
        match verdict {
            Ok(fact) => facts.push(fact),
            Err(reason) => {
                *withheld.entry(reason).or_default() += 1;
                // Of what is not this reader's not even the id is told.
                if near.len() < NEAR_MAX && reason != Reason::Unknown {
                    near.push(NearMiss::of(one, Miss::Withheld(reason)));
                }
            }
        }
    }
    let mut admitted = Admitted { facts, withheld, near };
    pick.apply(&mut admitted);
    Ok(admitted)
}

async fn weigh(
    found: &Found,
    ledger: &Ledger,
    reader: &Reader,
    now: Timestamp,
) -> Result<Result<RecalledFact, Reason>, StoreError> {
    match ledger.case(reader, &Sought::Fact(found.fact)).await {
        Ok(None) => Ok(Err(Reason::Unknown)),
        Ok(Some(case)) => Ok(judge(case, found, now)),
        Err(StoreError::Damaged { .. }) => Ok(Err(Reason::Damaged)),
        Err(error) => Err(error),
    }
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

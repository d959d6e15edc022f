//! What was true at another time, as an answer.

use std::collections::{HashMap, HashSet};

use fact::{Case, FactId};
use index::Candidate;
use ledger::Seen;

use crate::answer::{Miss, NearMiss, RecalledFact};
use crate::gate::{Admitted, Reason};

/// Near misses that came too late, of one recall.
const NEAR_LATE_MAX: usize = 10;

/// The facts that the reader could see then, in the order found, at most `limit`; what says the same counts once.
pub fn then(candidates: &[Candidate], seen: Vec<Seen>, limit: usize) -> Admitted {
    let mut seen: HashMap<FactId, Seen> = seen.into_iter().map(|seen| (seen.head.fact, seen)).collect();
    let (mut admitted, mut said) = (Admitted::default(), HashSet::new());
    for (place, candidate) in candidates.iter().enumerate() {
        if admitted.facts.len() == limit {
            let late = candidates[place..].iter().take(NEAR_LATE_MAX);
            admitted.near.extend(late.map(|late| NearMiss::of(late, Miss::TooLate)));
            break;
        }
        let Some(Seen { head, revision, .. }) = seen.remove(&candidate.fact) else { continue };
        let case =
            Case { head, revisions: vec![revision.clone()], merged: Vec::new(), said_again: Vec::new() };
        let fact = RecalledFact { case, revision, score: Some(candidate.score) };
        if fact.gist().is_none_or(|gist| said.insert(gist)) {
            admitted.facts.push(fact);
        } else {
            *admitted.withheld.entry(Reason::Restated).or_default() += 1;
            admitted.near.push(NearMiss::of(candidate, Miss::Withheld(Reason::Restated)));
        }
    }
    admitted
}

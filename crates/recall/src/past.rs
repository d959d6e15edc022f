//! What was true at another time, as an answer.

use std::collections::{HashMap, HashSet};

use fact::{Case, FactId};
use ledger::Seen;

use crate::answer::{Miss, NearMiss, RecalledFact};
use crate::gate::{Admitted, Reason};
use crate::{Found, Pick};

/// The facts that the reader could see then, as many as are picked; what says the same counts once.
pub fn then(found: &[Found], seen: Vec<Seen>, pick: &Pick) -> Admitted {
    let mut seen: HashMap<FactId, Seen> = seen.into_iter().map(|seen| (seen.head.fact, seen)).collect();
    let (mut admitted, mut said) = (Admitted::default(), HashSet::new());
    for (place, one) in found.iter().enumerate() {
        if admitted.facts.len() == pick.enough() {
            admitted.near.extend(pick.late(&found[place..]));
            break;
        }
        if pick.is_under(one) {
            admitted.near.push(NearMiss::of(one, Miss::BelowFloor));
            continue;
        }
        let Some(Seen { head, revision, .. }) = seen.remove(&one.fact) else { continue };
        let case =
            Case { head, revisions: vec![revision.clone()], merged: Vec::new(), said_again: Vec::new() };
        let fact = RecalledFact { case, revision, score: Some(one.score), fits: one.fits.clone() };
        if fact.gist().is_none_or(|gist| said.insert(gist)) {
            admitted.facts.push(fact);
        } else {
            *admitted.withheld.entry(Reason::Restated).or_default() += 1;
            admitted.near.push(NearMiss::of(one, Miss::Withheld(Reason::Restated)));
        }
    }
    pick.apply(&mut admitted);
    admitted
}

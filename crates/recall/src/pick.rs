//! What is taken of what was found: as much as is asked for, above the floor, by the weights of its sources.

use fact::Actor;
use serde::{Deserialize, Serialize};

use crate::answer::{Miss, NearMiss};
use crate::fuse::{Fit, Found, Order};
use crate::gate::Admitted;

/// Near misses that came too late, or were under the floor, of one recall.
const NEAR_LATE_MAX: usize = 10;

/// How much a fact counts by who said it: 1 as it fits, less or more otherwise. It changes the order among what was
/// found, never what is found.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SourceWeights {
    /// Of people.
    pub user: f64,
    /// Of agents.
    pub agent: f64,
    /// Of operators.
    pub operator: f64,
    /// Of imports of older memories.
    pub migration: f64,
    /// Of other programs.
    pub service: f64,
}

impl Default for SourceWeights {
    /// All the same.
    fn default() -> Self {
        Self { user: 1.0, agent: 1.0, operator: 1.0, migration: 1.0, service: 1.0 }
    }
}

impl SourceWeights {
    /// That of who said something.
    fn of(&self, actor: &Actor) -> f64 {
        match actor {
            Actor::User { .. } => self.user,
            Actor::Agent { .. } => self.agent,
            Actor::Operator { .. } => self.operator,
            Actor::Migration { .. } => self.migration,
            Actor::Service { .. } => self.service,
        }
    }

    /// Whether who said something changes nothing.
    pub fn are_even(&self) -> bool {
        *self == Self::default()
    }
}

/// How much is taken, and of what.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pick {
    /// At most that many facts.
    pub limit: usize,
    /// What was found by meaning alone is left out where it fits less well.
    pub floor: Option<f64>,
    /// How much each source counts.
    pub sources: SourceWeights,
}

impl Pick {
    /// How many facts are enough to know which are taken.
    pub(crate) fn enough(&self) -> usize {
        if self.sources.are_even() { self.limit } else { usize::MAX }
    }

    /// Whether a fact is under the floor.
    pub(crate) fn is_under(&self, found: &Found) -> bool {
        let by_meaning_alone = || found.fits.iter().all(|fit| fit.order == Order::Meaning);
        let fits_less = |floor: f64| found.fits.iter().all(|fit| fit.parts.total() < floor);
        self.floor.is_some_and(|floor| !found.fits.is_empty() && by_meaning_alone() && fits_less(floor))
    }

    /// Puts what was let through in its order, and no more of it than is asked for.
    pub(crate) fn apply(&self, admitted: &mut Admitted) {
        if self.sources.are_even() {
            return;
        }
        for fact in &mut admitted.facts {
            let weight = self.sources.of(fact.revision.author());
            weighted(&mut fact.score, &mut fact.fits, weight);
        }
        for legacy in &mut admitted.legacy {
            weighted(&mut legacy.score, &mut legacy.fits, self.sources.migration);
        }
        let score = |score: Option<f64>| score.unwrap_or_default();
        admitted.facts.sort_by(|a, b| score(b.score).total_cmp(&score(a.score)));
        admitted.legacy.sort_by(|a, b| score(b.score).total_cmp(&score(a.score)));
        let late = admitted.facts.split_off(self.limit.min(admitted.facts.len()));
        let near = late.iter().take(NEAR_LATE_MAX).map(|fact| NearMiss {
            fact: fact.case.head.fact,
            revision: fact.revision.number,
            score: score(fact.score),
            why: Miss::TooLate,
        });
        admitted.near.extend(near);
    }

    /// The first of what was found and came too late to be looked at.
    pub(crate) fn late<'a>(&self, found: &'a [Found]) -> impl Iterator<Item = NearMiss> + use<'a> {
        let pick = *self;
        found.iter().take(NEAR_LATE_MAX).map(move |found| {
            let why = if pick.is_under(found) { Miss::BelowFloor } else { Miss::TooLate };
            NearMiss::of(found, why)
        })
    }
}

/// A score as much greater as its source counts more. What fits worse than anything usual is not made better by a small
/// weight.
fn weighted(score: &mut Option<f64>, fits: &mut [Fit], weight: f64) {
    let weight = if score.is_some_and(|score| score < 0.0) { 1.0 / weight } else { weight };
    *score = score.map(|score| score * weight);
    fits.iter_mut().for_each(|fit| fit.adds *= weight);
}

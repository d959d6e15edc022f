//! Several orders made into one: what many legs find, and find well, comes first.

use std::collections::HashMap;

use fact::{FactId, RevisionNumber};
use index::{Candidate, Parts};
use serde::{Deserialize, Serialize};

/// How the orders by words and by meaning are made into one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Fusion {
    /// What of each order counts.
    pub by: By,
    /// The weight of the order by words.
    pub keyword: f64,
    /// The weight of the order by meaning.
    pub semantic: f64,
}

impl Default for Fusion {
    /// As measured best with the small local model (docs/recall.md): words find more than its meaning does.
    fn default() -> Self {
        Self { by: By::Score, keyword: 1.0, semantic: 0.6 }
    }
}

/// What of an order counts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum By {
    /// How well a fact fits, from 0 as any would to 1 as the best does.
    Score,
    /// Its rank: 1 / (k + rank).
    Rank {
        /// The larger, the less the first ranks stand out.
        k: f64,
    },
}

/// What facts are put in order by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// The words of the query.
    Words,
    /// Its meaning.
    Meaning,
}

/// How well a fact fits by one order.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Fit {
    /// The order.
    pub order: Order,
    /// What its score there comes from.
    pub parts: Parts,
    /// What that adds to the score of the fact.
    pub adds: f64,
}

/// A fact that was found, with its score over all orders. Whether it is still true is not known here.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The fact.
    pub fact: FactId,
    /// The revision that was found.
    pub revision: RevisionNumber,
    /// How well it fits.
    pub score: f64,
    /// What the score comes from: the orders in which the fact was found.
    pub fits: Vec<Fit>,
}

impl Found {
    fn in_one(candidate: &Candidate, fit: Fit) -> Self {
        let Candidate { fact, revision, score, parts: _ } = *candidate;
        Self { fact, revision, score, fits: vec![fit] }
    }
}

/// One order with its weight.
pub struct Leg {
    /// What it is by.
    pub order: Order,
    /// How much it counts.
    pub weight: f64,
    /// The score of a fact that has nothing to do with the query.
    pub usual: f64,
    /// Best first.
    pub candidates: Vec<Candidate>,
    /// Whether there may be more, none of which fits better than the last.
    pub is_cut: bool,
}

impl Leg {
    /// How much a candidate of that rank counts.
    fn part(&self, by: By, rank: u32, score: f64) -> f64 {
        match by {
            By::Rank { k } => 1.0 / (k + f64::from(rank)),
            By::Score => self.share(score),
        }
    }

    /// How much a fact counts that is none of the candidates: where the order was cut, what the last one does.
    fn least(&self, by: By) -> f64 {
        match by {
            By::Score if self.is_cut => self.candidates.last().map_or(0.0, |last| self.share(last.score)),
            By::Score | By::Rank { .. } => 0.0,
        }
    }

    /// Whether it goes on with what is not under the floor.
    pub fn goes_on(&self, floor: Option<f64>) -> bool {
        let last = || self.candidates.last().map_or(0.0, |last| last.score);
        self.is_cut && (self.order == Order::Words || floor.is_none_or(|floor| last() >= floor))
    }

    fn fit(&self, candidate: &Candidate, adds: f64) -> Fit {
        Fit { order: self.order, parts: candidate.parts, adds }
    }

    fn share(&self, score: f64) -> f64 {
        let best = self.candidates.first().map_or(0.0, |best| best.score - self.usual);
        if best > 0.0 { (score - self.usual) / best } else { 0.0 }
    }
}

/// The candidates of all legs, best first; the newest fact first among equals. Scores are weighted sums over the legs;
/// an only leg keeps its own.
pub fn fuse(legs: &[Leg], by: By) -> Vec<Found> {
    if let [only] = legs {
        return only.candidates.iter().map(|one| Found::in_one(one, only.fit(one, one.score))).collect();
    }
    let fits: Vec<HashMap<FactId, Fit>> = legs.iter().map(|leg| fits(leg, by)).collect();
    // The last to come stays: where legs found different revisions, that of the first.
    let all = legs.iter().rev().flat_map(|leg| &leg.candidates).map(|candidate| (candidate.fact, candidate));
    let distinct: HashMap<FactId, &Candidate> = all.collect();
    let found = |candidate: &Candidate| {
        let each = || legs.iter().zip(&fits).map(|(leg, fits)| (leg, fits.get(&candidate.fact).copied()));
        let adds = each().map(|(leg, fit)| fit.map_or_else(|| leg.weight * leg.least(by), |fit| fit.adds));
        Found {
            fact: candidate.fact,
            revision: candidate.revision,
            score: adds.sum(),
            fits: each().filter_map(|(_, fit)| fit).collect(),
        }
    };
    let mut fused: Vec<Found> = distinct.into_values().map(found).collect();
    fused.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| b.fact.cmp(&a.fact)));
    fused
}

fn fits(leg: &Leg, by: By) -> HashMap<FactId, Fit> {
    let ranked = (1_u32..).zip(&leg.candidates);
    ranked.map(|(rank, one)| (one.fact, leg.fit(one, leg.weight * leg.part(by, rank, one.score)))).collect()
}

#[cfg(test)]
mod tests;

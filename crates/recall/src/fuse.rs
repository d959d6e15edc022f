//! Several orders made into one: what many legs find, and find well, comes first.

use std::collections::HashMap;

use fact::FactId;
use index::Candidate;
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

/// One order with its weight.
pub struct Leg {
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

    fn share(&self, score: f64) -> f64 {
        let best = self.candidates.first().map_or(0.0, |best| best.score - self.usual);
        if best > 0.0 { (score - self.usual) / best } else { 0.0 }
    }
}

/// The candidates of all legs, best first; the newest fact first among equals. Scores are weighted sums over the legs.
pub fn fuse(legs: &[Leg], by: By) -> Vec<Candidate> {
    let parts: Vec<HashMap<FactId, f64>> = legs.iter().map(|leg| parts(leg, by)).collect();
    // The last to come stays: where legs found different revisions, that of the first.
    let all = legs.iter().rev().flat_map(|leg| &leg.candidates).map(|candidate| (candidate.fact, candidate));
    let score = |fact: FactId| -> f64 {
        let weighted = legs.iter().zip(&parts).map(|(leg, parts)| {
            let part = parts.get(&fact).copied();
            leg.weight * part.unwrap_or_else(|| leg.least(by))
        });
        weighted.sum()
    };
    let distinct: HashMap<FactId, &Candidate> = all.collect();
    let mut fused: Vec<Candidate> = distinct
        .into_values()
        .map(|candidate| Candidate { score: score(candidate.fact), ..candidate.clone() })
        .collect();
    fused.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| b.fact.cmp(&a.fact)));
    fused
}

fn parts(leg: &Leg, by: By) -> HashMap<FactId, f64> {
    let ranked = (1_u32..).zip(&leg.candidates);
    ranked.map(|(rank, candidate)| (candidate.fact, leg.part(by, rank, candidate.score))).collect()
}

#[cfg(test)]
mod tests;

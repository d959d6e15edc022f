//! Several orders made into one, by rank: what many legs find, and find early, comes first.

use std::collections::HashMap;

use index::Candidate;
use serde::{Deserialize, Serialize};

/// How much the rank in each leg counts: weight / (k + rank), summed over the legs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Fusion {
    /// The larger, the less the first ranks stand out.
    pub k: f64,
    /// The weight of the order by words.
    pub keyword: f64,
    /// The weight of the order by meaning.
    pub semantic: f64,
}

impl Default for Fusion {
    /// As measured best with the small local model (docs/recall.md): words find more than its meaning does.
    fn default() -> Self {
        Self { k: 6.0, keyword: 1.0, semantic: 0.6 }
    }
}

/// One order with its weight.
pub struct Leg {
    /// How much its ranks count.
    pub weight: f64,
    /// Best first.
    pub candidates: Vec<Candidate>,
}

/// The candidates of all legs, best first; the newest fact first among equals. Scores are sums of weighted ranks.
pub fn fuse(legs: &[Leg], k: f64) -> Vec<Candidate> {
    let mut fused: HashMap<_, Candidate> = HashMap::new();
    for leg in legs {
        for (rank, candidate) in (1_u32..).zip(&leg.candidates) {
            let score = leg.weight / (k + f64::from(rank));
            fused
                .entry(candidate.fact)
                .and_modify(|known| known.score += score)
                .or_insert_with(|| Candidate { score, ..candidate.clone() });
        }
    }
    let mut fused: Vec<Candidate> = fused.into_values().collect();
    fused.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| b.fact.cmp(&a.fact)));
    fused
}

#[cfg(test)]
mod tests;

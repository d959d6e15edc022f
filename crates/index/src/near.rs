//! The texts whose meaning is nearest to a query's, among those that a reader may read, the same on both engines.
//!
//! What stands beside a text counts at its share as far as it is nearer than texts usually are, and so does that the
//! query names who said it.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::sync::Arc;

use fact::{FactId, Reader, RevisionNumber};

use crate::around::SHARE;
use crate::shelf::{Kept, KeptText};
use crate::speaker::Naming;
use crate::{Candidate, Nearby, Nearest, Parts};

/// Numbers that are multiplied side by side.
const LANES: usize = 16;

/// One search while the scopes come in.
pub(crate) struct Nearing<'a> {
    query: &'a Nearest,
    naming: Naming,
    scopes: Vec<(Arc<Kept>, Vec<Option<f64>>)>,
    generation: i64,
}

impl<'a> Nearing<'a> {
    pub(crate) fn new(reader: &Reader, query: &'a Nearest) -> Self {
        Self { query, naming: Naming::of(reader, query.text.as_str()), scopes: Vec::new(), generation: 0 }
    }

    /// Takes in the vectors of a scope. A text of several pieces is as near as its nearest one.
    pub(crate) fn add(&mut self, kept: Arc<Kept>) {
        let query = &self.query.vector;
        let cosine = |text: &KeptText| {
            let products = kept.vectors(text, query.len()).map(|vector| dot(query, vector));
            products.max_by(f32::total_cmp).map(f64::from)
        };
        let cosines = kept.texts.iter().map(cosine).collect();
        self.generation = self.generation.max(kept.changes);
        self.scopes.push((kept, cosines));
    }

    /// The nearest, nearest first; among equals the fact with the later id.
    pub(crate) fn best(self) -> Nearby {
        let mut total = Total::default();
        self.scopes.iter().flat_map(|(_, cosines)| cosines).flatten().for_each(|cosine| total.add(*cosine));
        let usual = total.mean();
        let bonus = SHARE * (total.most - usual);
        let named = self.named();
        let mut best = Best { limit: self.query.limit, found: BinaryHeap::new() };
        for (kept, cosines) in &self.scopes {
            let spots = spots(kept, cosines);
            for (at, (text, cosine)) in kept.texts.iter().zip(cosines).enumerate() {
                let Some(cosine) = cosine.filter(|_| self.is_wanted(text)) else { continue };
                let beside = beside(&spots, text, at).map_or(0.0, |near| SHARE * (near - usual).max(0.0));
                let is_named = named.is_some() && text.speaker.as_deref() == named;
                let speaker = if is_named { bonus } else { 0.0 };
                let parts = Parts { own: cosine, beside, conversation: 0.0, speaker };
                best.offer(Found { score: parts.total(), fact: text.fact, revision: text.revision, parts });
            }
        }
        Nearby { candidates: best.candidates(), usual, generation: self.generation }
    }

    fn is_wanted(&self, text: &KeptText) -> bool {
        let kinds = &self.query.kinds;
        kinds.is_empty() || kinds.iter().any(|kind| kind.as_str() == &*text.kind)
    }

    /// The one speaker whom the query names.
    fn named(&self) -> Option<&str> {
        let texts = self.scopes.iter().flat_map(|(kept, _)| &kept.texts);
        let mut speakers: Vec<&str> = Vec::new();
        for speaker in texts.filter_map(|text| text.speaker.as_deref()) {
            // One speaks many times in a row; those who are left are few.
            if speakers.last() != Some(&speaker) && !speakers.contains(&speaker) {
                speakers.push(speaker);
            }
        }
        self.naming.only(speakers.into_iter())
    }
}

/// A sum that is the same in whichever order its numbers come.
#[derive(Default)]
struct Total {
    sum: f64,
    count: f64,
    most: f64,
}

/// Adding and taking it away rounds a number near 1 to a multiple of 2⁻³⁰: of those, millions are summed exactly.
const ROUNDING: f64 = 6_291_456.0;

impl Total {
    fn add(&mut self, number: f64) {
        self.most = if self.count == 0.0 { number } else { self.most.max(number) };
        self.sum += (number + ROUNDING) - ROUNDING;
        self.count += 1.0;
    }

    fn mean(&self) -> f64 {
        if self.count == 0.0 { 0.0 } else { self.sum / self.count }
    }
}

/// The nearest text at a spot, by its place, and how near another there is.
#[derive(Clone, Copy, Default)]
struct AtSpot {
    nearest: Option<(usize, f64)>,
    next: Option<f64>,
}

impl AtSpot {
    fn add(&mut self, at: usize, cosine: f64) {
        match self.nearest {
            Some((_, nearest)) if nearest >= cosine => {
                self.next = Some(self.next.map_or(cosine, |next| next.max(cosine)));
            }
            known => {
                self.next = known.map(|(_, cosine)| cosine).or(self.next);
                self.nearest = Some((at, cosine));
            }
        }
    }

    /// How near the nearest is that is not the one at that place.
    fn but(self, at: usize) -> Option<f64> {
        match self.nearest {
            Some((nearest, _)) if nearest == at => self.next,
            nearest => nearest.map(|(_, cosine)| cosine),
        }
    }
}

fn spots(kept: &Kept, cosines: &[Option<f64>]) -> Vec<AtSpot> {
    let mut spots = vec![AtSpot::default(); kept.spots];
    for (at, (text, cosine)) in kept.texts.iter().zip(cosines).enumerate() {
        if let (Some(spot), Some(cosine)) = (text.spot, cosine) {
            spots[spot].add(at, *cosine);
        }
    }
    spots
}

/// How near the nearest is that stands beside a text.
fn beside(spots: &[AtSpot], text: &KeptText, at: usize) -> Option<f64> {
    let all = text.beside.into_iter().chain([text.spot]).flatten();
    all.filter_map(|spot| spots[spot].but(at)).max_by(f64::total_cmp)
}

/// The best so far.
struct Best {
    limit: usize,
    /// The worst of them on top.
    found: BinaryHeap<Reverse<Found>>,
}

impl Best {
    fn offer(&mut self, found: Found) {
        if self.found.len() < self.limit {
            self.found.push(Reverse(found));
        } else if self.found.peek().is_some_and(|Reverse(worst)| found > *worst) {
            self.found.pop();
            self.found.push(Reverse(found));
        }
    }

    fn candidates(self) -> Vec<Candidate> {
        let best = self.found.into_sorted_vec().into_iter();
        best.map(|Reverse(Found { score, fact, revision, parts })| Candidate { fact, revision, score, parts })
            .collect()
    }
}

struct Found {
    score: f64,
    fact: FactId,
    revision: RevisionNumber,
    parts: Parts,
}

impl Found {
    fn key(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then_with(|| self.fact.cmp(&other.fact))
    }
}

impl PartialEq for Found {
    fn eq(&self, other: &Self) -> bool {
        self.key(other) == Ordering::Equal
    }
}

impl Eq for Found {}

impl PartialOrd for Found {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Found {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key(other)
    }
}

/// The product of two vectors, summed in an order that is the same on every machine.
fn dot(one: &[f32], other: &[f32]) -> f32 {
    let mut lanes = [0.0_f32; LANES];
    let (ones, others) = (one.chunks_exact(LANES), other.chunks_exact(LANES));
    let rest: f32 = ones.remainder().iter().zip(others.remainder()).map(|(a, b)| a * b).sum();
    for (ones, others) in ones.zip(others) {
        for (lane, (a, b)) in lanes.iter_mut().zip(ones.iter().zip(others)) {
            *lane += a * b;
        }
    }
    lanes.iter().sum::<f32>() + rest
}

#[cfg(test)]
mod tests;

//! The measures: share of gold among the first places, the place of the first gold, and times.
//!
//! R@1 asks whether the first place holds gold: its share would say how much gold there is, as one place seldom holds
//! more than one document.

use std::collections::BTreeSet;
use std::time::Duration;

use serde::Serialize;

use super::dataset::DocumentNumber;

/// Places that are scored.
pub(super) const PLACES_MAX: usize = 10;

/// How well one question was answered, each from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Score {
    /// 1 when the first document is gold, else 0.
    pub(super) r1: f64,
    /// Share of the gold in the first five.
    pub(super) r5: f64,
    /// Share of the gold in the first ten.
    pub(super) r10: f64,
    /// One by the place of the first gold within ten; 0 without.
    pub(super) mrr10: f64,
}

/// The means over some questions.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub(super) struct Figures {
    /// Questions.
    pub(super) n: usize,
    /// Share of the questions whose first document is gold.
    pub(super) r1: f64,
    /// Mean share of the gold in the first five.
    pub(super) r5: f64,
    /// Mean share of the gold in the first ten.
    pub(super) r10: f64,
    /// Mean of one by the place of the first gold within ten.
    pub(super) mrr10: f64,
}

/// From the documents that each found fact stands for, best first, to places: a document counts where it comes first,
/// documents that say the same share a place, and a fact that brings no new document takes none.
pub(super) fn ranking(
    found: impl Iterator<Item = BTreeSet<DocumentNumber>>,
) -> Vec<BTreeSet<DocumentNumber>> {
    let mut seen = BTreeSet::new();
    let new = found.map(|documents| {
        let new: BTreeSet<_> = &documents - &seen;
        seen.extend(documents);
        new
    });
    new.filter(|place| !place.is_empty()).collect()
}

impl Score {
    /// Scores places against a gold that is not empty.
    pub(super) fn of(places: &[BTreeSet<DocumentNumber>], gold: &BTreeSet<DocumentNumber>) -> Self {
        let share = |first: usize| {
            let found =
                places.iter().take(first).flatten().filter(|document| gold.contains(document)).count();
            float(found) / float(gold.len())
        };
        let place = places.iter().take(PLACES_MAX).position(|place| !place.is_disjoint(gold));
        Self {
            r1: if place == Some(0) { 1.0 } else { 0.0 },
            r5: share(5),
            r10: share(PLACES_MAX),
            mrr10: place.map_or(0.0, |place| 1.0 / float(place + 1)),
        }
    }
}

impl Figures {
    /// The means; zeros over nothing.
    pub(super) fn mean<'a>(scores: impl Iterator<Item = &'a Score>) -> Self {
        let mut sum = Self::default();
        for score in scores {
            sum.n += 1;
            sum.r1 += score.r1;
            sum.r5 += score.r5;
            sum.r10 += score.r10;
            sum.mrr10 += score.mrr10;
        }
        let n = float(sum.n.max(1));
        Self { n: sum.n, r1: sum.r1 / n, r5: sum.r5 / n, r10: sum.r10 / n, mrr10: sum.mrr10 / n }
    }
}

/// The time within which `percent` of the calls were answered, in milliseconds (nearest rank); 0 without calls.
pub(super) fn percentile(times: &[Duration], percent: usize) -> f64 {
    let mut times = times.to_vec();
    times.sort();
    let rank = (times.len() * percent).div_ceil(100).max(1);
    times.get(rank - 1).map_or(0.0, |time| time.as_secs_f64() * 1000.0)
}

/// A count as a number to divide by.
pub(super) fn float(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::INFINITY, f64::from)
}

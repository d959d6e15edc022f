//! The pairs of many statements that are near, without comparing each with each.

use std::collections::{BTreeMap, HashMap};

use super::{COSINE_MIN, Gist, Likeness, SHARED_MIN_PERCENT};

/// Statements whose meanings are compared, each with each; of more the words alone.
pub const MEANING_ITEMS_MAX: usize = 4_000;
/// Pairs that one search gives.
pub const PAIRS_MAX: usize = 1_000;
/// Numbers that are multiplied side by side.
const LANES: usize = 16;

/// A statement among others of its kind.
pub struct Stated {
    /// Whose it is: two of one owner are not a pair.
    pub owner: usize,
    /// What it says.
    pub gist: Gist,
    /// What it means, as a vector of unit length; empty where that is not known.
    pub meaning: Vec<f32>,
}

/// The pairs that were found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Found {
    /// Places of two statements each, the lower first, in order; a statement and its denial are none.
    pub near: Vec<(usize, usize)>,
    /// Whether there may be more pairs than were given.
    pub more: bool,
    /// Whether there were too many for their meanings to be compared.
    pub words_only: bool,
}

/// All pairs that are alike, however many.
pub(crate) struct Kin {
    /// Places of two statements each, the lower first, in order.
    pub(crate) pairs: BTreeMap<(usize, usize), Likeness>,
    /// Whether there were too many for their meanings to be compared.
    pub(crate) words_only: bool,
}

/// Pairs while they are looked for.
struct Search {
    alike: BTreeMap<(usize, usize), Likeness>,
    near: usize,
    near_max: usize,
}

/// The near pairs of statements of one scope and type, at most `PAIRS_MAX`.
pub fn pairs(stated: &[Stated]) -> Found {
    let (search, words_only) = searched(stated, PAIRS_MAX);
    let more = search.is_full();
    let near = search.alike.into_iter().filter(|(_, like)| *like == Likeness::Near);
    Found { near: near.map(|(pair, _)| pair).collect(), more, words_only }
}

/// The pairs that are alike, denials of each other too. Give each gist once: many of one make pairs without number.
pub(crate) fn kin(stated: &[Stated]) -> Kin {
    let (search, words_only) = searched(stated, usize::MAX);
    Kin { pairs: search.alike, words_only }
}

fn searched(stated: &[Stated], near_max: usize) -> (Search, bool) {
    let mut search = Search { alike: BTreeMap::new(), near: 0, near_max };
    search.by_words(stated);
    let words_only = stated.len() > MEANING_ITEMS_MAX;
    if !words_only {
        search.by_meaning(stated);
    }
    (search, words_only)
}

impl Search {
    /// What is near by words has all the words of the other, so the rarest word of one leads to it.
    fn by_words(&mut self, stated: &[Stated]) {
        let ranked = ranked(stated);
        let mut holders: HashMap<usize, Vec<usize>> = HashMap::new();
        for (place, words) in ranked.iter().enumerate() {
            words.iter().for_each(|word| holders.entry(*word).or_default().push(place));
        }
        for (place, words) in ranked.iter().enumerate() {
            let size = words.len();
            for other in words.first().and_then(|rarest| holders.get(rarest)).into_iter().flatten().copied() {
                let longer = ranked[other].len();
                let is_near_in_size = longer >= size && 200 * size >= SHARED_MIN_PERCENT * (size + longer);
                if is_near_in_size && is_part(words, &ranked[other]) {
                    self.compare(stated, place, other, None);
                }
                if self.is_full() {
                    return;
                }
            }
        }
    }

    fn by_meaning(&mut self, stated: &[Stated]) {
        for place in 0..stated.len() {
            for other in place + 1..stated.len() {
                let (one, next) = (&stated[place].meaning, &stated[other].meaning);
                if one.is_empty() || one.len() != next.len() {
                    continue;
                }
                let cosine = dot(one, next);
                if cosine >= COSINE_MIN {
                    self.compare(stated, place, other, Some(cosine));
                }
                if self.is_full() {
                    return;
                }
            }
        }
    }

    fn compare(&mut self, stated: &[Stated], one: usize, other: usize, cosine: Option<f32>) {
        let (one, other) = (one.min(other), one.max(other));
        let is_known = self.alike.contains_key(&(one, other));
        if stated[one].owner == stated[other].owner || is_known || self.is_full() {
            return;
        }
        if let Some(like) = stated[one].gist.alike(&stated[other].gist, cosine) {
            self.alike.insert((one, other), like);
            self.near += usize::from(like == Likeness::Near);
        }
    }

    fn is_full(&self) -> bool {
        self.near >= self.near_max
    }
}

/// The words of each statement as their ranks, the rarest of all statements first.
fn ranked(stated: &[Stated]) -> Vec<Vec<usize>> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    stated.iter().flat_map(|one| one.gist.words()).for_each(|word| *counts.entry(word).or_default() += 1);
    let mut words: Vec<(usize, &str)> = counts.into_iter().map(|(word, count)| (count, word)).collect();
    words.sort_unstable();
    let ranks: HashMap<&str, usize> =
        words.into_iter().zip(0..).map(|((_, word), rank)| (word, rank)).collect();
    let rank = |one: &Stated| {
        let mut ranked: Vec<usize> = one.gist.words().map(|word| ranks[word]).collect();
        ranked.sort_unstable();
        ranked
    };
    stated.iter().map(rank).collect()
}

/// Whether all of `few` are among `many`; both are in order.
fn is_part(few: &[usize], many: &[usize]) -> bool {
    let mut many = many.iter();
    few.iter().all(|one| many.by_ref().find(|other| *other >= one) == Some(one))
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

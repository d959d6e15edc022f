//! How well the texts that a search matched fit: by their own words, and by what stands around them.
//!
//! Each word of the query counts once: as the text has it, or as its neighbours do at their share, whichever is more,
//! so that an answer gains nothing by repeating its question. Where conversations are known, the whole of what a
//! conversation says of the query counts for each text in it, and where the query names one speaker, what they said.

use std::collections::{BTreeMap, HashMap};

use crate::around::{SHARE, Spot};
use crate::score::{Parts, Stock};

/// A text that has a word of the query.
pub(crate) struct Said {
    /// How long it is for scoring.
    pub(crate) length: u32,
    /// How often each word occurs, by its place, in order.
    pub(crate) counts: Vec<(usize, u32)>,
    /// The number of what it was said in.
    pub(crate) conversation: Option<u32>,
    /// Where it stands.
    pub(crate) spot: Option<Spot>,
    /// Whether the query names who said it, and nobody else.
    pub(crate) is_named: bool,
}

/// What the score of each text comes from. `weights` says by place how much a word tells, `stock` what the reader may see.
pub(crate) fn scores(said: &[Said], weights: &[f64], stock: Stock) -> Vec<Parts> {
    let own: Vec<f64> = said.iter().map(|one| sum(weights, shares(one, stock))).collect();
    let best = own.iter().copied().fold(0.0, f64::max);
    let spots = spots(said, stock);
    let bearings = bearings(said, weights.len());
    let mut filled = Filled::new(weights.len());
    said.iter()
        .zip(own)
        .enumerate()
        .map(|(at, (one, own))| {
            let words = match one.spot {
                None => own,
                Some(spot) => {
                    filled.take(shares(one, stock), 1.0);
                    let beside = spot.beside().into_iter().flatten().chain([spot]);
                    for near in beside.filter_map(|spot| spots.get(&spot)) {
                        filled.take(near.iter().copied(), SHARE);
                    }
                    filled.give(weights)
                }
            };
            let bearing = bearings.get(at).copied().unwrap_or_default();
            let named = if one.is_named { 1.0 } else { 0.0 };
            let (conversation, speaker) = (SHARE * best * bearing, SHARE * best * named);
            Parts { own, beside: words - own, conversation, speaker }
        })
        .collect()
}

/// The share of each word's weight, by place.
fn shares(said: &Said, stock: Stock) -> impl Iterator<Item = (usize, f64)> {
    said.counts.iter().map(move |(place, count)| (*place, stock.share(*count, said.length)))
}

fn sum(weights: &[f64], shares: impl Iterator<Item = (usize, f64)>) -> f64 {
    shares.map(|(place, share)| weights[place] * share).sum()
}

/// The best share of each word at each spot, in the order of places.
fn spots(said: &[Said], stock: Stock) -> HashMap<Spot, Vec<(usize, f64)>> {
    let mut spots: HashMap<Spot, Vec<(usize, f64)>> = HashMap::new();
    for (one, spot) in said.iter().filter_map(|one| Some((one, one.spot?))) {
        let best = spots.entry(spot).or_default();
        for (place, share) in shares(one, stock) {
            match best.binary_search_by_key(&place, |(place, _)| *place) {
                Ok(at) => best[at].1 = best[at].1.max(share),
                Err(at) => best.insert(at, (place, share)),
            }
        }
    }
    spots
}

/// The words of one text and its neighbours while they come in, by place.
struct Filled {
    shares: Vec<f64>,
    places: Vec<usize>,
}

impl Filled {
    fn new(places: usize) -> Self {
        Self { shares: vec![0.0; places], places: Vec::new() }
    }

    fn take(&mut self, shares: impl Iterator<Item = (usize, f64)>, part: f64) {
        for (place, share) in shares {
            if self.shares[place] == 0.0 {
                self.places.push(place);
            }
            self.shares[place] = self.shares[place].max(part * share);
        }
    }

    /// What they come to, in the order of places; afterwards there is nothing.
    fn give(&mut self, weights: &[f64]) -> f64 {
        self.places.sort_unstable();
        let score = sum(weights, self.places.iter().map(|place| (*place, self.shares[*place])));
        self.places.drain(..).for_each(|place| self.shares[place] = 0.0);
        score
    }
}

/// What was said in one conversation, as far as it has words of the query.
#[derive(Default)]
struct Conversation {
    length: u32,
    counts: BTreeMap<usize, u32>,
}

impl Conversation {
    fn add(&mut self, said: &Said) {
        self.length = self.length.saturating_add(said.length);
        for (place, count) in &said.counts {
            let known = self.counts.entry(*place).or_default();
            *known = known.saturating_add(*count);
        }
    }
}

/// How much of the query the conversation of each text is about, 1 where most; nothing where none is known.
///
/// A conversation is scored as a text among conversations: a long one has many words by chance. A text outside of
/// any is one of its own.
fn bearings(said: &[Said], places: usize) -> Vec<f64> {
    if said.iter().all(|one| one.conversation.is_none()) {
        return Vec::new();
    }
    let mut numbers: HashMap<u32, usize> = HashMap::new();
    let mut conversations: Vec<Conversation> = Vec::new();
    let mut of_each = Vec::with_capacity(said.len());
    for one in said {
        let next = conversations.len();
        let number = one.conversation.map_or(next, |number| *numbers.entry(number).or_insert(next));
        if number == next {
            conversations.push(Conversation::default());
        }
        conversations[number].add(one);
        of_each.push(number);
    }
    let scores = conversation_scores(&conversations, places);
    let best = scores.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    of_each.into_iter().map(|number| scores[number] / best).collect()
}

fn conversation_scores(conversations: &[Conversation], places: usize) -> Vec<f64> {
    let mut stock = Stock::default();
    let mut found = vec![0; places];
    for one in conversations {
        stock.rows += 1;
        stock.length += u64::from(one.length);
        one.counts.keys().for_each(|place| found[*place] += 1);
    }
    let weights: Vec<f64> = found.into_iter().map(|found| stock.weight(found)).collect();
    let score = |one: &Conversation| {
        let shares = one.counts.iter().map(|(place, count)| (*place, stock.share(*count, one.length)));
        sum(&weights, shares)
    };
    conversations.iter().map(score).collect()
}

#[cfg(test)]
mod tests;

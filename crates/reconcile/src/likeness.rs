//! Whether two statements say the same in other words. A likeness is something to look at, never a reason to merge.
//!
//! By words, two are near where one says hardly more than the other; a word in the place of another makes them
//! different. By meaning, two may be worded differently. Neither holds against a number, a name, a day or another word
//! that tells statements apart. A negation makes the opposite of what would be near.

mod gaps;
mod pairs;
mod tokens;
mod words;

use std::collections::BTreeMap;

use fact::Content;
use serde_json::Value;

pub(crate) use pairs::kin;
pub use pairs::{Found, MEANING_ITEMS_MAX, PAIRS_MAX, Stated, pairs};
use tokens::{Said, Token, Weight};

/// Share of their words that two statements have in common (Dice), from which they are near by words, in percent.
const SHARED_MIN_PERCENT: usize = 85;
/// Cosine from which two are near where one says more, or they are worded differently in more than one place.
const COSINE_MIN: f32 = 0.85;
/// Cosine from which two are near where one word stands for another: `leads` for `joined` has 0.946.
const SWAPPED_COSINE_MIN: f32 = 0.95;

/// How two statements are alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Likeness {
    /// They seem to say the same.
    Near,
    /// They would, but one denies it.
    Opposite,
}

/// What a statement says, ready to be compared.
#[derive(Clone, PartialEq)]
pub struct Gist {
    /// Its tokens that tell something, each once, in the order of their texts.
    tokens: Vec<Token>,
    /// The same as they were said.
    said: Vec<Token>,
    denied: bool,
    /// Numbers and truth values of its JSON, by their places.
    values: BTreeMap<String, String>,
}

/// Which words two statements do not share.
struct Difference<'a> {
    shared: usize,
    one: Vec<&'a Token>,
    other: Vec<&'a Token>,
}

/// Whether two statements are alike, by their words and, where the cosine of their meanings is known, by that.
pub fn alike(one: &Content, other: &Content, cosine: Option<f32>) -> Option<Likeness> {
    Gist::of(one).alike(&Gist::of(other), cosine)
}

impl Gist {
    /// The gist of a content.
    pub fn of(content: &Content) -> Self {
        let mut values = BTreeMap::new();
        collect_values(content.value(), "", &mut values);
        Self { values, ..Self::of_text(content.text().as_str()) }
    }

    /// The gist of a text that is no content yet.
    pub(crate) fn of_text(text: &str) -> Self {
        let Said { tokens: said, denials } = tokens::said(text);
        let mut tokens = said.clone();
        tokens.sort();
        tokens.dedup_by(|next, one| next.text == one.text);
        Self { tokens, said, denied: denials % 2 == 1, values: BTreeMap::new() }
    }

    /// As the function of that name.
    pub fn alike(&self, other: &Self, cosine: Option<f32>) -> Option<Likeness> {
        let difference = self.difference(other);
        if self.values != other.values || difference.tells_apart() || !self.is_in_order(other) {
            return None;
        }
        let by_meaning = cosine.is_some_and(|cosine| cosine >= difference.cosine_min());
        let likeness = if self.denied == other.denied { Likeness::Near } else { Likeness::Opposite };
        (difference.is_small() || by_meaning).then_some(likeness)
    }

    /// The texts of its tokens, each once, in order.
    pub(crate) fn words(&self) -> impl Iterator<Item = &str> {
        self.tokens.iter().map(|token| token.text.as_str())
    }

    fn find(&self, text: &str) -> Option<&Token> {
        let place = self.tokens.binary_search_by(|token| token.text.as_str().cmp(text)).ok()?;
        self.tokens.get(place)
    }

    fn difference<'a>(&'a self, other: &'a Self) -> Difference<'a> {
        let one: Vec<&Token> = self.tokens.iter().filter(|token| other.find(&token.text).is_none()).collect();
        let shared = self.tokens.len() - one.len();
        let other = other.tokens.iter().filter(|token| self.find(&token.text).is_none()).collect();
        Difference { shared, one, other }
    }

    /// Whether names come in the same order, for it matters who likes whom; and signs, which are words by themselves.
    fn is_in_order(&self, other: &Self) -> bool {
        let is = |gist: &Self, token: &Token, weight| {
            gist.find(&token.text).is_some_and(|found| found.weight == weight)
        };
        let ordered = |gist: &Self, beside: &Self| -> Vec<String> {
            let said = gist.said.iter().filter(|token| beside.find(&token.text).is_some());
            let named = said.filter(|token| {
                [Weight::Name, Weight::Sign]
                    .iter()
                    .any(|weight| is(gist, token, *weight) || is(beside, token, *weight))
            });
            named.map(|token| token.text.clone()).collect()
        };
        let (ones, others) = (ordered(self, other), ordered(other, self));
        is_within(&ones, &others) || is_within(&others, &ones)
    }
}

impl Difference<'_> {
    /// Whether any word of it is one that makes another statement.
    fn tells_apart(&self) -> bool {
        let both = |weight| {
            let any = |side: &[&Token]| side.iter().any(|token| token.weight == weight);
            any(&self.one) && any(&self.other)
        };
        let is_telling = |token: &&Token| match token.weight {
            Weight::Fixed | Weight::Name => true,
            Weight::Beginning | Weight::Sign | Weight::Word => false,
        };
        let excludes = |token: &&Token| {
            token.group.is_some() && self.other.iter().any(|other| other.group == token.group)
        };
        self.one.iter().chain(&self.other).any(is_telling)
            || self.one.iter().any(excludes)
            || both(Weight::Beginning)
            || both(Weight::Sign)
    }

    /// Whether one says hardly more than the other, and nothing else.
    fn is_small(&self) -> bool {
        let more = self.one.len().max(self.other.len());
        let share = 2 * self.shared * 100 >= SHARED_MIN_PERCENT * (2 * self.shared + more);
        self.shared > 0 && share && (self.one.is_empty() || self.other.is_empty())
    }

    fn cosine_min(&self) -> f32 {
        match (self.one.len(), self.other.len()) {
            (1, 1) => SWAPPED_COSINE_MIN,
            (_, _) => COSINE_MIN,
        }
    }
}

/// Whether all of `few` come in `many`, in their order.
fn is_within(few: &[String], many: &[String]) -> bool {
    let mut many = many.iter();
    few.iter().all(|one| many.any(|other| other == one))
}

fn collect_values(value: &Value, place: &str, values: &mut BTreeMap<String, String>) {
    match value {
        Value::Bool(_) | Value::Number(_) => {
            values.insert(place.to_owned(), value.to_string());
        }
        Value::Array(items) => {
            items
                .iter()
                .enumerate()
                .for_each(|(at, item)| collect_values(item, &format!("{place}/{at}"), values));
        }
        Value::Object(members) => {
            members
                .iter()
                .for_each(|(name, member)| collect_values(member, &format!("{place}/{name}"), values));
        }
        Value::Null | Value::String(_) => {}
    }
}

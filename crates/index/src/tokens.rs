//! Text into tokens, made once here for both engines, so that both find and score exactly the same.
//!
//! Every token is lower-case ASCII letters and digits: neither FTS5 nor PostgreSQL reads anything into it.
//! Emoji and other symbols are gaps, like punctuation.

mod fold;
mod language;
mod script;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Write as _;

use language::Language;
use script::Class;

/// The number of these rules. To be raised with any change of them: a row by others is to be made anew, and is found
/// meanwhile by the tokens that are the same.
pub(crate) const RULES: i64 = 3;
/// Longest part of a word that is kept, in characters; two words that agree so far are one.
const WORD_CHARS_MAX: usize = 64;

/// How the token of a stop word begins; no other does.
const STOP: char = 's';

/// What a text is found by.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Indexed {
    /// Every token, as often as it occurs, parted by spaces.
    pub(crate) terms: String,
    /// How long the text is for scoring: stop words and pairs of characters do not count.
    pub(crate) length: u32,
}

/// The words of a query, each with the tokens that a text may have for it, as its language has it: the first by the
/// language of the query. In order.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Words(BTreeMap<String, BTreeSet<String>>);

impl Words {
    /// Whether there is nothing to look for.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// Each token with the place of its word.
    pub(crate) fn places(&self) -> HashMap<&str, usize> {
        let own = self.0.keys().map(String::as_str).zip(0..);
        let others = self
            .0
            .values()
            .zip(0..)
            .flat_map(|(tokens, place)| tokens.iter().map(move |token| (token.as_str(), place)));
        // What is a word's own token stays its own.
        let mut places: HashMap<&str, usize> = own.collect();
        others.for_each(|(token, place)| {
            places.entry(token).or_insert(place);
        });
        places
    }

    /// Those of the query's language.
    #[cfg(test)]
    fn own(&self) -> Vec<&str> {
        self.0.keys().map(String::as_str).collect()
    }

    /// All tokens, in order.
    pub(crate) fn tokens(&self) -> BTreeSet<&str> {
        self.0.iter().flat_map(|(own, others)| others.iter().chain([own])).map(String::as_str).collect()
    }

    /// Whether `tokens` has one for each of them; never where they say little.
    pub(crate) fn are_in(&self, tokens: &HashSet<String>) -> bool {
        let says_little = self.0.keys().all(|token| token.starts_with(STOP));
        let is_in = |(own, others): (&String, &BTreeSet<String>)| {
            tokens.contains(own) || others.iter().any(|token| tokens.contains(token))
        };
        !says_little && self.0.iter().filter(|(own, _)| !own.starts_with(STOP)).all(is_in)
    }

    fn add(&mut self, own: String, others: BTreeSet<String>) {
        self.0.entry(own).or_default().extend(others);
    }
}

/// The tokens of a text that is to be found: of a run without spaces each character and each pair.
pub(crate) fn of_text(text: &str) -> Indexed {
    let mut indexed = Indexed::default();
    let Pieces { pieces, language } = Pieces::of(text);
    for piece in pieces {
        match piece {
            Piece::Word(word) if word.is_small(language) => indexed.push(&stop_token(&word.plain)),
            Piece::Word(word) => {
                indexed.push(&word.token(language));
                indexed.length += 1;
            }
            Piece::Run(run) => {
                for token in grams(&run, 1) {
                    indexed.push(&token);
                    indexed.length += 1;
                }
                grams(&run, 2).for_each(|token| indexed.push(&token));
            }
        }
    }
    indexed
}

/// The words of a query. Stop words only where there is nothing else.
///
/// A word is looked for as every language would have it: names stand in texts of any.
pub(crate) fn of_query(text: &str) -> Words {
    let (mut words, mut stops) = (Words::default(), Words::default());
    let Pieces { pieces, language } = Pieces::of(text);
    for piece in pieces {
        match piece {
            Piece::Word(word) if word.is_small(language) => {
                stops.add(stop_token(&word.plain), BTreeSet::new());
            }
            Piece::Word(word) => {
                let others = Language::ALL.into_iter().map(|other| word.token(other));
                words.add(word.token(language), others.collect());
            }
            Piece::Run(run) => {
                grams(&run, run.len().min(2)).for_each(|token| words.add(token, BTreeSet::new()));
            }
        }
    }
    if words.is_empty() { stops } else { words }
}

/// Whether a text speaks of who says it.
pub(crate) fn speaks_of_oneself(text: &str) -> bool {
    let Pieces { pieces, language } = Pieces::of(text);
    pieces.iter().filter_map(Piece::plain).any(|word| language.oneself().contains(&word))
}

/// What a text says, to tell a restatement from another statement: its tokens in order, articles left out.
pub fn gist(text: &str) -> String {
    let articles = ["a", "an", "the"].map(stop_token);
    let indexed = of_text(text);
    let said: Vec<&str> =
        indexed.terms.split(' ').filter(|token| !articles.iter().any(|one| one == token)).collect();
    said.join(" ")
}

impl Indexed {
    fn push(&mut self, token: &str) {
        if !self.terms.is_empty() {
            self.terms.push(' ');
        }
        self.terms.push_str(token);
    }
}

/// One piece of folded text.
enum Piece {
    /// A word.
    Word(Word),
    /// Characters of a script that is written without spaces.
    Run(Vec<char>),
}

/// A word of folded text, as it is said and without its accents.
struct Word {
    said: String,
    plain: String,
}

impl Word {
    fn of(said: String) -> Self {
        Self { plain: fold::plain(&said), said }
    }

    /// Whether it says little in that language.
    fn is_small(&self, language: Language) -> bool {
        language.has_small(&self.plain)
    }

    /// Its token, as that language has it.
    fn token(&self, language: Language) -> String {
        token('w', 'x', &language.stem(&self.said, &self.plain))
    }
}

/// A text in pieces, and its language.
struct Pieces {
    pieces: Vec<Piece>,
    language: Language,
}

impl Pieces {
    fn of(text: &str) -> Self {
        let text = fold::folded(text);
        let folded: Vec<char> = text.chars().collect();
        let mut pieces = Vec::new();
        for run in folded.chunk_by(|a, b| script::class(*a) == script::class(*b)) {
            match script::class(run[0]) {
                Class::Gap => {}
                Class::Spaceless => pieces.push(Piece::Run(run.to_vec())),
                Class::Word => push_words(&run.iter().collect::<String>(), &mut pieces),
            }
        }
        let language = Language::of(pieces.iter().filter_map(Piece::plain), &text);
        Self { pieces, language }
    }
}

impl Piece {
    /// The word that it is, without its accents.
    fn plain(&self) -> Option<&str> {
        match self {
            Self::Word(word) => Some(&word.plain),
            Self::Run(_) => None,
        }
    }
}

/// Parts a word at its apostrophes: `Ann's` is `ann`, `we'll` is `we`, `don't` is `dont`, `l'avion` is `l` and `avion`.
fn push_words(word: &str, pieces: &mut Vec<Piece>) {
    let word = word.trim_matches(fold::APOSTROPHE);
    let (head, clitic) = word.rsplit_once(fold::APOSTROPHE).unwrap_or((word, ""));
    let joined = match clitic {
        "" | "s" | "d" | "m" | "ll" | "re" | "ve" => head.to_owned(),
        "t" if head.ends_with('n') => format!("{head}t"),
        _ => word.to_owned(),
    };
    for part in joined.split(fold::APOSTROPHE).filter(|part| !part.is_empty()) {
        pieces.push(Piece::Word(Word::of(part.chars().take(WORD_CHARS_MAX).collect())));
    }
}

fn stop_token(word: &str) -> String {
    token(STOP, STOP, word)
}

/// A word behind its mark, or its bytes behind theirs where an engine could read something into it.
fn token(plain: char, hex: char, word: &str) -> String {
    match word.bytes().all(|b| b.is_ascii_alphanumeric()) {
        true => format!("{plain}{word}"),
        false => hex_token(hex, word.chars()),
    }
}

fn grams(run: &[char], size: usize) -> impl Iterator<Item = String> {
    run.windows(size).map(|gram| hex_token('g', gram.iter().copied()))
}

fn hex_token(mark: char, chars: impl Iterator<Item = char>) -> String {
    let mut token = mark.to_string();
    for byte in chars.collect::<String>().bytes() {
        write!(token, "{byte:02x}").expect("a string takes every write");
    }
    token
}

#[cfg(test)]
mod tests;

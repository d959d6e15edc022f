//! Text into tokens, made once here for both engines, so that both find and score exactly the same.
//!
//! Every token is lower-case ASCII letters and digits: neither FTS5 nor PostgreSQL reads anything into it.
//! Emoji and other symbols are gaps, like punctuation.

mod fold;
mod script;
mod stop_words;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use rust_stemmers::{Algorithm, Stemmer};

use script::Class;

/// The number of these rules. To be raised with any change of them: a row by others is to be made anew, and is found
/// meanwhile by the tokens that are the same.
pub(crate) const RULES: i64 = 1;
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

/// The tokens of a text that is to be found: of a run without spaces each character and each pair.
pub(crate) fn of_text(text: &str) -> Indexed {
    let mut indexed = Indexed::default();
    for piece in pieces(text) {
        match piece {
            Piece::Stop(word) => indexed.push(&stop_token(&word)),
            Piece::Word(word) => {
                indexed.push(&word_token(&word));
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

/// The distinct tokens of a query, in order. Stop words only where there is nothing else.
pub(crate) fn of_query(text: &str) -> BTreeSet<String> {
    let mut tokens = BTreeSet::new();
    let mut stops = BTreeSet::new();
    for piece in pieces(text) {
        match piece {
            Piece::Stop(word) => {
                stops.insert(stop_token(&word));
            }
            Piece::Word(word) => {
                tokens.insert(word_token(&word));
            }
            Piece::Run(run) => tokens.extend(grams(&run, run.len().min(2))),
        }
    }
    if tokens.is_empty() { stops } else { tokens }
}

/// Whether a token is that of a stop word.
pub(crate) fn is_stop_token(token: &str) -> bool {
    token.starts_with(STOP)
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
    /// A word that says little by itself.
    Stop(String),
    /// Any other word.
    Word(String),
    /// Characters of a script that is written without spaces.
    Run(Vec<char>),
}

fn pieces(text: &str) -> Vec<Piece> {
    let folded: Vec<char> = fold::folded(text).chars().collect();
    let mut pieces = Vec::new();
    for run in folded.chunk_by(|a, b| script::class(*a) == script::class(*b)) {
        match script::class(run[0]) {
            Class::Gap => {}
            Class::Spaceless => pieces.push(Piece::Run(run.to_vec())),
            Class::Word => push_words(&run.iter().collect::<String>(), &mut pieces),
        }
    }
    pieces
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
        let part: String = part.chars().take(WORD_CHARS_MAX).collect();
        pieces.push(if stop_words::is_stop_word(&part) { Piece::Stop(part) } else { Piece::Word(part) });
    }
}

fn stop_token(word: &str) -> String {
    format!("{STOP}{word}")
}

fn word_token(word: &str) -> String {
    if word.bytes().all(|b| b.is_ascii_lowercase()) {
        format!("w{}", Stemmer::create(Algorithm::English).stem(word))
    } else if word.bytes().all(|b| b.is_ascii_alphanumeric()) {
        format!("w{word}")
    } else {
        hex_token("x", word.chars())
    }
}

fn grams(run: &[char], size: usize) -> impl Iterator<Item = String> {
    run.windows(size).map(|gram| hex_token("g", gram.iter().copied()))
}

fn hex_token(prefix: &str, chars: impl Iterator<Item = char>) -> String {
    let mut token = prefix.to_owned();
    for byte in chars.collect::<String>().bytes() {
        write!(token, "{byte:02x}").expect("a string takes every write");
    }
    token
}

#[cfg(test)]
mod tests;

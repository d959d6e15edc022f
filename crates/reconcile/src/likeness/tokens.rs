//! A text as tokens that can be compared: folded, without words that say nothing, its negations counted.

use unicode_normalization::UnicodeNormalization as _;

use super::words::{self, Denial};

/// What a difference in a token means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    /// Another statement: a number, a day.
    Fixed,
    /// Another statement: a name, as far as a capital letter tells.
    Name,
    /// The first word of a sentence, which may be a name.
    Beginning,
    /// A character that is a word by itself, or part of one, in a script without spaces.
    Sign,
    /// Any other word.
    Word,
}

/// A folded word.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Token {
    pub(super) text: String,
    pub(super) weight: Weight,
    /// The group of words that it excludes.
    pub(super) group: Option<usize>,
}

/// A text as tokens.
#[derive(Default)]
pub(super) struct Said {
    /// In the order of the text. Never empty: a text of nothing else is one token.
    pub(super) tokens: Vec<Token>,
    /// How often it says that it is not so.
    pub(super) denials: usize,
}

/// A word as it was typed, or a character of a script without spaces.
struct Piece {
    text: String,
    begins: bool,
    sign: bool,
}

/// Pieces while a text is read.
#[derive(Default)]
struct Reading {
    pieces: Vec<Piece>,
    word: String,
    inside: bool,
}

/// Negations, as they agree with each other.
#[derive(Default)]
struct Denials {
    each: usize,
    heads: usize,
    echoes: usize,
}

/// Reads a text.
pub(super) fn said(text: &str) -> Said {
    let plain: Vec<char> = text.nfkc().filter(|c| !fact::is_invisible(*c)).map(straight).collect();
    let mut reading = Reading::default();
    for place in 0..plain.len() {
        let before = place.checked_sub(1).and_then(|before| plain.get(before)).copied();
        reading.take(before, plain[place], plain.get(place + 1).copied());
    }
    reading.end_word();
    let mut said = Said::default();
    let mut denials = Denials::default();
    for (place, piece) in reading.pieces.iter().enumerate() {
        let next = reading.pieces.get(place + 1).map_or("", |next| next.text.as_str());
        said.tokens.extend(token(piece, next, &mut denials));
    }
    said.denials = denials.count();
    if said.tokens.is_empty() {
        said.tokens.push(Token { text: fact::folded(text), weight: Weight::Fixed, group: None });
    }
    said
}

fn straight(c: char) -> char {
    if matches!(c, '\u{2018}' | '\u{2019}' | '\u{2bc}' | '`' | '\u{b4}') { '\'' } else { c }
}

impl Reading {
    fn take(&mut self, before: Option<char>, c: char, next: Option<char>) {
        let follows = next.is_some_and(char::is_alphanumeric);
        let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        let within_number = is_digit(before) && is_digit(next);
        match c {
            _ if is_spaceless(c) => {
                self.end_word();
                self.push(c.to_string(), true);
            }
            '\'' if !self.word.is_empty() && follows => self.word.push(c),
            '.' | ':' if within_number => self.word.push(c),
            ',' if within_number => {}
            '-' if is_digit(next) && before.is_none_or(char::is_whitespace) => self.word.push(c),
            // `e-mail` is `email`.
            '-' if follows && self.word.chars().count() == 1 => {}
            _ if c.is_alphanumeric() || unicode_normalization::char::is_combining_mark(c) => {
                self.word.push(c)
            }
            _ => {
                self.end_word();
                if words::is_unit(c) {
                    self.push(c.to_string(), false);
                }
                self.inside &= !matches!(c, '.' | '!' | '?' | ':' | ';' | '\n' | '\u{3002}');
            }
        }
    }

    fn end_word(&mut self) {
        if !self.word.is_empty() {
            let word = std::mem::take(&mut self.word);
            self.push(word, false);
        }
    }

    fn push(&mut self, text: String, sign: bool) {
        self.pieces.push(Piece { text, begins: !self.inside, sign });
        self.inside = true;
    }
}

impl Denials {
    fn take(&mut self, denial: Denial) {
        match denial {
            Denial::Each => self.each += 1,
            Denial::Head => self.heads += 1,
            Denial::Echo => self.echoes += 1,
        }
    }

    /// `ne … pas` and `no … nunca` deny once; `pas` and `nunca` alone do too.
    fn count(&self) -> usize {
        self.each + self.heads + usize::from(self.heads == 0 && self.echoes > 0)
    }
}

/// The token of a piece; none where it is a negation or says nothing.
fn token(piece: &Piece, next: &str, denials: &mut Denials) -> Option<Token> {
    if piece.sign {
        if words::denies_by_sign(&piece.text, next) {
            denials.take(Denial::Each);
            return None;
        }
        let text = piece.text.clone();
        return (!words::is_empty_sign(&text)).then_some(Token { text, weight: Weight::Sign, group: None });
    }
    let lower = piece.text.to_lowercase();
    let word = parted(&lower, denials);
    if let Some(denial) = words::denial(word) {
        denials.take(denial);
        return None;
    }
    if words::says_nothing(word) {
        return None;
    }
    let text = words::stem(word);
    let (weight, group) = (weight(piece, &text), words::group(&text));
    Some(Token { text, weight, group })
}

/// A word without what an apostrophe ties to it; `n't` and `n'` deny.
fn parted<'a>(word: &'a str, denials: &mut Denials) -> &'a str {
    if let Some(verb) = words::denied_verb(word) {
        denials.take(Denial::Each);
        return verb;
    }
    match word.split_once('\'') {
        Some(("n", verb)) => {
            denials.take(Denial::Head);
            verb
        }
        Some((article, noun)) if words::is_elided(article) => noun,
        Some((head, _)) => head,
        None => word,
    }
}

fn weight(piece: &Piece, stem: &str) -> Weight {
    let has_digit = piece.text.chars().any(char::is_numeric);
    let mut letters = piece.text.chars();
    let starts_upper = letters.next().is_some_and(char::is_uppercase);
    let goes_on_upper = letters.any(char::is_uppercase);
    match () {
        () if has_digit || words::is_fixed(stem) => Weight::Fixed,
        () if goes_on_upper || (starts_upper && !piece.begins) => Weight::Name,
        // A verb in its place, `Likes`, is none.
        () if starts_upper && !piece.text.ends_with('s') => Weight::Beginning,
        () => Weight::Word,
    }
}

/// Han, kana, Thai, Lao, Khmer and Myanmar.
fn is_spaceless(c: char) -> bool {
    matches!(c,
        '\u{e01}'..='\u{e4e}' | '\u{e81}'..='\u{ece}' | '\u{1000}'..='\u{103f}' | '\u{1780}'..='\u{17d3}'
        | '\u{2e80}'..='\u{2fdf}' | '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30ff}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

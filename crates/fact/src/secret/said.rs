//! Passwords said in words: a name such as "password" or "api key", what joins it to its value, and the value.
//!
//! It errs on the side of keeping facts: "the password policy is strict" and "I forgot my password" name no value. A
//! value is one that nobody would write as a plain word, or a plain word where nothing else can be meant.

mod names;
mod value;

use names::{Kind, Named, Names};

use super::Found;

/// A value, in bytes.
const VALUE_BYTES_MAX: usize = 256;

/// Whether something said beside a text names a secret whose value the text may be: the key of a fact, the name of a
/// field, the question that was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Beside<'a> {
    /// What is said there.
    pub(crate) texts: &'a [&'a str],
}

/// What joins a name to a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Joint {
    /// A sign, such as `:` or `=`.
    Sign,
    /// A word, such as "is".
    Word,
}

/// A value where it stands, as far as it can be told from a text.
struct Candidate<'a> {
    start: usize,
    value: &'a str,
    quoted: bool,
    /// What follows it.
    after: &'a str,
}

pub(super) fn find(text: &str) -> Vec<Found> {
    let lower = text.to_ascii_lowercase();
    let mut all: Vec<Found> =
        Names::in_text(&lower, text).filter_map(|named| told(text, &lower, named)).collect();
    all.extend(names::seed_phrases(&lower));
    all
}

/// The text as a whole, where something beside it names a secret: one word, and no plain one.
pub(super) fn find_beside(text: &str, beside: Beside<'_>) -> Vec<Found> {
    let value = text.trim();
    let start = text.len() - text.trim_start().len();
    if value.is_empty() || value.contains(char::is_whitespace) || value.len() > VALUE_BYTES_MAX {
        return Vec::new();
    }
    let names = beside.texts.iter().filter_map(|text| names::at_end(text));
    let is_value = |kind: &Kind| value::is_drawn(value, "", *kind);
    let found = |kind: Kind| Found { start, end: start + value.len(), detector: kind.detector() };
    names.filter(is_value).map(found).take(1).collect()
}

/// The value that follows a name.
fn told(text: &str, lower: &str, named: Named) -> Option<Found> {
    let (joint, place) = joined(text, lower, named)?;
    let candidate = candidate(text, place)?;
    let is_secret = value::is_drawn(candidate.value, candidate.after, named.kind)
        || value::is_plain_secret(&candidate, joint, named);
    let end = candidate.start + candidate.value.len();
    is_secret.then_some(Found { start: candidate.start, end, detector: named.kind.detector() })
}

/// Where a value would begin after a name that ends there, and what joins the two.
fn joined(text: &str, lower: &str, named: Named) -> Option<(Joint, usize)> {
    // A name in quotes or in bold letters.
    let place = skip(text, named.end, |c| matches!(c, '"' | '\'' | '`' | '*'));
    let place = skip(text, place, |c| c == ' ' || c == '\t');
    let rest = &lower[place..];
    if let Some(sign) = names::SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
        return Some((Joint::Sign, skip(text, place + sign.len(), |c| c.is_whitespace() || c == '*')));
    }
    let word = names::JOINTS.iter().find(|word| {
        let after = rest.strip_prefix(**word);
        after.is_some_and(|after| !word.is_ascii() || after.starts_with([' ', ':', '\n', '\t']))
    })?;
    // "The password to the door" and "changed the password to swordfish1".
    if *word == "to" && !names::is_changed(&lower[..named.start]) {
        return None;
    }
    Some((Joint::Word, skip(text, place + word.len(), |c| c.is_whitespace() || matches!(c, ':' | '*'))))
}

fn skip(text: &str, from: usize, what: impl Fn(char) -> bool) -> usize {
    text[from..].find(|c| !what(c)).map_or(text.len(), |length| from + length)
}

/// What stands at a place: to the closing quote, or to the next white space without what ends a sentence.
fn candidate(text: &str, place: usize) -> Option<Candidate<'_>> {
    let rest = &text[place..];
    let first = rest.chars().next()?;
    let closing = match first {
        '"' | '\'' | '`' => Some(first),
        '“' => Some('”'),
        '«' => Some('»'),
        '「' => Some('」'),
        _ => None,
    };
    if let Some(closing) = closing {
        let start = place + first.len_utf8();
        let length = text[start..].find([closing, '\n'])?;
        let is_closed = text[start + length..].starts_with(closing) && length <= VALUE_BYTES_MAX;
        let (value, after) = (&text[start..start + length], &text[start + length..]);
        return is_closed.then_some(Candidate { start, value, quoted: true, after });
    }
    let ends = |c: char| c.is_whitespace() || matches!(c, '，' | '。' | '、' | '；' | '"' | '”' | '&');
    let length = rest.find(ends).unwrap_or(rest.len());
    let value = rest[..length].trim_end_matches(|c: char| {
        matches!(c, '.' | ',' | ';' | ':' | '?' | ')' | ']' | '}' | '>' | '\'' | '`' | '*')
    });
    let after = &rest[value.len()..];
    (value.len() <= VALUE_BYTES_MAX).then_some(Candidate { start: place, value, quoted: false, after })
}

//! Words that a person or a model typed: never printed by `Debug`, and looked at before they are kept.

use std::fmt;

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization as _;

use crate::BadInput;

/// Text whose `Debug` prints its length, so that no log or error can carry it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Text(String);

impl Text {
    /// Takes `text` of at most `chars_max` characters; refuses blank text and NUL.
    pub fn parse(field: &'static str, text: &str, chars_max: usize) -> Result<Self, BadInput> {
        if is_blank(text) {
            return Err(BadInput::new(field, "must not be empty or blank"));
        }
        check_length(field, text, chars_max)?;
        Ok(Self(text.to_owned()))
    }

    /// A short name (a key, a tag): as `parse`, and without control characters or white space at its ends.
    pub fn parse_name(field: &'static str, text: &str, chars_max: usize) -> Result<Self, BadInput> {
        check_name(field, text, chars_max)?;
        Ok(Self(text.to_owned()))
    }

    /// The text itself. Say why it is needed where this is called in a log or an error: it must not be.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Wraps text that the ledger already holds.
    pub fn stored(text: String) -> Self {
        Self(text)
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Text({} chars)", self.0.chars().count())
    }
}

/// True where a person would see nothing: white space, control, zero-width and tag characters only.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || c.is_control() || is_invisible(c))
}

/// True for characters that change or hide text without being seen, joiners excepted where they stand alone.
pub fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// True where a text holds another one that nobody sees: tag characters outside an emoji flag, or invisible operators.
pub fn hides_text(text: &str) -> bool {
    let mut in_flag = false;
    text.chars().any(|c| {
        let tag = matches!(c, '\u{e0000}'..='\u{e007f}');
        in_flag = c == '\u{1f3f4}' || (in_flag && tag);
        (tag && !in_flag) || matches!(c, '\u{2061}'..='\u{2064}')
    })
}

/// True where a text is shown in another order than it is read in: it overrides the direction of its letters.
pub fn reorders_text(text: &str) -> bool {
    text.contains(['\u{202d}', '\u{202e}'])
}

/// One statement however it was spaced: Unicode NFC, white space folded, case kept.
pub fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.nfc().collect::<String>().split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

pub(crate) fn check_length(field: &'static str, text: &str, chars_max: usize) -> Result<(), BadInput> {
    if text.contains('\0') {
        return Err(BadInput::new(field, "must not contain a NUL character"));
    }
    let chars = text.chars().count();
    if chars > chars_max {
        return Err(BadInput::new(field, format!("has {chars} characters; at most {chars_max}")));
    }
    Ok(())
}

pub(crate) fn check_name(field: &'static str, text: &str, chars_max: usize) -> Result<(), BadInput> {
    if is_blank(text) {
        return Err(BadInput::new(field, "must not be empty or blank"));
    }
    check_length(field, text, chars_max)?;
    if text.chars().any(char::is_control) {
        return Err(BadInput::new(field, "must not contain control characters"));
    }
    if text.trim() != text {
        return Err(BadInput::new(field, "must not begin or end with white space"));
    }
    Ok(())
}

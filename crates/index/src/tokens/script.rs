//! Which characters make words, and which are written without spaces between words.

use unicode_normalization::char::is_combining_mark;

use super::fold::APOSTROPHE;

/// What a character is to a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Part of a word that spaces or punctuation end.
    Word,
    /// Of a script that is written without spaces.
    Spaceless,
    /// Neither.
    Gap,
}

/// The class of a folded character.
pub(super) fn class(c: char) -> Class {
    if is_spaceless(c) {
        Class::Spaceless
    } else if c.is_alphanumeric() || is_combining_mark(c) || c == APOSTROPHE {
        Class::Word
    } else {
        Class::Gap
    }
}

fn is_spaceless(c: char) -> bool {
    is_east_asian(c) || is_south_east_asian(c)
}

/// Han, kana, bopomofo and Hangul.
fn is_east_asian(c: char) -> bool {
    matches!(c,
        '\u{1100}'..='\u{11ff}' | '\u{2e80}'..='\u{2fdf}' | '\u{3005}' | '\u{3007}' | '\u{3021}'..='\u{3029}'
        | '\u{3041}'..='\u{3096}' | '\u{3099}' | '\u{309a}' | '\u{309d}'..='\u{309f}' | '\u{30a1}'..='\u{30fa}'
        | '\u{30fc}'..='\u{30ff}' | '\u{3105}'..='\u{318e}' | '\u{31a0}'..='\u{31bf}' | '\u{31f0}'..='\u{31ff}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{a960}'..='\u{a97c}' | '\u{ac00}'..='\u{d7fb}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Thai, Lao, Khmer and Myanmar, without their digits and punctuation.
fn is_south_east_asian(c: char) -> bool {
    matches!(c,
        '\u{e01}'..='\u{e3a}' | '\u{e40}'..='\u{e4e}' | '\u{e81}'..='\u{ece}' | '\u{edc}'..='\u{edf}'
        | '\u{1000}'..='\u{103f}' | '\u{1050}'..='\u{108f}' | '\u{1780}'..='\u{17d3}' | '\u{aa60}'..='\u{aa7f}')
}

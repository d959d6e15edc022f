//! One form of a text however it was typed: compatibility forms, case, accents and invisible characters folded.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::canonical_combining_class;

/// The one form of every apostrophe.
pub(super) const APOSTROPHE: char = '\'';

/// Folds `text`. Marks that are letters of their script (Indic vowels, Thai tones, kana voicing) stay.
pub(super) fn folded(text: &str) -> String {
    text.nfkd()
        .filter(|c| !is_accent(*c) && !fact::is_invisible(*c))
        .map(|c| if is_apostrophe(c) { APOSTROPHE } else { c })
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase)
        .nfc()
        .collect()
}

/// Overlays, the points of Hebrew, Arabic and Syriac, and what is set above or below a letter.
fn is_accent(c: char) -> bool {
    matches!(canonical_combining_class(c), 1 | 10..=36 | 200..)
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}' | '\u{2bc}')
}

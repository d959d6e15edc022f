//! One form of a text however it was typed: compatibility forms, case, accents and invisible characters folded.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::canonical_combining_class;

/// Above the Cyrillic short i.
const BREVE: char = '\u{306}';
/// The one form of every apostrophe.
pub(super) const APOSTROPHE: char = '\'';

/// Folds `text`, but for accents of Latin letters and the Cyrillic short i, by which endings are told. Marks that are letters of
/// their script (Indic vowels, Thai tones, kana voicing) stay.
pub(super) fn folded(text: &str) -> String {
    let mut letter = ' ';
    text.nfkd()
        .filter(|c| !fact::is_invisible(*c))
        .filter(|c| {
            if is_accent(*c) {
                return letter.is_ascii_alphabetic() || (is_short_i(letter) && *c == BREVE);
            }
            letter = *c;
            true
        })
        .map(|c| if is_apostrophe(c) { APOSTROPHE } else { c })
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase)
        .nfc()
        .collect()
}

/// Folded text without any accents.
pub(super) fn plain(folded: &str) -> String {
    folded.nfd().filter(|c| !is_accent(*c)).nfc().collect()
}

/// What a breve makes another letter of, by which Russian endings are told.
fn is_short_i(c: char) -> bool {
    matches!(c, '\u{418}' | '\u{438}')
}

/// Overlays, the points of Hebrew, Arabic and Syriac, and what is set above or below a letter.
fn is_accent(c: char) -> bool {
    matches!(canonical_combining_class(c), 1 | 10..=36 | 200..)
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}' | '\u{2bc}')
}

//! What Python's `json` writes and no other reads: numbers that are none, and halves of a character.

/// Numbers that are none, each to become something that is no number.
const NO_NUMBERS: [&str; 3] = ["NaN", "Infinity", "-Infinity"];
const OPAQUE: &str = "{}";
/// What stands for half of a character.
const HALF: &str = "\\ufffd";

/// The text as JSON has it.
pub(super) fn mended(text: &str) -> String {
    let mut mended = String::with_capacity(text.len());
    let mut rest = text;
    let mut in_string = false;
    while let Some(next) = rest.chars().next() {
        let (taken, written) = match next {
            '\\' if in_string => escape(rest),
            _ => match NO_NUMBERS.iter().find(|word| !in_string && rest.starts_with(**word)) {
                Some(word) => (word.len(), Some(OPAQUE)),
                None => (next.len_utf8(), None),
            },
        };
        in_string ^= next == '"';
        let (head, tail) = rest.split_at(taken);
        mended.push_str(written.unwrap_or(head));
        rest = tail;
    }
    mended
}

/// The length of an escape, and what to write for it where it is half of a character.
fn escape(rest: &str) -> (usize, Option<&'static str>) {
    match (unit(rest), rest.get(6..).and_then(unit)) {
        (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => (12, None),
        (Some(0xd800..=0xdfff), _) => (6, Some(HALF)),
        (Some(_), _) => (6, None),
        (None, _) => (1 + rest.chars().nth(1).map_or(0, char::len_utf8), None),
    }
}

/// The number of an escape such as `\u00e9`.
fn unit(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u32::from_str_radix(digits, 16).ok()
}

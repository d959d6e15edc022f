//! Where a row stands in its source: the same on every machine that has the same source.

use std::path::Path;

use fact::{Text, hex, is_blank, limits};
use sha2::{Digest as _, Sha256};

/// Bytes of the digest that stands for what a long place lost.
const DIGEST_BYTES: usize = 16;

/// A place of any words. One that is too long, blank, or not fit to be shown ends in a digest of the whole.
pub(crate) fn place(words: &str) -> Text {
    let shown: String = words.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let is_long = shown.chars().count() > limits::PLACE_CHARS_MAX;
    if shown == words && !is_long && !is_blank(words) {
        return Text::stored(shown);
    }
    let kept = limits::PLACE_CHARS_MAX - 2 * DIGEST_BYTES - 1;
    let head: String = shown.chars().take(kept).collect();
    Text::stored(format!("{}~{}", head.trim(), digest(words.as_bytes())))
}

/// A line of a file of lines.
pub(crate) fn line(number: usize) -> Text {
    place(&format!(":{number}"))
}

/// Words from a file, by its path and what it stands under.
pub(crate) fn in_file(file: &str, headings: &[String], line: usize) -> Text {
    match headings {
        [] => place(&format!("{file}:{line}")),
        headings => place(&format!("{file}#{}:{line}", headings.join("/"))),
    }
}

/// A path below the folder that was given, with `/` between its parts. One that is no Unicode keeps a digest apart
/// from others that would look the same, and its ending, by which its kind is told.
pub(crate) fn relative(path: &Path) -> String {
    let parts: Vec<String> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    let shown = parts.join("/");
    match path.to_str() {
        Some(_) => shown,
        None => {
            let digest = digest(path.as_os_str().as_encoded_bytes());
            let ending = path.extension().map(|ending| format!(".{}", ending.to_string_lossy()));
            let ending = ending.unwrap_or_default();
            let stem = shown.strip_suffix(&ending).unwrap_or(&shown);
            format!("{stem}~{digest}{ending}")
        }
    }
}

fn digest(bytes: &[u8]) -> String {
    let mut digest = hex(&Sha256::digest(bytes));
    digest.truncate(2 * DIGEST_BYTES);
    digest
}

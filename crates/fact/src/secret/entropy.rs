//! Long words that only chance writes.
//!
//! Chance is told from language by capitals, small letters and digits that follow each other without an order. What looks
//! the same and is no secret is left out: digests, ids, addresses, paths, files, numbers of things.

use super::{Detector, Found};

/// Shorter words can be names.
const CHARS_MIN: usize = 24;
/// Longer ones are files.
const CHARS_MAX: usize = 256;
/// Bits a character, of all that it could have at that length.
const SHARE_MIN: f64 = 0.84;
/// Changes between kinds of characters, of all pairs; a capital before a small letter is none.
const CHANGES_MIN: f64 = 0.34;

pub(super) fn find(text: &str) -> Vec<Found> {
    let mut all = Vec::new();
    let mut start = 0;
    for (place, c) in text.char_indices().chain([(text.len(), ' ')]) {
        if is_part(c) && place < text.len() {
            continue;
        }
        if is_secret(text, start, place) {
            let end = start + text[start..place].trim_end_matches('-').len();
            all.push(Found { start, end, detector: Detector::HighEntropy });
        }
        start = place + c.len_utf8().min(text.len() - place);
    }
    all
}

fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=' | '_' | '-')
}

fn is_secret(text: &str, start: usize, end: usize) -> bool {
    let word = text[start..end].trim_matches('=');
    (CHARS_MIN..=CHARS_MAX).contains(&word.len())
        && is_mixed(word)
        && is_unordered(word)
        && !is_path(word)
        && !is_numbered(word)
        && !is_in_context(text, start)
}

/// Capitals, small letters and at least two digits.
fn is_mixed(word: &str) -> bool {
    let count = |of: fn(&u8) -> bool| word.bytes().filter(of).count();
    count(u8::is_ascii_uppercase) >= 2 && count(u8::is_ascii_lowercase) >= 2 && count(u8::is_ascii_digit) >= 2
}

fn is_unordered(word: &str) -> bool {
    let kinds: Vec<u8> = word.bytes().map(kind).collect();
    let changes = kinds.windows(2).filter(|pair| pair[0] != pair[1] && *pair != [b'A', b'a']).count();
    let length = real(word.len());
    let most = length.min(48.0).log2();
    real(changes) / (length - 1.0) >= CHANGES_MIN && bits(word) / most >= SHARE_MIN
}

fn kind(byte: u8) -> u8 {
    match byte {
        b'A'..=b'Z' => b'A',
        b'a'..=b'z' => b'a',
        b'0'..=b'9' => b'0',
        _ => b'-',
    }
}

/// Shannon's measure, in bits a character.
fn bits(word: &str) -> f64 {
    let mut counts = [0_usize; 256];
    word.bytes().for_each(|byte| counts[usize::from(byte)] += 1);
    let length = real(word.len());
    let part = |count: &usize| {
        let share = real(*count) / length;
        -share * share.log2()
    };
    counts.iter().filter(|count| **count > 0).map(part).sum()
}

fn real(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from)
}

/// Folders and files, or words joined by hyphens: a piece that is a word, or two.
fn is_path(word: &str) -> bool {
    let is_word =
        |piece: &&str| piece.len() >= 3 && (piece.bytes().skip(1).all(|byte| byte.is_ascii_lowercase()));
    let words = word.split(['/', '-', '_', '+']).filter(is_word).count();
    word.starts_with('/') || words >= 2 || (word.contains('/') && words >= 1)
}

/// The id of a thing, which says of what: `pi_…`, `toolu_…`, `chatcmpl-…`; a content id; an address of a coin.
fn is_numbered(word: &str) -> bool {
    let is_kind =
        |kind: &str| (2..=10).contains(&kind.len()) && kind.bytes().all(|byte| byte.is_ascii_lowercase());
    let of_kind = word.split_once(['_', '-']).is_some_and(|(kind, _)| {
        is_kind(kind) && !["key", "secret", "token", "pat", "sk", "pk", "pass"].contains(&kind)
    });
    let is_base58 =
        word.bytes().all(|byte| byte.is_ascii_alphanumeric() && !matches!(byte, b'0' | b'O' | b'I' | b'l'));
    let is_content = word.starts_with("Qm") && word.len() == 46;
    let is_coin = word.starts_with(['1', '3']) && (26..=35).contains(&word.len());
    of_kind || (is_base58 && (is_content || is_coin))
}

/// Where a digest, a file or a public key is written, or an address: what stands before says so.
fn is_in_context(text: &str, start: usize) -> bool {
    let line = text[..start].rsplit(char::is_whitespace).next().unwrap_or_default();
    let before = text[..start].trim_end();
    let last = before.rsplit(char::is_whitespace).next().unwrap_or_default().to_ascii_lowercase();
    let word = &text[start..];
    let is_digest = ["sha1", "sha256", "sha384", "sha512", "md5"].iter().any(|name| {
        line.to_ascii_lowercase().ends_with(&format!("{name}:"))
            || word.to_ascii_lowercase().starts_with(&format!("{name}-"))
    });
    let is_public = last.starts_with("ssh-") || last.starts_with("ecdsa-") || word.starts_with("AAAA");
    line.contains("://") || line.starts_with("www.") || line.ends_with("base64,") || is_digest || is_public
}

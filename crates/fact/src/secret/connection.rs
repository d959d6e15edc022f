//! The password in an address.

use super::{Detector, Found};

const SLASHES: &str = "://";
/// The name and password of an address, in bytes.
const USER_BYTES_MAX: usize = 512;
/// What stands for a password where an address is explained.
const STAND_INS: [&str; 8] = ["password", "passwd", "pass", "pwd", "secret", "token", "xxx", "xxxx"];

pub(super) fn find(text: &str) -> Vec<Found> {
    text.match_indices(SLASHES).filter_map(|(place, _)| password(text, place + SLASHES.len())).collect()
}

fn password(text: &str, start: usize) -> Option<Found> {
    let ends =
        |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'?' | b'#' | b'"' | b'\'' | b'<');
    let rest = &text.as_bytes()[start..];
    let authority = rest.iter().take(USER_BYTES_MAX).position(|byte| ends(*byte));
    let authority = &text[start..start + authority.unwrap_or_else(|| boundary(text, start))];
    let (user, _) = authority.rsplit_once('@')?;
    let (name, password) = user.split_once(':')?;
    let start = start + name.len() + 1;
    (!stands_in(password)).then_some(Found {
        start,
        end: start + password.len(),
        detector: Detector::ConnectionPassword,
    })
}

/// As far as an address goes that has no end in sight.
fn boundary(text: &str, start: usize) -> usize {
    let rest = &text[start..];
    (0..=USER_BYTES_MAX.min(rest.len())).rev().find(|end| rest.is_char_boundary(*end)).unwrap_or(0)
}

fn stands_in(password: &str) -> bool {
    let lower = password.to_ascii_lowercase();
    password.is_empty() || is_mark(password) || STAND_INS.contains(&lower.as_str())
}

/// A variable, a gap to be filled in, or what hides a secret already.
pub(super) fn is_mark(value: &str) -> bool {
    let hides = |c: char| matches!(c, '*' | '•' | '.' | '…' | '_' | '-' | 'x' | 'X');
    let names = |c: char| c.is_ascii_uppercase() || matches!(c, '_' | '{' | '}' | '(' | ')' | '0'..='9');
    let is_variable = value
        .strip_prefix('$')
        .is_some_and(|name| name.starts_with(['{', '(']) || (!name.is_empty() && name.chars().all(names)));
    is_variable || value.starts_with(['<', '{']) || value.starts_with("[redacted") || value.chars().all(hides)
}

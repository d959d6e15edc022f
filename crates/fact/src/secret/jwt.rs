//! JSON web tokens, and what an HTTP request carries to say who asks.

use super::prefixed::begins;
use super::{Detector, Found};

/// How base64url writes `{"`.
const OPENS: &str = "eyJ";
/// A signature, in characters.
const SIGNATURE_CHARS_MIN: usize = 16;
/// What a header carries, in characters.
const CREDENTIAL_CHARS_MIN: usize = 12;

pub(super) fn find(text: &str) -> Vec<Found> {
    let tokens = text.match_indices(OPENS).filter_map(|(start, _)| token(text, start));
    tokens.chain(headers(text)).collect()
}

fn token(text: &str, start: usize) -> Option<Found> {
    let is_web = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let length = text[start..].find(|c| !is_web(c)).unwrap_or(text.len() - start);
    let whole = text[start..start + length].trim_end_matches('.');
    let mut parts = whole.split('.');
    let (_, claims, signature) = (parts.next()?, parts.next()?, parts.next()?);
    let fits = claims.starts_with(OPENS) && signature.len() >= SIGNATURE_CHARS_MIN && begins(text, start);
    fits.then_some(Found { start, end: start + whole.len(), detector: Detector::Jwt })
}

/// `Bearer` and `Basic` with what follows them.
fn headers(text: &str) -> Vec<Found> {
    let lower = text.to_ascii_lowercase();
    let mut all = Vec::new();
    for scheme in ["bearer ", "basic "] {
        for (start, _) in lower.match_indices(scheme) {
            let is_named = lower[..start].trim_end_matches([' ', '"', '\'']).ends_with("authorization:");
            let start_of = start + scheme.len();
            let length = text[start_of..].bytes().take_while(|byte| is_credential(*byte)).count();
            let value = text[start_of..start_of + length].trim_end_matches(['.', ',']);
            let is_drawn = value.bytes().any(|byte| byte.is_ascii_digit())
                && value.bytes().any(|byte| byte.is_ascii_alphabetic());
            if begins(text, start) && value.len() >= CREDENTIAL_CHARS_MIN && (is_drawn || is_named) {
                let detector = Detector::AuthorizationHeader;
                all.push(Found { start: start_of, end: start_of + value.len(), detector });
            }
        }
    }
    all
}

fn is_credential(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~' | b'+' | b'/' | b'=')
}

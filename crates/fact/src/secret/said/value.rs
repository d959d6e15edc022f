//! What can be the value of a secret, and what is only said about one.

use super::names::{Kind, Named};
use super::{Candidate, Joint};
use crate::secret::connection::is_mark;

/// A password, in characters.
const PASSWORD_CHARS_MIN: usize = 4;
/// A key, token or secret, in characters.
const KEY_CHARS_MIN: usize = 8;
/// A number that opens something, in digits.
const PIN_DIGITS: std::ops::RangeInclusive<usize> = 3..=8;
/// A plain word that is a password, in letters.
const PLAIN_LETTERS_MIN: usize = 5;

/// What is said about a password, and is none.
const ABOUT: &[&str] = &[
    "about",
    "above",
    "again",
    "also",
    "always",
    "another",
    "anything",
    "bad",
    "below",
    "blank",
    "case-sensitive",
    "correct",
    "different",
    "easy",
    "empty",
    "everything",
    "example",
    "expired",
    "false",
    "fine",
    "gone",
    "good",
    "hard",
    "here",
    "hidden",
    "incorrect",
    "in-use",
    "invalid",
    "just",
    "known",
    "kept",
    "login",
    "long",
    "lost",
    "missing",
    "mine",
    "never",
    "none",
    "nothing",
    "null",
    "often",
    "okay",
    "old",
    "only",
    "optional",
    "outdated",
    "password",
    "passwords",
    "private",
    "public",
    "random",
    "really",
    "right",
    "safe",
    "same",
    "secret",
    "secure",
    "sensitive",
    "short",
    "simple",
    "somewhere",
    "still",
    "strict",
    "string",
    "strong",
    "stuck",
    "text",
    "there",
    "true",
    "undefined",
    "unique",
    "unknown",
    "unset",
    "user",
    "username",
    "valid",
    "varchar",
    "weak",
    "wrong",
    "yours",
    "ours",
    "theirs",
    "written",
    "forgotten",
    "broken",
    "stolen",
    "taken",
    "chosen",
    "given",
    "shown",
    "sent",
    "set",
    "reset",
    "change",
    "changes",
    "needs",
    "necessary",
    "mandatory",
    "essential",
    "important",
    "falsch",
    "richtig",
    "sicher",
    "geheim",
    "abgelaufen",
    "incorrecta",
    "correcta",
    "incorrect",
    "correct",
    "vault",
    "bitwarden",
    "keepass",
    "keepassxc",
    "lastpass",
    "dashlane",
    "keychain",
    "1password",
    "oauth2",
    "oauth",
    "base64",
    "utf-8",
    "utf8",
    "sha1",
    "sha256",
    "sha-256",
    "sha512",
    "sha-512",
    "md5",
    "argon2",
    "argon2id",
    "bcrypt",
    "scrypt",
    "pbkdf2",
    "aes256",
    "aes-256",
    "aes-128",
    "rsa2048",
    "rsa-2048",
    "ed25519",
    "wpa2",
    "wpa3",
    "2fa",
    "x509",
    "n/a",
    "tbd",
    "todo",
    "jwt",
    "bearer",
];
/// How a word ends that says what happened, or of what kind something is.
const ABOUT_ENDINGS: &[&str] =
    &["ed", "ing", "able", "ible", "ive", "ly", "al", "ful", "less", "ous", "ary", "ory"];
/// What is counted.
const UNITS: &[&str] = &[
    "char", "letter", "digit", "day", "week", "month", "year", "hour", "minute", "min", "second", "time",
    "bit", "byte", "word", "symbol", "user", "people", "attempt", "percent", "st", "nd", "rd", "th", "x",
    "%", "tokens",
];

/// A value that nobody writes as a plain word: by digits among letters, or by signs.
pub(super) fn is_drawn(value: &str, after: &str, kind: Kind) -> bool {
    if is_mark(value) || is_about(value) || is_counted(value, after) || is_address(value) {
        return false;
    }
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let letters = value.chars().filter(|c| c.is_alphabetic()).count();
    let signs = value.chars().filter(|c| is_sign(*c)).count();
    let length = value.chars().count();
    match kind {
        Kind::Pin => digits == length && PIN_DIGITS.contains(&digits),
        Kind::Key => length >= KEY_CHARS_MIN && digits > 0 && letters > 0 && !is_code(value),
        Kind::Password => {
            let mixed = digits > 0 && (letters > 0 || signs > 0) || (letters > 0 && signs > 0);
            length >= PASSWORD_CHARS_MIN && (mixed || digits == length) && !is_code(value)
        }
    }
}

/// A plain word that can only be the password itself: in quotes, or alone after a name that says whose it is.
pub(super) fn is_plain_secret(candidate: &Candidate<'_>, joint: Joint, named: Named) -> bool {
    let Candidate { value, quoted, after, .. } = candidate;
    if named.kind != Kind::Password || is_mark(value) || is_about(value) || is_address(value) {
        return false;
    }
    if *quoted {
        return value.chars().count() >= PASSWORD_CHARS_MIN && value.split_whitespace().count() <= 8;
    }
    let is_word = value.chars().count() >= PLAIN_LETTERS_MIN && value.chars().all(char::is_alphabetic);
    let is_last = after.trim_start_matches([' ', '\t', '.', '!', ')', '"', '\'']).is_empty()
        || after.starts_with(['.', ',', ';', '\n', '!']);
    is_word && is_last && value.is_ascii() && joint == Joint::Word && !is_described(value)
        || is_word && is_last && joint == Joint::Sign && !is_described(value)
}

fn is_sign(c: char) -> bool {
    matches!(c, '!' | '@' | '#' | '$' | '%' | '^' | '&' | '*' | '+' | '=' | '~' | '?' | '|' | '\\')
}

fn is_about(value: &str) -> bool {
    let lower = value.to_lowercase();
    ABOUT.contains(&lower.trim_matches(|c: char| !c.is_alphanumeric()))
        || lower.starts_with("your")
        || lower.starts_with("my-")
        || lower.contains("example")
        || lower.contains("password")
}

fn is_described(value: &str) -> bool {
    let lower = value.to_lowercase();
    ABOUT_ENDINGS.iter().any(|ending| lower.ends_with(ending))
}

/// "12 characters", "90-day", "3rd".
fn is_counted(value: &str, after: &str) -> bool {
    let unit = value.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('-');
    let has_count = value.starts_with(|c: char| c.is_ascii_digit());
    let is_unit = |text: &str| UNITS.iter().any(|unit| text.to_lowercase().starts_with(unit));
    let next = after.trim_start_matches([' ', '-']);
    has_count && ((!unit.is_empty() && is_unit(unit)) || (unit.is_empty() && is_unit(next)))
}

/// An address of a page or of a person, or a time: said about a password, not one.
fn is_address(value: &str) -> bool {
    let is_mail = || {
        value.split_once('@').is_some_and(|(name, host)| {
            !name.is_empty() && host.contains('.') && !host.contains(is_sign) && !name.contains(is_sign)
        })
    };
    value.contains("://") || value.starts_with(['/', '~']) && value.contains('/') || is_mail()
}

/// A piece of a program: names joined by dots, a call, an index; and a version.
fn is_code(value: &str) -> bool {
    let is_call = value.ends_with("()") || value.contains("(") || value.contains("[");
    let is_path = value.contains('.')
        && value.split('.').all(|part| part.chars().all(|c| c.is_alphanumeric() || c == '_'));
    let is_name = value.contains('_')
        && value.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    is_call || is_path || is_name
}

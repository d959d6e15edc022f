//! The words by which people name a secret, and those that join it to its value.

use crate::secret::{Detector, Found};

/// Names, in lower case, with what they name. A space in one stands for a space, a hyphen, an underscore or nothing.
const NAMES: &[(&str, Kind)] = &[
    ("password", Kind::Password),
    ("passphrase", Kind::Password),
    ("passwd", Kind::Password),
    ("pwd", Kind::Password),
    ("passwort", Kind::Password),
    ("kennwort", Kind::Password),
    ("contraseña", Kind::Password),
    ("mot de passe", Kind::Password),
    ("senha", Kind::Password),
    ("wachtwoord", Kind::Password),
    ("пароль", Kind::Password),
    ("密码", Kind::Password),
    ("密碼", Kind::Password),
    ("パスワード", Kind::Password),
    ("비밀번호", Kind::Password),
    ("pin", Kind::Pin),
    ("pin number", Kind::Pin),
    ("passcode", Kind::Pin),
    ("door code", Kind::Pin),
    ("alarm code", Kind::Pin),
    ("access code", Kind::Pin),
    ("security code", Kind::Pin),
    ("cvv", Kind::Pin),
    ("cvc", Kind::Pin),
    ("api key", Kind::Key),
    ("secret key", Kind::Key),
    ("access key", Kind::Key),
    ("account key", Kind::Key),
    ("shared access key", Kind::Key),
    ("private key", Kind::Key),
    ("encryption key", Kind::Key),
    ("signing key", Kind::Key),
    ("client secret", Kind::Key),
    ("api secret", Kind::Key),
    ("secret", Kind::Key),
    ("api token", Kind::Key),
    ("access token", Kind::Key),
    ("auth token", Kind::Key),
    ("refresh token", Kind::Key),
    ("token", Kind::Key),
];

/// Signs that join a name to a value; the longer first.
pub(super) const SIGNS: &[&str] = &["=>", ":=", "->", "==", ":", "=", "：", "→"];

/// Words that do; the longer first.
pub(super) const JOINTS: &[&str] = &[
    "is now", "is still", "was", "is", "to", "ist", "lautet", "est", "es", "é", "это", "是", "为", "為",
    "は", "은", "는",
];

/// Words of a wallet's phrase, at least.
const SEED_WORDS_MIN: usize = 12;

/// What kind of secret a name is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Password,
    Pin,
    /// A key, token or secret that a program uses.
    Key,
}

impl Kind {
    pub(super) fn detector(self) -> Detector {
        match self {
            Self::Password => Detector::Password,
            Self::Pin => Detector::Pin,
            Self::Key => Detector::NamedKey,
        }
    }
}

/// Where a name stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Named {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) kind: Kind,
}

/// The names in a text.
pub(super) struct Names;

impl Names {
    /// Each place where a name stands as a word of its own, also at the end of one in camel case.
    pub(super) fn in_text<'a>(lower: &'a str, text: &'a str) -> impl Iterator<Item = Named> + 'a {
        NAMES.iter().flat_map(move |(name, kind)| {
            let first = name.split(' ').next().unwrap_or(name);
            lower.match_indices(first).filter_map(move |(start, _)| {
                let end = start + length(&lower[start..], name)?;
                let is_apart = name.is_ascii() && (!begins(text, start) || goes_on(lower, end));
                (!is_apart).then_some(Named { start, end, kind: *kind })
            })
        })
    }
}

/// What a text names at its end: a key such as `wifi-password`, or "what is your password?".
pub(super) fn at_end(text: &str) -> Option<Kind> {
    let lower = text.to_ascii_lowercase();
    let ends = |c: char| {
        c.is_whitespace() || matches!(c, '?' | '.' | ':' | '=' | '!' | '"' | '\'' | '：' | '？' | '…')
    };
    let whole = lower.trim_end_matches(ends);
    let is_joint =
        |word: &&&str| whole.ends_with(&format!(" {word}")) || (!word.is_ascii() && whole.ends_with(**word));
    let cut =
        JOINTS.iter().find(is_joint).map_or(whole, |word| &whole[..whole.len() - word.len()]).trim_end();
    let named = Names::in_text(cut, &text[..cut.len()]).filter(|named| named.end == cut.len());
    named.map(|named| named.kind).min()
}

/// Whether what stands before a name says that it gets another value.
pub(super) fn is_changed(before: &str) -> bool {
    let words: Vec<&str> = before.split_whitespace().rev().take(5).collect();
    words
        .iter()
        .any(|word| ["set", "chang", "updat", "reset", "rotat"].iter().any(|verb| word.starts_with(verb)))
}

/// How long the name is at the beginning of a text, however its words are joined.
fn length(text: &str, name: &str) -> Option<usize> {
    let mut length = 0;
    for (place, word) in name.split(' ').enumerate() {
        let gap = usize::from(place > 0 && text[length..].starts_with([' ', '-', '_']));
        text[length + gap..].starts_with(word).then_some(())?;
        length += gap + word.len();
    }
    Some(length)
}

fn begins(text: &str, start: usize) -> bool {
    let is_capital = text[start..].starts_with(|c: char| c.is_ascii_uppercase());
    let before = text[..start].chars().next_back();
    before.is_none_or(|before| !before.is_alphanumeric() || (is_capital && before.is_lowercase()))
}

fn goes_on(lower: &str, end: usize) -> bool {
    lower[end..].starts_with(|c: char| c.is_alphanumeric())
}

/// Twelve words or more of those that wallets use: short ones in lower case, and none that only joins others.
pub(super) fn seed_phrases(lower: &str) -> Vec<Found> {
    let mut all = Vec::new();
    for name in ["seed phrase", "recovery phrase", "mnemonic", "seed words"] {
        for (start, _) in lower.match_indices(name) {
            let rest = start + name.len();
            let joint = lower[rest..].find([':', '=']).filter(|place| *place <= 4);
            let is_said = lower[rest..].starts_with(" is ").then_some(4);
            let Some(begin) = joint.map(|place| place + 1).or(is_said) else { continue };
            let begin = rest + begin;
            let begin = begin + (lower[begin..].len() - lower[begin..].trim_start().len());
            if let Some(length) = seed_words(&lower[begin..]) {
                all.push(Found { start: begin, end: begin + length, detector: Detector::SeedPhrase });
            }
        }
    }
    all
}

fn seed_words(text: &str) -> Option<usize> {
    let joins = ["the", "and", "for", "with", "was", "his", "her", "has", "not", "are", "but", "its"];
    let is_seed = |word: &str| {
        (3..=8).contains(&word.len())
            && word.bytes().all(|byte| byte.is_ascii_lowercase())
            && !joins.contains(&word)
    };
    let (mut words, mut length) = (0, 0);
    for word in text.split_inclusive(char::is_whitespace) {
        if !is_seed(word.trim_end().trim_end_matches(['.', ','])) {
            break;
        }
        (words, length) = (words + 1, length + word.len());
    }
    (words >= SEED_WORDS_MIN).then(|| text[..length].trim_end().len())
}

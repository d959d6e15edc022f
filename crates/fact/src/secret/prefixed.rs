//! Keys and tokens that say what they are by how they begin.

use super::{Detector, Found};

/// How one kind of token is written.
struct Shape {
    prefix: &'static str,
    /// What follows, in characters.
    length: std::ops::RangeInclusive<usize>,
    /// What it is made of.
    of: Alphabet,
    detector: Detector,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Alphabet {
    /// Lower-case hexadecimal.
    Hex,
    /// Capitals and digits.
    Capitals,
    /// Letters and digits.
    Alphanumeric,
    /// Letters, digits, `-` and `_`, with a long piece of letters and digits in it: not words with hyphens.
    Web,
    /// The same with dots, slashes and signs of base64.
    Wide,
}

const fn shape(prefix: &'static str, least: usize, most: usize, of: Alphabet, detector: Detector) -> Shape {
    Shape { prefix, length: least..=most, of, detector }
}

const LONG: usize = 1_024;

/// The table. Where a prefix begins like another, the longer one stands first.
const SHAPES: &[Shape] = &[
    shape("AKIA", 16, 16, Alphabet::Capitals, Detector::AwsKey),
    shape("ASIA", 16, 16, Alphabet::Capitals, Detector::AwsKey),
    shape("AIza", 35, 35, Alphabet::Web, Detector::GoogleKey),
    shape("GOCSPX-", 28, 28, Alphabet::Web, Detector::GoogleKey),
    shape("ya29.", 20, LONG, Alphabet::Web, Detector::GoogleKey),
    shape("dop_v1_", 64, 64, Alphabet::Hex, Detector::DigitaloceanToken),
    shape("github_pat_", 40, 120, Alphabet::Web, Detector::GithubToken),
    shape("ghp_", 36, 120, Alphabet::Alphanumeric, Detector::GithubToken),
    shape("gho_", 36, 120, Alphabet::Alphanumeric, Detector::GithubToken),
    shape("ghu_", 36, 120, Alphabet::Alphanumeric, Detector::GithubToken),
    shape("ghs_", 36, 120, Alphabet::Alphanumeric, Detector::GithubToken),
    shape("ghr_", 36, 120, Alphabet::Alphanumeric, Detector::GithubToken),
    shape("glpat-", 20, 120, Alphabet::Web, Detector::GitlabToken),
    shape("xoxb-", 20, 200, Alphabet::Web, Detector::SlackToken),
    shape("xoxp-", 20, 200, Alphabet::Web, Detector::SlackToken),
    shape("xoxa-", 20, 200, Alphabet::Web, Detector::SlackToken),
    shape("xoxr-", 20, 200, Alphabet::Web, Detector::SlackToken),
    shape("xoxs-", 20, 200, Alphabet::Web, Detector::SlackToken),
    shape("xapp-", 20, 200, Alphabet::Web, Detector::SlackToken),
    shape("hooks.slack.com/services/", 20, 200, Alphabet::Wide, Detector::SlackToken),
    shape("sk_live_", 16, 200, Alphabet::Alphanumeric, Detector::StripeKey),
    shape("sk_test_", 16, 200, Alphabet::Alphanumeric, Detector::StripeKey),
    shape("rk_live_", 16, 200, Alphabet::Alphanumeric, Detector::StripeKey),
    shape("rk_test_", 16, 200, Alphabet::Alphanumeric, Detector::StripeKey),
    shape("whsec_", 24, 200, Alphabet::Wide, Detector::StripeKey),
    shape("sk-ant-", 20, 200, Alphabet::Web, Detector::AnthropicKey),
    shape("sk-", 16, 300, Alphabet::Web, Detector::OpenaiKey),
    shape("hf_", 30, 60, Alphabet::Alphanumeric, Detector::HuggingfaceToken),
    shape("npm_", 36, 36, Alphabet::Alphanumeric, Detector::RegistryToken),
    shape("pypi-AgE", 50, LONG, Alphabet::Web, Detector::RegistryToken),
    shape("dckr_pat_", 20, 60, Alphabet::Web, Detector::RegistryToken),
    shape("SG.", 40, 90, Alphabet::Wide, Detector::SendgridKey),
    shape("shpat_", 32, 32, Alphabet::Hex, Detector::ServiceToken),
    shape("shpss_", 32, 32, Alphabet::Hex, Detector::ServiceToken),
    shape("dapi", 32, 32, Alphabet::Hex, Detector::ServiceToken),
    shape("hvs.", 24, 200, Alphabet::Web, Detector::ServiceToken),
    shape("gsk_", 40, 80, Alphabet::Alphanumeric, Detector::ServiceToken),
    shape("lin_api_", 32, 60, Alphabet::Alphanumeric, Detector::ServiceToken),
    shape("sq0atp-", 22, 22, Alphabet::Web, Detector::ServiceToken),
    shape("AGE-SECRET-KEY-1", 50, 60, Alphabet::Capitals, Detector::PrivateKey),
];

/// A key of ours: `mem_`, 16 digits, `_`, and a secret of 64 with a checksum of 8.
const OWN_PREFIX: &str = "mem_";
const OWN_ID_DIGITS: usize = 16;
/// Less than a whole secret: one that was cut is one still.
const OWN_SECRET_DIGITS_MIN: usize = 24;

/// A bot's number, a colon and 35 characters.
const TELEGRAM_CHARS: usize = 35;

pub(super) fn find(text: &str) -> Vec<Found> {
    let mut all = Vec::new();
    for shape in SHAPES {
        for (start, prefix) in text.match_indices(shape.prefix) {
            let end = start + prefix.len() + run(&text[start + prefix.len()..], shape.of);
            if begins(text, start) && shape.fits(&text[start + prefix.len()..end]) {
                all.push(Found { start, end, detector: shape.detector });
            }
        }
    }
    all.extend(text.match_indices(OWN_PREFIX).filter_map(|(start, _)| own(text, start)));
    all.extend(text.match_indices(':').filter_map(|(colon, _)| telegram(text, colon)));
    all
}

impl Shape {
    fn fits(&self, body: &str) -> bool {
        self.length.contains(&body.len())
            && match self.of {
                Alphabet::Hex | Alphabet::Capitals | Alphabet::Alphanumeric => true,
                Alphabet::Web | Alphabet::Wide => is_drawn(body),
            }
    }
}

impl Alphabet {
    fn has(self, byte: u8) -> bool {
        match self {
            Self::Hex => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
            Self::Capitals => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Self::Alphanumeric => byte.is_ascii_alphanumeric(),
            Self::Web => byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'),
            Self::Wide => {
                byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'/' | b'+' | b'=')
            }
        }
    }
}

/// How far a text goes on in an alphabet, without what ends a sentence.
fn run(text: &str, of: Alphabet) -> usize {
    let run = text.bytes().take_while(|byte| of.has(*byte)).count();
    text[..run].trim_end_matches(['.', '-', '/']).len()
}

/// Has a piece of letters and digits that nobody wrote: long, and with a digit that is not the year after a word.
fn is_drawn(body: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    let is_word = |piece: &str| {
        let word = piece.trim_end_matches(is_digit);
        !word.is_empty()
            && piece.len() - word.len() <= 4
            && word.bytes().all(|byte| byte.is_ascii_lowercase())
    };
    let is_long = |piece: &str| piece.len() >= 12 && piece.contains(is_digit) && !is_word(piece);
    body.split(['-', '_', '.', '/', '+', '=']).any(is_long)
}

/// Nothing stands before that it would be the rest of.
pub(super) fn begins(text: &str, start: usize) -> bool {
    !text[..start].ends_with(|c: char| c.is_ascii_alphanumeric())
}

fn own(text: &str, start: usize) -> Option<Found> {
    let rest = &text[start + OWN_PREFIX.len()..];
    let (id, secret) = rest.split_once('_')?;
    let is_hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let digits = secret.bytes().take_while(u8::is_ascii_hexdigit).count();
    let is_own = id.len() == OWN_ID_DIGITS && is_hex(id) && digits >= OWN_SECRET_DIGITS_MIN;
    let end = start + OWN_PREFIX.len() + OWN_ID_DIGITS + 1 + digits;
    (is_own && begins(text, start)).then_some(Found { start, end, detector: Detector::MemoryKey })
}

fn telegram(text: &str, colon: usize) -> Option<Found> {
    let digits = text[..colon].bytes().rev().take_while(u8::is_ascii_digit).count();
    let body = text[colon + 1..].bytes().take_while(|byte| Alphabet::Web.has(*byte)).count();
    let end = colon + 1 + body;
    let fits = (8..=10).contains(&digits) && body == TELEGRAM_CHARS && text[colon + 1..].starts_with("AA");
    fits.then_some(Found { start: colon - digits, end, detector: Detector::TelegramToken })
}

//! Ids, times and digests are looked at before a snapshot hides them.

use std::time::{SystemTime, UNIX_EPOCH};

use truthkeeper::{FactId, Timestamp};

const ID_CHARS: usize = 36;
const HEX_CHARS: [usize; 1] = [64];
/// A digest as it stands in the name of a file, such as `audit-0123456789ab.json`.
const NAME_CHARS: usize = 12;
/// A shown time, and an exact one.
const TIME_CHARS: [usize; 2] = [24, 27];
/// Times that the command made itself are no further from now.
const NEARBY_MICROS: i64 = 600_000_000;

/// Every id, in order.
pub(crate) fn ids(text: &str) -> Vec<String> {
    let places = text.char_indices().map(|(place, _)| place);
    places.filter_map(|place| id_at(text, place)).map(str::to_owned).collect()
}

/// `text` with `[id-1]` for the first id, and so on, `[now]` for times that are near, and `[digest]`.
pub(crate) fn redacted(text: &str) -> String {
    let mut known: Vec<String> = Vec::new();
    let mut out = String::new();
    let mut place = 0;
    while let Some(c) = text[place..].chars().next() {
        let (shown, length) = if let Some(id) = id_at(text, place) {
            let is_made = matches!(id.chars().nth(14), Some('7' | '8'));
            assert!(is_made, "{id} is not in order of time, and does not follow from what it names");
            (format!("[id-{}]", number(&mut known, id)), ID_CHARS)
        } else if let Some(length) = time_at(text, place) {
            ("[now]".to_owned(), length)
        } else if let Some(length) = digest_at(text, place) {
            ("[digest]".to_owned(), length)
        } else {
            (c.to_string(), c.len_utf8())
        };
        out.push_str(&shown);
        place += length;
    }
    out
}

fn number(known: &mut Vec<String>, id: &str) -> usize {
    let place = known.iter().position(|one| one == id).unwrap_or_else(|| {
        known.push(id.to_owned());
        known.len() - 1
    });
    place + 1
}

fn id_at(text: &str, place: usize) -> Option<&str> {
    text.get(place..place + ID_CHARS).filter(|id| FactId::parse(id).is_ok())
}

fn time_at(text: &str, place: usize) -> Option<usize> {
    let micros = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_micros();
    let now = i64::try_from(micros).unwrap();
    TIME_CHARS.into_iter().find(|length| {
        let time =
            text.get(place..place + length).filter(|time| time.starts_with('2') && time.ends_with('Z'));
        let time = time.and_then(|time| Timestamp::parse("time", time).ok());
        time.is_some_and(|time| (time.micros() - now).abs() < NEARBY_MICROS)
    })
}

fn digest_at(text: &str, place: usize) -> Option<usize> {
    let is_bound = |c: Option<char>| !c.is_some_and(|c| c.is_ascii_alphanumeric() || c == ':');
    let is_hex = |length: usize| {
        text.get(place..place + length).is_some_and(|part| part.chars().all(|c| c.is_ascii_hexdigit()))
    };
    let before = text[..place].chars().next_back();
    let in_name = before == Some('-')
        && is_hex(NAME_CHARS)
        && [".json", ".toml"].iter().any(|end| text[place + NAME_CHARS..].starts_with(end));
    let whole = HEX_CHARS.into_iter().find(|length| is_bound(before) && is_hex(*length));
    whole.or(in_name.then_some(NAME_CHARS))
}

#[test]
fn only_what_has_the_right_form_is_hidden() {
    let id = "01a2297e-cbd8-73e4-bd78-3f9eb9e93935";
    let other = "01a2297e-cbd8-73e4-bd78-3f9eb9e93936";
    assert_eq!(redacted(&format!("{id} {other} {id}")), "[id-1] [id-2] [id-1]");
    assert_eq!(redacted("2000-01-01T00:00:00.000Z"), "2000-01-01T00:00:00.000Z");
    let digest = "ab".repeat(32);
    assert_eq!(redacted("audit-0123456789ab.json 0123456789ab"), "audit-[digest].json 0123456789ab");
    assert_eq!(redacted(&format!("\"{digest}\" sha256:{digest}")), format!("\"[digest]\" sha256:{digest}"));
}

//! A memory from before the ledger, as its owner decides about it.

use truthkeeper::{Choice, FactId, GroupRow, Legacy, LegacyOrigin, ReviewRow, Text, Timestamp};

use super::super::fields::Fields;
use super::super::said::Said;
use super::super::when::When;
use super::words;

/// A row as it is shown.
pub(super) struct Row {
    pub(super) row: FactId,
    pub(super) text: Said,
    pub(super) scope: Said,
    /// Where it comes from, with a word before each.
    pub(super) grounds: Vec<(&'static str, Said)>,
    /// Times of its source, with a word before each.
    pub(super) times: Vec<(&'static str, When)>,
    pub(super) flags: Vec<&'static str>,
    /// What was noted when it was decided about before.
    pub(super) note: Option<Said>,
    /// The fact that says the same, or otherwise.
    pub(super) known: Option<FactId>,
    pub(super) is_episode: bool,
    pub(super) typed: Typed,
}

/// What stands in the fields of a row.
#[derive(Default)]
pub(super) struct Typed {
    pub(super) choice: String,
    pub(super) keep: bool,
    pub(super) corrected: String,
    pub(super) from: String,
    pub(super) until: String,
}

impl Row {
    pub(super) fn of(found: &GroupRow, typed: Typed, now: Timestamp) -> Self {
        let legacy = &found.legacy;
        let note = found.earlier.as_ref().and_then(|earlier| earlier.note.as_ref());
        Self {
            row: found.row,
            text: Said::of(legacy.text.as_str()),
            scope: Said::of(found.scope.path()),
            grounds: grounds(legacy),
            times: times(legacy, now),
            flags: found.flags.iter().map(|flag| words::flag(*flag)).collect(),
            note: note.map(|note| Said::of(note.as_str())),
            known: found.known.map(|known| known.fact),
            is_episode: legacy.origin == LegacyOrigin::Episode,
            typed,
        }
    }
}

impl Typed {
    /// What is decided.
    pub(super) fn of(row: &ReviewRow) -> Self {
        let time = |time: Option<Timestamp>| time.map(field).unwrap_or_default();
        Self {
            choice: row.decision.map_or_else(String::new, |choice| choice.name().to_owned()),
            keep: row.keep,
            corrected: row.corrected.as_ref().map(|text| text.as_str().to_owned()).unwrap_or_default(),
            from: time(row.from),
            until: time(row.until),
        }
    }

    /// What was sent.
    pub(super) fn sent(fields: &Fields, row: FactId) -> Self {
        let raw = |name: &str| fields.raw(&format!("{name}-{row}")).to_owned();
        Self {
            choice: raw("choice"),
            keep: fields.raw("keep") == row.to_string(),
            corrected: raw("corrected"),
            from: raw("from"),
            until: raw("until"),
        }
    }

    pub(super) fn is_worded(&self) -> bool {
        !(self.corrected.trim().is_empty() && self.from.is_empty() && self.until.is_empty())
    }

    pub(super) fn is(&self, choice: Choice) -> bool {
        self.choice == choice.name()
    }
}

/// As a browser's field for a time takes it: in whole seconds, without a zone.
fn field(time: Timestamp) -> String {
    let text = time.to_string();
    text.get(..19).map_or(text.clone(), str::to_owned)
}

fn grounds(legacy: &Legacy) -> Vec<(&'static str, Said)> {
    let list = |texts: &[Text]| {
        let texts: Vec<&str> = texts.iter().map(Text::as_str).collect();
        (!texts.is_empty()).then(|| texts.join(", "))
    };
    let text = |text: &Option<Text>| text.as_ref().map(|text| text.as_str().to_owned());
    let grounds = [
        ("from", Some(format!("{} {}", legacy.source.name(), legacy.place.as_str()))),
        ("origin", Some(legacy.origin.name().to_owned())),
        ("type", legacy.kind.as_ref().map(|kind| kind.as_str().to_owned())),
        ("key", text(&legacy.key)),
        ("tags", list(&legacy.tags)),
        ("owner there", text(&legacy.owner)),
        ("project there", text(&legacy.project)),
        ("confidence", legacy.confidence.map(|confidence| confidence.to_string())),
        ("malformed", list(&legacy.malformed)),
    ];
    grounds.into_iter().filter_map(|(name, text)| Some((name, Said::of(text?)))).collect()
}

fn times(legacy: &Legacy, now: Timestamp) -> Vec<(&'static str, When)> {
    let times = [
        ("written", legacy.written_at),
        ("true from", legacy.valid_from),
        ("true until", legacy.valid_until),
    ];
    times.into_iter().filter_map(|(name, time)| Some((name, When::of(time?, now)))).collect()
}

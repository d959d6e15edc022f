//! The review of an audit: a document that a person reads and decides in, as TOML in an editor or as JSON on a page.

mod read;
mod render;

use std::collections::BTreeMap;

use fact::{FactId, Text, Timestamp};
use serde::{Deserialize, Serialize};

use super::audit::{Action, Audit, Group, GroupKind, GroupRow, Uncertainty};

/// The decisions about an audit, as far as they are made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Review {
    /// Digest of the audit.
    pub audit: String,
    /// Its groups.
    pub groups: Vec<ReviewGroup>,
}

/// The decision about a group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReviewGroup {
    /// Its id in the audit.
    pub id: String,
    /// What its rows have in common.
    pub kind: GroupKind,
    /// What is proposed.
    pub action: Action,
    /// How unsure that is.
    pub uncertainty: Uncertainty,
    /// Why.
    pub why: String,
    /// The decision about every row that has none of its own.
    pub decision: Choice,
    /// Why it was decided so, or what it waits for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<Text>,
    /// Its rows.
    pub rows: Vec<ReviewRow>,
}

/// The decision about a row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReviewRow {
    /// Its id.
    pub row: FactId,
    /// What else is known of it, in one line.
    pub about: Text,
    /// What it says.
    pub text: Text,
    /// Whether it is the one that is adopted and cites the others.
    #[serde(default)]
    pub keep: bool,
    /// The decision about it; that of its group where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Choice>,
    /// What it is to say instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corrected: Option<Text>,
    /// From when it is true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Timestamp>,
    /// Until when it is true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
}

/// A decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Choice {
    /// Not made yet.
    Pending,
    /// Adopt it, or keep it as a record.
    Approve,
    /// Leave it out until it changes.
    Reject,
    /// Ask again at the next audit.
    Defer,
}

/// A review that cannot be read, or is not of the audit. Carries no text of a row.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct BadReview {
    /// The line, or the group, row and field.
    pub place: String,
    /// What is wrong, and what is allowed.
    pub problem: String,
}

impl Choice {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Pending, Self::Approve, Self::Reject, Self::Defer];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Approve => "approve",
            Self::Reject => "reject",
            Self::Defer => "defer",
        }
    }
}

impl Review {
    /// The review of an audit, with nothing decided.
    pub fn of(audit: &Audit) -> Self {
        Self { audit: audit.digest(), groups: audit.groups.iter().map(ReviewGroup::of).collect() }
    }

    /// The document as TOML, with a header that says how to decide.
    pub fn render(&self) -> String {
        render::render(self)
    }

    /// Reads the TOML form.
    pub fn parse(text: &str) -> Result<Self, BadReview> {
        read::parse(text)
    }

    /// SHA-256 over the whole review: its version, to which an act on it can be bound.
    pub fn digest(&self) -> String {
        super::digest(&super::exact_json(self))
    }

    /// Refuses a review of another audit, or one in which anything but the decisions was changed.
    pub fn check(&self, audit: &Audit) -> Result<(), BadReview> {
        if self.audit != audit.digest() {
            return Err(BadReview::new("audit", "this review is of another audit"));
        }
        let mut missing: BTreeMap<&str, &Group> =
            audit.groups.iter().map(|group| (group.id.as_str(), group)).collect();
        for group in &self.groups {
            let place = format!("group {}", group.id);
            let Some(audited) = missing.remove(group.id.as_str()) else {
                return Err(BadReview::new(place, "is there twice, or is not a group of the audit"));
            };
            group.check(audited, &place)?;
        }
        match missing.keys().next() {
            Some(id) => Err(BadReview::new(format!("group {id}"), "is missing")),
            None => Ok(()),
        }
    }

    /// The groups that `approve_safe` would approve now.
    pub fn safe_groups(&self, audit: &Audit) -> Result<Vec<String>, BadReview> {
        self.check(audit)?;
        let is_safe = |id: &str| audit.groups.iter().any(|group| group.id == id && group.safe);
        let pending =
            self.groups.iter().filter(|group| group.decision == Choice::Pending && is_safe(&group.id));
        Ok(pending.map(|group| group.id.clone()).collect())
    }

    /// Approves the safe groups that are pending, and gives their ids. A row that was decided stays as it was decided.
    pub fn approve_safe(&mut self, audit: &Audit) -> Result<Vec<String>, BadReview> {
        let safe = self.safe_groups(audit)?;
        for group in self.groups.iter_mut().filter(|group| safe.contains(&group.id)) {
            group.decision = Choice::Approve;
        }
        Ok(safe)
    }
}

impl ReviewGroup {
    fn of(group: &Group) -> Self {
        let rows = group.rows.iter().map(|row| ReviewRow {
            corrected: group.whole.clone().filter(|_| row.keep),
            ..ReviewRow::of(row)
        });
        Self {
            id: group.id.clone(),
            kind: group.kind,
            action: group.action,
            uncertainty: group.uncertainty,
            why: group.why.clone(),
            decision: Choice::Pending,
            note: None,
            rows: rows.collect(),
        }
    }

    fn check(&self, audited: &Group, place: &str) -> Result<(), BadReview> {
        let same = self.kind == audited.kind
            && self.action == audited.action
            && self.uncertainty == audited.uncertainty
            && self.why == audited.why;
        if !same {
            return Err(BadReview::new(
                place,
                "its kind, action, uncertainty and why must stay as they were",
            ));
        }
        let mut missing: BTreeMap<FactId, &GroupRow> =
            audited.rows.iter().map(|row| (row.row, row)).collect();
        for row in &self.rows {
            let place = format!("{place}, row {}", row.row);
            let Some(audited) = missing.remove(&row.row) else {
                return Err(BadReview::new(place, "is there twice, or is not a row of this group"));
            };
            let found = ReviewRow::of(audited);
            if (&row.text, &row.about) != (&found.text, &found.about) {
                let problem =
                    "text and about must stay as they were found; say what it is to be in `corrected`";
                return Err(BadReview::new(place, problem));
            }
            if row.keep && !self.kind.has_keeper() {
                return Err(BadReview::new(place, "keep is for likely duplicates and fragments only"));
            }
        }
        match missing.keys().next() {
            Some(row) => Err(BadReview::new(format!("{place}, row {row}"), "is missing")),
            None => Ok(()),
        }
    }

    /// What was decided about a row of it.
    pub fn choice(&self, row: &ReviewRow) -> Choice {
        row.decision.unwrap_or(self.decision)
    }
}

impl ReviewRow {
    fn of(row: &GroupRow) -> Self {
        Self {
            row: row.row,
            about: Text::stored(about(row)),
            text: row.legacy.text.clone(),
            keep: row.keep,
            decision: None,
            corrected: None,
            from: None,
            until: None,
        }
    }
}

impl BadReview {
    pub(super) fn new(place: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { place: place.into(), problem: problem.into() }
    }
}

/// What a person needs to decide, in one line.
fn about(row: &GroupRow) -> String {
    let legacy = &row.legacy;
    let mut parts = vec![
        format!("in {}", row.scope.path()),
        format!("from {} {}", legacy.source.name(), legacy.place.as_str()),
        legacy.origin.name().to_owned(),
    ];
    let named = [("owner", &legacy.owner), ("project", &legacy.project), ("key", &legacy.key)];
    parts.extend(legacy.kind.iter().map(|kind| format!("type {kind}")));
    parts.extend(
        named.into_iter().filter_map(|(name, text)| Some(format!("{name} {}", text.as_ref()?.as_str()))),
    );
    let list = |texts: &[Text]| texts.iter().map(Text::as_str).collect::<Vec<_>>().join(", ");
    if !legacy.tags.is_empty() {
        parts.push(format!("tags {}", list(&legacy.tags)));
    }
    parts.extend(legacy.confidence.iter().map(|confidence| format!("confidence {confidence}")));
    let times = [("written", legacy.written_at), ("from", legacy.valid_from), ("until", legacy.valid_until)];
    parts.extend(times.into_iter().filter_map(|(name, time)| Some(format!("{name} {}", time?))));
    if !legacy.malformed.is_empty() {
        parts.push(format!("malformed {}", list(&legacy.malformed)));
    }
    parts.extend(row.flags.iter().map(|flag| flag.name().to_owned()));
    parts.extend(row.known.iter().map(|known| format!("fact {}", known.fact)));
    let note = row.earlier.as_ref().and_then(|earlier| earlier.note.as_ref());
    parts.extend(note.map(|note| format!("note: {}", note.as_str())));
    parts.join("; ")
}

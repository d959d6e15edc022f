//! Legacy rows for tests.

use fact::{FactId, Id, Legacy, LegacyOrigin, LegacySource, Scope, Text, Timestamp};
use uuid::Uuid;

use super::{AuditRow, Earlier, EarlierDecision, Known, KnownState};
use crate::samples::{DAY, after, tenant};

/// The audits of the tests are made then.
pub(super) fn now() -> Timestamp {
    after(0)
}

pub(super) fn text(text: &str) -> Text {
    Text::stored(text.to_owned())
}

pub(super) fn id(number: u128) -> FactId {
    FactId::new(Uuid::from_u128(number))
}

/// A row that says something, written yesterday, of Ann's `notes.md`.
pub(super) fn row(number: u128, says: &str) -> AuditRow {
    let user = Some(Id::parse("user", "ann").unwrap());
    let place = text(&format!("notes.md#Notes:{}", number * 10));
    AuditRow {
        row: id(number),
        scope: Scope { user, ..Scope::tenant(tenant()) },
        legacy: Legacy {
            written_at: Some(after(-DAY)),
            ..Legacy::new(LegacySource::Markdown, LegacyOrigin::Explicit, place, text(says))
        },
        digest: format!("{number:064x}"),
        earlier: None,
        known: None,
        meaning: Vec::new(),
    }
}

/// Rows that say these, numbered from 1.
pub(super) fn rows(texts: &[&str]) -> Vec<AuditRow> {
    texts.iter().zip(1..).map(|(text, number)| row(number, text)).collect()
}

/// A row with marks before its text, each in brackets: `[episode] [tag x] Met Ben`.
pub(super) fn marked(number: u128, line: &str) -> AuditRow {
    let mut row = row(number, "");
    let mut rest = line.trim();
    while let Some((mark, after)) = rest.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
        mark_row(&mut row, mark);
        rest = after;
    }
    row.legacy.text = text(rest);
    row
}

fn mark_row(row: &mut AuditRow, mark: &str) {
    let (name, value) = mark.split_once(' ').unwrap_or((mark, ""));
    let id = |value: &str| Some(Id::parse("id", value).unwrap());
    let days = || after(value.parse::<i64>().unwrap() * DAY);
    let earlier = |decision| Some(Earlier { decision, note: Some(text("as it was then")) });
    let known = |state| Some(Known { fact: super::samples::id(900), state });
    let legacy = &mut row.legacy;
    match name {
        "episode" => legacy.origin = LegacyOrigin::Episode,
        "unknown" => legacy.origin = LegacyOrigin::Unknown,
        "malformed" => legacy.malformed.push(text(value)),
        "owner" => legacy.owner = Some(text(value)),
        "project" => legacy.project = Some(text(value)),
        "tag" => legacy.tags.push(text(value)),
        "key" => legacy.key = Some(text(value)),
        "type" => legacy.kind = Some(fact::FactType::parse(value).unwrap()),
        "place" => legacy.place = text(value),
        "written" if value.is_empty() => legacy.written_at = None,
        "written" => legacy.written_at = Some(days()),
        "from" => legacy.valid_from = Some(days()),
        "until" => legacy.valid_until = Some(days()),
        "user" => row.scope.user = id(value),
        "in-project" => row.scope.project = id(value),
        "rejected" => row.earlier = earlier(EarlierDecision::Rejected),
        "deferred" => row.earlier = earlier(EarlierDecision::Deferred),
        "rolled-back" => row.earlier = earlier(EarlierDecision::RolledBack),
        "current" => row.known = known(KnownState::Current),
        "contested" => row.known = known(KnownState::Contested),
        "forgotten" => row.known = known(KnownState::Forgotten),
        _ => panic!("{mark}"),
    }
}

/// The lines of a story as rows, numbered from 1.
pub(super) fn story(lines: &str) -> Vec<AuditRow> {
    let lines = lines.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.zip(1..).map(|(line, number)| marked(number, line)).collect()
}

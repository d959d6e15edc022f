//! The last checks of several owners' rows, taken together.

use fact::Timestamp;
use ledger::{CopyReport, Drift, Reported};

use crate::words::{age, counted};

/// What the last checks of the searchable copy found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopyCheck {
    /// When the oldest of them was made.
    pub at: Timestamp,
    /// How often the rows were written since.
    pub changes: u64,
    /// What they found, together.
    pub total: CopyReport,
}

impl CopyCheck {
    /// Takes the last checks of owners together; none where there was none.
    pub fn of<'a>(reports: impl IntoIterator<Item = &'a Reported>) -> Option<Self> {
        reports.into_iter().fold(None, |all, one| {
            let begun = Self { at: one.at, changes: 0, total: CopyReport::default() };
            let mut all = all.unwrap_or(begun);
            all.at = all.at.min(one.at);
            all.changes += one.changes;
            all.total.merge(&one.report);
            Some(all)
        })
    }

    /// In a line, as seen at `now`.
    pub fn told(&self, now: Timestamp) -> String {
        let Self { at, changes, total } = self;
        let CopyReport { facts, rows, to_embed, drift, damage, drifted: _ } = total;
        let kinds = Drift::ALL.map(|kind| {
            let count = drift.get(&kind).copied().unwrap_or(0);
            format!("{count} {}", kind.name())
        });
        let damaged = if *damage > 0 { "; damaged" } else { "" };
        let embed =
            if *to_embed > 0 { format!("; {} to embed", counted(*to_embed, "row")) } else { String::new() };
        format!(
            "{} of {} and {}{embed}{damaged}, checked {} ago, {} since",
            kinds.join(", "),
            counted(*facts, "fact"),
            counted(*rows, "row"),
            age(*at, now),
            counted(*changes, "change"),
        )
    }
}

//! The last checks of several owners' rows, taken together.

use std::collections::BTreeMap;

use fact::Timestamp;
use ledger::{Drift, Reported};

use crate::words::{age, counted};

/// What the last checks of the searchable copy found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopyCheck {
    /// When the oldest of them was made.
    pub at: Timestamp,
    /// How often the rows were written since.
    pub changes: u64,
    /// Facts that must have a row.
    pub facts: u64,
    /// Rows.
    pub rows: u64,
    /// Rows whose meaning the model of today does not know.
    pub to_embed: u64,
    /// How many differ, by how.
    pub drift: BTreeMap<Drift, u64>,
    /// How much was wrong beyond single rows.
    pub damage: u64,
}

impl CopyCheck {
    /// Takes the last checks of owners together; none where there was none.
    pub fn of<'a>(reports: impl IntoIterator<Item = &'a Reported>) -> Option<Self> {
        reports.into_iter().fold(None, |all, one| {
            let mut all = all.unwrap_or_else(|| Self::begun(one.at));
            all.at = all.at.min(one.at);
            all.changes += one.changes;
            all.facts += one.report.facts;
            all.rows += one.report.rows;
            all.to_embed += one.report.to_embed;
            one.report.drift.iter().for_each(|(kind, count)| *all.drift.entry(*kind).or_default() += count);
            all.damage = all.damage.max(one.report.damage);
            Some(all)
        })
    }

    fn begun(at: Timestamp) -> Self {
        Self { at, changes: 0, facts: 0, rows: 0, to_embed: 0, drift: BTreeMap::new(), damage: 0 }
    }

    /// In a line, as seen at `now`.
    pub fn told(&self, now: Timestamp) -> String {
        let Self { at, changes, facts, rows, to_embed, drift, damage } = self;
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

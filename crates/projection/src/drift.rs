//! How the copy differs from the truth: a pure comparison.

use std::collections::BTreeMap;

use fact::{FactId, RevisionNumber};
use index::{Around, Entry, Row, RowKey};
use ledger::{Drift, Drifted};

/// What the ledger says of one fact's copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// The row that it must have; none where nothing of it is current.
    pub(crate) row: Option<Likeness>,
}

/// What tells one row of a fact from another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Likeness {
    /// The revision that it is of.
    pub(crate) revision: RevisionNumber,
    /// The digest of its content.
    pub(crate) digest: String,
    /// What stands around it.
    pub(crate) around: Around,
}

impl From<Row> for Likeness {
    fn from(Row { revision, digest, around, .. }: Row) -> Self {
        Self { revision, digest, around }
    }
}

impl From<&RowKey> for Likeness {
    fn from(key: &RowKey) -> Self {
        Self { revision: key.revision, digest: key.digest.clone(), around: key.around.clone() }
    }
}

/// Compares the facts of a span with the rows of the same span.
pub(crate) fn compare(wanted: &BTreeMap<FactId, Wanted>, entries: &[Entry]) -> Vec<Drifted> {
    let mut rows: BTreeMap<FactId, Vec<&Entry>> = BTreeMap::new();
    for entry in entries {
        rows.entry(entry.fact).or_default().push(entry);
    }
    let rowless = wanted
        .iter()
        .filter(|(fact, wanted)| wanted.row.is_some() && !rows.contains_key(fact))
        .map(|(fact, _)| Drifted { drift: Drift::Missing, fact: *fact, row: None });
    let with_rows = rows.iter().flat_map(|(fact, entries)| {
        entries.iter().enumerate().filter_map(|(at, entry)| {
            let drift = if at > 0 { Some(Drift::Duplicate) } else { of_row(wanted.get(fact), entry) };
            drift.map(|drift| Drifted { drift, fact: *fact, row: Some(entry.number) })
        })
    });
    rowless.chain(with_rows).collect()
}

fn of_row(wanted: Option<&Wanted>, entry: &Entry) -> Option<Drift> {
    match wanted.map(|wanted| &wanted.row) {
        None => Some(Drift::Unknown),
        Some(None) => Some(Drift::Leftover),
        Some(Some(_)) if !entry.findable => Some(Drift::Missing),
        Some(Some(wanted)) => {
            let other = Likeness::from(&entry.key) != *wanted;
            (other || !entry.embedded || !entry.key.by_these_rules).then_some(Drift::Stale)
        }
    }
}

#[cfg(test)]
mod tests;

//! The tables as they must be by the events, to compare with the tables as they are.

use std::collections::HashMap;

use sha2::{Digest as _, Sha256};

use crate::derive::{ConflictRow, FactRow, Put, RevisionRow, SlotMove};

/// A row's image: its columns as text, hashed so that a large ledger fits in memory.
pub(crate) type Image = [u8; 16];

/// The rows that follow from the events seen so far.
#[derive(Default)]
pub(crate) struct Expected {
    facts: HashMap<String, FactRow>,
    revisions: HashMap<(String, i64), RevisionRow>,
    conflicts: HashMap<String, ConflictRow>,
    reviews: HashMap<String, ReviewRow>,
    fixed: HashMap<(&'static str, String), Image>,
}

/// What waits for an owner.
struct ReviewRow {
    fact: String,
    position: i64,
    cause: &'static str,
    closed: Option<i64>,
}

/// The tables that follow from the events, with the columns that make a row's key and the statement that reads them.
pub(crate) const TABLES: [(&str, &str); 7] = [
    ("facts", include_str!("sql/table_facts.sql")),
    ("access", include_str!("sql/table_access.sql")),
    ("revisions", include_str!("sql/table_revisions.sql")),
    ("truths", include_str!("sql/table_truths.sql")),
    ("conflicts", include_str!("sql/table_conflicts.sql")),
    ("reviews", include_str!("sql/table_reviews.sql")),
    ("erasures", include_str!("sql/table_erasures.sql")),
];

impl Expected {
    /// Does in memory what the statement of the row does in the database.
    pub(crate) fn put(&mut self, put: Put) {
        match put {
            Put::Fact(row) => drop(self.facts.insert(row.fact.clone(), row)),
            Put::FactAdvanced { fact, before: _, version, head, slot, scope } => {
                if let Some(row) = self.facts.get_mut(&fact) {
                    advance(row, version, head, slot, scope);
                }
            }
            Put::Access { token, fact } => self.fix("access", format!("{token}/{fact}"), &[]),
            Put::AccessGone { token, fact } => {
                self.fixed.remove(&("access", format!("{token}/{fact}")));
            }
            Put::Revision(row) => drop(self.revisions.insert((row.fact.clone(), row.revision), row)),
            Put::RevisionTurned { fact, revision, state, turned_at, ended_at } => {
                if let Some(row) = self.revisions.get_mut(&(fact, revision)) {
                    *row = RevisionRow { state, turned_at, ended_at, ..row.clone() };
                }
            }
            Put::RevisionUnsaid { fact, revision } => {
                if let Some(row) = self.revisions.get_mut(&(fact, revision)) {
                    (row.statement, row.says) = (None, None);
                }
            }
            Put::RevisionSettled { fact, revision, settled_at } => {
                let row = self.revisions.get_mut(&(fact, revision)).into_iter();
                row.for_each(|row| row.settled_at = row.settled_at.or(Some(settled_at)));
            }
            Put::RevisionLost { fact, revision, from } => {
                let row = self.revisions.get_mut(&(fact, revision)).into_iter();
                let lost = row.filter(|row| row.valid_from >= from);
                lost.for_each(|row| row.settled_at = row.settled_at.map(|at| -at));
            }
            Put::RevisionUnsettled { fact, revision, since } => {
                let row = self.revisions.get_mut(&(fact, revision)).into_iter();
                row.for_each(|row| row.settled_at = row.settled_at.map(i64::abs).filter(|at| *at <= since));
            }
            Put::Truth { fact, recorded_at, position, truth } => {
                self.fix("truths", format!("{fact}/{recorded_at}"), &[&position.to_string(), &truth]);
            }
            Put::Conflict(row) => drop(self.conflicts.insert(row.conflict.clone(), row)),
            Put::ConflictClosed { conflict, closed } => {
                if let Some(row) = self.conflicts.get_mut(&conflict) {
                    row.closed = Some(closed);
                }
            }
            Put::Review { review, fact, position, cause } => {
                self.reviews.insert(review, ReviewRow { fact, position, cause, closed: None });
            }
            Put::ReviewClosed { review, closed } => {
                let row = self.reviews.get_mut(&review).into_iter();
                row.for_each(|row| row.closed = row.closed.or(Some(closed)));
            }
            Put::Erasure { position, erased_by } => {
                self.fix("erasures", position.to_string(), &[&erased_by.to_string()]);
            }
        }
    }

    /// Every row by table and key. Consumes what was gathered.
    pub(crate) fn images(self) -> HashMap<(&'static str, String), Image> {
        let Self { facts, revisions, conflicts, reviews, fixed } = self;
        let mut all = fixed;
        all.extend(facts.into_values().map(|row| (("facts", row.fact.clone()), fact_image(&row))));
        all.extend(
            revisions
                .into_values()
                .map(|row| (("revisions", format!("{}/{}", row.fact, row.revision)), revision_image(&row))),
        );
        all.extend(
            conflicts.into_values().map(|row| (("conflicts", row.conflict.clone()), conflict_image(&row))),
        );
        all.extend(reviews.into_iter().map(|(review, row)| (("reviews", review), review_image(&row))));
        all
    }

    fn fix(&mut self, table: &'static str, key: String, columns: &[&str]) {
        self.fixed.insert((table, key), image(columns));
    }
}

fn advance(row: &mut FactRow, version: i64, head: String, slot: SlotMove, scope: Option<String>) {
    row.version = version;
    row.head = head;
    match slot {
        SlotMove::Stays => {}
        SlotMove::Is(slot) => row.slot = Some(slot),
        SlotMove::Free => row.slot = None,
    }
    if let Some(scope) = scope {
        row.scope = scope;
    }
}

/// The image of columns in the order in which the table's statement reads them, the key left out.
pub(crate) fn image(columns: &[&str]) -> Image {
    let mut hash = Sha256::new();
    for column in columns {
        hash.update(column.len().to_be_bytes());
        hash.update(column);
    }
    let mut image = Image::default();
    image.copy_from_slice(&hash.finalize()[..16]);
    image
}

fn fact_image(row: &FactRow) -> Image {
    let FactRow { fact: _, kind, scope, slot, created, version, head } = row;
    let (created, version) = (created.to_string(), version.to_string());
    image(&[kind, scope, slot.as_deref().unwrap_or_default(), &created, &version, head])
}

fn revision_image(row: &RevisionRow) -> Image {
    let RevisionRow {
        fact: _,
        revision: _,
        position,
        recorded_at,
        state,
        turned_at,
        ended_at,
        settled_at,
        valid_from,
        valid_until,
        statement,
        says,
    } = row;
    image(&[
        &position.to_string(),
        &recorded_at.to_string(),
        state.name(),
        &turned_at.to_string(),
        &text(*ended_at),
        &text(*settled_at),
        &valid_from.to_string(),
        &text(*valid_until),
        statement.as_deref().unwrap_or_default(),
        says.as_deref().unwrap_or_default(),
    ])
}

fn conflict_image(row: &ConflictRow) -> Image {
    let ConflictRow { conflict: _, fact, anchor, people, opened, opened_at, version, closed } = row;
    image(&[
        fact,
        anchor,
        people.as_deref().unwrap_or_default(),
        &opened.to_string(),
        &opened_at.to_string(),
        &version.to_string(),
        &text(*closed),
    ])
}

fn review_image(row: &ReviewRow) -> Image {
    let ReviewRow { fact, position, cause, closed } = row;
    image(&[fact, &position.to_string(), cause, &text(*closed)])
}

fn text(number: Option<i64>) -> String {
    number.map_or_else(String::new, |number| number.to_string())
}

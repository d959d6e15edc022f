//! Rows that contradict what the ledger holds.

use std::collections::HashMap;

use fact::{FactId, Timestamp};

use super::audit::{GroupKind, audit};
use super::row::{AuditRow, Known, KnownState};

/// Marks the rows that contradict one of the facts, which come in the form of rows: by the same tests by which rows are
/// found to contradict each other.
pub fn mark_contradicted(rows: &mut [AuditRow], facts: &[AuditRow], now: Timestamp) {
    if facts.is_empty() {
        return;
    }
    let both: Vec<AuditRow> = rows.iter().chain(facts).cloned().collect();
    let mut against: HashMap<FactId, FactId> = HashMap::new();
    let contradictions =
        audit(&both, now).groups.into_iter().filter(|group| group.kind == GroupKind::PossibleContradictions);
    for group in contradictions {
        let fact = group.rows.iter().find(|row| facts.iter().any(|fact| fact.row == row.row));
        if let Some(fact) = fact {
            against.extend(group.rows.iter().map(|row| (row.row, fact.row)));
        }
    }
    for row in rows.iter_mut().filter(|row| row.known.is_none_or(|known| known.state == KnownState::Current))
    {
        if let Some(fact) = against.get(&row.row) {
            row.known = Some(Known { fact: *fact, state: KnownState::Contradicted });
        }
    }
}

//! Memories from before the ledger, among what was recalled.

use truthkeeper::RecalledLegacy;

use crate::recall::{place_of, why};
use crate::show::escape::in_line;

/// A memory from before the ledger, and below it that it may not be true.
pub(super) fn item(place: usize, legacy: &RecalledLegacy, explain: bool) -> String {
    let RecalledLegacy { row, score, fits } = legacy;
    let written = row.legacy.written_at.map_or_else(|| "at an unknown time".to_owned(), |at| at.to_string());
    format!(
        "{}{}\n    {} {}, {}: not current truth, {} {written}{}",
        place_of(place, *score),
        in_line(row.legacy.text.as_str()),
        row.row,
        row.legacy.kind(),
        legacy.label(),
        row.legacy.origin.name(),
        why(fits, explain),
    )
}

//! Memories from before the ledger, among what was recalled.

use serde::Serialize;
use serde_json::{Value, json};
use truthkeeper::{FactId, FactType, Fit, RecalledLegacy};

use crate::recall::{place_of, why};
use crate::show;
use crate::show::escape::in_line;

/// A memory from before the ledger that was recalled.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Older<'a> {
    id: FactId,
    #[serde(rename = "type")]
    kind: FactType,
    scope: &'a truthkeeper::Scope,
    label: &'static str,
    content: Value,
    origin: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    written_at: Option<String>,
    current_truth: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    #[serde(skip_serializing_if = "<[Fit]>::is_empty")]
    fits: &'a [Fit],
}

pub(super) fn older(legacy: &RecalledLegacy, explain: bool) -> Older<'_> {
    let RecalledLegacy { row, score, fits } = legacy;
    Older {
        id: row.row,
        kind: row.legacy.kind(),
        scope: &row.scope,
        label: legacy.label(),
        content: json!({ "text": row.legacy.text }),
        origin: row.legacy.origin.name(),
        written_at: row.legacy.written_at.map(show::json::shown),
        current_truth: false,
        score: *score,
        fits: if explain { fits } else { &[] },
    }
}

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

//! A memory from before the ledger, as programs read it among what was recalled.

use serde::Serialize;
use serde_json::{Value, json};
use truthkeeper::{FactId, FactType, Fit, RecalledLegacy, Scope};

use super::shown;

/// A memory from before the ledger that was recalled.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Older<'a> {
    id: FactId,
    #[serde(rename = "type")]
    kind: FactType,
    scope: &'a Scope,
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

impl<'a> Older<'a> {
    /// What was recalled, with why it fits where `explain` asks for it.
    pub fn of(legacy: &'a RecalledLegacy, explain: bool) -> Self {
        let RecalledLegacy { row, score, fits } = legacy;
        Self {
            id: row.row,
            kind: row.legacy.kind(),
            scope: &row.scope,
            label: legacy.label(),
            content: json!({ "text": row.legacy.text }),
            origin: row.legacy.origin.name(),
            written_at: row.legacy.written_at.map(shown),
            current_truth: false,
            score: *score,
            fits: if explain { fits } else { &[] },
        }
    }
}

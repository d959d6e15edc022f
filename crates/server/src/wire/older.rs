//! A memory from before the ledger, as programs read it among what was recalled.

use serde::Serialize;
use serde_json::{Value, json};
use truthkeeper::{FactId, FactType, Fit, RecalledLegacy, Scope};
use utoipa::ToSchema;

use super::shown;
use crate::described::shapes;

/// A memory from before the ledger that was recalled.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Older<'a> {
    #[schema(value_type = String, format = Uuid)]
    id: FactId,
    #[serde(rename = "type")]
    #[schema(value_type = String)]
    kind: FactType,
    #[schema(value_type = shapes::Scope)]
    scope: &'a Scope,
    label: &'static str,
    content: Value,
    origin: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    written_at: Option<String>,
    current_truth: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    #[serde(skip_serializing_if = "<[Fit]>::is_empty")]
    #[schema(value_type = Vec<Object>)]
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

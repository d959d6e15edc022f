//! What stands around what was recalled, as programs read it.

use std::collections::BTreeMap;

use serde::Serialize;
use truthkeeper::{Degraded, FactId, Recalled, ReceiptId};
use utoipa::ToSchema;

use super::{Conflict, shown};

/// As of when it was recalled, what was not shown and why, and its receipt.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Around<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    known_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    true_at: Option<String>,
    #[schema(value_type = BTreeMap<String, usize>)]
    withheld: BTreeMap<&'static str, usize>,
    conflicts: Vec<Conflict<'a>>,
    conflicts_open: usize,
    not_searchable_yet: usize,
    #[serde(skip_serializing_if = "<[FactId]>::is_empty")]
    #[schema(value_type = Vec<String>)]
    unsearchable: &'a [FactId],
    index_drifted: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    degraded: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Uuid)]
    receipt: Option<ReceiptId>,
}

impl<'a> Around<'a> {
    /// What stands around a recall.
    pub fn of(recalled: &'a Recalled) -> Self {
        Self {
            known_at: recalled.then.map(|then| shown(then.known)),
            true_at: recalled.then.map(|then| shown(then.valid)),
            withheld: recalled.withheld.iter().map(|(reason, count)| (reason.name(), *count)).collect(),
            conflicts: recalled.conflicts.iter().map(Conflict::of).collect(),
            conflicts_open: recalled.conflicts_open,
            not_searchable_yet: recalled.not_searchable_yet,
            unsearchable: &recalled.unsearchable,
            index_drifted: recalled.index_drifted,
            degraded: recalled.degraded.map(Degraded::name),
            warnings: recalled.warnings.iter().map(|warning| warning.name()).collect(),
            receipt: recalled.receipt,
        }
    }
}

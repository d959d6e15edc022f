//! What became of several facts, each by itself, as programs read it.

use crate::described::shapes;
use serde::Serialize;
use truthkeeper::{Each, FactId, Fate, Forgot, MemoryError, Outcome, RequestKey, RevisionNumber};
use utoipa::ToSchema;

/// What became of each fact.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Bulk<'a, E> {
    facts: Vec<One<E>>,
    succeeded: usize,
    not_found: usize,
    awaiting_reconciliation: usize,
    stale: usize,
    failed: usize,
    idempotency_key: &'a str,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct One<E> {
    #[schema(value_type = String, format = Uuid)]
    fact: FactId,
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    receipt: Option<Receipt>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<E>,
}

/// What a fact's own request came to.
#[derive(Debug, Serialize, ToSchema)]
struct Receipt {
    #[serde(flatten)]
    #[schema(value_type = shapes::Outcome)]
    outcome: Outcome,
    #[schema(value_type = u64, minimum = 1, maximum = 4_294_967_295_u32)]
    revision: RevisionNumber,
    replayed: bool,
    searchable: bool,
}

/// What forgetting everything of an owner came to.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ForgotAll {
    forgotten: u64,
    held: u64,
    not_permitted: u64,
    conflicts: u64,
    legacy: u64,
}

impl<'a, E> Bulk<'a, E> {
    /// What each came to; `error` says a refusal in the words of the edge.
    pub fn of(all: &[Each], key: &'a RequestKey, error: impl Fn(&MemoryError) -> E) -> Self {
        let count = |fate| all.iter().filter(|each| each.fate() == fate).count();
        Self {
            facts: all.iter().map(|each| One::of(each, &error)).collect(),
            succeeded: count(Fate::Succeeded),
            not_found: count(Fate::NotFound),
            awaiting_reconciliation: count(Fate::Awaiting),
            stale: count(Fate::Stale),
            failed: count(Fate::Failed),
            idempotency_key: key.as_str(),
        }
    }

    /// Of how many nothing came.
    pub fn failures(&self) -> usize {
        self.facts.len() - self.succeeded
    }
}

impl<E> One<E> {
    fn of(each: &Each, error: impl Fn(&MemoryError) -> E) -> Self {
        let receipt = each.outcome.as_ref().ok().map(|told| Receipt {
            outcome: told.outcome,
            revision: told.revision,
            replayed: told.replayed,
            searchable: told.searchable,
        });
        Self {
            fact: each.fact,
            outcome: fate(each.fate()),
            receipt,
            error: each.outcome.as_ref().err().map(error),
        }
    }
}

impl ForgotAll {
    /// The counts.
    pub fn of(forgot: &Forgot) -> Self {
        let Forgot { forgotten, held, not_permitted, conflicts, legacy, replayed: _ } = *forgot;
        Self { forgotten, held, not_permitted, conflicts, legacy }
    }
}

/// What became of a fact, in a word.
pub fn fate(fate: Fate) -> &'static str {
    match fate {
        Fate::Succeeded => "succeeded",
        Fate::NotFound => "not-found",
        Fate::Awaiting => "awaiting-reconciliation",
        Fate::Stale => "stale",
        Fate::Failed => "failed",
    }
}

//! The searchable copy, as programs read it: what failed, and what drifted. Never content.

use std::collections::BTreeMap;

use serde::Serialize;
use truthkeeper::{
    Checked, Container, CopyCheck, CopyReport, Damage, Drifted, FactId, Failing, Id, Memory, MemoryError,
    Outbox, Retried, Timestamp, Which,
};
use utoipa::ToSchema;

use super::shown;
use crate::plain::counted;

const SECOND_MICROS: i64 = 1_000_000;

/// The copy at a moment. Never content.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CopyStatus {
    /// Facts whose copy is not as they are, with attempts left.
    pub waiting: u64,
    /// Facts that have none left.
    pub failed: u64,
    /// Failed facts that changed again since.
    pub blocked: u64,
    /// When the oldest change was recorded that the copy does not show.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub oldest: Option<String>,
    /// The first that failed.
    pub failing: Vec<Unprojected>,
    /// How the last check ended.
    pub drift: Option<LastCheck>,
    /// Which model says what facts mean.
    pub embeddings: String,
    /// Which model the index is searched by, where it is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub searched_by: Option<String>,
    /// The command to run next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<&'static str>,
}

/// One fact whose copy failed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Unprojected {
    /// Whose it is.
    pub owner: String,
    /// The fact.
    pub fact: String,
    /// The step that failed.
    pub step: &'static str,
    /// Attempts used up.
    pub attempts: u32,
    /// The class of the error.
    pub error: String,
    /// Since when.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub since: Option<String>,
}

/// What the last checks of the owners found, the oldest one's time.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LastCheck {
    /// When.
    #[schema(format = DateTime)]
    pub checked_at: String,
    /// How long ago.
    pub age_seconds: i64,
    /// Changes since.
    pub changes_since: u64,
    /// Facts that must have a row.
    pub facts: u64,
    /// Rows.
    pub rows: u64,
    /// Rows without a meaning.
    pub to_embed: u64,
    /// How many differ, by how.
    pub drift: BTreeMap<&'static str, u64>,
    /// How much is wrong beyond single rows.
    pub damage: u64,
    /// In a line.
    #[serde(skip)]
    pub told: String,
}

/// What trying again came to.
#[derive(Debug, Serialize, ToSchema)]
pub struct Tried {
    retried: u64,
    succeeded: u64,
    failed: u64,
    blocked: u64,
    /// What failed still, of all that was meant.
    pub failing: Vec<Unprojected>,
}

/// What a check found. Ids only.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CopyFound {
    clean: bool,
    facts: u64,
    rows: u64,
    to_embed: u64,
    drift: BTreeMap<&'static str, u64>,
    /// The first that differ, what is missing first.
    drifted: Vec<Different>,
    /// What is wrong beyond single rows, in words.
    damage: Vec<String>,
}

/// One difference.
#[derive(Debug, Serialize, ToSchema)]
struct Different {
    drift: &'static str,
    #[schema(value_type = String, format = Uuid)]
    fact: FactId,
    #[serde(skip_serializing_if = "Option::is_none")]
    row: Option<i64>,
}

impl CopyStatus {
    /// The copy of an owner's facts, or of everybody's in a tenant. `embeddings` says which model there is.
    pub async fn read(
        memory: &Memory,
        tenant: &Id,
        owner: Option<Container>,
        embeddings: String,
    ) -> Result<Self, MemoryError> {
        let mut reports = memory.index_reports(tenant).await?;
        if let Some(owner) = &owner {
            reports.retain(|report| report.owner == owner.to_string());
        }
        let outbox = memory.outbox(&Which { tenant: Some(tenant.clone()), owner, fact: None }).await?;
        let now = memory.now(tenant).await?;
        let drift = CopyCheck::of(&reports).map(|check| LastCheck::of(check, now));
        Ok(Self::of(&outbox, drift, embeddings, memory.outdated_model().await))
    }

    fn of(
        outbox: &Outbox,
        drift: Option<LastCheck>,
        embeddings: String,
        searched_by: Option<String>,
    ) -> Self {
        let Outbox { waiting, failed, blocked, oldest, failing } = outbox;
        let mut status = Self {
            waiting: *waiting,
            failed: *failed,
            blocked: *blocked,
            oldest: oldest.map(shown),
            failing: failing.iter().map(Unprojected::of).collect(),
            drift,
            embeddings,
            searched_by,
            next: None,
        };
        status.next = status.next();
        status
    }

    /// Whether the copy is known to be equal to the truth.
    pub fn is_whole(&self) -> bool {
        self.next().is_none()
    }

    /// The command to run next.
    fn next(&self) -> Option<&'static str> {
        match &self.drift {
            _ if self.failed > 0 => Some("memory projections retry"),
            _ if self.searched_by.is_some() => Some("memory projections rebuild"),
            Some(last) if !last.drift.is_empty() || last.damage > 0 => Some("memory projections repair"),
            Some(last) if last.changes_since > 0 => Some("memory projections check"),
            None => Some("memory projections check"),
            Some(_) => None,
        }
    }
}

impl Unprojected {
    /// What failed.
    pub fn of(failing: &Failing) -> Self {
        Self {
            owner: failing.scope.anchor().to_string(),
            fact: failing.fact.to_string(),
            step: step(&failing.error),
            attempts: failing.attempts,
            error: failing.error.clone(),
            since: failing.since.map(shown),
        }
    }
}

/// The step that an error class belongs to.
fn step(error: &str) -> &'static str {
    match error.split('-').next() {
        Some("ledger") => "plan",
        Some("embedder") => "embed",
        Some("index") => "write",
        _ => "unknown",
    }
}

impl LastCheck {
    fn of(check: CopyCheck, now: Timestamp) -> Self {
        let told = check.told(now);
        let CopyCheck { at, changes, total } = check;
        let CopyReport { facts, rows, to_embed, drift, damage, drifted: _ } = total;
        Self {
            checked_at: shown(at),
            age_seconds: (now.micros() - at.micros()) / SECOND_MICROS,
            changes_since: changes,
            facts,
            rows,
            to_embed,
            drift: drift.into_iter().map(|(kind, count)| (kind.name(), count)).collect(),
            damage,
            told,
        }
    }
}

impl Tried {
    /// What it came to, and what is left of it.
    pub fn of(retried: &Retried, left: &Outbox) -> Self {
        let Retried { retried, succeeded, failed, blocked } = *retried;
        let failing = left.failing.iter().map(Unprojected::of).collect();
        Self { retried, succeeded, failed, blocked, failing }
    }
}

impl CopyFound {
    /// What a check found.
    pub fn of(checked: &Checked) -> Self {
        let CopyReport { facts, rows, to_embed, drift, drifted, damage: _ } = &checked.total;
        let different = |one: &Drifted| Different { drift: one.drift.name(), fact: one.fact, row: one.row };
        Self {
            clean: checked.is_clean(),
            facts: *facts,
            rows: *rows,
            to_embed: *to_embed,
            drift: drift.iter().map(|(kind, count)| (kind.name(), *count)).collect(),
            drifted: drifted.iter().map(different).collect(),
            damage: checked.damage.iter().map(damage).collect(),
        }
    }
}

/// What is wrong with the copy beyond single rows, in words.
pub fn damage(damage: &Damage) -> String {
    match damage {
        Damage::Words => "the engine says that its words are damaged".to_owned(),
        Damage::Counts(count) => format!("{} with a wrong count of rows", counted(*count, "scope")),
        Damage::Strays(count) => format!("{} without a row", counted(*count, "text")),
    }
}

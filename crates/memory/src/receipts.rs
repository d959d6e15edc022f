//! Receipts of recalls: what was asked, by which settings, and what was shown to whom.

use fact::{
    Actor, BadInput, FactId, FactType, Position, Reader, ReceiptId, RevisionNumber, Sight, Text, Timestamp,
    canonical, limits,
};
use ledger::{Kept, StoreError};
use recall::{Degraded, Fit, Fusion, NearMiss, Recalled, SourceWeights, Warning};
use serde::{Deserialize, Serialize};

use crate::{Caller, Memory, MemoryError, Mode, Recall, Times, fresh};

/// What was asked of a memory: one recall, or one intent of a turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Question {
    /// As what was seen.
    pub reader: Reader,
    /// The kinds of facts; any when none is named.
    pub types: Vec<FactType>,
    /// How it was looked for.
    pub mode: Mode,
    /// At most that many facts.
    pub limit: usize,
    /// How the orders were made into one.
    pub fusion: Fusion,
    /// What fits less well by meaning alone was left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub floor: Option<f64>,
    /// How much each fact counted by who said it.
    #[serde(default, skip_serializing_if = "SourceWeights::are_even")]
    pub sources: SourceWeights,
    /// As of which times.
    pub times: Times,
}

/// A fact that was shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shown {
    /// The fact.
    pub fact: FactId,
    /// The revision.
    pub revision: RevisionNumber,
    /// How well it fits; none in a list.
    pub score: Option<f64>,
    /// What the score comes from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fits: Vec<Fit>,
}

/// What one recall gave, by ids, numbers and names: enough to say why, and to ask again.
#[derive(Debug, Clone, PartialEq)]
pub struct RecallReceipt {
    /// The receipt.
    pub receipt: ReceiptId,
    /// When the recall was made.
    pub recalled_at: Timestamp,
    /// Until when the receipt is kept.
    pub expires_at: Timestamp,
    /// What was asked; none once it is forgotten, or where only a list was.
    pub query: Option<Text>,
    /// The rest.
    pub given: Given,
}

/// What was asked and given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Given {
    /// Who asked.
    pub by: Actor,
    /// The last event that the ledger had then.
    pub position: Position,
    /// When that was recorded: what was known.
    pub known: Timestamp,
    /// What was asked.
    pub questions: Vec<Question>,
    /// The model by which meanings were compared.
    pub model: Option<String>,
    /// The state of the copy that was searched: the same number, and the same is found.
    #[serde(default)]
    pub generation: Option<i64>,
    /// What was shown, best first.
    pub shown: Vec<Shown>,
    /// The memories from before the ledger that were shown, best first. They are not asked for again: no event says what
    /// they were then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub legacy: Vec<Shown>,
    /// What was found and not shown, with why.
    pub near: Vec<NearMiss>,
    /// Why it looked less far than it was asked to.
    pub degraded: Option<Degraded>,
    /// Facts of the reader of which the search index did not show what they say.
    pub not_searchable_yet: usize,
    /// What the run did not have.
    pub warnings: Vec<Warning>,
}

/// A recall as it was asked.
pub(crate) struct Asked<'a> {
    /// The query.
    pub(crate) query: Option<&'a str>,
    /// What was asked.
    pub(crate) questions: Vec<Question>,
    /// The last event that was there before the search.
    pub(crate) last: Option<(Position, Timestamp)>,
    /// When.
    pub(crate) now: Timestamp,
}

impl Question {
    pub(crate) fn of(reader: &Reader, recall: &Recall) -> Self {
        Self {
            reader: reader.clone(),
            types: recall.kinds.clone(),
            mode: recall.mode,
            limit: recall.facts_max(),
            fusion: recall.fusion,
            floor: recall.floor,
            sources: recall.sources,
            times: recall.times,
        }
    }
}

impl Memory {
    /// A receipt of one of the caller's own recalls; of anybody's, for the tenant's admin and its operators.
    pub async fn receipt(&self, caller: &Caller, receipt: ReceiptId) -> Result<RecallReceipt, MemoryError> {
        let now = self.now(caller.tenant()).await?;
        self.audit(caller, "receipt", None, now).await;
        let kept = self.ledger.receipt(caller.tenant(), receipt, now).await?;
        let own = whose(caller);
        let kept = kept.filter(|kept| sees_all(&caller.reader) || kept.reader == own);
        kept.ok_or(MemoryError::NoSuchReceipt).and_then(|kept| Ok(opened(kept)?))
    }

    /// Receipts of the caller's own recalls, or of everybody's for the tenant's admin and its operators, newest first,
    /// from below `before` on: at most 100.
    pub async fn receipts(
        &self,
        caller: &Caller,
        before: Option<ReceiptId>,
        limit: usize,
    ) -> Result<Vec<RecallReceipt>, MemoryError> {
        let most = limits::PAGE_ITEMS_MAX;
        let limit = u32::try_from(limit).ok().filter(|_| (1..=most).contains(&limit));
        let limit = limit.ok_or_else(|| BadInput::new("limit", format!("must be from 1 to {most}")))?;
        let now = self.now(caller.tenant()).await?;
        self.audit(caller, "receipts", None, now).await;
        let own = (!sees_all(&caller.reader)).then(|| whose(caller));
        let kept = self.ledger.receipts(caller.tenant(), own.as_deref(), before, now, limit).await?;
        Ok(kept.into_iter().map(opened).collect::<Result<_, _>>()?)
    }

    /// Forgets what was asked in a recall of the caller's; what was shown stays known.
    pub async fn forget_query(&self, caller: &Caller, receipt: ReceiptId) -> Result<(), MemoryError> {
        self.receipt(caller, receipt).await?;
        Ok(self.ledger.forget_query(caller.tenant().clone(), receipt).await?)
    }

    /// Keeps a receipt of a recall, where receipts are kept. The recall stands when that fails.
    pub(crate) async fn keep_receipt(
        &self,
        caller: &Caller,
        asked: Asked<'_>,
        mut recalled: Recalled,
    ) -> Result<Recalled, MemoryError> {
        let Some(days) = self.receipt_days else { return Ok(recalled) };
        let Asked { query, questions, last, now } = asked;
        let (position, known) = last.unwrap_or((Position::START, now));
        let given = Given {
            by: caller.actor.clone(),
            position,
            known,
            questions,
            model: recalled.model.clone(),
            generation: recalled.generation,
            shown: shown(&recalled),
            legacy: shown_legacy(&recalled),
            near: recalled.near.clone(),
            degraded: recalled.degraded,
            not_searchable_yet: recalled.not_searchable_yet,
            warnings: recalled.warnings.clone(),
        };
        let kept = Kept {
            receipt: fresh::receipt(),
            recalled_at: now,
            expires_at: now.plus_days(days),
            reader: whose(caller),
            // One that holds a secret is not kept, nor a part of it: what it would find is not what was found.
            query: query
                .filter(|query| self.screen.cleaned(query).is_none())
                .map(|query| Text::stored(query.to_owned())),
            body: canonical(&given),
        };
        let receipt = kept.receipt;
        match self.ledger.keep_receipt(caller.tenant().clone(), kept).await {
            Ok(()) => recalled.receipt = Some(receipt),
            Err(error) => tracing::warn!(%error, "the receipt of a recall could not be kept"),
        }
        Ok(recalled)
    }
}

/// The facts of a recall, by ids.
pub(crate) fn shown(recalled: &Recalled) -> Vec<Shown> {
    let shown = recalled.facts.iter().map(|fact| Shown {
        fact: fact.case.head.fact,
        revision: fact.revision.number,
        score: fact.score,
        fits: fact.fits.clone(),
    });
    shown.collect()
}

fn shown_legacy(recalled: &Recalled) -> Vec<Shown> {
    let shown = recalled.legacy.iter().map(|legacy| Shown {
        fact: legacy.row.row,
        revision: RevisionNumber::FIRST,
        score: legacy.score,
        fits: legacy.fits.clone(),
    });
    shown.collect()
}

/// Whose receipts they are: of who acts, as what they see.
fn whose(caller: &Caller) -> String {
    canonical(&(&caller.actor, &caller.reader))
}

fn sees_all(reader: &Reader) -> bool {
    match reader.sight {
        Sight::Admin | Sight::Operator => true,
        Sight::Within(_) | Sight::InRun(..) => false,
    }
}

fn opened(kept: Kept) -> Result<RecallReceipt, StoreError> {
    let Kept { receipt, recalled_at, expires_at, reader: _, query, body } = kept;
    let given = serde_json::from_str(&body).map_err(|_| StoreError::Damaged {
        table: "receipts",
        row: receipt.to_string(),
        problem: "it cannot be read".to_owned(),
    })?;
    Ok(RecallReceipt { receipt, recalled_at, expires_at, query, given })
}

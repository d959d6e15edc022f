//! A receipt of a recall, as programs read it.

use crate::described::shapes;
use serde::Serialize;
use truthkeeper::{
    Actor, FactId, Fit, Given, Miss, NearMiss, Position, Question, RecallReceipt, ReceiptId, RevisionNumber,
    Shown, Text, Warning,
};
use utoipa::ToSchema;

/// A receipt as programs read it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Recalling<'a> {
    #[schema(value_type = String, format = Uuid)]
    receipt: ReceiptId,
    #[schema(format = DateTime)]
    recalled_at: String,
    #[schema(format = DateTime)]
    expires_at: String,
    #[schema(value_type = Option<String>)]
    query: Option<&'a Text>,
    #[schema(value_type = shapes::Actor)]
    by: &'a Actor,
    #[schema(value_type = u64)]
    position: Position,
    #[schema(value_type = Vec<Object>)]
    questions: &'a [Question],
    model: Option<&'a str>,
    generation: Option<i64>,
    shown: Vec<Ranked<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    legacy: Vec<Ranked<'a>>,
    near: Vec<Missed>,
    not_searchable_yet: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    degraded: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<&'static str>,
}

/// A fact that was shown, with its rank.
#[derive(Debug, Serialize, ToSchema)]
pub struct Ranked<'a> {
    rank: usize,
    #[schema(value_type = String, format = Uuid)]
    fact: FactId,
    #[schema(value_type = u64, minimum = 1, maximum = 4_294_967_295_u32)]
    revision: RevisionNumber,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    #[serde(skip_serializing_if = "<[Fit]>::is_empty")]
    #[schema(value_type = Vec<Object>)]
    fits: &'a [Fit],
}

/// Something that was found and not shown.
#[derive(Debug, Serialize, ToSchema)]
pub struct Missed {
    #[schema(value_type = String, format = Uuid)]
    fact: FactId,
    #[schema(value_type = u64, minimum = 1, maximum = 4_294_967_295_u32)]
    revision: RevisionNumber,
    score: f64,
    why: &'static str,
}

impl<'a> Recalling<'a> {
    /// What a receipt says.
    pub fn of(receipt: &'a RecallReceipt) -> Self {
        let Given {
            by,
            position,
            known: _,
            questions,
            model,
            generation,
            shown,
            legacy,
            near,
            degraded,
            not_searchable_yet,
            warnings,
        } = &receipt.given;
        Self {
            receipt: receipt.receipt,
            recalled_at: super::shown(receipt.recalled_at),
            expires_at: super::shown(receipt.expires_at),
            query: receipt.query.as_ref(),
            by,
            position: *position,
            questions,
            model: model.as_deref(),
            generation: *generation,
            shown: (1..).zip(shown).map(|(rank, shown)| Ranked::of(rank, shown)).collect(),
            legacy: (1..).zip(legacy).map(|(rank, shown)| Ranked::of(rank, shown)).collect(),
            near: near.iter().map(Missed::of).collect(),
            not_searchable_yet: *not_searchable_yet,
            degraded: degraded.map(truthkeeper::Degraded::name),
            warnings: warnings.iter().copied().map(Warning::name).collect(),
        }
    }
}

impl<'a> Ranked<'a> {
    /// What was shown at that rank.
    pub fn of(rank: usize, shown: &'a Shown) -> Self {
        Self { rank, fact: shown.fact, revision: shown.revision, score: shown.score, fits: &shown.fits }
    }
}

impl Missed {
    /// What was found and not shown.
    pub fn of(near: &NearMiss) -> Self {
        let NearMiss { fact, revision, score, why } = *near;
        Self { fact, revision, score, why: why_not(why) }
    }
}

/// Why something that was found is not shown, in a word.
fn why_not(miss: Miss) -> &'static str {
    match miss {
        Miss::Withheld(reason) => reason.name(),
        Miss::TooLate => "others-fit-better",
        Miss::BelowFloor => "below-floor",
    }
}

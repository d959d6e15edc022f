//! `receipts explain`.

use serde::Serialize;
use truthkeeper::{
    Actor, FactId, Fit, Given, NearMiss, Position, Question, RecallReceipt, ReceiptId, RevisionNumber, Shown,
    Text, Warning,
};

use crate::args::Global;
use crate::error::CliError;
use crate::session::Session;
use crate::show;
use crate::show::escape::in_line;
use crate::show::json;

/// A receipt as programs read it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Told<'a> {
    receipt: ReceiptId,
    recalled_at: String,
    expires_at: String,
    query: Option<&'a Text>,
    by: &'a Actor,
    position: Position,
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
#[derive(Debug, Serialize)]
pub(super) struct Ranked<'a> {
    rank: usize,
    fact: FactId,
    revision: RevisionNumber,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    #[serde(skip_serializing_if = "<[Fit]>::is_empty")]
    fits: &'a [Fit],
}

/// Something that was found and not shown.
#[derive(Debug, Serialize)]
pub(crate) struct Missed {
    fact: FactId,
    revision: RevisionNumber,
    score: f64,
    why: &'static str,
}

impl<'a> Told<'a> {
    pub(crate) fn of(receipt: &'a RecallReceipt) -> Self {
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
            recalled_at: json::shown(receipt.recalled_at),
            expires_at: json::shown(receipt.expires_at),
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
    pub(super) fn of(rank: usize, shown: &'a Shown) -> Self {
        Self { rank, fact: shown.fact, revision: shown.revision, score: shown.score, fits: &shown.fits }
    }
}

impl Missed {
    pub(crate) fn of(near: &NearMiss) -> Self {
        let NearMiss { fact, revision, score, why } = *near;
        Self { fact, revision, score, why: show::fit::why_not(why) }
    }
}

pub(super) async fn run(global: &Global, receipt: ReceiptId) -> Result<(), CliError> {
    let session = Session::open(global).await?;
    let receipt = session.memory.receipt(&session.caller, receipt).await?;
    session.answer(&Told::of(&receipt), || text(&receipt))
}

fn text(receipt: &RecallReceipt) -> String {
    let given = &receipt.given;
    let query = receipt.query.as_ref().map_or("(forgotten, or none)", |query| query.as_str());
    let mut lines = vec![
        format!("asked     {}", in_line(query)),
        format!("by        {}", in_line(&show::fact::actor(&given.by))),
        format!("recalled  {}, at position {}", json::shown(receipt.recalled_at), given.position),
    ];
    lines.extend(given.questions.iter().map(asked));
    lines.extend(given.model.as_ref().map(|model| format!("model     {}", in_line(model))));
    lines.extend(given.generation.map(|number| format!("copy      as of its write {number}")));
    lines.extend(given.degraded.map(|why| format!("degraded  {}", why.name())));
    lines.extend(given.warnings.iter().map(|warning| format!("warning   {}", warning.name())));
    if given.not_searchable_yet > 0 {
        lines.push(format!("behind    {} changes were not searchable yet", given.not_searchable_yet));
    }
    lines.push(String::new());
    lines.extend((1..).zip(&given.shown).map(|(rank, shown)| ranked(rank, shown)));
    lines.extend((1..).zip(&given.legacy).map(|(rank, shown)| older(rank, shown)));
    if given.shown.is_empty() && given.legacy.is_empty() {
        lines.push("nothing was shown".to_owned());
    }
    lines.extend(given.near.iter().map(show::fit::missed));
    lines.join("\n")
}

fn asked(question: &Question) -> String {
    let types: Vec<&str> = question.types.iter().map(|kind| kind.as_str()).collect();
    let types = if types.is_empty() { "any type".to_owned() } else { types.join(", ") };
    let times = [("known at", question.times.as_of), ("true at", question.times.valid_at)];
    let times = times.into_iter().filter_map(|(name, time)| time.map(|time| format!(", {name} {time}")));
    let times: String = times.collect();
    format!("looked    {}, {types}, at most {}{times}", question.mode.name(), question.limit)
}

/// A memory from before the ledger.
fn older(rank: usize, shown: &Shown) -> String {
    let score = shown.score.map_or_else(String::new, |score| format!("{score:.4}  "));
    format!("{:<3} {score}{}: from before the ledger, not current truth", format!("{rank}."), shown.fact)
}

fn ranked(rank: usize, shown: &Shown) -> String {
    let how = match shown.score {
        Some(score) => format!("{score:.4}  {} version {}: it fits", shown.fact, shown.revision),
        None => format!("{} version {}: it is among the newest", shown.fact, shown.revision),
    };
    let why = match shown.fits.as_slice() {
        [] => String::new(),
        fits => format!("\n    {}", show::fit::fits(fits)),
    };
    format!("{:<3} {how}{why}", format!("{rank}."))
}

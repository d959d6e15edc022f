//! `receipts explain`.

use server::wire::Recalling;
use truthkeeper::{Question, RecallReceipt, ReceiptId, Shown};

use crate::args::Global;
use crate::error::CliError;
use crate::session::Session;
use crate::show;
use crate::show::escape::in_line;
use crate::show::json;

pub(super) async fn run(global: &Global, receipt: ReceiptId) -> Result<(), CliError> {
    let session = Session::open(global).await?;
    let receipt = session.memory.receipt(&session.caller, receipt).await?;
    session.answer(&Recalling::of(&receipt), || text(&receipt))
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

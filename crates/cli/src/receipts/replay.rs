//! `receipts replay`.

use serde::Serialize;
use truthkeeper::{ReceiptId, Shown};

use super::explain::Ranked;
use crate::args::Global;
use crate::error::CliError;
use crate::session::Session;
use crate::show::counted;

#[derive(Debug, Serialize)]
struct Told<'a> {
    receipt: ReceiptId,
    same: bool,
    then: Vec<Ranked<'a>>,
    again: Vec<Ranked<'a>>,
    model: Option<&'a str>,
}

pub(super) async fn run(global: &Global, receipt: ReceiptId) -> Result<(), CliError> {
    let session = Session::open(global).await?;
    let replay = session.memory.replay(&session.caller, receipt).await?;
    let told = Told {
        receipt,
        same: replay.is_same(),
        then: ranked(&replay.then),
        again: ranked(&replay.again),
        model: replay.model.as_deref(),
    };
    session.answer(&told, || match told.same {
        true => format!(
            "the same: {} in the same order",
            counted(u64::try_from(replay.then.len()).unwrap_or(u64::MAX), "fact")
        ),
        false => format!("another answer\nthen:\n{}\nagain:\n{}", lines(&replay.then), lines(&replay.again)),
    })?;
    if told.same { Ok(()) } else { Err(CliError::OtherAnswer) }
}

fn ranked(shown: &[Shown]) -> Vec<Ranked<'_>> {
    (1..).zip(shown).map(|(rank, shown)| Ranked::of(rank, shown)).collect()
}

fn lines(shown: &[Shown]) -> String {
    let line =
        |(rank, shown): (usize, &Shown)| format!("  {rank}. {} version {}", shown.fact, shown.revision);
    let lines: Vec<String> = (1..).zip(shown).map(line).collect();
    if lines.is_empty() { "  nothing".to_owned() } else { lines.join("\n") }
}

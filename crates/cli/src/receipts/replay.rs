//! `receipts replay`.

use serde::Serialize;
use server::wire::Ranked;
use truthkeeper::{ReceiptId, Shown};

use crate::args::Global;
use crate::error::CliError;
use crate::out;
use crate::session::Session;
use crate::show::counted;

#[derive(Debug, Serialize)]
struct Told<'a> {
    receipt: ReceiptId,
    same: bool,
    then: Vec<Ranked<'a>>,
    again: Vec<Ranked<'a>>,
    model: Option<&'a str>,
    /// Memories from before the ledger that were shown then, and are not asked for again.
    #[serde(skip_serializing_if = "is_zero")]
    legacy: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_zero(count: &usize) -> bool {
    *count == 0
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
        legacy: replay.legacy,
    };
    if replay.legacy > 0 && !session.json {
        let rows = counted(replay.legacy, "row");
        out::note(&format!(
            "{rows} from before the ledger was shown too, which no event tells of: not asked for again"
        ));
    }
    session.answer(&told, || match told.same {
        true => format!("the same: {} in the same order", counted(replay.then.len(), "fact")),
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

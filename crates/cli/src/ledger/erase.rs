//! `ledger erase`.

use serde::Serialize;
use truthkeeper::{Erased, FactId, Position, RevisionNumber};

use crate::args::Global;
use crate::error::CliError;
use crate::facts;
use crate::ledger::Confirmed;
use crate::session::Session;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The fact.
    fact: String,
    /// Only what this version says, and those that repeat it.
    #[arg(long, value_name = "N")]
    revision: Option<u32>,
    #[command(flatten)]
    confirmed: Confirmed,
}

/// What an erasure came to.
#[derive(Debug, Serialize)]
struct Gone {
    fact: FactId,
    erased: Vec<RevisionNumber>,
    position: Position,
    /// Facts that were merged into it, which are not erased with it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    merged: Vec<FactId>,
}

pub(crate) async fn run(global: &Global, args: &Args) -> Result<(), CliError> {
    let fact = facts::fact(&args.fact)?;
    let number = args.revision.map(|number| facts::revision("revision", number)).transpose()?;
    let session = Session::open(global).await?;
    if fact.is_legacy() {
        return of_old(&session, fact, args).await;
    }
    let newest = session.memory.revisions(&session.caller, fact, None, 1).await?;
    if let Some(number) = number {
        session.memory.revision(&session.caller, fact, number).await?;
    }
    args.confirmed.check(|| {
        let count = newest.first().map_or(0, |newest| newest.revision.number.get());
        let what = number.map_or(format!("all {count} versions"), |number| format!("version {number}"));
        format!("erase for ever the words of {what} of fact {fact}")
    })?;
    let Erased { revisions, position } = session.memory.erase(&session.caller, None, fact, number).await?;
    // Facts of their own, which say the same in their own words.
    let merged = newest.first().map_or_else(Vec::new, |newest| newest.revision.merged.clone());
    let gone = Gone { fact, erased: revisions, position, merged };
    session.answer(&gone, || {
        let numbers: Vec<String> = gone.erased.iter().map(ToString::to_string).collect();
        let merged = gone.merged.iter().map(|fact| {
            format!("\nmerged into it and not erased: {fact} (`memory ledger erase {fact} --yes` erases it)")
        });
        let merged: String = merged.collect();
        format!("erased {fact} version {} (event {position}){merged}", numbers.join(", "))
    })
}

/// A memory from before the ledger has one version and no history.
async fn of_old(session: &Session, row: FactId, args: &Args) -> Result<(), CliError> {
    session.memory.legacy_row(&session.caller, row).await?;
    args.confirmed
        .check(|| format!("erase for ever {row}, from before the ledger; no import brings it back"))?;
    let Erased { revisions, position } = session.memory.erase(&session.caller, None, row, None).await?;
    let gone = Gone { fact: row, erased: revisions, position, merged: Vec::new() };
    session.answer(&gone, || format!("erased {row}, from before the ledger"))
}

//! `memory receipts`: what recalls gave to whom, and why.

mod explain;
mod replay;

use clap::Subcommand;
use serde::Serialize;
use server::wire::Recalling;
use truthkeeper::{RecallReceipt, ReceiptId, limits};

use crate::args::Global;
use crate::error::CliError;
use crate::out;
use crate::session::Session;
use crate::show::json::shown;
use crate::show::table::{brief, table};
use crate::show::{self};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List what was recalled, newest first.
    List(Args),
    /// Say why each fact was shown, and why what was found besides was not.
    Explain(Named),
    /// Ask again as of then, and say whether the answer is the same.
    Replay(Named),
    /// Forget what was asked; what was shown stays known.
    Forget(Named),
}

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// At most that many, up to 100.
    #[arg(long, value_name = "N", default_value_t = limits::PAGE_ITEMS_DEFAULT)]
    limit: usize,
    /// Only those before this one.
    #[arg(long, value_name = "RECEIPT")]
    before: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Named {
    /// The receipt, as a recall gave it.
    receipt: String,
}

#[derive(Debug, Serialize)]
struct Listed<'a> {
    receipts: Vec<Recalling<'a>>,
}

#[derive(Debug, Serialize)]
struct Forgotten {
    receipt: ReceiptId,
    query: Option<()>,
}

/// Does what the verb says.
pub(crate) async fn run(global: &Global, command: Command) -> Result<(), CliError> {
    match command {
        Command::List(args) => list(global, &args).await,
        Command::Explain(named) => explain::run(global, ReceiptId::parse(&named.receipt)?).await,
        Command::Replay(named) => replay::run(global, ReceiptId::parse(&named.receipt)?).await,
        Command::Forget(named) => forget(global, ReceiptId::parse(&named.receipt)?).await,
    }
}

async fn list(global: &Global, args: &Args) -> Result<(), CliError> {
    let before = args.before.as_deref().map(ReceiptId::parse).transpose()?;
    let session = Session::open(global).await?;
    let receipts = session.memory.receipts(&session.caller, before, args.limit).await?;
    if receipts.is_empty() && !session.json {
        out::note("nothing was recalled");
        return Ok(());
    }
    let listed = Listed { receipts: receipts.iter().map(Recalling::of).collect() };
    session.answer(&listed, || {
        let headings = ["receipt", "recalled", "by", "facts", "query"];
        table(&headings, receipts.iter().map(row))
    })?;
    if receipts.len() == args.limit {
        let last = receipts.last().map_or_else(String::new, |receipt| receipt.receipt.to_string());
        out::note(&format!("there may be more: --before {last}"));
    }
    Ok(())
}

async fn forget(global: &Global, receipt: ReceiptId) -> Result<(), CliError> {
    let session = Session::open(global).await?;
    session.memory.forget_query(&session.caller, receipt).await?;
    session.answer(&Forgotten { receipt, query: None }, || format!("forgot what {receipt} asked"))
}

fn row(receipt: &RecallReceipt) -> Vec<String> {
    let query = receipt.query.as_ref().map_or("-", |query| query.as_str());
    vec![
        receipt.receipt.to_string(),
        shown(receipt.recalled_at),
        show::fact::actor(&receipt.given.by),
        receipt.given.shown.len().to_string(),
        brief(query),
    ]
}

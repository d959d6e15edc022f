//! `projections status`.

use std::io::{IsTerminal as _, stdout};
use std::time::Duration;

use server::wire::{CopyStatus, Unprojected};

use super::Owned;
use crate::args::Global;
use crate::embedder::Choice;
use crate::error::CliError;
use crate::out;
use crate::session::Session;

/// How often `--watch` looks.
const WATCH: Duration = Duration::from_secs(2);

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    owned: Owned,
    /// Exit with 1 unless the copy is known to be equal to the truth.
    #[arg(long)]
    check: bool,
    /// Look again every two seconds, until it is interrupted.
    #[arg(long, conflicts_with = "check")]
    watch: bool,
}

pub(crate) async fn run(global: &Global, args: &Args) -> Result<(), CliError> {
    let session = Session::open(global).await?;
    let embeddings = Choice::made(&global.config)?.shown(&global.config);
    loop {
        let status = look(&session, args, embeddings.clone()).await?;
        if args.watch && stdout().is_terminal() && !session.json {
            out::clear()?;
        }
        session.answer(&status, || text(&status))?;
        if args.check && !status.is_whole() {
            return Err(CliError::Incomplete);
        }
        if !args.watch {
            return Ok(());
        }
        tokio::time::sleep(WATCH).await;
    }
}

async fn look(session: &Session, args: &Args, embeddings: String) -> Result<CopyStatus, CliError> {
    let tenant = session.caller.tenant();
    let owner = args.owned.owner(session).await?;
    Ok(CopyStatus::read(&session.memory, tenant, owner, embeddings).await?)
}

fn text(status: &CopyStatus) -> String {
    let CopyStatus { waiting, failed, blocked, oldest, failing, drift, embeddings, searched_by, next } =
        status;
    let since = oldest.as_ref().map_or_else(String::new, |oldest| format!(", the oldest since {oldest}"));
    let mut lines = vec![format!("operations: {waiting} waiting, {failed} failed, {blocked} blocked{since}")];
    lines.extend(failing.iter().map(line));
    lines.push(match drift {
        None => "drift: not checked".to_owned(),
        Some(last) => format!("drift: {}", last.told),
    });
    lines.push(format!("embeddings: {embeddings}"));
    let until = |model| format!("searched by: {model}, until a rebuild has embedded every fact anew");
    lines.extend(searched_by.as_ref().map(until));
    lines.extend(next.map(|next| format!("next: {next}")));
    lines.join("\n")
}

pub(super) fn line(one: &Unprojected) -> String {
    let Unprojected { owner, fact, step, attempts, error, since } = one;
    let since = since.as_ref().map_or_else(String::new, |since| format!(" since {since}"));
    format!("failed: {owner} {fact} at {step}: {error} after {attempts} attempts{since}")
}

//! `memory projections`: the searchable copy, what waits for it, what failed, and whether it agrees with the ledger.

mod check;
mod status;

use clap::Subcommand;
use server::wire::Tried;
use truthkeeper::{Container, FactId, Retried, Scope, Which};

use crate::args::Global;
use crate::error::CliError;
use crate::session::Session;
use crate::show::counted;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show what waits for the search index, what failed, and how the last check ended.
    Status(status::Args),
    /// Try what failed once more: one fact, an owner's, or all.
    Retry(Retry),
    /// Compare the search index with the ledger, row by row.
    Check(Owned),
    /// Make again what drifted.
    Repair(Owned),
    /// Make every row anew from the ledger, while recall goes on; also where the index cannot be read at all.
    Rebuild,
}

/// Whose rows.
#[derive(Debug, clap::Args)]
pub(crate) struct Owned {
    /// Only what is this owner's, such as user:ann or project:P/participant:X.
    #[arg(long, visible_alias = "principal", value_name = "SCOPE")]
    owner: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Retry {
    /// Only this fact.
    #[arg(value_name = "FACT")]
    fact: Option<String>,
    #[command(flatten)]
    owned: Owned,
}

/// Does what the verb says. All of it works while a service runs on the same store.
pub(crate) async fn run(global: &Global, command: Command) -> Result<(), CliError> {
    if global.scope.is_some() {
        return Err(CliError::OperatorOnly);
    }
    match command {
        Command::Status(args) => status::run(global, &args).await,
        Command::Retry(args) => retry(global, &args).await,
        Command::Check(args) => check::check(global, &args).await,
        Command::Repair(args) => check::repair(global, &args).await,
        Command::Rebuild => check::rebuild(global).await,
    }
}

impl Owned {
    /// The owner, who must have facts.
    async fn owner(&self, session: &Session) -> Result<Option<Container>, CliError> {
        let Some(path) = &self.owner else { return Ok(None) };
        let tenant = session.caller.tenant();
        let owner = Scope::parse_path("owner", tenant, path)?.anchor();
        if session.memory.owns_facts(tenant, &owner).await? {
            return Ok(Some(owner));
        }
        Err(CliError::UnknownOwner { owner: owner.to_string() })
    }
}

async fn retry(global: &Global, args: &Retry) -> Result<(), CliError> {
    let session = Session::open(global).await?;
    let owner = args.owned.owner(&session).await?;
    let fact = args.fact.as_deref().map(FactId::parse).transpose()?;
    let which = Which { tenant: Some(session.caller.tenant().clone()), owner, fact };
    let tried = session.memory.retry(&which).await?;
    let left = session.memory.outbox(&which).await?;
    let told = Tried::of(&tried, &left);
    session.answer(&told, || {
        let Retried { retried, succeeded, failed, blocked } = tried;
        let names: Vec<String> = told.failing.iter().map(status::line).collect();
        let counts = format!("{retried} retried: {succeeded} done, {failed} failed, {blocked} blocked");
        [vec![counts], names].concat().join("\n")
    })?;
    if left.failed > 0 || left.blocked > 0 {
        return Err(CliError::NotProjected { failed: left.failed });
    }
    Ok(())
}

/// `3 facts`.
fn facts(count: u64) -> String {
    counted(count, "fact")
}

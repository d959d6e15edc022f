//! `memory ledger`: what an operator does with all of it.

mod check;
mod erase;
mod transfer;

use clap::Subcommand;
use serde::Serialize;

use crate::args::Global;
use crate::error::CliError;
use crate::progress;
use crate::session::Session;
use crate::show::counted;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Prove the ledger: its chain, every word, and that the tables follow from the events.
    Check,
    /// Make the tables and the search index anew from the events.
    Rebuild(Confirmed),
    /// Erase the words of a fact, or of one of its versions, for ever.
    Erase(erase::Args),
    /// Write the whole history to a file, which holds all that the ledger holds: keep it as safe.
    Dump(transfer::Dump),
    /// Read a whole history into an empty store.
    Load(transfer::Load),
}

/// What is done only when it is confirmed.
#[derive(Debug, clap::Args)]
pub(crate) struct Confirmed {
    /// Do it; without this, only say what would be done.
    #[arg(long)]
    yes: bool,
}

/// How many events something went over.
#[derive(Debug, Serialize)]
struct Events {
    events: u64,
}

/// Does what the verb says.
pub(crate) async fn run(global: &Global, command: Command) -> Result<(), CliError> {
    match command {
        Command::Erase(args) => erase::run(global, &args).await,
        Command::Check | Command::Rebuild(_) | Command::Dump(_) | Command::Load(_)
            if global.scope.is_some() =>
        {
            Err(CliError::OperatorOnly)
        }
        Command::Check => check::run(global).await,
        Command::Rebuild(confirmed) => rebuild(global, &confirmed).await,
        Command::Dump(args) => transfer::dump(global, &args).await,
        Command::Load(args) => transfer::load(global, &args).await,
    }
}

impl Confirmed {
    /// Whether it is to be done.
    pub(crate) fn is_given(&self) -> bool {
        self.yes
    }

    /// Refuses what was not confirmed, and says what it would do.
    pub(crate) fn check(&self, what: impl FnOnce() -> String) -> Result<(), CliError> {
        if self.yes { Ok(()) } else { Err(CliError::NeedsConfirmation { what: what() }) }
    }
}

async fn rebuild(global: &Global, confirmed: &Confirmed) -> Result<(), CliError> {
    let session = Session::open(global).await?;
    let events = session.memory.events().await?;
    confirmed.check(|| {
        format!("empty the tables that follow from {}, and fill them again", counted(events, "event"))
    })?;
    let bar = progress::bar("rebuilding", Some(events));
    let shown = bar.clone();
    let events = session.memory.rebuild(move |done| shown.set_position(done)).await?;
    bar.finish_and_clear();
    session.answer(&Events { events }, || format!("rebuilt from {}", counted(events, "event")))
}

//! `memory conflicts`: facts with several contested versions, which wait for their owners.

mod list;
mod settle;
mod show;
mod versions;

use clap::Subcommand;
use truthkeeper::{BadInput, ConflictId};

use crate::args::Global;
use crate::error::CliError;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the open conflicts, without what they say.
    List(list::Args),
    /// Show the versions of a conflict side by side, the oldest first.
    Show(show::Args),
    /// Say what is true: one version, other words, or both versions.
    Settle(settle::Settle),
    /// Open a conflict again that was settled, as long as the fact did not change since.
    Reopen(settle::Reopen),
}

/// Does what the verb says.
pub(crate) async fn run(global: &Global, command: Command) -> Result<(), CliError> {
    match command {
        Command::List(args) => list::run(global, &args).await,
        Command::Show(args) => show::run(global, &args).await,
        Command::Settle(args) => settle::settle(global, &args).await,
        Command::Reopen(args) => settle::reopen(global, &args).await,
    }
}

/// The conflict that a verb names.
fn conflict(id: &str) -> Result<ConflictId, BadInput> {
    ConflictId::parse(id)
}

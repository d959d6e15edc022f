//! `memory duplicates`: facts that seem to say the same, which their owners merge or tell apart.

mod list;
mod merge;

use clap::Subcommand;

use crate::args::Global;
use crate::error::CliError;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List pairs of facts that seem to say the same; nothing is merged or forgotten by that.
    List(list::Args),
    /// Merge facts that say the same: one goes on, with what the others rest on.
    Merge(merge::Merge),
    /// Tell two facts apart: what was merged stands again, and no list shows them as duplicates.
    Split(merge::Split),
}

/// Does what the verb says.
pub(crate) async fn run(global: &Global, command: Command) -> Result<(), CliError> {
    match command {
        Command::List(args) => list::run(global, &args).await,
        Command::Merge(args) => merge::merge(global, &args).await,
        Command::Split(args) => merge::split(global, &args).await,
    }
}

//! `memory adopt`: memories from before the ledger, brought in, reviewed by their owner, applied, and taken back.

mod apply;
mod audit;
mod census;
mod import;
mod list;
mod papers;
mod review;
mod rollback;
mod seal;

use clap::Subcommand;
use truthkeeper::{Container, Scope};

use crate::args::Global;
use crate::error::CliError;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Bring the memories of another program in: recalled as unreviewed until their owner's first review.
    Import(import::Args),
    /// List what was brought in and how it stands, or the reviews that were applied.
    List(list::Args),
    /// Sort what nobody has decided about into groups, and begin a review of it.
    Audit(audit::Args),
    /// Show how far a review is, and decide about groups and rows.
    Review(review::Args),
    /// Seal a review in which everything is decided, so that it can be applied.
    Seal(seal::Args),
    /// Carry out a sealed review; without --yes, say what it would do.
    Apply(apply::Args),
    /// Take an applied review back as a unit.
    Rollback(rollback::Args),
    /// Count what was brought in, by how it stands.
    Census(census::Args),
}

/// Whose memories are meant.
#[derive(Debug, clap::Args)]
pub(crate) struct OwnerArgs {
    /// Only those of this owner, such as user:ann or project:P/participant:X.
    #[arg(long, visible_alias = "principal", value_name = "SCOPE")]
    owner: Option<String>,
}

impl OwnerArgs {
    pub(super) fn owner(&self, global: &Global) -> Result<Option<Container>, CliError> {
        let tenant = crate::who::tenant(global)?;
        let scope =
            self.owner.as_deref().map(|path| Scope::parse_path("owner", &tenant, path)).transpose()?;
        Ok(scope.map(|scope| scope.anchor()))
    }
}

/// Does what the verb says.
pub(crate) async fn run(global: &Global, command: Command) -> Result<(), CliError> {
    match command {
        Command::Import(args) => import::run(global, &args).await,
        Command::List(args) => list::run(global, &args).await,
        Command::Audit(args) => audit::run(global, &args).await,
        Command::Review(args) => review::run(global, &args).await,
        Command::Seal(args) => seal::run(global, &args).await,
        Command::Apply(args) => apply::run(global, &args).await,
        Command::Rollback(args) => rollback::run(global, &args).await,
        Command::Census(args) => census::run(global, &args).await,
    }
}

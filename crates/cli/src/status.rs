//! `memory status`: how each part of the install stands.

use truthkeeper::{Clock, status_of};

use crate::args::Global;
use crate::error::CliError;
use crate::out;
use crate::store::{self, Missing};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Exit with 1 when somebody has to do something.
    #[arg(long)]
    check: bool,
}

/// Reads the store alone, while others use it.
pub(crate) async fn run(global: &Global, args: &Args) -> Result<(), CliError> {
    if global.scope.is_some() {
        return Err(CliError::OperatorOnly);
    }
    let address = store::address(global, Missing::Refuse)?;
    let status = status_of(&address, Clock::system().now()).await?;
    if global.json {
        out::json(&status)?
    } else {
        out::text(&status.to_string())?
    }
    if args.check && status.gaps { Err(CliError::Gaps) } else { Ok(()) }
}

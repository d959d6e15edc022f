//! `facts get`.

use crate::args::Global;
use crate::error::CliError;
use crate::facts::{TimesArgs, fact, revision};
use crate::session::Session;
use crate::show;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The fact.
    fact: String,
    /// The version of that number, whatever became of it.
    #[arg(long, value_name = "N", conflicts_with_all = ["as_of", "valid_at"])]
    revision: Option<u32>,
    #[command(flatten)]
    times: TimesArgs,
}

pub(crate) async fn run(global: &Global, args: &Args) -> Result<(), CliError> {
    let (fact, times) = (fact(&args.fact)?, args.times.parse()?);
    let number = args.revision.map(|number| revision("revision", number)).transpose()?;
    let session = Session::open(global).await?;
    let seen = match number {
        Some(number) => session.memory.revision(&session.caller, fact, number).await?,
        None => session.memory.get(&session.caller, fact, times).await?,
    };
    let read = server::wire::fact(&session.memory, &seen).await;
    session.answer(&read, || show::fact::sheet(&seen))
}

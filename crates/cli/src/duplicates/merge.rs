//! `duplicates merge` and `duplicates split`.

use truthkeeper::Named;

use crate::args::Global;
use crate::error::CliError;
use crate::facts::act::{Keyed, done};
use crate::facts::{fact, named};
use crate::session::Session;

#[derive(Debug, clap::Args)]
pub(crate) struct Merge {
    /// The fact that goes on; FACT@VERSION only as long as that version is the current one.
    #[arg(value_name = "FACT")]
    survivor: String,
    /// The facts that end as merged into it, up to 50, of the same scope.
    #[arg(required = true, value_name = "OTHER")]
    others: Vec<String>,
    #[command(flatten)]
    keyed: Keyed,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Split {
    /// The fact that is to be one of its own.
    fact: String,
    /// The fact that it is not the same as; of a merged one it is known.
    from: Option<String>,
    #[command(flatten)]
    keyed: Keyed,
}

pub(crate) async fn merge(global: &Global, args: &Merge) -> Result<(), CliError> {
    let (key, survivor) = (args.keyed.key()?, named("survivor", &args.survivor)?);
    let others: Result<Vec<Named>, _> = args.others.iter().map(|other| named("others", other)).collect();
    let others = others?;
    let session = Session::open(global).await?;
    let outcome = session.memory.merge(&session.caller, Some(key.clone()), survivor, &others).await;
    done(&session, key, outcome).await
}

pub(crate) async fn split(global: &Global, args: &Split) -> Result<(), CliError> {
    let (key, named) = (args.keyed.key()?, fact(&args.fact)?);
    let from = args.from.as_deref().map(fact).transpose()?;
    let session = Session::open(global).await?;
    let outcome = session.memory.split(&session.caller, Some(key.clone()), named, from).await;
    done(&session, key, outcome).await
}

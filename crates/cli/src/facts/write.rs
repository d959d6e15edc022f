//! `facts write` and `facts supersede`.

use crate::args::Global;
use crate::error::CliError;
use crate::facts;
use crate::facts::act::{Keyed, done};
use crate::said::{self, Place, Statement};
use crate::session::Session;

#[derive(Debug, clap::Args)]
pub(crate) struct New {
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    statement: Statement,
    #[command(flatten)]
    keyed: Keyed,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Next {
    /// The fact.
    fact: String,
    #[command(flatten)]
    statement: Statement,
    #[command(flatten)]
    keyed: Keyed,
}

pub(crate) async fn new(global: &Global, args: New) -> Result<(), CliError> {
    let key = args.keyed.key()?;
    let tenant = crate::who::tenant(global)?;
    let draft = said::new_fact(&args.place, &args.statement, &tenant)?;
    let session = Session::begin(global).await?;
    let outcome = session.memory.remember(&session.caller, Some(key.clone()), draft).await;
    done(&session, key, outcome).await
}

pub(crate) async fn next(global: &Global, args: Next) -> Result<(), CliError> {
    let key = args.keyed.key()?;
    let tenant = crate::who::tenant(global)?;
    let draft = said::revision_of(facts::fact(&args.fact)?, &args.statement, &tenant)?;
    let session = Session::open(global).await?;
    let outcome = session.memory.remember(&session.caller, Some(key.clone()), draft).await;
    done(&session, key, outcome).await
}

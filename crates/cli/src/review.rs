//! `memory review`: what machines said again after it was forgotten, and what is kept out of recall.

use clap::Subcommand;
use serde::Serialize;
use truthkeeper::{FactId, HeldBack, ReviewId};

use crate::args::Global;
use crate::error::CliError;
use crate::facts::act::{self, Keyed, done};
use crate::out;
use crate::session::Session;
use crate::show::json::{Said, shown};
use crate::show::table::{brief, table};
use crate::show::{self};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the proposals that wait for their owners: said again after they were forgotten.
    List,
    /// Take a proposal that waits back up: it becomes the truth.
    Accept(Waiting),
    /// Dismiss a proposal that waits for good: saying it again asks nobody.
    Dismiss(Waiting),
    /// Let a quarantined fact into recall; what is known of its origin stays.
    Admit(act::Admit),
    /// Keep a fact out of recall until it is admitted.
    Quarantine(act::Quarantine),
}

#[derive(Debug, clap::Args)]
pub(crate) struct Waiting {
    /// What waits.
    review: String,
    #[command(flatten)]
    keyed: Keyed,
}

/// A proposal that was held back.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Held<'a> {
    review: ReviewId,
    fact: FactId,
    cause: &'static str,
    proposed_at: String,
    #[serde(flatten)]
    said: Said<'a>,
}

#[derive(Debug, Serialize)]
struct Reviews<'a> {
    reviews: Vec<Held<'a>>,
}

/// Does what the verb says.
pub(crate) async fn run(global: &Global, command: Command) -> Result<(), CliError> {
    match command {
        Command::List => list(global).await,
        Command::Accept(args) => {
            let (key, review) = (args.keyed.key()?, ReviewId::parse(&args.review)?);
            let session = Session::open(global).await?;
            let outcome = session.memory.accept(&session.caller, Some(key.clone()), review).await;
            done(&session, key, outcome).await
        }
        Command::Dismiss(args) => {
            let (key, review) = (args.keyed.key()?, ReviewId::parse(&args.review)?);
            let session = Session::open(global).await?;
            let outcome = session.memory.dismiss(&session.caller, Some(key.clone()), review).await;
            done(&session, key, outcome).await
        }
        Command::Admit(args) => act::admit(global, &args).await,
        Command::Quarantine(args) => act::quarantine(global, &args).await,
    }
}

async fn list(global: &Global) -> Result<(), CliError> {
    let session = Session::open(global).await?;
    let held = session.memory.held_back(&session.caller).await?;
    if held.is_empty() && !session.json {
        out::note("nothing waits for review");
        return Ok(());
    }
    let reviews = held.iter().map(|held| Held {
        review: held.review,
        fact: held.fact,
        cause: "said-again-after-forgotten",
        proposed_at: shown(held.proposed.recorded_at),
        said: Said::of(&held.proposed),
    });
    session.answer(&Reviews { reviews: reviews.collect() }, || {
        table(&["review", "fact", "said by", "proposed", "text"], held.iter().map(row))
    })
}

fn row(held: &HeldBack) -> Vec<String> {
    vec![
        held.review.to_string(),
        held.fact.to_string(),
        show::fact::actor(&held.proposed.actor),
        shown(held.proposed.recorded_at),
        brief(&show::fact::text(&held.proposed)),
    ]
}

//! `memory review`: what machines said again after it was forgotten, what agents would remember, and what is kept out of
//! recall.

use clap::Subcommand;
use serde::Serialize;
use server::wire::Held;
use truthkeeper::{HeldBack, LOOKED_AT_FACTS_MAX, ReviewId};

use crate::args::Global;
use crate::error::CliError;
use crate::facts::act::{self, Keyed, done};
use crate::out;
use crate::session::Session;
use crate::show::json::{Fact, shown};
use crate::show::table::{brief, table};
use crate::show::{self};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List what waits: proposals that were said again after they were forgotten, what agents would remember for more than
    /// one person or as an instruction, and facts kept out of recall.
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

#[derive(Debug, Serialize)]
struct Reviews<'a> {
    reviews: Vec<Held<'a>>,
    quarantined: Vec<Fact<'a>>,
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
    let (quarantined, more) = session.memory.quarantined(&session.caller).await?;
    if held.is_empty() && quarantined.is_empty() && !session.json {
        out::note("nothing waits for review");
        return Ok(());
    }
    let waits = Reviews {
        reviews: held.iter().map(Held::of).collect(),
        quarantined: quarantined.iter().map(Fact::of).collect(),
    };
    session.answer(&waits, || {
        let held = (!held.is_empty())
            .then(|| table(&["review", "fact", "said by", "proposed", "why", "text"], held.iter().map(row)));
        let kept_out = (!quarantined.is_empty()).then(|| {
            let facts = table(&show::fact::COLUMNS, quarantined.iter().map(show::fact::row));
            format!("quarantined, until an operator admits it (`memory review admit FACT`):\n{facts}")
        });
        held.into_iter().chain(kept_out).collect::<Vec<_>>().join("\n")
    })?;
    if more {
        out::note(&format!(
            "only the {LOOKED_AT_FACTS_MAX} newest facts were looked at for quarantined ones"
        ));
    }
    Ok(())
}

fn row(held: &HeldBack) -> Vec<String> {
    vec![
        held.review.to_string(),
        held.fact.to_string(),
        show::fact::actor(&held.proposed.actor),
        shown(held.proposed.recorded_at),
        held.cause.name().to_owned(),
        brief(&show::fact::text(&held.proposed)),
    ]
}

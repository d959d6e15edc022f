//! `memory forgotten`: what is over and can be brought back.

use clap::Subcommand;
use serde::Serialize;
use server::wire::Over;
use truthkeeper::{BadInput, Cursor, Ended, Forgotten, State, limits};

use crate::args::Global;
use crate::error::CliError;
use crate::facts::filter::FilterArgs;
use crate::out;
use crate::session::Session;
use crate::show::json::shown;
use crate::show::table::{brief, table};
use crate::show::{self, counted};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List what was forgotten and what ran out: when, why, by whom.
    List(Args),
    /// Put the ends that the clock made on record; recall does not wait for it.
    Sweep,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    filter: FilterArgs,
    /// At most that many, up to 100.
    #[arg(long, value_name = "N", default_value_t = limits::PAGE_ITEMS_DEFAULT)]
    limit: usize,
    /// Go on where a list was cut.
    #[arg(long, value_name = "CURSOR")]
    cursor: Option<String>,
}

/// A list, and where it goes on.
#[derive(Debug, Serialize)]
struct Listed<'a> {
    forgotten: Vec<Over<'a>>,
    next: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct Swept {
    ended: u64,
}

/// Does what the verb says.
pub(crate) async fn run(global: &Global, command: Command) -> Result<(), CliError> {
    match command {
        Command::List(args) => list(global, &args).await,
        Command::Sweep => sweep(global).await,
    }
}

async fn list(global: &Global, args: &Args) -> Result<(), CliError> {
    let filter = args.filter.filter(&crate::who::tenant(global)?, State::Retracted)?;
    let most = limits::PAGE_ITEMS_MAX;
    if !(1..=most).contains(&args.limit) {
        return Err(BadInput::new("limit", format!("must be from 1 to {most}")).into());
    }
    let session = Session::open(global).await?;
    let after = args.cursor.as_deref().map(Cursor::from_text);
    let page = session.memory.forgotten(&session.caller, &filter, after.as_ref(), args.limit).await?;
    let listed = Listed {
        forgotten: page.items.iter().map(Over::of).collect(),
        next: page.next.as_ref().map(|cursor| cursor.as_str()),
    };
    if page.items.is_empty() && !session.json {
        out::note("nothing was forgotten");
    } else {
        let headings = ["fact", "version", "type", "how", "when", "by", "why", "text"];
        session.answer(&listed, || table(&headings, page.items.iter().map(row)))?;
    }
    if let Some(next) = &page.next {
        out::note(&format!("truncated: more facts, next --cursor {}", next.as_str()));
    }
    Ok(())
}

async fn sweep(global: &Global) -> Result<(), CliError> {
    if global.scope.is_some() {
        return Err(CliError::OperatorOnly);
    }
    let session = Session::open(global).await?;
    let ended = session.memory.sweep(session.caller.tenant()).await?;
    session.answer(&Swept { ended }, || format!("recorded the end of {}", counted(ended, "fact")))
}

fn row(forgotten: &Forgotten) -> Vec<String> {
    let Forgotten { seen, ended } = forgotten;
    let (how, at, by, why) = match ended {
        Ended::Forgotten { at, by, reason } => {
            let why = reason.as_ref().map_or_else(String::new, |reason| brief(reason.as_str()));
            ("forgotten", at, show::fact::actor(by), why)
        }
        Ended::Expired { at } => ("expired", at, "the clock".to_owned(), String::new()),
    };
    vec![
        seen.head.fact.to_string(),
        seen.revision.number.to_string(),
        seen.head.kind.to_string(),
        how.to_owned(),
        shown(*at),
        by,
        why,
        brief(&show::fact::text(&seen.revision)),
    ]
}

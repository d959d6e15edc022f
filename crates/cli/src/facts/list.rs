//! `facts list`.

use serde::Serialize;
use truthkeeper::{BadInput, Cursor, Filter, Seen, State, Times, limits};

use crate::args::Global;
use crate::error::CliError;
use crate::facts::TimesArgs;
use crate::facts::filter::FilterArgs;
use crate::out;
use crate::session::Session;
use crate::show::{fact, json, table};

/// Facts that one list shows at most; `export` gives all of them.
const LIST_FACTS_MAX: usize = 10_000;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    filter: FilterArgs,
    /// Versions in this state: active, superseded, retracted (forgotten), expired or conflicted.
    #[arg(long, value_name = "STATE", default_value = "active")]
    state: String,
    /// At most that many.
    #[arg(long, value_name = "N", default_value_t = limits::PAGE_ITEMS_DEFAULT)]
    limit: usize,
    /// Go on where a list was cut.
    #[arg(long, value_name = "CURSOR")]
    cursor: Option<String>,
    #[command(flatten)]
    times: TimesArgs,
}

/// A list, and where it goes on.
#[derive(Debug, Serialize)]
struct Listed<'a> {
    facts: Vec<json::Fact<'a>>,
    next: Option<&'a str>,
}

pub(crate) async fn run(global: &Global, args: &Args) -> Result<(), CliError> {
    let filter = args.filter.filter(&crate::who::tenant(global)?, state(&args.state)?)?;
    let times = args.times.parse()?;
    if !(1..=LIST_FACTS_MAX).contains(&args.limit) {
        return Err(BadInput::new("limit", format!("must be from 1 to {LIST_FACTS_MAX}")).into());
    }
    let session = Session::open(global).await?;
    let after = args.cursor.as_deref().map(Cursor::from_text);
    let (seen, next) = pages(&session, &filter, times, after, args.limit).await?;
    let listed = Listed {
        facts: server::wire::facts(&session.memory, &seen).await,
        next: next.as_ref().map(|cursor| cursor.as_str()),
    };
    if seen.is_empty() && !session.json {
        out::note(&format!("no fact is {} there", filter.state.name()));
    } else {
        session.answer(&listed, || table::table(&fact::COLUMNS, seen.iter().map(fact::row)))?;
    }
    if let Some(next) = next {
        out::note(&format!("truncated: more facts, next --cursor {}", next.as_str()));
    }
    Ok(())
}

/// Pages until `limit` is reached.
async fn pages(
    session: &Session,
    filter: &Filter,
    times: Times,
    mut after: Option<Cursor>,
    limit: usize,
) -> Result<(Vec<Seen>, Option<Cursor>), CliError> {
    let mut seen = Vec::new();
    loop {
        let wanted = (limit - seen.len()).min(limits::PAGE_ITEMS_MAX);
        let page = session.memory.list(&session.caller, filter, times, after.as_ref(), wanted).await?;
        seen.extend(page.items);
        after = page.next;
        if after.is_none() || seen.len() >= limit {
            return Ok((seen, after));
        }
    }
}

fn state(name: &str) -> Result<State, BadInput> {
    State::parse(name).ok_or_else(|| {
        let names: Vec<&str> = State::ALL.iter().map(|state| state.name()).collect();
        BadInput::new("state", format!("must be one of {}", names.join(", ")))
    })
}

//! `facts list`.

use serde::Serialize;
use truthkeeper::{BadInput, Cursor, FactType, Filter, Id, Scope, Seen, State, Text, Times, limits};

use crate::args::Global;
use crate::error::CliError;
use crate::facts::TimesArgs;
use crate::out;
use crate::session::Session;
use crate::show::{fact, json, table};

/// Facts that one list shows at most; `export` gives all of them.
const LIST_FACTS_MAX: usize = 10_000;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only facts of this kind.
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<String>,
    /// Only facts of exactly this scope.
    #[arg(long, value_name = "SCOPE")]
    scope: Option<String>,
    /// Only facts with this key.
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
    /// Only facts with this tag.
    #[arg(long, value_name = "TAG")]
    tag: Option<String>,
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
    let filter = filter(args, &crate::who::tenant(global)?)?;
    let times = args.times.parse()?;
    if !(1..=LIST_FACTS_MAX).contains(&args.limit) {
        return Err(BadInput::new("limit", format!("must be from 1 to {LIST_FACTS_MAX}")).into());
    }
    let session = Session::open(global).await?;
    let after = args.cursor.as_deref().map(Cursor::from_text);
    let (seen, next) = pages(&session, &filter, times, after, args.limit).await?;
    let listed = Listed {
        facts: seen.iter().map(json::Fact::of).collect(),
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

fn filter(args: &Args, tenant: &Id) -> Result<Filter, BadInput> {
    let name = |field, given: &Option<String>, most| {
        given.as_deref().map(|name| Text::parse_name(field, name, most)).transpose()
    };
    let scope = args.scope.as_deref().map(|path| Scope::parse_path("scope", tenant, path));
    Ok(Filter {
        kind: args.kind.as_deref().map(FactType::parse).transpose()?,
        scope: scope.transpose()?,
        key: name("key", &args.key, limits::KEY_CHARS_MAX)?,
        tag: name("tag", &args.tag, limits::TAG_CHARS_MAX)?,
        state: state(&args.state)?,
    })
}

fn state(name: &str) -> Result<State, BadInput> {
    State::parse(name).ok_or_else(|| {
        let names: Vec<&str> = State::ALL.iter().map(|state| state.name()).collect();
        BadInput::new("state", format!("must be one of {}", names.join(", ")))
    })
}

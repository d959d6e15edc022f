//! `conflicts list`.

use serde::Serialize;
use server::wire::Conflict;
use truthkeeper::{BadInput, OpenConflict, limits};

use crate::args::Global;
use crate::error::CliError;
use crate::out;
use crate::session::Session;
use crate::show::json::shown;
use crate::show::table::table;

/// Conflicts that one list shows at most.
const LIST_CONFLICTS_MAX: usize = 10_000;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// At most that many.
    #[arg(long, value_name = "N", default_value_t = limits::PAGE_ITEMS_DEFAULT)]
    limit: usize,
}

#[derive(Debug, Serialize)]
struct Conflicts<'a> {
    conflicts: Vec<Conflict<'a>>,
    open: usize,
}

pub(crate) async fn run(global: &Global, args: &Args) -> Result<(), CliError> {
    if !(1..=LIST_CONFLICTS_MAX).contains(&args.limit) {
        return Err(BadInput::new("limit", format!("must be from 1 to {LIST_CONFLICTS_MAX}")).into());
    }
    let session = Session::open(global).await?;
    let (listed, open) = session.memory.conflicts(&session.caller, args.limit).await?;
    if listed.is_empty() && !session.json {
        out::note("no conflict is open");
        return Ok(());
    }
    let answer = Conflicts { conflicts: listed.iter().map(Conflict::of).collect(), open };
    session.answer(&answer, || {
        table(&["conflict", "fact", "type", "key", "version", "opened"], listed.iter().map(row))
    })?;
    if open > listed.len() {
        out::note(&format!("truncated: {open} conflicts are open; --limit shows more"));
    }
    Ok(())
}

fn row(open: &OpenConflict) -> Vec<String> {
    vec![
        open.conflict.to_string(),
        open.fact.to_string(),
        open.kind.to_string(),
        open.key.as_ref().map_or_else(String::new, |key| key.as_str().to_owned()),
        open.version.to_string(),
        shown(open.opened_at),
    ]
}

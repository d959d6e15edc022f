//! `facts revisions`.

use serde::Serialize;
use truthkeeper::{BadInput, RevisionNumber, Seen};

use crate::args::Global;
use crate::error::CliError;
use crate::facts::{fact, revision};
use crate::out;
use crate::session::Session;
use crate::show::{self, json, table};

/// Versions that one list shows at most.
const LIST_REVISIONS_MAX: u32 = 10_000;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The fact.
    fact: String,
    /// At most that many.
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: u32,
    /// Only versions before this one.
    #[arg(long, value_name = "N")]
    before: Option<u32>,
}

/// Versions, and before which one they go on.
#[derive(Debug, Serialize)]
struct Listed<'a> {
    revisions: Vec<json::Fact<'a>>,
    next: Option<RevisionNumber>,
}

pub(crate) async fn run(global: &Global, args: &Args) -> Result<(), CliError> {
    let fact = fact(&args.fact)?;
    let before = args.before.map(|number| revision("before", number)).transpose()?;
    if !(1..=LIST_REVISIONS_MAX).contains(&args.limit) {
        return Err(BadInput::new("limit", format!("must be from 1 to {LIST_REVISIONS_MAX}")).into());
    }
    let session = Session::open(global).await?;
    let mut seen = session.memory.revisions(&session.caller, fact, before, args.limit + 1).await?;
    let is_cut = u32::try_from(seen.len()).map_or(true, |count| count > args.limit);
    if is_cut {
        seen.pop();
    }
    let next = seen.last().filter(|_| is_cut).map(|last| last.revision.number);
    let listed = Listed { revisions: server::wire::facts(&session.memory, &seen).await, next };
    session.answer(&listed, || {
        table::table(&["version", "state", "trust", "recorded", "said by", "text"], seen.iter().map(row))
    })?;
    if let Some(next) = next {
        out::note(&format!("truncated: more versions, next --before {next}"));
    }
    Ok(())
}

fn row(seen: &Seen) -> Vec<String> {
    let revision = &seen.revision;
    vec![
        revision.number.to_string(),
        seen.state.name().to_owned(),
        show::fact::trust(revision.saying.trust).to_owned(),
        revision.recorded_at.to_string(),
        show::fact::actor(&revision.actor),
        table::brief(&show::fact::text(revision)),
    ]
}

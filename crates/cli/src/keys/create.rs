//! `keys create`.

use serde::Serialize;
use truthkeeper::{BadInput, Bounds, NewKey, Right, Scope};

use super::Shown;
use crate::args::Global;
use crate::error::CliError;
use crate::out;
use crate::session::Session;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What the key is for.
    #[arg(value_name = "LABEL")]
    label: String,
    /// What it may do: facts:read, facts:write, review, operate or admin, which is everything in the tenant.
    #[arg(long = "right", value_name = "RIGHT", required = true)]
    rights: Vec<String>,
    /// A scope that it reads and writes; with project:P it acts for the people of that project.
    #[arg(long = "scope", value_name = "SCOPE")]
    writes: Vec<String>,
    /// A scope that it reads and does not write.
    #[arg(long = "read", value_name = "SCOPE")]
    reads: Vec<String>,
}

/// A key with its secret, which is shown this once.
#[derive(Debug, Serialize)]
struct Made<'a> {
    #[serde(flatten)]
    key: Shown<'a>,
    token: &'a str,
}

pub(super) async fn run(global: &Global, args: Args) -> Result<(), CliError> {
    let tenant = crate::who::tenant(global)?;
    let actor = crate::who::caller(global)?.actor;
    let scopes = |field, paths: &[String]| {
        paths.iter().map(|path| Scope::parse_path(field, &tenant, path)).collect::<Result<Vec<_>, BadInput>>()
    };
    let bounds = Bounds {
        rights: args.rights.iter().map(|right| Right::parse(right)).collect::<Result<_, _>>()?,
        reads: scopes("read", &args.reads)?,
        writes: scopes("scope", &args.writes)?,
    };
    let session = Session::begin(global).await?;
    let (key, token) =
        session.memory.create_key(&tenant, NewKey { label: args.label, actor, bounds }).await?;
    let token = token.reveal();
    if !session.json {
        out::note("this is the key; only a hash of it is kept, so it is not shown again");
    }
    session.answer(&Made { key: Shown::of(&key), token: &token }, || token.clone())
}

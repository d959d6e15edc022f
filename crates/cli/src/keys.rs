//! `memory keys`: who may call the API, and what each may do there.

mod create;

use clap::Subcommand;
use serde::Serialize;
use truthkeeper::{Bounds, Key, KeyId, Scope};

use crate::args::Global;
use crate::error::CliError;
use crate::out;
use crate::session::Session;
use crate::show;
use crate::show::json::shown;
use crate::show::table::table;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make a key, and show it once.
    Create(create::Args),
    /// Show every key, without its secret.
    List,
    /// Let a key open nothing any more.
    Revoke(Named),
}

#[derive(Debug, clap::Args)]
pub(crate) struct Named {
    /// The id of the key, as `memory keys list` shows it.
    key: String,
}

/// A key, without its secret.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Shown<'a> {
    id: &'a KeyId,
    label: &'a str,
    actor: &'a truthkeeper::Actor,
    #[serde(flatten)]
    bounds: &'a Bounds,
    created_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    revoked_at: Option<String>,
}

#[derive(Debug, Serialize)]
struct Listed<'a> {
    keys: Vec<Shown<'a>>,
}

#[derive(Debug, Serialize)]
struct Revoked {
    revoked: KeyId,
}

/// Does what the verb says.
pub(crate) async fn run(global: &Global, command: Command) -> Result<(), CliError> {
    if global.scope.is_some() {
        return Err(CliError::OperatorOnly);
    }
    match command {
        Command::Create(args) => create::run(global, args).await,
        Command::List => list(global).await,
        Command::Revoke(named) => revoke(global, &KeyId::parse(&named.key)?).await,
    }
}

async fn list(global: &Global) -> Result<(), CliError> {
    let session = Session::open(global).await?;
    let keys = session.memory.keys(session.caller.tenant()).await?;
    if keys.is_empty() && !session.json {
        out::note("there are no keys; `memory keys create` makes one");
        return Ok(());
    }
    let listed = Listed { keys: keys.iter().map(Shown::of).collect() };
    session.answer(&listed, || {
        table(
            &["key", "label", "acts as", "rights", "reads", "writes", "made", "revoked"],
            keys.iter().map(row),
        )
    })
}

async fn revoke(global: &Global, key: &KeyId) -> Result<(), CliError> {
    let session = Session::open(global).await?;
    session.memory.revoke_key(session.caller.tenant(), key).await?;
    session.answer(&Revoked { revoked: key.clone() }, || format!("revoked {key}"))
}

impl<'a> Shown<'a> {
    fn of(key: &'a Key) -> Self {
        let Key { id, tenant: _, label, actor, bounds, created_at, revoked_at } = key;
        let (created_at, revoked_at) = (shown(*created_at), revoked_at.map(shown));
        Self { id, label: label.as_str(), actor, bounds, created_at, revoked_at }
    }
}

fn row(key: &Key) -> Vec<String> {
    let paths = |scopes: &[Scope]| scopes.iter().map(Scope::path).collect::<Vec<_>>().join(" ");
    let rights: Vec<&str> = key.bounds.rights.iter().map(|right| right.name()).collect();
    vec![
        key.id.to_string(),
        key.label.as_str().to_owned(),
        show::fact::actor(&key.actor),
        rights.join(" "),
        paths(&key.bounds.reads),
        paths(&key.bounds.writes),
        shown(key.created_at),
        key.revoked_at.map_or_else(String::new, shown),
    ]
}

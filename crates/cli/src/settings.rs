//! `memory settings`: the engine's defaults, by which a qualification sees that memory changed none of them.

use clap::Subcommand;
use truthkeeper::{Setting, SettingKey};

use crate::args::Global;
use crate::error::CliError;
use crate::session::Session;
use crate::show::table::table;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show every default.
    List,
    /// Keep a default, in the place of the one that was there.
    Set(Set),
}

#[derive(Debug, clap::Args)]
pub(crate) struct Set {
    /// What is set, such as model, backend, model:extraction, workspace or timeout.
    #[arg(value_name = "FIELD")]
    field: String,
    /// What it is.
    #[arg(value_name = "VALUE")]
    value: String,
    /// Only on this channel.
    #[arg(long, value_name = "ID", default_value = "", hide_default_value = true)]
    channel: String,
    /// Only for this agent.
    #[arg(long, value_name = "ID", default_value = "", hide_default_value = true)]
    agent: String,
    /// Only for this profile of the runtime.
    #[arg(long, value_name = "ID", default_value = "", hide_default_value = true)]
    runtime: String,
}

/// Does what the verb says.
pub(crate) async fn run(global: &Global, command: Command) -> Result<(), CliError> {
    if global.scope.is_some() {
        return Err(CliError::OperatorOnly);
    }
    match command {
        Command::List => list(global).await,
        Command::Set(args) => set(global, args).await,
    }
}

async fn list(global: &Global) -> Result<(), CliError> {
    let session = Session::open(global).await?;
    let settings = session.memory.defaults(session.caller.tenant()).await?;
    session.answer(&settings, || match settings.as_slice() {
        [] => "no defaults are set".to_owned(),
        some => table(&["field", "value", "where"], some.iter().map(row)),
    })
}

fn row(setting: &Setting) -> Vec<String> {
    let parts: Vec<String> =
        setting.key.parts().iter().map(|(name, part)| format!("{name} {part}")).collect();
    let place = if parts.is_empty() { "everywhere".to_owned() } else { parts.join(", ") };
    vec![setting.key.field.clone(), setting.value.clone(), place]
}

async fn set(global: &Global, args: Set) -> Result<(), CliError> {
    let Set { field, value, channel, agent, runtime } = args;
    let session = Session::begin(global).await?;
    let setting = Setting { key: SettingKey { channel, agent, runtime, field }, value };
    session.memory.set_default(session.caller.tenant().clone(), setting.clone()).await?;
    session.answer(&setting, || row(&setting).join("  "))
}

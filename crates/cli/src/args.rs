//! The command line: every verb and option, and what the help says of them.

use std::path::PathBuf;

use clap::{CommandFactory as _, Parser, Subcommand};

use crate::config::Config;
use crate::{
    adopt, config, conflicts, doctor, duplicates, eval, exit, facts, forgotten, keys, ledger, models,
    projections, recall, receipts, review, serve, settings, status,
};

/// Keeps what agents believe: which facts are true now, why, since when, and who said so.
#[derive(Debug, Parser)]
#[command(name = "memory", version, disable_help_subcommand = true, max_term_width = 110)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What holds for every verb.
#[derive(Debug, clap::Args)]
pub(crate) struct Global {
    /// Where the memory is: a file, or a postgres:// address [env: MEMORY_DB] [default: in the data folder].
    #[arg(long, global = true, value_name = "PATH|ADDRESS", help_heading = "Everywhere")]
    pub(crate) db: Option<String>,
    /// Print JSON, errors included.
    #[arg(long, global = true, help_heading = "Everywhere")]
    pub(crate) json: bool,
    /// The tenant.
    #[arg(long, global = true, default_value = "local", value_name = "ID", help_heading = "Everywhere")]
    pub(crate) tenant: String,
    /// Read and write as what this scope names, such as project:P/participant:X, and not as the operator.
    #[arg(id = "as", long = "as", global = true, value_name = "SCOPE", help_heading = "Everywhere")]
    pub(crate) scope: Option<String>,
    /// Say it as user:ID, operator:ID, agent:ID@VERSION, migration:ID or service:ID.
    #[arg(long, global = true, value_name = "KIND:ID", help_heading = "Everywhere")]
    pub(crate) actor: Option<String>,
    /// A file that says what the environment would [env: MEMORY_CONFIG] [default: memory.toml in the data folder].
    #[arg(
        id = "config-file",
        long = "config",
        global = true,
        value_name = "PATH",
        help_heading = "Everywhere"
    )]
    pub(crate) config_file: Option<PathBuf>,
    /// What the environment and that file say.
    #[arg(skip)]
    pub(crate) config: Config,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Write, read and change facts.
    #[command(subcommand)]
    Facts(Box<facts::Command>),
    /// Find what is true now about something.
    Recall(recall::Args),
    /// Show what recalls gave to whom, and why.
    #[command(subcommand)]
    Receipts(receipts::Command),
    /// Show and settle conflicts: facts with several contested versions.
    #[command(subcommand)]
    Conflicts(conflicts::Command),
    /// See to facts that seem to say the same.
    #[command(subcommand)]
    Duplicates(duplicates::Command),
    /// Show what was forgotten or ran out, and can be brought back.
    #[command(subcommand)]
    Forgotten(forgotten::Command),
    /// See to what was said again after it was forgotten, and to what is kept out of recall.
    #[command(subcommand)]
    Review(review::Command),
    /// Bring memories in that are older than the ledger, review them, and take that back.
    #[command(subcommand)]
    Adopt(adopt::Command),
    /// Check, rebuild, erase, dump and load the ledger.
    #[command(subcommand)]
    Ledger(ledger::Command),
    /// See to the search index: what waits, what failed, and whether it agrees with the ledger.
    #[command(subcommand)]
    Projections(projections::Command),
    /// Show how each part of the install stands: what waits, what failed, what was not checked.
    Status(status::Args),
    /// Check everything that can be checked on this machine, and name what mends it.
    Doctor(doctor::Args),
    /// See and set the defaults of the engine, which memory must not change.
    #[command(subcommand)]
    Settings(settings::Command),
    /// Show what the command is told, and by what.
    #[command(subcommand)]
    Config(config::Command),
    /// Answer over HTTP, until it is stopped.
    Serve(serve::Args),
    /// Print the description of the HTTP API, as OpenAPI.
    Openapi,
    /// Make, show and revoke the keys by which programs call the API.
    #[command(subcommand)]
    Keys(keys::Command),
    /// Choose and fetch the model that lets facts be found by meaning.
    #[command(subcommand)]
    Models(models::Command),
    /// Tell the story of a fact, in a store of its own that is removed afterwards.
    Demo,
    /// Measure how well recall finds on a data set of yours.
    Eval(eval::Args),
}

/// The whole command line, as clap knows it.
pub fn command() -> clap::Command {
    Cli::command().after_long_help(format!("{}\n\n{}", exit::table(), config::help()))
}

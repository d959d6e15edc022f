//! `memory facts`: writing, reading and changing facts.

pub(crate) mod act;
mod bulk;
mod digest;
mod export;
pub(crate) mod filter;
mod forget_all;
mod get;
mod import;
mod list;
mod revisions;
mod write;

use clap::Subcommand;
use truthkeeper::{BadInput, FactId, Named, RevisionNumber, Times, Timestamp};

use crate::args::Global;
use crate::error::CliError;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Say something: a new fact, or another version in the slot of a key.
    Write(write::New),
    /// Say something else: the next version of a fact.
    Supersede(write::Next),
    /// Show a fact: its current version, or that of another time.
    Get(get::Args),
    /// List the facts that are current, newest first.
    List(list::Args),
    /// List every version of a fact, newest first.
    Revisions(revisions::Args),
    /// Print a digest of what is true now, which changes when anything of it does.
    Digest,
    /// Vouch for what a fact says now.
    Verify(act::Verify),
    /// Forget a fact: it leaves recall, its history stays, and it can be restored.
    #[command(visible_alias = "forget")]
    Delete(act::Delete),
    /// Forget every current fact of an owner, or that a filter names; each can be restored.
    ForgetAll(forget_all::Args),
    /// Move facts to another scope, their history with them.
    Move(bulk::Move),
    /// Bring back what was forgotten or has run out.
    Restore(act::Restore),
    /// Place a fact under legal hold, or lift it.
    Hold(act::Hold),
    /// Let a quarantined fact into recall.
    Admit(act::Admit),
    /// Write the facts of a file, one JSON draft a line. Importing a file again adds nothing.
    Import(import::Args),
    /// Print the current facts as drafts, one a line, oldest first, for `import`.
    Export,
}

/// The times that a read asks about.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct TimesArgs {
    /// As it was known then, such as 2026-11-01T10:00:00Z.
    #[arg(long, value_name = "TIME")]
    as_of: Option<String>,
    /// As it is, or was, or will be true then.
    #[arg(long, value_name = "TIME")]
    valid_at: Option<String>,
}

/// Does what the verb says.
pub(crate) async fn run(global: &Global, command: Command) -> Result<(), CliError> {
    match command {
        Command::Write(args) => write::new(global, args).await,
        Command::Supersede(args) => write::next(global, args).await,
        Command::Get(args) => get::run(global, &args).await,
        Command::List(args) => list::run(global, &args).await,
        Command::Revisions(args) => revisions::run(global, &args).await,
        Command::Digest => digest::run(global).await,
        Command::Verify(args) => act::verify(global, &args).await,
        Command::Delete(args) => act::delete(global, &args).await,
        Command::ForgetAll(args) => forget_all::run(global, &args).await,
        Command::Move(args) => bulk::move_facts(global, &args).await,
        Command::Restore(args) => act::restore(global, &args).await,
        Command::Hold(args) => act::hold(global, &args).await,
        Command::Admit(args) => act::admit(global, &args).await,
        Command::Import(args) => import::run(global, &args).await,
        Command::Export => export::run(global).await,
    }
}

impl TimesArgs {
    pub(crate) fn parse(&self) -> Result<Times, BadInput> {
        let bound = |field, given: &Option<String>| {
            given.as_deref().map(|text| Timestamp::parse_bound(field, text)).transpose()
        };
        Ok(Times { as_of: bound("asOf", &self.as_of)?, valid_at: bound("validAt", &self.valid_at)? })
    }
}

/// The fact that a verb names.
pub(crate) fn fact(id: &str) -> Result<FactId, BadInput> {
    FactId::parse(id)
}

/// A fact that a verb names, as FACT or as FACT@VERSION.
pub(crate) fn named(field: &'static str, given: &str) -> Result<Named, BadInput> {
    let Some((id, version)) = given.split_once('@') else { return Ok((fact(given)?, None)) };
    let version = version.parse().ok().and_then(RevisionNumber::new);
    let version = version.ok_or_else(|| BadInput::new(field, "must be FACT or FACT@VERSION"))?;
    Ok((fact(id)?, Some(version)))
}

/// A revision's number as a verb names it.
pub(crate) fn revision(field: &'static str, number: u32) -> Result<RevisionNumber, BadInput> {
    RevisionNumber::new(number).ok_or_else(|| BadInput::new(field, "must be a whole number from 1"))
}

//! `facts move`, and forgetting several facts by their ids.

use server::wire::{Bulk, fate};
use truthkeeper::{Each, Named, RequestKey, Scope};

use crate::args::Global;
use crate::error::CliError;
use crate::facts::act::{Delete, Keyed, done};
use crate::facts::named;
use crate::session::Session;
use crate::show::receipt;
use crate::show::table::table;

#[derive(Debug, clap::Args)]
pub(crate) struct Move {
    /// The facts, up to 50; FACT@VERSION only as long as that version is the current one.
    #[arg(required = true, value_name = "FACT")]
    facts: Vec<String>,
    /// Whose they are to be, such as project:P, user:ann or tenant.
    #[arg(long, value_name = "SCOPE")]
    to: String,
    #[command(flatten)]
    keyed: Keyed,
}

/// Moves one fact, or several each by itself.
pub(crate) async fn move_facts(global: &Global, args: &Move) -> Result<(), CliError> {
    let (key, facts) = (args.keyed.key()?, all(&args.facts)?);
    let to = Scope::parse_path("to", &crate::who::tenant(global)?, &args.to)?;
    let session = Session::open(global).await?;
    let (memory, caller) = (&session.memory, &session.caller);
    if let [named] = facts[..] {
        let outcome = memory.move_fact(caller, Some(key.clone()), named, &to).await;
        return done(&session, key, outcome).await;
    }
    let all = memory.move_facts(caller, Some(&key), &facts, &to).await?;
    tell(&session, &all, &key)
}

/// Forgets several facts, each by itself.
pub(crate) async fn forget(global: &Global, args: &Delete) -> Result<(), CliError> {
    let (key, facts) = (args.keyed.key()?, all(&args.facts)?);
    let session = Session::open(global).await?;
    let (memory, caller) = (&session.memory, &session.caller);
    let all = memory.forget_facts(caller, Some(&key), &facts, args.reason.as_deref()).await?;
    tell(&session, &all, &key)
}

fn all(facts: &[String]) -> Result<Vec<Named>, CliError> {
    facts.iter().map(|fact| Ok(named("fact", fact)?)).collect()
}

/// A line for each; it fails where one did.
fn tell(session: &Session, all: &[Each], key: &RequestKey) -> Result<(), CliError> {
    let told = Bulk::of(all, key, crate::error::of_memory);
    session.answer(&told, || table(&["fact", "outcome", ""], all.iter().map(row)))?;
    let counted = |facts: usize| u64::try_from(facts).unwrap_or(u64::MAX);
    match told.failures() {
        0 => Ok(()),
        failed => Err(CliError::FactsFailed { failed: counted(failed), facts: counted(all.len()) }),
    }
}

fn row(each: &Each) -> Vec<String> {
    let what = match &each.outcome {
        Ok(told) if told.replayed => format!("{}, answered before", receipt::name(told.outcome)),
        Ok(told) if told.searchable => receipt::name(told.outcome).to_owned(),
        Ok(told) => format!("{}, not searchable yet", receipt::name(told.outcome)),
        Err(error) => error.to_string(),
    };
    vec![each.fact.to_string(), fate(each.fate()).to_owned(), what]
}

//! `facts move`, and forgetting several facts by their ids.

use serde::Serialize;
use truthkeeper::{Each, FactId, Fate, Named, Outcome, RequestKey, RevisionNumber, Scope};

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

/// What became of each fact.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Told<'a> {
    facts: Vec<One>,
    succeeded: usize,
    not_found: usize,
    awaiting_reconciliation: usize,
    stale: usize,
    failed: usize,
    idempotency_key: &'a str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct One {
    fact: FactId,
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    receipt: Option<Receipt>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<crate::error::Verdict>,
}

/// What a fact's own request came to.
#[derive(Debug, Serialize)]
struct Receipt {
    #[serde(flatten)]
    outcome: Outcome,
    revision: RevisionNumber,
    replayed: bool,
    searchable: bool,
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
    let count = |fate| all.iter().filter(|each| each.fate() == fate).count();
    let told = Told {
        facts: all.iter().map(one).collect(),
        succeeded: count(Fate::Succeeded),
        not_found: count(Fate::NotFound),
        awaiting_reconciliation: count(Fate::Awaiting),
        stale: count(Fate::Stale),
        failed: count(Fate::Failed),
        idempotency_key: key.as_str(),
    };
    session.answer(&told, || table(&["fact", "outcome", ""], all.iter().map(row)))?;
    let counted = |facts: usize| u64::try_from(facts).unwrap_or(u64::MAX);
    match all.len() - told.succeeded {
        0 => Ok(()),
        failed => Err(CliError::FactsFailed { failed: counted(failed), facts: counted(all.len()) }),
    }
}

fn one(each: &Each) -> One {
    let error = each.outcome.as_ref().err().map(crate::error::of_memory);
    let receipt = each.outcome.as_ref().ok().map(|told| Receipt {
        outcome: told.outcome,
        revision: told.revision,
        replayed: told.replayed,
        searchable: told.searchable,
    });
    One { fact: each.fact, outcome: fate(each), receipt, error }
}

fn row(each: &Each) -> Vec<String> {
    let what = match &each.outcome {
        Ok(told) if told.replayed => format!("{}, answered before", receipt::name(told.outcome)),
        Ok(told) if told.searchable => receipt::name(told.outcome).to_owned(),
        Ok(told) => format!("{}, not searchable yet", receipt::name(told.outcome)),
        Err(error) => error.to_string(),
    };
    vec![each.fact.to_string(), fate(each).to_owned(), what]
}

fn fate(each: &Each) -> &'static str {
    match each.fate() {
        Fate::Succeeded => "succeeded",
        Fate::NotFound => "not-found",
        Fate::Awaiting => "awaiting-reconciliation",
        Fate::Stale => "stale",
        Fate::Failed => "failed",
    }
}

//! `facts import`: drafts from a file, one a line.

use std::collections::BTreeMap;
use std::io::{IsTerminal as _, stdin};

use serde::Serialize;
use serde_json::Value;
use truthkeeper::{Actor, BadInput, Caller, Draft, MemoryError, Receipt};

use crate::args::Global;
use crate::error::{CliError, Verdict};
use crate::facts::export::ATTRIBUTION;
use crate::input::{self, Line, Lines};
use crate::session::Session;
use crate::show::{counted, receipt};
use crate::{out, progress};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "A line is a draft as `facts write --input` takes it. Its `attributedTo`, which `facts export` \
                        writes, says who said it; with --as or --actor, that caller says everything."
)]
pub(crate) struct Args {
    /// The file; - for stdin, which is also read where it is a pipe and no file is named.
    #[arg(value_name = "FILE")]
    file: Option<String>,
}

/// What an import came to.
#[derive(Debug, Default, Serialize)]
struct Summary {
    /// Lines that are not blank.
    lines: u64,
    /// Lines by what they came to now.
    outcomes: BTreeMap<&'static str, u64>,
    failed: u64,
}

/// Lines that this import or one before had recorded already.
const IMPORTED_BEFORE: &str = "imported-before";

pub(crate) async fn run(global: &Global, args: &Args) -> Result<(), CliError> {
    let file = named(args)?;
    let lines = Lines::of(file)?;
    let session = Session::begin(global).await?;
    let is_said_by_caller = global.scope.is_some() || global.actor.is_some();
    let bar = progress::bar("importing", None);
    let mut summary = Summary::default();
    for (number, line) in (1_u64..).zip(lines) {
        let line = line.map_err(|error| CliError::File { path: file.to_owned(), error })?;
        if matches!(&line, Line::Text(text) if text.trim().is_empty()) {
            continue;
        }
        summary.lines += 1;
        match take(&session, line, is_said_by_caller).await {
            Ok(receipt) => *summary.outcomes.entry(counted_as(&receipt)).or_default() += 1,
            Err(error) if is_about_the_line(&error) => {
                summary.failed += 1;
                bar.suspend(|| refuse(&session, number, &error));
            }
            Err(error) => {
                out::note(&format!("stopped at line {number}; the lines before it are done"));
                return Err(error);
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    session.answer(&summary, || text(&summary))?;
    match summary {
        Summary { failed: 0, .. } => Ok(()),
        Summary { failed, lines, .. } => Err(CliError::LinesFailed { failed, lines }),
    }
}

/// The file to read: a person at a keyboard would wait for nothing.
fn named(args: &Args) -> Result<&str, BadInput> {
    match &args.file {
        Some(file) => Ok(file),
        None if stdin().is_terminal() => Err(BadInput::new("file", "is missing; - reads what is typed")),
        None => Ok("-"),
    }
}

async fn take(session: &Session, line: Line, is_said_by_caller: bool) -> Result<Receipt, CliError> {
    let (draft, actor) = parse(line, session)?;
    let caller = match actor {
        Some(actor) if !is_said_by_caller => &Caller { actor, ..session.caller.clone() },
        Some(_) | None => &session.caller,
    };
    let key = session.memory.import_key(caller, &draft).await?;
    // Only a person places a hold: what a machine said is held by who imports it.
    let is_held_after = draft.legal_hold && !caller.actor.is_person();
    let draft = Draft { legal_hold: draft.legal_hold && !is_held_after, ..draft };
    let receipt = session.memory.remember(caller, Some(key), draft).await?;
    if is_held_after {
        session.memory.hold(&session.caller, None, receipt.fact, true).await?;
    }
    Ok(receipt)
}

fn parse(line: Line, session: &Session) -> Result<(Draft, Option<Actor>), BadInput> {
    let text = match line {
        Line::Text(text) => text,
        Line::TooLong => return Err(BadInput::new("line", "is too long")),
        Line::NotText => return Err(BadInput::new("line", "is not UTF-8")),
    };
    let mut value: Value = serde_json::from_str(&text)
        .map_err(|error| BadInput::new("line", format!("is no JSON: {}", input::fault(&error))))?;
    let attribution = value.as_object_mut().and_then(|members| members.remove(ATTRIBUTION));
    let actor = attribution.map(|actor| {
        serde_json::from_value(actor)
            .map_err(|_| BadInput::new(ATTRIBUTION, "must be an object of kind, id and agentVersion"))
    });
    Ok((Draft::from_json(value, session.caller.tenant())?, actor.transpose()?))
}

fn counted_as(receipt: &Receipt) -> &'static str {
    if receipt.replayed { IMPORTED_BEFORE } else { receipt::name(receipt.outcome) }
}

/// Whether the next line may fare better: the fault is in what this one says.
fn is_about_the_line(error: &CliError) -> bool {
    match error {
        CliError::Memory(error) => memory_is_about_the_line(error),
        CliError::Eval(_)
        | CliError::Unconfirmed { .. }
        | CliError::NoStore { .. }
        | CliError::NoDataFolder
        | CliError::File { .. }
        | CliError::NeedsConfirmation { .. }
        | CliError::OperatorOnly
        | CliError::LinesFailed { .. }
        | CliError::FactsFailed { .. }
        | CliError::RowsRefused { .. }
        | CliError::StepsRefused { .. }
        | CliError::Review(_)
        | CliError::Seal(_)
        | CliError::NotSealable(_)
        | CliError::ReviewChanged { .. }
        | CliError::NothingToReview
        | CliError::WhichOwner { .. }
        | CliError::InSourceTree { .. }
        | CliError::NotPrivate { .. }
        | CliError::Unsound { .. }
        | CliError::UnknownOwner { .. }
        | CliError::NotProjected { .. }
        | CliError::Incomplete
        | CliError::OtherAnswer
        | CliError::Gaps
        | CliError::Problems { .. }
        | CliError::NotOpened
        | CliError::Drifted
        | CliError::Model(_)
        | CliError::Pull(_)
        | CliError::Output(_)
        | CliError::Broken(_)
        | CliError::NotListening { .. }
        | CliError::Interrupted => false,
    }
}

/// Says which line was refused, and why.
fn refuse(session: &Session, number: u64, error: &CliError) {
    let Verdict { exit: _, code, message, current_version: _, conflict_version: _, hint: _ } =
        error.verdict();
    if session.json {
        out::note_json(&serde_json::json!({ "error": { "code": code, "line": number, "message": message } }));
    } else {
        out::note(&format!("line {number}: {message}"));
    }
}

fn text(summary: &Summary) -> String {
    let counts = summary.outcomes.iter().map(|(name, count)| format!("{count} {}", name.replace('-', " ")));
    let failed = (summary.failed > 0).then(|| format!("{} failed", summary.failed));
    let parts: Vec<String> = counts.chain(failed).collect();
    if parts.is_empty() {
        return "nothing to import".to_owned();
    }
    format!("{}: {}", counted(summary.lines, "line"), parts.join(", "))
}

fn memory_is_about_the_line(error: &MemoryError) -> bool {
    match error {
        MemoryError::BadInput(_)
        | MemoryError::Secret(_)
        | MemoryError::NoSuchConflict
        | MemoryError::NoSuchReview
        | MemoryError::NoSuchReceipt
        | MemoryError::NoSuchKey
        | MemoryError::BadKey
        | MemoryError::QueryForgotten
        | MemoryError::NotFound
        | MemoryError::AwaitingReconciliation
        | MemoryError::KeyTaken { .. }
        | MemoryError::NotCurrent { .. }
        | MemoryError::NotPermitted
        | MemoryError::Refused(_)
        | MemoryError::KeyReused => true,
        MemoryError::Contention
        | MemoryError::Adoption(_)
        | MemoryError::LegacyDamaged { .. }
        | MemoryError::Source(_)
        | MemoryError::AdoptionRolledBack { .. }
        | MemoryError::NoSuchAdoption
        | MemoryError::RunLacks(_)
        | MemoryError::Intent { .. }
        | MemoryError::SemanticUnavailable
        | MemoryError::Embedder(_)
        | MemoryError::Erase(_)
        | MemoryError::Transfer(_)
        | MemoryError::Open(_)
        | MemoryError::Store(_)
        | MemoryError::Index(_)
        | MemoryError::IndexPaused { .. }
        | MemoryError::Forbidden(_)
        | MemoryError::NoRandomness(_) => false,
    }
}

//! `memory adopt import`.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;
use tempfile::TempDir;
use truthkeeper::{Account, BadInput, Intake, LegacySource, NotTaken, Scope};

use crate::args::Global;
use crate::error::CliError;
use crate::session::Session;
use crate::show::counted;
use crate::show::escape::in_line;
use crate::{out, progress};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Which program kept them: markdown, mem0, mcp-memory, claude-code, codex, chatgpt, claude, ndjson or qdrant-local.
    #[arg(value_name = "SOURCE")]
    source: String,
    /// What it kept: a file or a folder. It is only read.
    #[arg(value_name = "PATH")]
    path: String,
    /// Whose they become, such as user:ann or project:P/participant:X.
    #[arg(long, value_name = "SCOPE")]
    scope: String,
    /// The name that the source has for that person; what is somebody else's is left.
    #[arg(long, value_name = "NAME")]
    whose: Option<String>,
    /// Only say what would be taken.
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Told<'a> {
    dry_run: bool,
    rows: u64,
    taken: u64,
    known: u64,
    gone: u64,
    not_taken: BTreeMap<&'static str, u64>,
    skipped: BTreeMap<String, u64>,
    refused: u64,
    redacted: u64,
    refusals: Vec<Refusal<'a>>,
}

#[derive(Debug, Serialize)]
struct Refusal<'a> {
    place: &'a str,
    why: String,
}

/// The memory; where it is only asked what would be taken and there is none, an empty one that goes away.
async fn begun(global: &Global, dry_run: bool) -> Result<(Session, Option<TempDir>), CliError> {
    if !dry_run {
        return Ok((Session::begin(global).await?, None));
    }
    match Session::open(global).await {
        Err(CliError::NoStore { path }) => {
            let folder = tempfile::tempdir().map_err(|error| CliError::file(&path, error))?;
            let file = folder.path().join("memory.db").display().to_string();
            Ok((Session::at(global, &file).await?, Some(folder)))
        }
        opened => Ok((opened?, None)),
    }
}

pub(super) async fn run(global: &Global, args: &Args) -> Result<(), CliError> {
    let source = source(&args.source)?;
    let scope = Scope::parse_path("scope", &crate::who::tenant(global)?, &args.scope)?;
    let (session, _nothing) = begun(global, args.dry_run).await?;
    let owner = scope.anchor();
    let mut intake = Intake::of(scope).whose(args.whose.clone()).dry_run(args.dry_run);
    let bar = progress::bar("importing", None);
    let shown = bar.clone();
    let advance = move |rows| shown.set_position(rows);
    let from = (source, Path::new(&args.path));
    let account = session.memory.import_source(&session.caller, &mut intake, from, advance).await?;
    bar.finish_and_clear();
    session.answer(&told(&account, args.dry_run), || text(&account, args.dry_run))?;
    if account.taken > 0 && !args.dry_run && !session.json {
        let recalled = session.memory.admissions(&session.caller, Some(&owner)).await?.admitted;
        let rows = counted(recalled, "row");
        out::note(&format!(
            "{rows} of {owner} may be recalled, as unreviewed; `memory adopt audit` begins the review"
        ));
    }
    match account.refused {
        0 => Ok(()),
        refused => Err(CliError::RowsRefused { refused, rows: account.rows }),
    }
}

fn source(name: &str) -> Result<LegacySource, BadInput> {
    LegacySource::parse(name).ok_or_else(|| {
        let names: Vec<&str> = LegacySource::ALL.iter().map(|source| source.name()).collect();
        BadInput::new("source", format!("must be one of {}", names.join(", ")))
    })
}

fn told(account: &Account, dry_run: bool) -> Told<'_> {
    Told {
        dry_run,
        rows: account.rows,
        taken: account.taken,
        known: account.known,
        gone: account.gone,
        not_taken: account.not_taken.iter().map(|(why, count)| (why.name(), *count)).collect(),
        skipped: account.skipped.iter().map(|(why, count)| (why.to_string(), *count)).collect(),
        refused: account.refused,
        redacted: account.redacted,
        refusals: account
            .named
            .iter()
            .map(|(place, why)| Refusal { place: place.as_str(), why: why.to_string() })
            .collect(),
    }
}

/// Every row of the source is in exactly one of these counts.
fn text(account: &Account, dry_run: bool) -> String {
    let Account { rows, taken, known, gone, not_taken, skipped, refused, redacted, named } = account;
    let others: u64 = not_taken.values().sum();
    let passed: u64 = skipped.values().sum();
    let would = if dry_run { "would be taken" } else { "taken" };
    let mut lines = vec![format!(
        "{}: {taken} {would}, {} known before, {others} not for this scope, {passed} skipped, {refused} refused",
        counted(*rows, "row"),
        known + gone
    )];
    let reason = |count: &u64, why: &str| format!("  {count} {why}");
    if *gone > 0 {
        lines.push(format!("  {gone} let go of for ever before, and not brought back"));
    }
    if *redacted > 0 {
        lines.push(format!("  {redacted} without a secret that they held"));
    }
    lines.extend(not_taken.iter().map(|(why, count)| reason(count, NotTaken::name(*why))));
    lines.extend(skipped.iter().map(|(why, count)| reason(count, &format!("skipped: {why}"))));
    lines.extend(named.iter().map(|(place, why)| in_line(&format!("  refused: {}: {why}", place.as_str()))));
    let unnamed = refused - u64::try_from(named.len()).unwrap_or(*refused);
    if unnamed > 0 {
        lines.push(format!("  and {unnamed} more refused"));
    }
    lines.join("\n")
}

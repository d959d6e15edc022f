//! `memory eval`: how well recall finds, measured through the façade on a data set that the caller has.
//!
//! No data set is part of the project: its files are named on the command line.

mod ask;
mod dataset;
mod error;
mod import;
mod report;
mod score;
mod split;

#[cfg(test)]
mod dataset_tests;
#[cfg(test)]
mod score_tests;
#[cfg(test)]
mod split_tests;

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use tempfile::TempDir;
use truthkeeper::{Embedder, Memory, Options, SecretPolicy, limits};

use crate::args::Global;
use crate::embedder::Choice;
use crate::error::CliError;
use crate::out;
use crate::ranking::RankingArgs;

pub(crate) use error::EvalError;

use dataset::Owner;
use report::{Report, Settings};

/// Documents asked for, where the caller does not say: as many as are scored.
const DOCUMENTS_DEFAULT: usize = score::PLACES_MAX;

/// Measures recall on a data set: how often the first document is one that should be found, which share of those is
/// among the first 5 and 10, and how long it takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The documents, a JSON object a line: owner, id, text; optionally time, thread, seq, speaker, supersedes.
    #[arg(long, value_name = "FILE")]
    docs: PathBuf,
    /// The queries, a JSON object a line: owner, id, category, query, gold; optionally versions.
    #[arg(long, value_name = "FILE")]
    queries: PathBuf,
    /// Evaluate in this store, which must be empty and keeps what is written; a temporary file when not given.
    #[arg(long, value_name = "ADDRESS")]
    db: Option<String>,
    /// How to look.
    #[arg(long, value_enum, default_value_t = Mode::Keyword)]
    mode: Mode,
    #[command(flatten)]
    ranking: RankingArgs,
    /// Documents to ask for with each query.
    #[arg(long, value_name = "N", default_value_t = DOCUMENTS_DEFAULT, value_parser = parse_limit)]
    limit: usize,
    /// Leave out the queries of this category; may be given again.
    #[arg(long, value_name = "NAME")]
    skip_category: Vec<String>,
    /// Only the first N owners, for a quick look.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    owners: Option<u32>,
}

/// How to look, as far as recall can.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, serde::Serialize)]
#[serde(rename_all = "lowercase")]
enum Mode {
    /// By words.
    Keyword,
    /// The newest first, whatever is asked.
    List,
    /// By meaning.
    Semantic,
    /// By both, fused.
    Both,
}

impl Mode {
    fn of_recall(self) -> truthkeeper::Mode {
        match self {
            Self::Keyword => truthkeeper::Mode::Keyword,
            Self::List => truthkeeper::Mode::List,
            Self::Semantic => truthkeeper::Mode::Semantic,
            Self::Both => truthkeeper::Mode::Both,
        }
    }
}

/// Measures and prints, as one JSON object where that is asked for.
pub(crate) async fn run(global: &Global, args: &Args) -> Result<(), CliError> {
    let embedder = match args.mode {
        Mode::Keyword | Mode::List => None,
        Mode::Semantic | Mode::Both => Choice::made(&global.config)?.embedder(&global.config)?,
    };
    let report = evaluate(args, embedder).await?;
    if global.json { out::json(&report) } else { out::text(&report.to_string()) }
}

async fn evaluate(args: &Args, embedder: Option<Arc<dyn Embedder>>) -> Result<Report, EvalError> {
    let owners = chosen(dataset::read(&args.docs, &args.queries)?, args)?;
    let (address, _folder) = store(args.db.as_deref())?;
    // What is measured is measured as it is.
    let options = Options { embedder, secrets: SecretPolicy::Off, ..Options::default() };
    let memory = Memory::open_with(&address, options).await?;
    let events = memory.events().await?;
    if events > 0 {
        return Err(EvalError::NotEmpty { events });
    }
    let ranking = args.ranking.ranking().map_err(truthkeeper::MemoryError::from)?;
    ask::check_mode(&memory, args.mode.of_recall()).await?;
    let imported = import::all(&memory, &owners, &args.docs).await?;
    let asked = ask::How { mode: args.mode.of_recall(), ranking };
    let answers = ask::all(&memory, &owners, &imported.standings, asked, args.limit).await?;
    if answers.is_empty() {
        return Err(EvalError::NothingToScore);
    }
    let settings = Settings {
        docs: args.docs.display().to_string(),
        queries: args.queries.display().to_string(),
        engine: if address.starts_with("postgres") { "postgres" } else { "sqlite" },
        mode: args.mode,
        limit: args.limit,
        skip: args.skip_category.clone(),
        owners: owners.len(),
    };
    Ok(Report::of(settings, &owners, &imported, &answers))
}

/// The owners and questions that the arguments leave.
fn chosen(mut owners: Vec<Owner>, args: &Args) -> Result<Vec<Owner>, EvalError> {
    let questions = owners.iter().flat_map(|owner| &owner.questions);
    let known: BTreeSet<&str> = questions.map(|question| question.category.as_str()).collect();
    if let Some(unknown) = args.skip_category.iter().find(|name| !known.contains(name.as_str())) {
        return Err(EvalError::NoCategory { name: unknown.clone() });
    }
    owners.truncate(args.owners.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX)));
    for owner in &mut owners {
        owner.questions.retain(|question| !args.skip_category.contains(&question.category));
    }
    Ok(owners)
}

/// The address to evaluate at, and the folder that goes away with the evaluation.
fn store(db: Option<&str>) -> Result<(String, Option<TempDir>), EvalError> {
    if let Some(address) = db {
        return Ok((address.to_owned(), None));
    }
    let folder =
        tempfile::Builder::new().prefix("truthkeeper-eval.").tempdir().map_err(EvalError::NoFolder)?;
    let file = folder.path().join("memory.db").into_os_string().into_string();
    let file = file.map_err(|_| {
        EvalError::NoFolder(io::Error::new(io::ErrorKind::InvalidInput, "its name is not UTF-8"))
    })?;
    Ok((file, Some(folder)))
}

/// Fewer than are scored would make the figures say something else than their names.
fn parse_limit(text: &str) -> Result<usize, String> {
    let range = score::PLACES_MAX..=limits::PAGE_ITEMS_MAX;
    text.parse()
        .ok()
        .filter(|limit| range.contains(limit))
        .ok_or_else(|| format!("must be from {} to {}", range.start(), range.end()))
}

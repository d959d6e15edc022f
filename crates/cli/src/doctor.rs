//! `memory doctor`: everything that can be checked on this machine. It reports, and mends nothing.

mod machine;

use clap::ValueEnum;
use serde::Serialize;
use tokio::sync::OnceCell;
use truthkeeper::{Area, Clock, Finding, Install, Memory, OpenError, Said};

use crate::args::Global;
use crate::config::Config;
use crate::error::CliError;
use crate::store::{self, Missing};
use crate::{out, progress};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only these checks; all of them when none is named.
    #[arg(value_name = "CHECK")]
    checks: Vec<Check>,
}

/// What is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Check {
    /// Nobody but its owner can open the store's files.
    Permissions,
    /// There is room where the store lies.
    Space,
    /// What this command is told by its environment and the data folder makes sense.
    Configuration,
    /// The store is of this version.
    Migrations,
    /// The database engine is recent, and set so that it loses nothing.
    Engine,
    /// The database's own pages are whole.
    Integrity,
    /// The ledger was not altered, and its tables follow from it.
    Ledger,
    /// Nothing waits too long for the search index, and nothing failed.
    Queue,
    /// The machine's clock is not behind what was recorded.
    Clock,
    /// The search index is whole, and agrees with the ledger row by row.
    Drift,
    /// What makes vectors answers.
    Embedder,
}

/// What a check came to.
#[derive(Debug, Serialize)]
struct Line {
    check: Check,
    findings: Vec<Said>,
    /// Why it could not be made.
    #[serde(skip_serializing_if = "Option::is_none")]
    unchecked: Option<String>,
}

#[derive(Debug, Serialize)]
struct Examined {
    problems: u64,
    /// How many checks could not be made.
    unmade: u64,
    checks: Vec<Line>,
}

/// Makes the checks that are named, or all.
pub(crate) async fn run(global: &Global, args: &Args) -> Result<(), CliError> {
    if global.scope.is_some() {
        return Err(CliError::OperatorOnly);
    }
    let address = store::address(global, Missing::Refuse)?;
    let checks = if args.checks.is_empty() { Check::value_variants() } else { args.checks.as_slice() };
    let doctor = Doctor::new(address, global.config.clone()).await;
    let mut lines = Vec::new();
    for check in checks {
        lines.push(Line::of(*check, doctor.make(*check).await));
    }
    let sum = |count: fn(&Line) -> usize| {
        lines.iter().map(count).map(|count| u64::try_from(count).unwrap_or(u64::MAX)).sum()
    };
    let problems = sum(|line| line.findings.len());
    let unmade = sum(|line| usize::from(line.unchecked.is_some()));
    let examined = Examined { problems, unmade, checks: lines };
    if global.json {
        out::json(&examined)?
    } else {
        out::text(&text(&examined))?
    }
    if problems + unmade == 0 { Ok(()) } else { Err(CliError::Problems { found: problems, unmade }) }
}

impl Line {
    fn of(check: Check, made: Result<Vec<Finding>, CliError>) -> Self {
        match made {
            Ok(findings) => {
                Self { check, findings: findings.into_iter().map(Said::from).collect(), unchecked: None }
            }
            Err(error) => Self { check, findings: Vec::new(), unchecked: Some(error.to_string()) },
        }
    }
}

/// What it works with: the store opened to be read, and opened to be used when a check needs that.
struct Doctor {
    address: String,
    config: Config,
    install: Result<Install, OpenError>,
    memory: OnceCell<Memory>,
}

impl Doctor {
    async fn new(address: String, config: Config) -> Self {
        let install = Install::open(&address, Clock::system().now()).await;
        Self { address, config, install, memory: OnceCell::new() }
    }

    async fn make(&self, check: Check) -> Result<Vec<Finding>, CliError> {
        match check {
            Check::Permissions => machine::permissions(&self.address),
            Check::Space => machine::space(&self.address),
            Check::Configuration => Ok(machine::configuration(&self.config)),
            Check::Migrations => match &self.install {
                Ok(_) => Ok(Vec::new()),
                Err(why) => Ok(vec![Finding::NotOpened { why: why.clone() }]),
            },
            Check::Engine => Ok(self.install()?.engine().await?),
            Check::Integrity => Ok(self.install()?.pages().await?.into_iter().collect()),
            Check::Ledger => self.prove().await,
            Check::Queue => Ok(self.install()?.findings(Area::Projection).await?),
            Check::Clock => Ok(self.install()?.clock().await?),
            Check::Drift => Ok(self.memory().await?.examine_index().await?),
            Check::Embedder => Ok(self.memory().await?.examine_embedder().await?),
        }
    }

    fn install(&self) -> Result<&Install, CliError> {
        self.install.as_ref().map_err(|_| CliError::NotOpened)
    }

    async fn prove(&self) -> Result<Vec<Finding>, CliError> {
        let install = self.install()?;
        let bar = progress::bar("checking", Some(install.events().await?));
        let findings = install.prove(|done| bar.set_position(done)).await?;
        bar.finish_and_clear();
        Ok(findings)
    }

    /// Opens it to be used, unless that would change it.
    async fn memory(&self) -> Result<&Memory, CliError> {
        self.install()?;
        self.memory.get_or_try_init(|| store::open_at(&self.config, &self.address)).await
    }
}

fn text(examined: &Examined) -> String {
    let mut lines = Vec::new();
    for Line { check, findings, unchecked } in &examined.checks {
        let name = check.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
        let verdict = match (findings.len(), unchecked) {
            (_, Some(why)) => format!("NOT CHECKED  {why}"),
            (0, None) => "ok".to_owned(),
            (_, None) => "PROBLEM".to_owned(),
        };
        lines.push(format!("{name:<14} {verdict}"));
        lines.extend(findings.iter().map(|said| format!("  {said}")));
    }
    lines.join("\n")
}

//! `ledger check`.

use std::collections::BTreeMap;

use serde::Serialize;
use truthkeeper::{Chain, Position, Problem, Report, State};

use crate::args::Global;
use crate::error::CliError;
use crate::progress;
use crate::session::Session;
use crate::show::counted;

/// What a check saw.
#[derive(Debug, Serialize)]
struct Checked<'a> {
    sound: bool,
    tenants: u64,
    events: u64,
    found: u64,
    problems: Vec<String>,
    /// The end of each chain: kept elsewhere, it proves later that nothing before it was changed.
    tips: Vec<Tip<'a>>,
    /// Versions of the caller's tenant by state.
    versions: BTreeMap<&'static str, u64>,
}

#[derive(Debug, Serialize)]
struct Tip<'a> {
    tenant: &'a str,
    position: Position,
    digest: &'a str,
}

pub(crate) async fn run(global: &Global) -> Result<(), CliError> {
    let session = Session::open(global).await?;
    let bar = progress::bar("checking", Some(session.memory.events().await?));
    let report = session.memory.check(|done| bar.set_position(done)).await?;
    bar.finish_and_clear();
    // What is not sound cannot be counted, and what was found must be said all the same.
    let counts = match report.found {
        0 => session.memory.counts(&session.caller).await?,
        _ => BTreeMap::new(),
    };
    session.answer(&checked(&report, &counts), || text(&report, &counts))?;
    match report.found {
        0 => Ok(()),
        found => Err(CliError::Unsound { found }),
    }
}

fn checked<'a>(report: &'a Report, counts: &BTreeMap<State, u64>) -> Checked<'a> {
    let Report { tenants, events, problems, found, chains } = report;
    let tip = |Chain { tenant, position, digest, .. }: &'a Chain| Tip {
        tenant: tenant.as_str(),
        position: *position,
        digest,
    };
    Checked {
        sound: *found == 0,
        tenants: *tenants,
        events: *events,
        found: *found,
        problems: problems.iter().map(Problem::to_string).collect(),
        tips: chains.iter().map(tip).collect(),
        versions: counts.iter().map(|(state, count)| (state.name(), *count)).collect(),
    }
}

fn text(report: &Report, counts: &BTreeMap<State, u64>) -> String {
    let counts: Vec<String> =
        counts.iter().map(|(state, count)| format!("{count} {}", state.name())).collect();
    let mut lines: Vec<String> = report.problems.iter().map(Problem::to_string).collect();
    let unsaid = report.found - u64::try_from(lines.len()).unwrap_or(report.found);
    if unsaid > 0 {
        lines.push(format!("and {unsaid} more"));
    }
    let verdict = if report.found == 0 { "sound" } else { "not sound" };
    let (events, tenants) = (counted(report.events, "event"), counted(report.tenants, "tenant"));
    lines.push(format!("{verdict}: {events} of {tenants} checked"));
    if !counts.is_empty() {
        lines.push(format!("versions: {}", counts.join(", ")));
    }
    lines.join("\n")
}

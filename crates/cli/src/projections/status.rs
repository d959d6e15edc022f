//! `projections status`.

use std::collections::BTreeMap;
use std::io::{IsTerminal as _, stdout};
use std::time::Duration;

use serde::Serialize;
use truthkeeper::{CopyCheck, CopyReport, Failing, Outbox, Timestamp};

use super::{Owned, which};
use crate::args::Global;
use crate::embedder::Choice;
use crate::error::CliError;
use crate::out;
use crate::session::Session;
use crate::show::json::shown;

/// How often `--watch` looks.
const WATCH: Duration = Duration::from_secs(2);
const SECOND_MICROS: i64 = 1_000_000;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    owned: Owned,
    /// Exit with 1 unless the copy is known to be equal to the truth.
    #[arg(long)]
    check: bool,
    /// Look again every two seconds, until it is interrupted.
    #[arg(long, conflicts_with = "check")]
    watch: bool,
}

/// The copy at a moment. Never content.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Status {
    waiting: u64,
    failed: u64,
    blocked: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    oldest: Option<String>,
    failing: Vec<Line>,
    drift: Option<LastCheck>,
    /// Which model says what facts mean.
    embeddings: String,
    /// Which model the index is searched by, where it is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    searched_by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<&'static str>,
}

/// One fact whose copy failed.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Line {
    owner: String,
    fact: String,
    step: &'static str,
    attempts: u32,
    error: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<String>,
}

/// What the last checks of the owners found, the oldest one's time.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct LastCheck {
    checked_at: String,
    age_seconds: i64,
    changes_since: u64,
    facts: u64,
    rows: u64,
    to_embed: u64,
    drift: BTreeMap<&'static str, u64>,
    /// How much is wrong beyond single rows.
    damage: u64,
    /// In a line.
    #[serde(skip)]
    told: String,
}

pub(crate) async fn run(global: &Global, args: &Args) -> Result<(), CliError> {
    let session = Session::open(global).await?;
    loop {
        let status = look(&session, args).await?;
        if args.watch && stdout().is_terminal() && !session.json {
            out::clear()?;
        }
        session.answer(&status, || text(&status))?;
        if args.check && !status.is_whole() {
            return Err(CliError::Incomplete);
        }
        if !args.watch {
            return Ok(());
        }
        tokio::time::sleep(WATCH).await;
    }
}

async fn look(session: &Session, args: &Args) -> Result<Status, CliError> {
    let tenant = session.caller.tenant();
    let owner = args.owned.owner(session).await?;
    let mut reports = session.memory.index_reports(tenant).await?;
    if let Some(owner) = &owner {
        reports.retain(|report| report.owner == owner.to_string());
    }
    let outbox = session.memory.outbox(&which(tenant, owner)).await?;
    let now = session.memory.now(tenant).await?;
    let searched_by = session.memory.outdated_model().await;
    let drift = CopyCheck::of(&reports).map(|check| LastCheck::of(check, now));
    Ok(Status::of(&outbox, drift, Choice::made()?.shown(), searched_by))
}

impl Status {
    fn of(
        outbox: &Outbox,
        drift: Option<LastCheck>,
        embeddings: String,
        searched_by: Option<String>,
    ) -> Self {
        let Outbox { waiting, failed, blocked, oldest, failing } = outbox;
        let mut status = Self {
            waiting: *waiting,
            failed: *failed,
            blocked: *blocked,
            oldest: oldest.map(shown),
            failing: failing.iter().map(Line::of).collect(),
            drift,
            embeddings,
            searched_by,
            next: None,
        };
        status.next = status.next();
        status
    }

    /// Whether the copy is known to be equal to the truth.
    fn is_whole(&self) -> bool {
        self.next().is_none()
    }

    /// The command to run next.
    fn next(&self) -> Option<&'static str> {
        match &self.drift {
            _ if self.failed > 0 => Some("memory projections retry"),
            _ if self.searched_by.is_some() => Some("memory projections rebuild"),
            Some(last) if !last.drift.is_empty() || last.damage > 0 => Some("memory projections repair"),
            Some(last) if last.changes_since > 0 => Some("memory projections check"),
            None => Some("memory projections check"),
            Some(_) => None,
        }
    }
}

impl Line {
    pub(super) fn of(failing: &Failing) -> Self {
        Self {
            owner: failing.scope.anchor().to_string(),
            fact: failing.fact.to_string(),
            step: step(&failing.error),
            attempts: failing.attempts,
            error: failing.error.clone(),
            since: failing.since.map(shown),
        }
    }
}

/// The step that an error class belongs to.
fn step(error: &str) -> &'static str {
    match error.split('-').next() {
        Some("ledger") => "plan",
        Some("embedder") => "embed",
        Some("index") => "write",
        _ => "unknown",
    }
}

impl LastCheck {
    fn of(check: CopyCheck, now: Timestamp) -> Self {
        let told = check.told(now);
        let CopyCheck { at, changes, total } = check;
        let CopyReport { facts, rows, to_embed, drift, damage, drifted: _ } = total;
        Self {
            checked_at: shown(at),
            age_seconds: (now.micros() - at.micros()) / SECOND_MICROS,
            changes_since: changes,
            facts,
            rows,
            to_embed,
            drift: drift.into_iter().map(|(kind, count)| (kind.name(), count)).collect(),
            damage,
            told,
        }
    }
}

fn text(status: &Status) -> String {
    let Status { waiting, failed, blocked, oldest, failing, drift, embeddings, searched_by, next } = status;
    let since = oldest.as_ref().map_or_else(String::new, |oldest| format!(", the oldest since {oldest}"));
    let mut lines = vec![format!("operations: {waiting} waiting, {failed} failed, {blocked} blocked{since}")];
    lines.extend(failing.iter().map(line));
    lines.push(match drift {
        None => "drift: not checked".to_owned(),
        Some(last) => format!("drift: {}", last.told),
    });
    lines.push(format!("embeddings: {embeddings}"));
    let until = |model| format!("searched by: {model}, until a rebuild has embedded every fact anew");
    lines.extend(searched_by.as_ref().map(until));
    lines.extend(next.map(|next| format!("next: {next}")));
    lines.join("\n")
}

pub(super) fn line(one: &Line) -> String {
    let Line { owner, fact, step, attempts, error, since } = one;
    let since = since.as_ref().map_or_else(String::new, |since| format!(" since {since}"));
    format!("failed: {owner} {fact} at {step}: {error} after {attempts} attempts{since}")
}

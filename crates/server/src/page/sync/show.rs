//! How the searchable copy stands.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use truthkeeper::{CopyCheck, CopyReport, Drift, Drifted, FactId, Outbox, Reported, Timestamp};

use super::super::assets;
use super::super::frame::{Frame, Section, page};
use super::super::said::Said;
use super::super::session::SignedIn;
use super::super::when::When;
use super::{Whose, whose};
use crate::app::App;
use crate::fault::Fault;
use crate::wire::Unprojected;

#[derive(Template)]
#[template(path = "sync.html")]
struct Sync {
    frame: Frame,
    is_everybody: bool,
    waiting: u64,
    failed: u64,
    blocked: u64,
    oldest: Option<When>,
    failing: Vec<Failed>,
    /// Those that failed and are not named.
    more: u64,
    check: Option<Check>,
    /// Whether something runs on it.
    is_running: bool,
    /// The model that is searched by, where it is not that of today.
    outdated: Option<Said>,
}

/// A fact whose copy failed.
struct Failed {
    fact: FactId,
    owner: Said,
    step: &'static str,
    attempts: u32,
    error: String,
    since: Option<When>,
}

/// What the last check found.
struct Check {
    at: When,
    changes: u64,
    facts: u64,
    rows: u64,
    to_embed: u64,
    /// How many differ, by how, what is missing first.
    drift: Vec<(&'static str, &'static str, u64)>,
    drifted: Vec<Different>,
    is_damaged: bool,
    damage: Vec<String>,
}

struct Different {
    how: &'static str,
    fact: FactId,
    row: Option<i64>,
}

pub(crate) async fn show(State(app): State<App>, signed: SignedIn) -> Result<Response, Fault> {
    let whose = whose(&signed)?;
    let frame = Frame::of(&app, &signed, Section::Sync, "Search sync").await?;
    let job = app.jobs.last(&whose.name());
    let outbox = outbox(&app, &whose).await?;
    let failing = outbox.failing.iter().filter(|failing| whose.sees(failing));
    let failing = failing.map(|failing| Failed {
        fact: failing.fact,
        owner: Said::of(failing.scope.anchor().to_string()),
        step: step(Unprojected::of(failing).step),
        attempts: failing.attempts,
        error: failing.error.clone(),
        since: failing.since.map(|since| When::of(since, frame.now)),
    });
    let failing: Vec<Failed> = failing.collect();
    let named = u64::try_from(failing.len()).unwrap_or(u64::MAX);
    let mut check = CopyCheck::of(&reports(&app, &whose).await?).map(|check| Check::of(check, frame.now));
    let found = job.as_ref().and_then(|job| job.work.end()?.ok()?.found);
    if let (Some(check), Some(found)) = (&mut check, found) {
        check.damage = if check.is_damaged { found.damage.clone() } else { Vec::new() };
    }
    let outdated = app.memory.outdated_model().await.filter(|_| whose.is_everybody).map(Said::of);
    page(&Sync {
        is_everybody: whose.is_everybody,
        waiting: outbox.waiting,
        failed: outbox.failed,
        blocked: outbox.blocked,
        oldest: outbox.oldest.map(|oldest| When::of(oldest, frame.now)),
        more: outbox.failed.saturating_sub(named),
        failing,
        check,
        is_running: job.is_some_and(|job| job.work.end().is_none()),
        outdated,
        frame,
    })
}

/// The work of all whom they see to.
async fn outbox(app: &App, whose: &Whose) -> Result<Outbox, Fault> {
    let mut all = Outbox { waiting: 0, failed: 0, blocked: 0, oldest: None, failing: Vec::new() };
    for which in &whose.which {
        let Outbox { waiting, failed, blocked, oldest, failing } = app.memory.outbox(which).await?;
        all.waiting += waiting;
        all.failed += failed;
        all.blocked += blocked;
        all.oldest = [all.oldest, oldest].into_iter().flatten().min();
        all.failing.extend(failing);
    }
    Ok(all)
}

/// The last checks of whom they see to.
async fn reports(app: &App, whose: &Whose) -> Result<Vec<Reported>, Fault> {
    let mut reports = app.memory.index_reports(whose.caller.tenant()).await?;
    let owners = whose.which.iter().filter_map(|which| which.owner.as_ref());
    let owners: Vec<String> = owners.map(ToString::to_string).collect();
    reports.retain(|report| whose.is_everybody || owners.contains(&report.owner));
    Ok(reports)
}

impl Check {
    fn of(check: CopyCheck, now: Timestamp) -> Self {
        let CopyCheck { at, changes, total } = check;
        let CopyReport { facts, rows, to_embed, drift, drifted, damage } = total;
        let count = |kind: Drift| {
            let count = drift.get(&kind).copied().unwrap_or(0);
            (count > 0).then(|| (kind.name(), words(kind), count))
        };
        let different = |one: &Drifted| Different { how: one.drift.name(), fact: one.fact, row: one.row };
        Self {
            at: When::of(at, now),
            changes,
            facts,
            rows,
            to_embed,
            drift: Drift::ALL.into_iter().filter_map(count).collect(),
            drifted: drifted.iter().map(different).collect(),
            is_damaged: damage > 0,
            damage: Vec::new(),
        }
    }

    /// Whether there is something to repair.
    fn is_wrong(&self) -> bool {
        self.is_damaged || !self.drift.is_empty()
    }
}

/// What a step is called, for people.
fn step(name: &'static str) -> &'static str {
    match name {
        "plan" => "reading what is true now",
        "embed" => "finding out what it means",
        "write" => "writing it into the index",
        _ => "it did not come to an end",
    }
}

fn words(drift: Drift) -> &'static str {
    match drift {
        Drift::Missing => "facts that no search finds",
        Drift::Leftover => "rows of what is not current any more",
        Drift::Stale => "rows that say something older, or are made by older rules",
        Drift::Unknown => "rows of facts that the memory does not know",
        Drift::Duplicate => "further rows of a fact that has one",
    }
}

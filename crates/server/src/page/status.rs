//! How the install stands, for its operators, with the last days as small plots.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use truthkeeper::{Condition, CopyCheck, Day, Drift, Right, Stand, Timestamp};

use super::assets;
use super::frame::{Frame, Section, page};
use super::plot::Plot;
use super::said::Said;
use super::session::SignedIn;
use super::when::When;
use crate::app::App;
use crate::fault::Fault;

/// Days that are plotted.
const DAYS: u32 = 30;

#[derive(Template)]
#[template(path = "status.html")]
struct Shown {
    frame: Frame,
    has_gaps: bool,
    areas: Vec<Area>,
    plots: Vec<Plot>,
    days: Vec<Line>,
    drift: Option<Drifts>,
}

/// How a part stands.
struct Area {
    name: &'static str,
    condition: String,
    mood: &'static str,
    detail: Said,
    findings: Vec<(Said, Option<Said>)>,
}

/// A day in the table.
struct Line {
    date: String,
    settled: u64,
    contested: u64,
    ended: u64,
    recalls: u64,
    drift: String,
}

/// What the last check found.
struct Drifts {
    at: When,
    counts: Vec<(&'static str, u64)>,
}

pub(crate) async fn show(State(app): State<App>, signed: SignedIn) -> Result<Response, Fault> {
    let caller = signed.keyed.caller(Right::Operate)?;
    let status = app.memory.status().await?;
    let frame = Frame::of(&app, &signed, Section::Status, "Status").await?;
    let days = app.memory.last_days(caller.tenant(), DAYS).await?;
    let reports = app.memory.index_reports(caller.tenant()).await?;
    page(&Shown {
        has_gaps: status.gaps,
        areas: status
            .areas
            .into_iter()
            .map(|line| Area {
                name: line.area.name(),
                condition: line.condition.name().to_lowercase(),
                mood: mood(line.condition),
                detail: Said::of(line.detail),
                findings: line
                    .findings
                    .into_iter()
                    .map(|said| (Said::of(said.text), said.mend.map(Said::of)))
                    .collect(),
            })
            .collect(),
        plots: plots(&days),
        days: days.iter().rev().map(Line::of).collect(),
        drift: CopyCheck::of(&reports).map(|check| Drifts::of(&check, frame.now)),
        frame,
    })
}

fn mood(condition: Condition) -> &'static str {
    match condition {
        Condition::Active => "good",
        Condition::Disabled | Condition::Pending => "soft",
        Condition::NotVerified | Condition::Incomplete | Condition::NotInitialized => "warn",
    }
}

fn plots(days: &[Day]) -> Vec<Plot> {
    let facts = |stand| days.iter().map(|day| count(day, stand)).collect::<Vec<_>>();
    let recalls: Vec<u64> = days.iter().map(|day| day.recalls).collect();
    let drift: Vec<u64> = days.iter().map(|day| day.drift.unwrap_or(0)).collect();
    vec![
        Plot::of("Facts that stand", &facts(Stand::Settled)),
        Plot::of("Facts in conflict", &facts(Stand::Contested)),
        Plot::of("Facts that are over", &facts(Stand::Ended)),
        Plot::of("Recalls", &recalls),
        Plot::of("Drift", &drift),
    ]
}

fn count(day: &Day, stand: Stand) -> u64 {
    day.facts.get(&stand).copied().unwrap_or(0)
}

impl Line {
    fn of(day: &Day) -> Self {
        let begins = day.begins.to_string();
        Self {
            date: begins.get(..10).map_or(begins.clone(), str::to_owned),
            settled: count(day, Stand::Settled),
            contested: count(day, Stand::Contested),
            ended: count(day, Stand::Ended),
            recalls: day.recalls,
            drift: day.drift.map_or_else(|| "–".to_owned(), |drift| drift.to_string()),
        }
    }
}

impl Drifts {
    fn of(check: &CopyCheck, now: Timestamp) -> Self {
        let count = |kind: Drift| (kind.name(), check.total.drift.get(&kind).copied().unwrap_or(0));
        Self { at: When::of(check.at, now), counts: Drift::ALL.map(count).to_vec() }
    }
}

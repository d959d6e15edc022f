//! An adoption: what each of its steps came to, and taking it back as a unit.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};

use askama::Template;
use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use truthkeeper::{
    Adoption, AdoptionId, BadInput, Caller, FactId, Memory, MemoryError, Right, StepDone, StepOutcome,
};

use super::super::assets;
use super::super::fields::{Fields, Queried};
use super::super::frame::{Flash, Frame, Section, page, page_of};
use super::super::said::Said;
use super::super::session::SignedIn;
use super::super::when::When;
use super::super::work::Work;
use super::drafts::Came;
use super::pages::Pages;
use super::{adoption_of, reviewer, words};
use crate::app::App;
use crate::fault::Fault;
use crate::plain;

/// Steps of a page.
const PAGE_STEPS: usize = 100;
/// Rows that are read together.
const ROWS_TOGETHER: u32 = 1_000;
/// Texts that a step shows.
const TEXTS_SHOWN_MAX: usize = 10;

#[derive(Template)]
#[template(path = "adoption_receipt.html")]
struct Shown {
    frame: Frame,
    adoption: AdoptionId,
    owner: Said,
    reviewer: Said,
    state: &'static str,
    is_unfinished: bool,
    times: Vec<(&'static str, When)>,
    counts: Vec<(usize, &'static str)>,
    steps: Vec<Done>,
    pages: Pages,
    /// Facts that taking it back would forget; none where that is not offered.
    would_forget: Option<usize>,
    problem: Option<Said>,
}

/// What a step came to.
struct Done {
    number: u32,
    outcome: &'static str,
    mood: &'static str,
    texts: Vec<Said>,
    more: usize,
    fact: Option<FactId>,
    why: Option<Said>,
}

pub(super) async fn show(
    State(app): State<App>,
    signed: SignedIn,
    id: Path<String>,
    Queried(asked): Queried,
) -> Result<Response, Fault> {
    page(&shown(&app, &signed, adoption_of(&id)?, &asked).await?)
}

/// Takes it back: what it made is forgotten, but for what was changed since.
pub(super) async fn roll_back(
    State(app): State<App>,
    signed: SignedIn,
    id: Path<String>,
    fields: Fields,
) -> Result<Response, Fault> {
    let caller = reviewer(&signed)?;
    signed.keyed.caller(Right::FactsWrite)?;
    let adoption = adoption_of(&id)?;
    if fields.get("confirm") != Some("yes") {
        let fault = BadInput::new("confirm", "tick that you mean it: nothing was taken back").into();
        return refused(&app, &signed, adoption, fault).await;
    }
    let steps = app.memory.adoption_steps(&caller, adoption).await?.len();
    let memory = app.memory.clone();
    let work = app.drafts.begin_work(name_of(adoption), || {
        let steps = u64::try_from(steps).unwrap_or(u64::MAX);
        Work::begin(steps, |work| async move { take_back(&memory, &caller, adoption, &work).await })
    });
    match work.ends_soon().await {
        Some(end) => ended(&app, &signed, adoption, end).await,
        None => Ok(Redirect::to(&format!("/adoption/{adoption}/running")).into_response()),
    }
}

/// How far it is; once it has ended, what it came to.
pub(super) async fn running(
    State(app): State<App>,
    signed: SignedIn,
    id: Path<String>,
) -> Result<Response, Fault> {
    let caller = reviewer(&signed)?;
    let adoption = adoption_of(&id)?;
    found(&app, &caller, adoption).await?;
    let Some(work) = app.drafts.work(&name_of(adoption)) else { return Ok(to(adoption)) };
    match work.end() {
        Some(end) => ended(&app, &signed, adoption, end).await,
        None => {
            let frame = Frame::of(&app, &signed, Section::Adoption, "Taking an adoption back").await?;
            work.page(frame, "What it made is being forgotten, step by step.")
        }
    }
}

async fn ended(
    app: &App,
    signed: &SignedIn,
    adoption: AdoptionId,
    end: Result<Came, Fault>,
) -> Result<Response, Fault> {
    match end {
        Ok(came) => {
            signed.say(Flash::of(came.said));
            Ok(to(adoption))
        }
        Err(fault) => refused(app, signed, adoption, fault).await,
    }
}

async fn refused(
    app: &App,
    signed: &SignedIn,
    adoption: AdoptionId,
    fault: Fault,
) -> Result<Response, Fault> {
    if fault.status.is_server_error() || fault.code == "permission-denied" {
        return Err(fault);
    }
    let shown = shown(app, signed, adoption, &Fields::default()).await?;
    let problem = Some(Said::of(fault.message));
    page_of(fault.status, &Shown { problem, ..shown })
}

async fn take_back(
    memory: &Memory,
    caller: &Caller,
    adoption: AdoptionId,
    work: &Work<Came>,
) -> Result<Came, Fault> {
    let done = AtomicU64::new(0);
    let progress = |steps: usize| {
        let steps = u64::try_from(steps).unwrap_or(0);
        work.is_at(done.fetch_add(steps, Ordering::Relaxed) + steps);
    };
    let back = memory.roll_back(caller, adoption, progress).await.map_err(words::refused)?;
    let said = match back.was_rolled_back {
        true => "It had been taken back already: nothing was done now.",
        false => "It is taken back. Its memories wait for another review, and are not recalled before.",
    };
    Ok(Came::of(adoption, said, &back.steps))
}

async fn shown(app: &App, signed: &SignedIn, adoption: AdoptionId, asked: &Fields) -> Result<Shown, Fault> {
    let caller = reviewer(signed)?;
    let found = found(app, &caller, adoption).await?;
    let frame = Frame::of(app, signed, Section::Adoption, "An adoption").await?;
    let steps = app.memory.adoption_steps(&caller, adoption).await?;
    let (texts, why) = (texts(app, &caller, &found).await?, app.drafts.why(adoption));
    let pages = Pages::of(asked, &format!("/adoption/{adoption}"), steps.len(), PAGE_STEPS);
    let page = steps.get(pages.shown.clone()).unwrap_or_default();
    let made = steps.iter().filter(|step| step.outcome == StepOutcome::Adopted).count();
    let is_own = caller.writer.may_write(&found.scope) && signed.keyed.may(Right::FactsWrite);
    let times = [
        ("sealed", Some(found.sealed_at)),
        ("begun", found.begun_at),
        ("applied", found.applied_at),
        ("taken back", found.rolled_back_at),
    ];
    let times = times.into_iter().filter_map(|(name, time)| Some((name, When::of(time?, frame.now))));
    Ok(Shown {
        adoption,
        owner: Said::of(found.scope.anchor().to_string()),
        reviewer: Said::of(plain::actor(&found.reviewer)),
        state: words::state(&found),
        is_unfinished: found.is_unfinished(),
        times: times.collect(),
        counts: counts(&steps),
        steps: page.iter().map(|step| Done::of(step, &texts, &why)).collect(),
        pages,
        would_forget: (is_own && found.rolled_back_at.is_none()).then_some(made),
        problem: None,
        frame,
    })
}

/// What the rows of an adoption's owner say, as far as they are still there.
async fn texts(app: &App, caller: &Caller, found: &Adoption) -> Result<HashMap<FactId, String>, Fault> {
    let (owner, mut after, mut texts) = (found.scope.anchor(), None, HashMap::new());
    loop {
        let rows = app.memory.legacy_rows(caller, Some(&owner), after, ROWS_TOGETHER).await?;
        let text = |kept: truthkeeper::KeptLegacy| (kept.row.row, kept.row.legacy.text.as_str().to_owned());
        texts.extend(rows.rows.into_iter().map(text));
        after = rows.next;
        if after.is_none() {
            return Ok(texts);
        }
    }
}

async fn found(app: &App, caller: &Caller, adoption: AdoptionId) -> Result<Adoption, Fault> {
    let all = app.memory.adoptions(caller).await?;
    let found = all.into_iter().find(|one| one.adoption == adoption);
    found.ok_or_else(|| MemoryError::NoSuchAdoption.into())
}

fn counts(steps: &[StepDone]) -> Vec<(usize, &'static str)> {
    let mut counts: BTreeMap<StepOutcome, usize> = BTreeMap::new();
    steps.iter().for_each(|step| *counts.entry(step.outcome).or_default() += 1);
    counts.into_iter().map(|(outcome, count)| (count, words::outcome(outcome))).collect()
}

impl Done {
    fn of(step: &StepDone, texts: &HashMap<FactId, String>, why: &BTreeMap<u32, String>) -> Self {
        let text = |row: &FactId| {
            let text = texts.get(row).map_or("(it is gone)", String::as_str);
            Said::of(text)
        };
        Self {
            number: step.step,
            outcome: words::outcome(step.outcome),
            mood: match step.outcome {
                StepOutcome::Adopted | StepOutcome::Already | StepOutcome::Kept => "good",
                StepOutcome::Rejected | StepOutcome::Deferred | StepOutcome::TakenBack => "soft",
                StepOutcome::Refused | StepOutcome::Left => "warn",
            },
            texts: step.rows.iter().take(TEXTS_SHOWN_MAX).map(text).collect(),
            more: step.rows.len().saturating_sub(TEXTS_SHOWN_MAX),
            fact: step.fact.map(|(fact, _)| fact),
            why: why.get(&step.step).map(|why| Said::of(why.as_str())),
        }
    }
}

fn to(adoption: AdoptionId) -> Response {
    Redirect::to(&format!("/adoption/{adoption}")).into_response()
}

fn name_of(adoption: AdoptionId) -> String {
    format!("back {adoption}")
}

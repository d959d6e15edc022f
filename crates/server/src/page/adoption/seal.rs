//! A review at its end: what it comes to, its seal, and what applying it would do.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use truthkeeper::{AdoptionStep, FactId, Right, Sealed, Step, plan};

use super::super::assets;
use super::super::fields::Fields;
use super::super::frame::{Flash, Frame, Section, page, page_of};
use super::super::said::Said;
use super::super::session::SignedIn;
use super::drafts::{Draft, Tally};
use super::review::GroupLine;
use super::safe::{Would, would};
use super::{apply, draft_of, pages, reviewer, words};
use crate::app::App;
use crate::fault::Fault;

/// Groups that are named as undecided.
const UNDECIDED_NAMED_MAX: usize = 20;
/// Steps that are told before they are done.
const STEPS_TOLD_MAX: usize = 1_000;
const STALE: &str = "The review was changed meanwhile: look at it again, then seal it.";

#[derive(Template)]
#[template(path = "adoption_summary.html")]
struct Summary {
    frame: Frame,
    path: String,
    owner: Said,
    version: String,
    tally: Tally,
    undecided: Vec<GroupLine>,
    would: Vec<Would>,
    plan: Option<Plan>,
    /// Whether whoever is signed in may make facts.
    may_apply: bool,
    problem: Option<Said>,
    /// Where that is put right.
    mend: Option<String>,
}

/// What applying a sealed review would do.
struct Plan {
    steps: usize,
    told: Vec<Planned>,
}

struct Planned {
    number: u32,
    act: &'static str,
    rows: String,
    text: Option<Said>,
    note: Option<Said>,
}

pub(super) async fn summary(
    State(app): State<App>,
    signed: SignedIn,
    Path(audit): Path<String>,
) -> Result<Response, Fault> {
    let draft = draft_of(&app, &signed, &audit)?;
    page(&summed(&app, &signed, &draft).await?)
}

/// Seals the decisions as they were looked at.
pub(super) async fn seal(
    State(app): State<App>,
    signed: SignedIn,
    Path(audit): Path<String>,
    fields: Fields,
) -> Result<Response, Fault> {
    let caller = reviewer(&signed)?;
    let draft = draft_of(&app, &signed, &audit)?;
    let now = draft.now();
    let version = fields.raw("version");
    if now.review.digest() != version {
        return Ok(said(&signed, &draft, STALE));
    }
    if now.sealed.is_some() {
        return Ok(said(&signed, &draft, "It is sealed already."));
    }
    let sealed = app.memory.seal_review(&caller, &draft.audit, &now.review).await.map_err(words::refused)?;
    match sealed {
        Ok(sealed) => {
            let told =
                if draft.seal(version, sealed) { "It is sealed. Nothing is applied yet." } else { STALE };
            Ok(said(&signed, &draft, told))
        }
        Err(why) => {
            let (problem, group) = words::not_sealable(&why);
            let mend = group.map(|group| draft.path_to(group));
            let shown = summed(&app, &signed, &draft).await?;
            let problem = Some(Said::of(problem));
            page_of(StatusCode::CONFLICT, &Summary { problem, mend, ..shown })
        }
    }
}

/// Says something on the summary.
fn said(signed: &SignedIn, draft: &Draft, told: &str) -> Response {
    signed.say(Flash::of(told));
    Redirect::to(&format!("{}/summary", draft.path())).into_response()
}

/// Lets go of the seal, so that decisions can be changed.
pub(super) async fn unseal(
    State(app): State<App>,
    signed: SignedIn,
    Path(audit): Path<String>,
) -> Result<Response, Fault> {
    let draft = draft_of(&app, &signed, &audit)?;
    if apply::is_running(&app, &draft) {
        return Ok(said(&signed, &draft, "It is being applied just now: its decisions stay."));
    }
    draft.unseal();
    signed.say(Flash::of("It is open again: decisions can be changed, and sealed anew."));
    Ok(Redirect::to(&draft.path()).into_response())
}

/// The sealed review as the command takes it: with it an adoption is finished that a process left unfinished.
pub(super) async fn document(
    State(app): State<App>,
    signed: SignedIn,
    Path(audit): Path<String>,
) -> Result<Response, Fault> {
    let draft = draft_of(&app, &signed, &audit)?;
    let sealed = draft.now().sealed.ok_or_else(not_sealed)?;
    let name = sealed.digest().get(..16).unwrap_or_default().to_owned();
    let kept = format!("attachment; filename=\"sealed-{name}.json\"");
    let headers =
        [(header::CONTENT_TYPE, "application/json".to_owned()), (header::CONTENT_DISPOSITION, kept)];
    Ok((headers, sealed.render()).into_response())
}

/// What was sealed.
pub(super) fn sealed_of(draft: &Draft) -> Result<Arc<Sealed>, Fault> {
    draft.now().sealed.ok_or_else(not_sealed)
}

fn not_sealed() -> Fault {
    Fault::new(StatusCode::CONFLICT, "review-not-sealed", "the review is not sealed: seal it first")
}

/// The summary with why something was refused.
pub(super) async fn refused(
    app: &App,
    signed: &SignedIn,
    draft: &Draft,
    fault: Fault,
) -> Result<Response, Fault> {
    let problem = Some(Said::of(fault.message));
    page_of(fault.status, &Summary { problem, ..summed(app, signed, draft).await? })
}

async fn summed(app: &App, signed: &SignedIn, draft: &Draft) -> Result<Summary, Fault> {
    let frame = Frame::of(app, signed, Section::Adoption, "What your review comes to").await?;
    let now = draft.now();
    let review = &now.review;
    let undecided = review.groups.iter().filter(|group| Tally::of_group(group).left > 0);
    let undecided = undecided.take(UNDECIDED_NAMED_MAX);
    let undecided = undecided.filter_map(|group| GroupLine::of(draft, draft.group(review, &group.id)?));
    Ok(Summary {
        path: draft.path(),
        owner: Said::of(draft.owner.to_string()),
        version: review.digest(),
        tally: Tally::of(review),
        undecided: undecided.collect(),
        would: if now.sealed.is_some() { Vec::new() } else { would(draft, review, |_| true) },
        plan: now.sealed.as_deref().map(|sealed| Plan::of(sealed, draft)),
        may_apply: signed.keyed.may(Right::FactsWrite),
        problem: None,
        mend: None,
        frame,
    })
}

impl Plan {
    fn of(sealed: &Sealed, draft: &Draft) -> Self {
        let steps = plan(sealed);
        let told = steps.iter().take(STEPS_TOLD_MAX).map(|step| Planned::of(step, draft)).collect();
        Self { steps: steps.len(), told }
    }
}

impl Planned {
    fn of(step: &AdoptionStep, draft: &Draft) -> Self {
        let said = |row: FactId| {
            let mut rows = draft.audit.groups.iter().flat_map(|group| &group.rows);
            rows.find(|found| found.row == row).map(|found| Said::of(found.legacy.text.as_str()))
        };
        let alone = |rows: &[FactId]| if let [row] = rows { said(*row) } else { None };
        let (act, rows, text, note) = match &step.step {
            Step::Adopt(adopted) => {
                let text = Said::of(adopted.wording.text.as_str());
                ("becomes a fact", adopted.cites.len(), Some(text), None)
            }
            Step::Keep { row } => ("is kept as a record", 1, said(*row), None),
            Step::Reject { rows, note } => ("rejected", rows.len(), alone(rows), note.as_ref()),
            Step::Defer { rows, note } => ("put off", rows.len(), alone(rows), note.as_ref()),
        };
        let note = note.map(|note| Said::of(note.as_str()));
        Self { number: step.number, act, rows: pages::rows(rows), text, note }
    }
}

//! Applying a sealed review. It goes on without the request, and a second request finds it running.

use std::sync::atomic::{AtomicU64, Ordering};

use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use truthkeeper::{BadInput, Caller, Memory, Right, Sealed, plan};

use super::super::fields::Fields;
use super::super::frame::{Flash, Frame, Section};
use super::super::session::SignedIn;
use super::super::work::Work;
use super::drafts::{Came, Draft};
use super::{draft_of, pages, reviewer, seal, words};
use crate::app::App;
use crate::fault::Fault;

pub(super) async fn apply(
    State(app): State<App>,
    signed: SignedIn,
    Path(audit): Path<String>,
    fields: Fields,
) -> Result<Response, Fault> {
    let caller = reviewer(&signed)?;
    signed.keyed.caller(Right::FactsWrite)?;
    let draft = draft_of(&app, &signed, &audit)?;
    let sealed = seal::sealed_of(&draft)?;
    if fields.get("confirm") != Some("yes") {
        let fault = BadInput::new("confirm", "tick that you looked at it: nothing was applied").into();
        return seal::refused(&app, &signed, &draft, fault).await;
    }
    let memory = app.memory.clone();
    let work = app.drafts.begin_work(name_of(&draft), || {
        let steps = u64::try_from(plan(&sealed).len()).unwrap_or(u64::MAX);
        Work::begin(steps, |work| async move { carry_out(&memory, &caller, &sealed, &work).await })
    });
    match work.ends_soon().await {
        Some(end) => ended(&app, &signed, &draft, end).await,
        None => Ok(Redirect::to(&format!("{}/running", draft.path())).into_response()),
    }
}

/// How far it is; once it has ended, what it came to.
pub(super) async fn running(
    State(app): State<App>,
    signed: SignedIn,
    Path(audit): Path<String>,
) -> Result<Response, Fault> {
    let draft = draft_of(&app, &signed, &audit)?;
    let to_summary = || Redirect::to(&format!("{}/summary", draft.path())).into_response();
    let Some(work) = app.drafts.work(&name_of(&draft)) else { return Ok(to_summary()) };
    match work.end() {
        Some(end) => ended(&app, &signed, &draft, end).await,
        None => {
            let frame = Frame::of(&app, &signed, Section::Adoption, "Applying your review").await?;
            work.page(frame, "What you approved becomes current, step by step.")
        }
    }
}

async fn ended(
    app: &App,
    signed: &SignedIn,
    draft: &Draft,
    end: Result<Came, Fault>,
) -> Result<Response, Fault> {
    match end {
        Ok(came) => {
            signed.say(Flash::of(came.said));
            Ok(Redirect::to(&format!("/adoption/{}", came.adoption)).into_response())
        }
        Err(fault) if fault.status.is_client_error() => seal::refused(app, signed, draft, fault).await,
        Err(fault) => Err(fault),
    }
}

async fn carry_out(
    memory: &Memory,
    caller: &Caller,
    sealed: &Sealed,
    work: &Work<Came>,
) -> Result<Came, Fault> {
    let done = AtomicU64::new(0);
    let progress = |steps: usize| {
        let steps = u64::try_from(steps).unwrap_or(0);
        work.is_at(done.fetch_add(steps, Ordering::Relaxed) + steps);
    };
    let applied = memory.apply_review(caller, sealed, progress).await.map_err(words::refused)?;
    let said = match (applied.was_applied, applied.resumed) {
        (true, _) => "It had been applied already: nothing was done now.".to_owned(),
        (false, 0) => format!("It is applied: {}.", pages::steps(applied.steps.len())),
        (false, resumed) => format!(
            "It is applied: {}, of which {resumed} had been done before.",
            pages::steps(applied.steps.len())
        ),
    };
    let said = match applied.unsearchable {
        0 => said,
        _ => format!("{said} Some facts are not in the search index yet."),
    };
    Ok(Came::of(applied.adoption, &said, &applied.steps))
}

fn name_of(draft: &Draft) -> String {
    format!("apply {}", draft.digest)
}

/// Whether a review was applied through to its end.
pub(super) fn is_applied(app: &App, draft: &Draft) -> bool {
    app.drafts.work(&name_of(draft)).is_some_and(|work| matches!(work.end(), Some(Ok(_))))
}

/// Whether a review is being applied.
pub(super) fn is_running(app: &App, draft: &Draft) -> bool {
    app.drafts.work(&name_of(draft)).is_some_and(|work| work.end().is_none())
}

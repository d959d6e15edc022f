//! The searchable copy: what failed, what drifted, and putting it right. Never content.

mod jobs;
mod show;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use truthkeeper::{Caller, FactId, Failing, MemoryError, Right, Which};

pub(crate) use jobs::Jobs;
pub(crate) use show::show;

use super::fields::Fields;
use super::frame::{Flash, Frame, Section};
use super::session::SignedIn;
use crate::app::App;
use crate::fault::Fault;
use jobs::{Job, Task};

/// Whose copies somebody sees to.
pub(crate) struct Whose {
    caller: Caller,
    which: Vec<Which>,
    /// Whether that is everybody in the tenant.
    is_everybody: bool,
}

/// An operator sees to everybody's; a person to those of whom they read for.
pub(crate) fn whose(signed: &SignedIn) -> Result<Whose, Fault> {
    let caller = Caller::from(signed.keyed.key());
    if signed.keyed.may(Right::Operate) {
        let which = Which { tenant: Some(caller.tenant().clone()), owner: None, fact: None };
        return Ok(Whose { caller, which: vec![which], is_everybody: true });
    }
    signed.keyed.caller(Right::Review)?;
    if !signed.is_person() {
        let message = "not permitted: only people see to the search index, or who has the right operate";
        return Err(Fault::new(StatusCode::FORBIDDEN, "permission-denied", message));
    }
    let which = caller.copies();
    let is_everybody = which.iter().any(|which| which.owner.is_none());
    Ok(Whose { caller, which, is_everybody })
}

/// How much failed of what somebody sees to.
pub(crate) async fn failed(app: &App, signed: &SignedIn) -> Result<u64, Fault> {
    let mut failed = 0;
    for which in &whose(signed)?.which {
        failed += app.memory.outbox(which).await?.failed;
    }
    Ok(failed)
}

impl Whose {
    /// Whether a fact's copy is shown by name: an operator of the copy need not be able to read the fact.
    fn sees(&self, failing: &Failing) -> bool {
        self.is_everybody || self.caller.reader.may_read(&failing.scope)
    }

    /// The name of what runs for them.
    fn name(&self) -> String {
        let owner = |which: &Which| which.owner.as_ref().map_or_else(String::new, ToString::to_string);
        let owners: Vec<String> = self.which.iter().map(owner).collect();
        format!("{}\0{}", self.caller.tenant(), owners.join("\0"))
    }
}

/// Tries what failed once more: one fact that is named, or all.
pub(crate) async fn retry(
    State(app): State<App>,
    signed: SignedIn,
    fields: Fields,
) -> Result<Response, Fault> {
    let whose = whose(&signed)?;
    let which = match fields.get("fact") {
        Some(fact) => vec![failing(&app, &whose, FactId::parse(fact)?).await?],
        None => whose.which.clone(),
    };
    begin(&app, &signed, &whose, Task::Retry(which)).await
}

/// Compares the copy with the ledger.
pub(crate) async fn check(State(app): State<App>, signed: SignedIn) -> Result<Response, Fault> {
    let whose = whose(&signed)?;
    begin(&app, &signed, &whose, Task::Check(whose.which.clone())).await
}

/// Makes again what drifted, and compares once more.
pub(crate) async fn repair(State(app): State<App>, signed: SignedIn) -> Result<Response, Fault> {
    let whose = whose(&signed)?;
    begin(&app, &signed, &whose, Task::Repair(whose.which.clone())).await
}

/// How far it is; once it has ended, what it came to.
pub(crate) async fn running(State(app): State<App>, signed: SignedIn) -> Result<Response, Fault> {
    let whose = whose(&signed)?;
    let Some(job) = app.jobs.last(&whose.name()) else { return Ok(to_sync()) };
    match job.work.end() {
        Some(_) => Ok(ended(&signed, &job)),
        None => job.work.page(Frame::of(&app, &signed, Section::Sync, "Search sync").await?, job.what),
    }
}

async fn begin(app: &App, signed: &SignedIn, whose: &Whose, task: Task) -> Result<Response, Fault> {
    let facts = app.memory.facts(whose.caller.tenant()).await?;
    let job = app.jobs.begin(whose.name(), &app.memory, task, facts);
    match job.work.ends_soon().await {
        Some(_) => Ok(ended(signed, &job)),
        None => Ok(Redirect::to("/sync/running").into_response()),
    }
}

/// Says once what a job came to.
fn ended(signed: &SignedIn, job: &Job) -> Response {
    match job.work.end() {
        Some(Ok(came)) if job.is_told_now() => signed.say(Flash::of(came.said)),
        Some(Err(fault)) if job.is_told_now() => {
            signed.say(Flash::of(format!("It could not be done: {}.", fault.message)));
        }
        Some(_) | None => {}
    }
    to_sync()
}

fn to_sync() -> Response {
    Redirect::to("/sync").into_response()
}

/// The operation of a fact that failed and is shown to them. Afterwards only its owner's rows are checked.
async fn failing(app: &App, whose: &Whose, fact: FactId) -> Result<Which, Fault> {
    for which in &whose.which {
        let which = Which { fact: Some(fact), ..which.clone() };
        let outbox = app.memory.outbox(&which).await?;
        if let Some(found) = outbox.failing.iter().find(|failing| whose.sees(failing)) {
            return Ok(Which { owner: Some(found.scope.anchor()), ..which });
        }
    }
    Err(MemoryError::NotFound.into())
}

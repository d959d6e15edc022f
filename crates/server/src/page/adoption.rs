//! Memories from before the ledger: whose wait, their reviews, and what was adopted.

mod apply;
mod drafts;
mod group;
mod pages;
mod receipt;
mod review;
mod row;
mod safe;
mod seal;
mod words;

use askama::Template;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{get, post};
use truthkeeper::{
    Adoption, AdoptionId, BadInput, Caller, Container, MemoryError, OwnerCensus, Right, Scope,
};

pub(crate) use drafts::Drafts;

use super::assets;
use super::fields::Fields;
use super::frame::{Frame, Section, page, page_of};
use super::said::Said;
use super::session::SignedIn;
use super::when::When;
use crate::app::App;
use crate::fault::Fault;
use crate::plain;

/// Every route of the section.
pub(crate) fn router() -> Router<App> {
    let review = Router::new()
        .route("/", get(review::show))
        .route("/safe", get(safe::show).post(safe::approve))
        .route("/groups/{group}", get(group::show).post(group::decide))
        .route("/summary", get(seal::summary))
        .route("/seal", post(seal::seal))
        .route("/unseal", post(seal::unseal))
        .route("/sealed.json", get(seal::document))
        .route("/apply", post(apply::apply))
        .route("/running", get(apply::running));
    Router::new()
        .route("/", get(list))
        .route("/begin", post(begin))
        .nest("/review/{audit}", review)
        .route("/{adoption}", get(receipt::show))
        .route("/{adoption}/rollback", post(receipt::roll_back))
        .route("/{adoption}/running", get(receipt::running))
}

#[derive(Template)]
#[template(path = "adoption.html")]
struct List {
    frame: Frame,
    owners: Vec<Owner>,
    adoptions: Vec<Applied>,
    problem: Option<Said>,
}

/// Whose memories were brought in.
struct Owner {
    path: String,
    name: Said,
    /// Rows that a review is to decide about.
    waiting: u64,
    counts: Vec<(u64, &'static str)>,
    is_recalled: bool,
    /// Whether whoever is signed in decides about them.
    is_own: bool,
    draft: Option<Begun>,
}

/// A review that was begun.
struct Begun {
    path: String,
    decided: usize,
    rows: usize,
}

/// A review that was applied, or has begun to be.
struct Applied {
    adoption: AdoptionId,
    owner: Said,
    reviewer: Said,
    state: &'static str,
    is_unfinished: bool,
    begun: Option<When>,
}

pub(crate) async fn list(State(app): State<App>, signed: SignedIn) -> Result<Response, Fault> {
    let caller = reviewer(&signed)?;
    page(&listed(&app, &signed, &caller, None).await?)
}

/// Begins a review of one owner's rows, in the place of one that was begun before.
pub(crate) async fn begin(
    State(app): State<App>,
    signed: SignedIn,
    fields: Fields,
) -> Result<Response, Fault> {
    let caller = reviewer(&signed)?;
    let path = fields.get("owner").ok_or_else(|| BadInput::new("owner", "is missing"))?;
    let owner = Scope::parse_path("owner", caller.tenant(), path)?.anchor();
    let audit = match app.memory.audit_legacy(&caller, &owner).await {
        Ok(audit) => audit,
        Err(error) => {
            let fault = words::refused(error);
            let problem = Some(Said::of(fault.message.as_str()));
            if fault.status.is_server_error() {
                return Err(fault);
            }
            return page_of(fault.status, &listed(&app, &signed, &caller, problem).await?);
        }
    };
    if audit.groups.is_empty() {
        let problem = Some(Said::of(format!("Nothing of {owner} waits for a review.")));
        return page_of(StatusCode::CONFLICT, &listed(&app, &signed, &caller, problem).await?);
    }
    let draft = app.drafts.begin(&signed.keyed.key().id, owner, audit);
    Ok(Redirect::to(&draft.path()).into_response())
}

async fn listed(app: &App, signed: &SignedIn, caller: &Caller, problem: Option<Said>) -> Result<List, Fault> {
    let frame = Frame::of(app, signed, Section::Adoption, "Adoption").await?;
    let census = app.memory.census(caller).await?;
    let owner = |one: &OwnerCensus| Owner::of(one, caller, begun(app, signed, &one.owner()));
    let mut adoptions = app.memory.adoptions(caller).await?;
    adoptions.reverse();
    Ok(List {
        owners: census.iter().map(owner).collect(),
        adoptions: adoptions.iter().map(|one| Applied::of(one, &frame)).collect(),
        problem,
        frame,
    })
}

fn begun(app: &App, signed: &SignedIn, owner: &Container) -> Option<Begun> {
    let draft = app.drafts.of_owner(&signed.keyed.key().id, owner)?;
    if apply::is_applied(app, &draft) {
        return None;
    }
    let tally = draft.tally();
    Some(Begun { path: draft.path(), decided: tally.rows() - tally.left, rows: tally.rows() })
}

impl Owner {
    fn of(one: &OwnerCensus, caller: &Caller, draft: Option<Begun>) -> Self {
        let census = &one.census;
        let waiting = one.waiting();
        let counts = [
            (census.deferred, "put off before"),
            (census.absorbed, "adopted or kept"),
            (census.rejected, "rejected"),
        ];
        let path = one.owner().to_string();
        Self {
            name: Said::of(path.as_str()),
            path,
            waiting,
            counts: counts.into_iter().filter(|(count, _)| *count > 0).collect(),
            is_recalled: !one.is_reconciled,
            is_own: caller.writer.may_write(&one.scope),
            draft,
        }
    }
}

impl Applied {
    fn of(one: &Adoption, frame: &Frame) -> Self {
        Self {
            adoption: one.adoption,
            owner: Said::of(one.scope.anchor().to_string()),
            reviewer: Said::of(plain::actor(&one.reviewer)),
            state: words::state(one),
            is_unfinished: one.is_unfinished(),
            begun: one.begun_at.map(|begun| When::of(begun, frame.now)),
        }
    }
}

/// A person who decides what waits.
fn reviewer(signed: &SignedIn) -> Result<Caller, Fault> {
    let caller = signed.keyed.caller(Right::Review)?;
    match signed.is_person() {
        true => Ok(caller),
        false => {
            let message = "not permitted: only people review older memories";
            Err(Fault::new(StatusCode::FORBIDDEN, "permission-denied", message))
        }
    }
}

/// The review that an address names.
fn draft_of(app: &App, signed: &SignedIn, audit: &str) -> Result<std::sync::Arc<drafts::Draft>, Fault> {
    reviewer(signed)?;
    app.drafts.find(&signed.keyed.key().id, audit).ok_or_else(|| {
        let message = "this review is not kept any more: it was begun anew, or the service was started again";
        Fault::new(StatusCode::NOT_FOUND, "review-not-kept", message)
    })
}

/// The id that an address names.
fn adoption_of(Path(id): &Path<String>) -> Result<AdoptionId, MemoryError> {
    AdoptionId::parse(id).map_err(|_| MemoryError::NoSuchAdoption)
}

//! `/v1/memory/projections`: the searchable copy, what failed, and whether it agrees with the ledger. Never content.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use truthkeeper::{Container, FactId, Id, Memory, MemoryError, Right, Scope, Which};
use utoipa::ToSchema;

use crate::app::App;
use crate::described::params;
use crate::fault::Fault;
use crate::input::{Asked, Members};
use crate::keyed::Keyed;
use crate::wire::{CopyFound, CopyStatus, Tried};

/// Whose rows, such as `user:ann` or `project:P/participant:X`; everybody's where nobody is named.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Owned {
    owner: Option<String>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Retry {
    owner: Option<String>,
    #[schema(value_type = Option<String>, format = Uuid)]
    fact: Option<FactId>,
}

/// How the searchable copy stands.
#[utoipa::path(get, path = "/projections", tag = "operating", operation_id = "getProjections", params(params::Owner), responses((status = 200, description = "How the searchable copy stands", body = CopyStatus)))]
pub(crate) async fn status(
    State(app): State<App>,
    keyed: Keyed,
    Asked(Owned { owner }): Asked<Owned>,
) -> Result<Response, Fault> {
    let caller = keyed.caller(Right::Operate)?;
    let (memory, tenant) = (&app.memory, caller.tenant());
    let owner = owner_of(memory, tenant, owner.as_deref()).await?;
    let embeddings = match memory.meaning().await {
        None => "none".to_owned(),
        Some(Ok(model)) => model,
        Some(Err(_)) => "unreachable".to_owned(),
    };
    Ok(Json(CopyStatus::read(memory, tenant, owner, embeddings).await?).into_response())
}

/// Tries once more what failed.
#[utoipa::path(post, path = "/projections/retry", tag = "operating", operation_id = "retryProjections", request_body = Option<Retry>, responses((status = 200, description = "What came of it", body = Tried)))]
pub(crate) async fn retry(State(app): State<App>, keyed: Keyed, members: Members) -> Result<Response, Fault> {
    let caller = keyed.caller(Right::Operate)?;
    let Retry { owner, fact } = members.read()?;
    let owner = owner_of(&app.memory, caller.tenant(), owner.as_deref()).await?;
    let which = Which { tenant: Some(caller.tenant().clone()), owner, fact };
    let retried = app.memory.retry(&which).await?;
    Ok(Json(Tried::of(&retried, &app.memory.outbox(&which).await?)).into_response())
}

/// Compares the searchable copy with the ledger, row by row.
#[utoipa::path(post, path = "/projections/check", tag = "operating", operation_id = "checkProjections", request_body = Option<Owned>, responses((status = 200, description = "What was found", body = CopyFound)))]
pub(crate) async fn check(State(app): State<App>, keyed: Keyed, members: Members) -> Result<Response, Fault> {
    let caller = keyed.caller(Right::Operate)?;
    let Owned { owner } = members.read()?;
    let owner = owner_of(&app.memory, caller.tenant(), owner.as_deref()).await?;
    let checked = app.memory.check_index(caller.tenant(), owner.as_ref(), |_| {}).await?;
    Ok(Json(CopyFound::of(&checked)).into_response())
}

/// The owner, who must have facts.
async fn owner_of(memory: &Memory, tenant: &Id, path: Option<&str>) -> Result<Option<Container>, Fault> {
    let Some(path) = path else { return Ok(None) };
    let owner = Scope::parse_path("owner", tenant, path)?.anchor();
    match memory.owns_facts(tenant, &owner).await? {
        true => Ok(Some(owner)),
        false => Err(MemoryError::NotFound.into()),
    }
}

//! `/v1/memory/duplicates`: facts that seem to say the same.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use truthkeeper::{FactId, Right, State as FactState};
use utoipa::ToSchema;

use crate::app::App;
use crate::change::Change;
use crate::described::params;
use crate::facts::bulk::{Target, named};
use crate::facts::read::Wanted;
use crate::fault::Fault;
use crate::input::{Asked, Members};
use crate::keyed::Keyed;
use crate::wire::{Alike, Changed};

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Merge {
    survivor: Target,
    others: Vec<Target>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Split {
    #[schema(value_type = String, format = Uuid)]
    fact: FactId,
    #[schema(value_type = Option<String>, format = Uuid)]
    from: Option<FactId>,
}

/// Pairs of facts that seem to say the same.
#[utoipa::path(get, path = "/duplicates", tag = "duplicates", operation_id = "listDuplicates", params(params::Filters), responses((status = 200, description = "Pairs of facts that seem to say the same", body = Alike<'static>)))]
pub(crate) async fn list(
    State(app): State<App>,
    keyed: Keyed,
    Asked(mut wanted): Asked<Wanted>,
) -> Result<Response, Fault> {
    let caller = keyed.caller(Right::Review)?;
    wanted.without_state_and_times()?;
    wanted.without_pages()?;
    let filter = wanted.filter(caller.tenant(), FactState::Active)?;
    let found = app.memory.duplicates(&caller, &filter).await?;
    Ok(Json(Alike::of(&found)).into_response())
}

/// Merges facts into one.
#[utoipa::path(post, path = "/duplicates/merge", tag = "duplicates", operation_id = "mergeFacts", request_body = Merge, responses((status = 200, description = "What it came to", body = Changed<'static>), (status = 201, description = "A fact was made", body = Changed<'static>), (status = 202, description = "It waits for its owner", body = Changed<'static>)))]
pub(crate) async fn merge(State(app): State<App>, keyed: Keyed, members: Members) -> Result<Response, Fault> {
    let change = Change::unconditional(app, &keyed, Right::Review)?;
    let Merge { survivor, others } = members.read()?;
    let (survivor, others) = (named(vec![survivor])?, named(others)?);
    let receipt = change.memory.merge(&change.caller, change.key(), survivor[0], &others).await?;
    change.done(receipt).await
}

/// Takes a fact out of the one that it was merged into, or says that two are not the same.
#[utoipa::path(post, path = "/duplicates/split", tag = "duplicates", operation_id = "splitFact", request_body = Split, responses((status = 200, description = "What it came to", body = Changed<'static>), (status = 201, description = "A fact was made", body = Changed<'static>), (status = 202, description = "It waits for its owner", body = Changed<'static>)))]
pub(crate) async fn split(State(app): State<App>, keyed: Keyed, members: Members) -> Result<Response, Fault> {
    let change = Change::unconditional(app, &keyed, Right::Review)?;
    let Split { fact, from } = members.read()?;
    let receipt = change.memory.split(&change.caller, change.key(), fact, from).await?;
    change.done(receipt).await
}

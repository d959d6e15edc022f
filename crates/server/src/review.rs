//! `/v1/memory/review`: what machines said again after a person had forgotten it.

use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Response};
use serde::Serialize;
use truthkeeper::{MemoryError, ReviewId, Right};
use utoipa::ToSchema;

use crate::app::App;
use crate::change::Change;
use crate::fault::Fault;
use crate::input::{Asked, Members, Nothing};
use crate::keyed::Keyed;
use crate::wire::{Changed, Held};

#[derive(Debug, Serialize, ToSchema)]
struct Waiting<'a> {
    data: Vec<Held<'a>>,
}

/// What waits for its owner.
#[utoipa::path(get, path = "/review", tag = "review", operation_id = "listReviews", responses((status = 200, description = "What waits for its owner", body = Waiting<'static>)))]
pub(crate) async fn list(
    State(app): State<App>,
    keyed: Keyed,
    Asked(Nothing {}): Asked<Nothing>,
) -> Result<Response, Fault> {
    let caller = keyed.caller(Right::Review)?;
    let held = app.memory.held_back(&caller).await?;
    Ok(Json(Waiting { data: held.iter().map(Held::of).collect() }).into_response())
}

/// Accepts what waits: it becomes the truth.
#[utoipa::path(post, path = "/review/{id}/accept", tag = "review", operation_id = "acceptReview", params(("id" = String, Path, description = "What waits", format = Uuid)), responses((status = 200, description = "What it came to", body = Changed<'static>), (status = 201, description = "A fact was made", body = Changed<'static>), (status = 202, description = "It waits for its owner", body = Changed<'static>)))]
pub(crate) async fn accept(
    State(app): State<App>,
    keyed: Keyed,
    Path(id): Path<String>,
    members: Members,
) -> Result<Response, Fault> {
    let change = Change::unconditional(app, &keyed, Right::Review)?;
    members.none()?;
    let receipt = change.memory.accept(&change.caller, change.key(), named(&id)?).await?;
    change.done(receipt).await
}

/// Dismisses what waits, for good.
#[utoipa::path(post, path = "/review/{id}/dismiss", tag = "review", operation_id = "dismissReview", params(("id" = String, Path, description = "What waits", format = Uuid)), responses((status = 200, description = "What it came to", body = Changed<'static>), (status = 201, description = "A fact was made", body = Changed<'static>), (status = 202, description = "It waits for its owner", body = Changed<'static>)))]
pub(crate) async fn dismiss(
    State(app): State<App>,
    keyed: Keyed,
    Path(id): Path<String>,
    members: Members,
) -> Result<Response, Fault> {
    let change = Change::unconditional(app, &keyed, Right::Review)?;
    members.none()?;
    let receipt = change.memory.dismiss(&change.caller, change.key(), named(&id)?).await?;
    change.done(receipt).await
}

fn named(id: &str) -> Result<ReviewId, MemoryError> {
    ReviewId::parse(id).map_err(|_| MemoryError::NoSuchReview)
}

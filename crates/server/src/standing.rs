//! How the service and the install stand.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use serde::Serialize;
use truthkeeper::Right;
use utoipa::ToSchema;

use crate::app::App;
use crate::described::shapes;
use crate::fault::Fault;
use crate::keyed::Keyed;

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Up {
    status: &'static str,
}

/// What `memory status` says. It names owners of the whole install, so that only who operates it may ask.
#[utoipa::path(get, path = "/status", tag = "operating", operation_id = "getStatus", responses((status = 200, description = "How each part of the install stands", body = shapes::Status)))]
pub(crate) async fn status(State(app): State<App>, keyed: Keyed) -> Result<Response, Fault> {
    keyed.caller(Right::Operate)?;
    Ok(Json(app.memory.status().await?).into_response())
}

/// The process answers.
#[utoipa::path(get, path = "/healthz", tag = "operating", operation_id = "isUp", security(()), responses((status = 200, description = "The process answers", body = Up)))]
pub(crate) async fn healthz() -> Json<Up> {
    Json(Up { status: "ok" })
}

/// The store answers too.
#[utoipa::path(get, path = "/readyz", tag = "operating", operation_id = "isReady", security(()), responses((status = 200, description = "The store answers too", body = Up)))]
pub(crate) async fn readyz(State(app): State<App>) -> Result<Json<Up>, Fault> {
    app.memory.ready().await?;
    Ok(Json(Up { status: "ready" }))
}

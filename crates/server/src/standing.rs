//! How the service and the install stand.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use serde::Serialize;
use truthkeeper::Right;

use crate::app::App;
use crate::fault::Fault;
use crate::keyed::Keyed;

#[derive(Debug, Serialize)]
pub(crate) struct Up {
    status: &'static str,
}

/// What `memory status` says. It names owners of the whole install, so that only who operates it may ask.
pub(crate) async fn status(State(app): State<App>, keyed: Keyed) -> Result<Response, Fault> {
    keyed.caller(Right::Operate)?;
    Ok(Json(app.memory.status().await?).into_response())
}

/// The process answers.
pub(crate) async fn healthz() -> Json<Up> {
    Json(Up { status: "ok" })
}

/// The store answers too.
pub(crate) async fn readyz(State(app): State<App>) -> Result<Json<Up>, Fault> {
    app.memory.ready().await?;
    Ok(Json(Up { status: "ready" }))
}

//! The routes.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{delete, get, post};
use truthkeeper::Memory;

use crate::fault::Fault;
use crate::{
    conflicts, door, duplicates, facts, forgotten, projections, receipts, retrieve, review, standing,
};

/// A request's body, in bytes.
const BODY_BYTES_MAX: usize = 1_048_576;

/// What every request is answered from.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) memory: Memory,
    /// The names under which it may be called.
    pub(crate) hosts: Arc<BTreeSet<String>>,
}

/// Every route, behind the door.
pub(crate) fn router(app: App) -> Router {
    let fact = Router::new()
        .route("/", get(facts::read::get).delete(facts::act::forget))
        .route("/supersede", post(facts::write::supersede))
        .route("/verify", post(facts::act::verify))
        .route("/restore", post(facts::act::restore))
        .route("/move", post(facts::act::move_fact))
        .route("/hold", post(facts::act::hold))
        .route("/revisions", get(facts::read::revisions));
    let api = Router::new()
        .route("/facts", get(facts::read::list).post(facts::write::write))
        .route("/facts/move", post(facts::bulk::move_facts))
        .route("/facts/forget", post(facts::bulk::forget))
        .route("/facts/forget-all", post(facts::bulk::forget_all))
        .nest("/facts/{id}", fact)
        .route("/retrieve", post(retrieve::retrieve))
        .route("/conflicts", get(conflicts::list))
        .route("/conflicts/{id}", get(conflicts::show))
        .route("/conflicts/{id}/settle", post(conflicts::settle))
        .route("/conflicts/{id}/reopen", post(conflicts::reopen))
        .route("/forgotten", get(forgotten::list))
        .route("/review", get(review::list))
        .route("/review/{id}/accept", post(review::accept))
        .route("/review/{id}/dismiss", post(review::dismiss))
        .route("/duplicates", get(duplicates::list))
        .route("/duplicates/merge", post(duplicates::merge))
        .route("/duplicates/split", post(duplicates::split))
        .route("/projections", get(projections::status))
        .route("/projections/retry", post(projections::retry))
        .route("/projections/check", post(projections::check))
        .route("/receipts", get(receipts::list))
        .route("/receipts/{id}", get(receipts::get))
        .route("/receipts/{id}/query", delete(receipts::forget_query))
        .route("/status", get(standing::status));
    Router::new()
        .nest("/v1/memory", api)
        .route("/healthz", get(standing::healthz))
        .route("/readyz", get(standing::readyz))
        .fallback(async || Fault::of_status(StatusCode::NOT_FOUND))
        .method_not_allowed_fallback(async || Fault::of_status(StatusCode::METHOD_NOT_ALLOWED))
        .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
        .layer(from_fn_with_state(app.clone(), door::guard))
        .layer(from_fn(door::answer))
        .with_state(app)
}

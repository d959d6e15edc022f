//! The routes.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use tokio::sync::watch;
use truthkeeper::Memory;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::fault::Fault;
use crate::grammar::Grammar;
use crate::metrics::{self, Metrics};
use crate::page::{self, Drafts, Jobs, Sessions};
use crate::rates::Rates;
use crate::running::Running;
use crate::serve::Search;
use crate::{
    changes, conflicts, door, duplicates, facts, forgotten, projections, receipts, remember, retrieve,
    review, standing,
};

/// A request's body, in bytes.
pub(crate) const BODY_BYTES_MAX: usize = 1_048_576;

/// What every request is answered from.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) memory: Memory,
    /// What each route is asked with.
    pub(crate) grammar: Arc<Grammar>,
    /// The names under which it may be called.
    pub(crate) hosts: Arc<BTreeSet<String>>,
    /// The changes that are being made.
    pub(crate) running: Running,
    /// Whether the service was told to stop.
    pub(crate) stopping: watch::Receiver<bool>,
    pub(crate) rates: Arc<Rates>,
    /// What a retrieve takes where it does not say.
    pub(crate) search: Search,
    pub(crate) metrics: Option<Arc<Metrics>>,
    /// Who is signed in to the page.
    pub(crate) sessions: Sessions,
    /// What the page began on the searchable copy.
    pub(crate) jobs: Jobs,
    /// Reviews of older memories that are not applied yet.
    pub(crate) drafts: Drafts,
}

impl App {
    /// Waits that long; true as soon as the service is told to stop.
    pub(crate) async fn is_stopping_within(&self, wait: Duration) -> bool {
        let mut stopping = self.stopping.clone();
        let told = stopping.wait_for(|stopping| *stopping);
        tokio::time::timeout(wait, told).await.is_ok()
    }
}

/// Every route, with what describes it.
pub(crate) fn routes() -> OpenApiRouter<App> {
    let fact = OpenApiRouter::new()
        .routes(routes!(facts::read::get, facts::act::forget))
        .routes(routes!(facts::write::supersede))
        .routes(routes!(facts::act::verify))
        .routes(routes!(facts::act::restore))
        .routes(routes!(facts::act::move_fact))
        .routes(routes!(facts::act::hold))
        .routes(routes!(facts::read::revisions));
    let api = OpenApiRouter::new()
        .routes(routes!(facts::read::list, facts::write::write))
        .routes(routes!(facts::bulk::move_facts))
        .routes(routes!(facts::bulk::forget))
        .routes(routes!(facts::bulk::forget_all))
        .nest("/facts/{id}", fact)
        .routes(routes!(remember::remember))
        .routes(routes!(retrieve::retrieve))
        .routes(routes!(conflicts::list))
        .routes(routes!(conflicts::show))
        .routes(routes!(conflicts::settle))
        .routes(routes!(conflicts::reopen))
        .routes(routes!(forgotten::list))
        .routes(routes!(review::list))
        .routes(routes!(review::accept))
        .routes(routes!(review::dismiss))
        .routes(routes!(duplicates::list))
        .routes(routes!(duplicates::merge))
        .routes(routes!(duplicates::split))
        .routes(routes!(changes::list))
        .routes(routes!(receipts::list))
        .routes(routes!(receipts::get))
        .routes(routes!(receipts::forget_query))
        .routes(routes!(projections::status))
        .routes(routes!(projections::retry))
        .routes(routes!(projections::check))
        .routes(routes!(standing::status));
    OpenApiRouter::new()
        .nest("/v1/memory", api)
        .routes(routes!(standing::healthz))
        .routes(routes!(standing::readyz))
}

/// The routes, behind the door.
pub(crate) fn router(app: App) -> Router {
    Router::from(routes())
        // Not of the API, and in a form of its own.
        .route("/metrics", get(metrics::show))
        .merge(page::router())
        .fallback(async || Fault::of_status(StatusCode::NOT_FOUND))
        .method_not_allowed_fallback(async || Fault::of_status(StatusCode::METHOD_NOT_ALLOWED))
        .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
        .layer(from_fn_with_state(app.clone(), door::guard))
        .layer(from_fn_with_state(app.memory.clone(), door::answer))
        .with_state(app)
}

//! The owner's page: forms that work without a script, over the same façade as the API.
//!
//! One file for each section. What a handler answers is a template of `templates/`, in the frame of `frame.html`;
//! a refusal is a `Fault` like everywhere, which the door shows as a page.

mod act;
mod adoption;
pub(crate) mod assets;
mod conflicts;
mod duplicates;
mod edit;
mod fact;
mod fields;
mod forgotten;
mod frame;
mod harden;
mod history;
mod link;
mod many;
mod memory;
mod plot;
mod refused;
mod review;
mod said;
mod session;
#[cfg(test)]
mod session_tests;
mod sign;
mod status;
mod sync;
#[cfg(test)]
mod templates_tests;
mod told;
mod version;
mod when;
mod work;

use axum::Router;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{get, post};
use tower_http::csrf::CsrfLayer;

pub(crate) use adoption::Drafts;
pub(crate) use frame::Shown;
pub(crate) use harden::{harden, is_asked_for};
pub(crate) use refused::refused;
pub(crate) use session::Sessions;
use session::SignedIn;
pub(crate) use sync::Jobs;

use crate::app::App;
use crate::fault::Fault;

/// Every route of the page. A change that a page of another origin asks for is refused.
pub(crate) fn router() -> Router<App> {
    let fact = Router::new()
        .route("/", get(fact::show))
        .route("/edit", get(edit::form).post(edit::supersede))
        .route("/verify", post(act::verify))
        .route("/forget", post(act::forget))
        .route("/restore", post(act::restore))
        .route("/move", post(act::move_fact))
        .route("/hold", post(act::hold))
        .route("/admission", post(act::admission));
    Router::new()
        .route("/", get(async |signed: SignedIn| Redirect::to(frame::first(&signed))))
        .route("/sign-in", get(sign::form).post(sign::sign_in))
        .route("/sign-out", post(sign::sign_out))
        .route("/memory", get(memory::list))
        .route("/memory/new", get(edit::blank).post(edit::write))
        .route("/memory/forget", post(many::forget))
        .route("/memory/move", post(many::move_facts))
        .nest("/memory/{id}", fact)
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
        .route("/sync", get(sync::show))
        .route("/sync/retry", post(sync::retry))
        .route("/sync/check", post(sync::check))
        .route("/sync/repair", post(sync::repair))
        .route("/sync/running", get(sync::running))
        .route("/status", get(status::show))
        .nest("/adoption", adoption::router())
        .route("/assets/{name}", get(assets::asset))
        .layer(CsrfLayer::new().with_rejection_response(|_| foreign()))
}

fn foreign() -> Response {
    let message = "pages of other origins may not call it";
    Fault::new(StatusCode::FORBIDDEN, "origin-not-allowed", message).into_response()
}

//! A refusal as a page.

use askama::Template;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse as _, Response};

use super::assets;
use super::said::Said;
use crate::fault::Fault;

#[derive(Template)]
#[template(path = "refused.html")]
struct Refused<'a> {
    title: &'static str,
    message: Said,
    code: &'static str,
    request: &'a str,
    current: Option<String>,
}

/// The page of a refusal, where the request's id is known.
pub(crate) fn refused(fault: &Fault, request: &str) -> Response {
    let refused = Refused {
        title: title(fault.status),
        message: Said::of(fault.message.as_str()),
        code: fault.code,
        request,
        current: fault.current_version.map(|version| version.to_string()),
    };
    // It is made of text alone; where even that fails, the status says it.
    let html = refused.render().unwrap_or_default();
    let mut response = (fault.status, Html(html)).into_response();
    let wait = fault.retry_after.map(|seconds| (header::RETRY_AFTER, HeaderValue::from(seconds)));
    response.headers_mut().extend(wait);
    response
}

fn title(status: StatusCode) -> &'static str {
    match status {
        StatusCode::UNAUTHORIZED => "Nobody is signed in",
        StatusCode::FORBIDDEN => "Not with this key",
        StatusCode::NOT_FOUND => "There is no such thing here",
        StatusCode::TOO_MANY_REQUESTS => "Not so fast",
        StatusCode::CONFLICT | StatusCode::PRECONDITION_FAILED => "It stands otherwise now",
        StatusCode::SERVICE_UNAVAILABLE => "It does not answer now",
        status if status.is_client_error() => "That cannot be done so",
        _ => "It failed here",
    }
}

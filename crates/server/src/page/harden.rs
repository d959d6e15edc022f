//! What a browser is told about every page, and which requests are for one.

use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::Response;

/// What is for programs.
const NOT_PAGES: [&str; 4] = ["/v1/", "/healthz", "/readyz", "/metrics"];

/// Nothing but our own files, no script or style in the text, and nobody's frame.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// With `no-referrer` a browser would name no origin when it sends a form.
const HEADERS: [(HeaderName, &str); 5] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "same-origin"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

/// Whether a request is for the page: by its route, or, where there is none, by what it takes.
pub(crate) fn is_asked_for(request: &Request) -> bool {
    let path = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    let takes_pages = || {
        let accept = request.headers().get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
        accept.is_some_and(|accept| accept.contains("text/html"))
    };
    let is_for_programs = |path: &str| NOT_PAGES.iter().any(|start| path.starts_with(start));
    match path {
        Some(path) => !is_for_programs(path),
        None => !is_for_programs(request.uri().path()) && takes_pages(),
    }
}

/// Says what a browser may do with an answer.
pub(crate) fn harden(response: &mut Response) {
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
}

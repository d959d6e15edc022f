//! What every request passes: its id, its time, the host it was sent to, and the shape of a refusal.

use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use truthkeeper::{BadInput, Memory};
use uuid::Uuid;

use crate::app::App;
use crate::fault::Fault;
use crate::measures::{self, InFlight};
use crate::page;

/// How long one request may take.
const REQUEST_WAIT: Duration = Duration::from_secs(60);
/// A request's id, in characters.
const REQUEST_ID_CHARS_MAX: usize = 128;
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Names the request, gives every refusal its body, and says in the log how it ended.
pub(crate) async fn answer(State(memory): State<Memory>, request: Request, next: Next) -> Response {
    let (began, in_flight) = (Instant::now(), InFlight::begin());
    let id = request_id(&memory, request.headers());
    let method = request.method().clone();
    // The route and never the path: ids of facts are nobody's business in a log.
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let route = route.unwrap_or_else(|| "unknown".to_owned());
    let is_page = page::is_asked_for(&request);
    let mut response = run(request, next).await;
    let status = response.status();
    let fault = response.extensions_mut().remove::<Fault>();
    let is_shown = response.extensions_mut().remove::<page::Shown>().is_some();
    let is_refused = (status.is_client_error() || status.is_server_error()) && !is_shown;
    if let Some(mut fault) = fault.or_else(|| is_refused.then(|| Fault::of_status(status))) {
        // A name that nobody knows may be anything that was sent.
        fault.message = memory.without_secrets(&fault.message);
        if let Some(cause) = &fault.cause {
            tracing::error!(request = id, %method, route, code = fault.code, cause, "a request failed");
        }
        // What the framework says besides, such as which methods there are.
        let kept = response.headers().get(header::ALLOW).cloned();
        response = if is_page { page::refused(&fault, &id) } else { fault.answer(&id) };
        response.headers_mut().extend(kept.map(|kept| (header::ALLOW, kept)));
    }
    let took = began.elapsed();
    drop(in_flight);
    measures::answered(&route, &method, response.status(), took);
    let millis = took.as_millis();
    tracing::info!(request = id, %method, route, status = status.as_u16(), millis, "answered");
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    if is_page {
        page::harden(&mut response);
    }
    // What may be kept says so itself.
    let kept = response.headers_mut().entry(header::CACHE_CONTROL);
    kept.or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Answers in a task of its own: a caller who goes away leaves no change half done, and what breaks breaks that alone.
async fn run(request: Request, next: Next) -> Response {
    let mut running = tokio::spawn(next.run(request));
    match tokio::time::timeout(REQUEST_WAIT, &mut running).await {
        Ok(Ok(response)) => response,
        Ok(Err(broken)) => {
            let fault = Fault::of_status(StatusCode::INTERNAL_SERVER_ERROR);
            // Its words may be anybody's: where it broke is on stderr, and here is that it did.
            let what = if broken.is_panic() { "it broke" } else { "it was ended" };
            Fault { cause: Some(what.to_owned()), ..fault }.into_response()
        }
        Err(_) => {
            running.abort();
            too_slow().into_response()
        }
    }
}

/// Refuses what was not sent to us by name, or comes from a page of somebody else's: a browser that was lured to a
/// name of the attacker's which leads here says so itself.
pub(crate) async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    match check(&app, &request).and_then(|()| Ok(app.grammar.check(&request)?)) {
        Ok(()) => next.run(request).await,
        Err(fault) => fault.into_response(),
    }
}

fn check(app: &App, request: &Request) -> Result<(), Fault> {
    let headers = request.headers();
    let mut hosts = headers.get_all(header::HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else {
        return Err(BadInput::new("Host", "must be given once").into());
    };
    // What the request line names counts before the header (RFC 9112, 3.2.2).
    let named = request.uri().authority().map(|authority| authority.as_str());
    let host = named.or_else(|| host.to_str().ok()).unwrap_or_default();
    if !app.hosts.contains(&name_of(host).to_lowercase()) {
        let message = "it does not answer under that name; `memory serve --host` gives it one";
        return Err(Fault::new(StatusCode::MISDIRECTED_REQUEST, "host-not-allowed", message));
    }
    let Some(origin) = headers.get(header::ORIGIN) else { return Ok(()) };
    let is_ours = origin.to_str().is_ok_and(|origin| {
        let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        authority.is_some_and(|authority| authority.eq_ignore_ascii_case(host))
    });
    if is_ours {
        return Ok(());
    }
    let message = "pages of other origins may not call it";
    Err(Fault::new(StatusCode::FORBIDDEN, "origin-not-allowed", message))
}

/// A host without its port.
fn name_of(host: &str) -> &str {
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    host.rsplit_once(':').filter(|(_, port)| is_port(port)).map_or(host, |(name, _)| name)
}

/// The one that was sent, where it is fit for a log; otherwise a new one.
fn request_id(memory: &Memory, headers: &HeaderMap) -> String {
    let is_fit = |id: &&str| {
        (1..=REQUEST_ID_CHARS_MAX).contains(&id.len())
            && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
    };
    let sent = headers.get(REQUEST_ID).and_then(|id| id.to_str().ok()).filter(is_fit);
    let sent = sent.filter(|id| memory.without_secrets(id) == **id);
    sent.map_or_else(|| format!("req-{}", Uuid::now_v7()), str::to_owned)
}

fn too_slow() -> Fault {
    let message = "it took too long; a change may have been made: repeat it with the same Idempotency-Key";
    Fault::new(StatusCode::SERVICE_UNAVAILABLE, "timeout", message)
}

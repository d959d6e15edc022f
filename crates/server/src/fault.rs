//! What went wrong, as whoever called reads it: one shape for every refusal, the framework's own included.

mod memory;

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use truthkeeper::{BadInput, RevisionNumber};
use utoipa::ToSchema;

use crate::app::BODY_BYTES_MAX;

/// Why a request was not answered. It becomes a body where the request's id is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) status: StatusCode,
    pub(crate) code: &'static str,
    pub(crate) message: String,
    /// The version that is current, where another was expected.
    pub(crate) current_version: Option<RevisionNumber>,
    /// The version of the conflict, where another was expected.
    pub(crate) conflict_version: Option<u32>,
    /// Seconds after which it may be asked again.
    pub(crate) retry_after: Option<u64>,
    /// What the log says of a failure of ours; the caller does not learn it.
    pub(crate) cause: Option<String>,
}

/// Problem details (RFC 9457), and in the same body the shape of the facts API that clients of it know.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Problem<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    title: &'static str,
    status: u16,
    detail: &'a str,
    code: &'static str,
    request_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u32)]
    current_version: Option<RevisionNumber>,
    #[serde(skip_serializing_if = "Option::is_none")]
    conflict_version: Option<u32>,
    error: Inner<'a>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Inner<'a> {
    code: &'static str,
    message: &'a str,
    request_id: &'a str,
}

/// A refusal within an answer.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Refused {
    code: &'static str,
    message: String,
}

impl Refused {
    pub(crate) fn of(fault: &Fault) -> Self {
        Self { code: fault.code, message: fault.message.clone() }
    }
}

impl Fault {
    pub(crate) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            status,
            code,
            message: message.into(),
            current_version: None,
            conflict_version: None,
            retry_after: None,
            cause: None,
        }
    }

    /// What the framework refused by a status alone.
    pub(crate) fn of_status(status: StatusCode) -> Self {
        let code = match status {
            StatusCode::NOT_FOUND => "route-not-found",
            StatusCode::METHOD_NOT_ALLOWED => "method-not-allowed",
            StatusCode::PAYLOAD_TOO_LARGE => "body-too-large",
            status if status.is_client_error() => "bad-input",
            _ => "internal",
        };
        if status == StatusCode::PAYLOAD_TOO_LARGE {
            return Self::new(status, code, format!("body: has more than {BODY_BYTES_MAX} bytes"));
        }
        Self::new(status, code, status.canonical_reason().unwrap_or("the request failed").to_lowercase())
    }

    /// The answer, where the request's id is known.
    pub(crate) fn answer(&self, request_id: &str) -> Response {
        let Self { status, code, message, current_version, conflict_version, retry_after, cause: _ } = self;
        let problem = Problem {
            kind: "about:blank",
            title: status.canonical_reason().unwrap_or("Error"),
            status: status.as_u16(),
            detail: message,
            code,
            request_id,
            current_version: *current_version,
            conflict_version: *conflict_version,
            error: Inner { code, message, request_id },
        };
        // It holds strings and numbers, which JSON takes.
        let body = serde_json::to_vec(&problem).unwrap_or_default();
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = *status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if *status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(seconds) = retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(*seconds));
        }
        response
    }
}

impl IntoResponse for Fault {
    /// Carries it to where it becomes a body.
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

impl From<BadInput> for Fault {
    fn from(bad: BadInput) -> Self {
        let is_foreign = bad.field.ends_with("tenantId") && bad.problem.contains("tenant");
        let code = if is_foreign { "scope-mismatch" } else { "bad-input" };
        Self::new(StatusCode::BAD_REQUEST, code, bad.to_string())
    }
}

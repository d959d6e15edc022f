//! What is measured of requests. The route stands in the labels and never the path, and no name of anybody.

use std::time::Duration;

use axum::http::{Method, StatusCode};
use metrics::{Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};

const REQUESTS: &str = "truthkeeper_http_requests_total";
const SECONDS: &str = "truthkeeper_http_request_seconds";
const IN_FLIGHT: &str = "truthkeeper_http_requests_in_flight";

/// The methods of HTTP, as labels. What else a caller makes up is `other`.
const METHODS: [&str; 9] = ["GET", "POST", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS", "CONNECT", "TRACE"];

/// A request that runs; it counts as such until this is dropped.
pub(crate) struct InFlight;

impl InFlight {
    pub(crate) fn begin() -> Self {
        gauge!(IN_FLIGHT).increment(1.0);
        Self
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        gauge!(IN_FLIGHT).decrement(1.0);
    }
}

/// Tells the recorder what each of them means.
pub(crate) fn describe() {
    describe_counter!(
        REQUESTS,
        Unit::Count,
        "Requests that were answered, by route, method and class of status."
    );
    describe_histogram!(
        SECONDS,
        Unit::Seconds,
        "How long it took until the head of the answer was there, by route and method."
    );
    describe_gauge!(IN_FLIGHT, Unit::Count, "Requests that are being answered.");
}

/// A request was answered.
pub(crate) fn answered(route: &str, method: &Method, status: StatusCode, took: Duration) {
    let method = METHODS.into_iter().find(|name| *name == method.as_str()).unwrap_or("other");
    let labels = [("route", route.to_owned()), ("method", method.to_owned())];
    histogram!(SECONDS, &labels).record(took.as_secs_f64());
    let [route, method] = labels;
    counter!(REQUESTS, &[route, method, ("status", class(status).to_owned())]).increment(1);
}

fn class(status: StatusCode) -> &'static str {
    match status.as_u16() / 100 {
        1 => "1xx",
        2 => "2xx",
        3 => "3xx",
        4 => "4xx",
        _ => "5xx",
    }
}

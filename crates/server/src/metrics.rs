//! `/metrics`: what Prometheus reads. Counts and times of the whole store, and nothing that anybody said.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{FromRequestParts as _, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use tokio::sync::Mutex;
use truthkeeper::{Memory, MemoryError, Right};

use crate::app::App;
use crate::fault::Fault;
use crate::keyed::Keyed;
use crate::listen::Peer;

/// How long the numbers that take a look at the store are good for: who asks often costs no more.
const MEASURED_FOR: Duration = Duration::from_secs(5);
/// The text format of Prometheus.
const TEXT: HeaderValue = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");

/// Writes what the recorder holds in Prometheus' text format.
pub type Render = Arc<dyn Fn() -> String + Send + Sync>;

/// What is shown, and when the store was looked at last.
pub(crate) struct Metrics {
    render: Render,
    measured: Mutex<Option<Instant>>,
}

impl Metrics {
    pub(crate) fn of(render: Render) -> Self {
        Self { render, measured: Mutex::new(None) }
    }

    async fn text(&self, memory: &Memory) -> Result<String, MemoryError> {
        let mut measured = self.measured.lock().await;
        if measured.is_none_or(|at| at.elapsed() >= MEASURED_FOR) {
            memory.measure().await?;
            *measured = Some(Instant::now());
        }
        drop(measured);
        Ok((self.render)())
    }
}

/// This machine reads it without a key, as Prometheus usually does; another needs one with the right `operate`.
pub(crate) async fn show(State(app): State<App>, request: Request) -> Result<Response, Fault> {
    let Some(metrics) = &app.metrics else { return Err(Fault::of_status(StatusCode::NOT_FOUND)) };
    let (mut parts, _) = request.into_parts();
    let peer = parts.extensions.get().map(|Peer(ip)| *ip);
    if !peer.is_some_and(is_this_machine) {
        Keyed::from_request_parts(&mut parts, &app).await?.caller(Right::Operate)?;
    }
    Ok(([(header::CONTENT_TYPE, TEXT)], metrics.text(&app.memory).await?).into_response())
}

/// Whether the address is that of this machine to itself.
pub(crate) fn is_this_machine(peer: IpAddr) -> bool {
    peer.to_canonical().is_loopback()
}

//! Answering on a socket until told to stop.

use std::collections::BTreeSet;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::watch;
use truthkeeper::Memory;

use crate::app::{App, router};
use crate::grammar::Grammar;
use crate::listen::{self, Patience};
use crate::measures;
use crate::metrics::{Metrics, Render};
use crate::page::{Drafts, Jobs, Sessions};
use crate::rates::Rates;
use crate::running::Running;

/// How long a request's head may take, and the silence before it; how long an answer may lie unread; and how long requests
/// that run may go on after the service was told to stop.
const PATIENCE: Patience = Patience {
    head: Duration::from_secs(30),
    unread: Duration::from_secs(30),
    farewell: Duration::from_secs(7),
};
/// How often the service looks for what other processes recorded and for what the clock made due.
const POLL: Duration = Duration::from_secs(1);
/// The names of this very machine, under which it may always be called.
const OWN_NAMES: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// How it answers.
#[derive(Clone, Default)]
pub struct Settings {
    /// The names under which it answers, besides this machine's own and its address.
    pub hosts: Vec<String>,
    /// Requests a second of one key, and twice as many at once; 0 is no limit.
    pub requests_per_second: u32,
    /// What a retrieve takes where it does not say.
    pub search: Search,
    /// What `/metrics` shows; none, so that there is no such route.
    pub metrics: Option<Render>,
}

/// What a retrieve takes where it does not say; none is the library's own.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Search {
    /// At most that many facts.
    pub limit: Option<usize>,
    /// How well what is found by meaning must fit: a cosine.
    pub floor: Option<f64>,
}

/// The API with its address, which does not answer yet.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    app: App,
    told: watch::Sender<bool>,
}

impl Server {
    /// Takes an address.
    pub async fn bind(memory: Memory, address: SocketAddr, settings: Settings) -> io::Result<Self> {
        let Settings { hosts, requests_per_second, search, metrics } = settings;
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let ip = match address {
            SocketAddr::V4(four) => four.ip().to_string(),
            SocketAddr::V6(six) => format!("[{}]", six.ip()),
        };
        let own = OWN_NAMES.map(str::to_owned).into_iter().chain([ip]);
        let hosts: BTreeSet<String> = own.chain(hosts.into_iter().map(|host| host.to_lowercase())).collect();
        let (told, stopping) = watch::channel(false);
        let app = App {
            memory,
            grammar: Arc::new(Grammar::of_the_api()),
            hosts: Arc::new(hosts),
            sessions: Sessions::default(),
            jobs: Jobs::default(),
            drafts: Drafts::default(),
            running: Running::default(),
            stopping,
            rates: Arc::new(Rates::new(requests_per_second)),
            search,
            metrics: metrics.map(|render| Arc::new(Metrics::of(render))),
        };
        Ok(Self { listener, address, app, told })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until `stop` is done; then finishes the requests that run, within some seconds.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) {
        let Self { listener, address: _, app, told } = self;
        measures::describe();
        let memory = app.memory.clone();
        let projecting = tokio::spawn(async move {
            if let Err(error) = memory.start_projecting().await {
                tracing::warn!(%error, "the search index could not be checked");
            }
            memory.keep_projecting(POLL).await;
        });
        let stop = async move {
            stop.await;
            told.send_replace(true);
        };
        listen::serve(listener, router(app), PATIENCE, stop).await;
        projecting.abort();
    }
}

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
use crate::running::Running;

/// How long requests that run may go on after the service was told to stop.
const FAREWELL: Duration = Duration::from_secs(8);
/// How often the service looks for what other processes recorded and for what the clock made due.
const POLL: Duration = Duration::from_secs(1);
/// The names of this very machine, under which it may always be called.
const OWN_NAMES: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// The API with its address, which does not answer yet.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    app: App,
    told: watch::Sender<bool>,
}

impl Server {
    /// Takes an address. Besides this machine's own names and that address it answers under the names in `hosts`.
    pub async fn bind(
        memory: Memory,
        address: SocketAddr,
        hosts: impl IntoIterator<Item = String>,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let ip = match address {
            SocketAddr::V4(four) => four.ip().to_string(),
            SocketAddr::V6(six) => format!("[{}]", six.ip()),
        };
        let own = OWN_NAMES.map(str::to_owned).into_iter().chain([ip]);
        let hosts: BTreeSet<String> = own.chain(hosts.into_iter().map(|host| host.to_lowercase())).collect();
        let (told, stopping) = watch::channel(false);
        let app = App { memory, hosts: Arc::new(hosts), running: Running::default(), stopping };
        Ok(Self { listener, address, app, told })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until `stop` is done; then finishes the requests that run, within some seconds.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
        let Self { listener, address: _, app, told } = self;
        let memory = app.memory.clone();
        let projecting = tokio::spawn(async move {
            if let Err(error) = memory.start_projecting().await {
                tracing::warn!(%error, "the search index could not be checked");
            }
            memory.keep_projecting(POLL).await;
        });
        let mut stopped = app.stopping.clone();
        let stop = async move {
            stop.await;
            tracing::info!("stopping: no request is taken any more");
            told.send_replace(true);
        };
        let serving = axum::serve(listener, router(app)).with_graceful_shutdown(stop);
        let late = async move {
            // An error means that it ended without being told to, which `serving` reports.
            if stopped.wait_for(|stopped| *stopped).await.is_ok() {
                tokio::time::sleep(FAREWELL).await;
            } else {
                std::future::pending::<()>().await;
            }
        };
        let outcome = tokio::select! {
            outcome = serving => outcome,
            () = late => {
                tracing::warn!("some requests did not end in time");
                Ok(())
            }
        };
        projecting.abort();
        outcome
    }
}

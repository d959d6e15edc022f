//! Taking connections, and letting go of those on which nothing comes.

use std::io::{self, ErrorKind};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_io_timeout::TimeoutStream;

/// Connections at once: an open file each, of which a process often may have 1,024. More wait until one ends.
const CONNECTIONS_MAX: usize = 512;
/// How long it waits where the machine has no room for another connection.
const NO_ROOM_PAUSE: Duration = Duration::from_secs(1);

/// How long a connection may be silent, and how long the last requests may take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Patience {
    /// From the beginning of a request, or the end of the one before it, until its head has come.
    pub(crate) head: Duration,
    /// For whoever reads nothing of its answer.
    pub(crate) unread: Duration,
    /// For the requests that run when no more are taken.
    pub(crate) farewell: Duration,
}

/// The machine that calls, as the socket says it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// Answers until `stop` is done; then finishes the requests that run.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    patience: Patience,
    stop: impl Future<Output = ()> + Send,
) {
    let connections = GracefulShutdown::new();
    let room = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    let mut stop = std::pin::pin!(stop);
    loop {
        let taken = tokio::select! {
            taken = take(&listener, &room) => taken,
            () = &mut stop => break,
        };
        match taken {
            Ok((stream, peer, place)) => {
                answer(stream, Peer(peer.ip()), place, &router, (patience, &connections));
            }
            Err(error) if is_of_the_caller(&error) => {}
            Err(error) => {
                tracing::error!(%error, "no connection could be taken");
                tokio::time::sleep(NO_ROOM_PAUSE).await;
            }
        }
    }
    drop(listener);
    tracing::info!("stopping: no request is taken any more");
    if tokio::time::timeout(patience.farewell, connections.shutdown()).await.is_err() {
        tracing::warn!("some requests did not end in time");
    }
}

async fn take(
    listener: &TcpListener,
    room: &Arc<Semaphore>,
) -> io::Result<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
    let place = Arc::clone(room).acquire_owned().await.map_err(io::Error::other)?;
    let (stream, peer) = listener.accept().await?;
    Ok((stream, peer, place))
}

/// Answers one connection, in a task of its own.
fn answer(
    stream: TcpStream,
    peer: Peer,
    place: OwnedSemaphorePermit,
    router: &Router,
    (patience, connections): (Patience, &GracefulShutdown),
) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "answers to it may come late");
    }
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(patience.unread));
    let routes = TowerToHyperService::new(router.clone());
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(peer);
        routes.call(request)
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(patience.head);
    let connection = connections.watch(builder.serve_connection(TokioIo::new(Box::pin(stream)), service));
    tokio::spawn(async move {
        // Whoever hung up, or sent or read nothing in time.
        if let Err(error) = connection.await {
            tracing::debug!(%error, "a connection ended");
        }
        drop(place);
    });
}

fn is_of_the_caller(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::ConnectionRefused | ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset
    )
}

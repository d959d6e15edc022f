//! A connection on which nothing comes, or too slowly, is let go of; one that waits for an answer is not.

use std::convert::Infallible;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use super::listen::{self, Patience};

const HEAD: Duration = Duration::from_millis(400);

async fn slow() -> &'static str {
    tokio::time::sleep(HEAD * 2).await;
    "late"
}

/// What came until the other side closed, and how long that took.
fn until_closed(mut stream: TcpStream, pieces: &[&str]) -> (String, Duration) {
    let began = Instant::now();
    stream.set_read_timeout(Some(HEAD * 20)).unwrap();
    for piece in pieces {
        // It may be closed already, which is what is asked.
        drop(stream.write_all(piece.as_bytes()));
        std::thread::sleep(HEAD / 4);
    }
    let mut answer = String::new();
    drop(stream.read_to_string(&mut answer));
    (answer, began.elapsed())
}

async fn on_thread(address: SocketAddr, pieces: &'static [&'static str]) -> (String, Duration) {
    let asked = move || until_closed(TcpStream::connect(address).unwrap(), pieces);
    tokio::task::spawn_blocking(asked).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_sends_nothing_or_dribbles_is_let_go() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = Router::new().route("/slow", get(slow)).route("/", get(async || "soon"));
    let (stop, stopped) = oneshot::channel::<()>();
    let patience = Patience { head: HEAD, unread: HEAD, farewell: Duration::from_secs(5) };
    let serving = tokio::spawn(listen::serve(listener, router, patience, async { drop(stopped.await) }));
    let cases: [(&[&str], &str); 4] = [
        (&[], ""),
        (&["GET / HTTP/1.1\r\n", "Host: x\r\n", "A: b\r\n", "C: d\r\n", "E: f\r\n", "G: h\r\n", "\r\n"], ""),
        // An answer, and then nothing more is asked.
        (&["GET / HTTP/1.1\r\nHost: x\r\n\r\n"], "soon"),
        (&["GET /slow HTTP/1.1\r\nHost: x\r\n\r\n"], "late"),
    ];
    for (pieces, answered) in cases {
        let (answer, took) = on_thread(address, pieces).await;
        assert!(
            answer.ends_with(answered) && answer.is_empty() == answered.is_empty(),
            "{pieces:?}: {answer}"
        );
        assert!(took >= HEAD / 2 && took < HEAD * 10, "{pieces:?}: {took:?}");
    }
    drop(stop);
    tokio::time::timeout(Duration::from_secs(5), serving).await.unwrap().unwrap();
}

/// Tells when an answer is let go of.
struct Told(Option<oneshot::Sender<()>>);

impl Drop for Told {
    fn drop(&mut self) {
        if let Some(told) = self.0.take() {
            told.send(()).expect("somebody waits for it");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_reads_nothing_of_an_answer_is_let_go() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (told, let_go) = oneshot::channel::<()>();
    let told = Arc::new(Mutex::new(Some(Told(Some(told)))));
    let endless = move || {
        let told = told.lock().unwrap().take();
        let pieces = futures_util::stream::repeat_with(move || {
            let _held = &told;
            Ok::<_, Infallible>(Bytes::from_static(&[b'x'; 65_536]))
        });
        async move { Body::from_stream(pieces) }
    };
    let router = Router::new().route("/", get(endless));
    let patience = Patience { head: HEAD * 100, unread: HEAD, farewell: Duration::from_secs(5) };
    let (stop, stopped) = oneshot::channel::<()>();
    let serving = tokio::spawn(listen::serve(listener, router, patience, async { drop(stopped.await) }));
    let mut client = TcpStream::connect(address).unwrap();
    client.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
    tokio::time::timeout(HEAD * 50, let_go).await.expect("the answer is let go of").unwrap();
    drop(stop);
    tokio::time::timeout(Duration::from_secs(5), serving).await.unwrap().unwrap();
}

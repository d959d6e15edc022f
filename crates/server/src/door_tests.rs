//! What breaks in a handler is answered like every other failure.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use axum::Router;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use tokio::net::TcpListener;
use truthkeeper::Memory;

use super::door;

async fn breaks() -> StatusCode {
    panic!("broken with secret tea")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_handler_that_breaks_is_answered_and_the_others_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let memory = Memory::open(folder.path().join("memory.db").to_str().unwrap()).await.unwrap();
    let router = Router::new()
        .route("/v1/breaks", get(breaks))
        .route("/v1/goes", get(async || StatusCode::NO_CONTENT))
        .layer(from_fn_with_state(memory, door::answer));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let serving = tokio::spawn(async move { axum::serve(listener, router).await });
    for (path, status) in [("/v1/breaks", "500"), ("/v1/goes", "204")] {
        let answer = tokio::task::spawn_blocking(move || {
            let mut stream = TcpStream::connect(address).unwrap();
            write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            answer
        });
        let answer = answer.await.unwrap();
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{answer}");
        assert_eq!(answer.contains("\"code\":\"internal\""), path == "/v1/breaks", "{answer}");
        assert!(answer.contains("x-request-id: req-") && !answer.contains("secret"), "{answer}");
    }
    serving.abort();
}

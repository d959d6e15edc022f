//! A reader that holds a snapshot lets the log grow; once it ends the log goes back to nothing, or to its limit.

use std::fs;
use std::path::PathBuf;

use serde_json::json;
use sqlx::sqlite::SqliteConnection;
use sqlx::{Connection as _, Row as _};
use truthkeeper::{Draft, Memory};
use truthkeeper_tests::{Store, script};

const ROWS: u32 = 2_000;
const ROW_BYTES: usize = 2_048;
const AT_ONCE: u32 = 100;
/// `journal_size_limit` of the writer (crates/ledger/src/connection.rs).
const LOG_BYTES_MAX: u64 = 64 << 20;

fn log(store: &Store) -> PathBuf {
    PathBuf::from(format!("{}-wal", store.address))
}

fn log_bytes(store: &Store) -> u64 {
    fs::metadata(log(store)).map_or(0, |log| log.len())
}

async fn raw(store: &Store) -> SqliteConnection {
    SqliteConnection::connect(&format!("sqlite://{}", store.address)).await.unwrap()
}

/// Begins a transaction that reads, and keeps it.
async fn reading(store: &Store) -> SqliteConnection {
    let mut reader = raw(store).await;
    sqlx::query("BEGIN").execute(&mut reader).await.unwrap();
    sqlx::query("SELECT COUNT(*) FROM events").fetch_one(&mut reader).await.unwrap();
    reader
}

async fn write(memory: &Memory, rows: std::ops::Range<u32>, bytes: usize) {
    let mut writing = Vec::new();
    for number in rows {
        let memory = memory.clone();
        writing.push(tokio::spawn(async move {
            let draft = Draft {
                kind: Some("acme.row".to_owned()),
                key: Some(format!("row {number}")),
                content: Some(json!(format!("row {number} {}", "lorem ipsum ".repeat(bytes / 12)))),
                ..Draft::default()
            };
            memory.remember(&script::caller().unwrap(), None, draft).await.unwrap();
        }));
        if writing.len() == usize::try_from(AT_ONCE).unwrap() {
            for row in writing.drain(..) {
                row.await.unwrap();
            }
        }
    }
    for row in writing {
        row.await.unwrap();
    }
}

/// True when nobody was in the way.
async fn truncate(store: &Store) -> bool {
    let mut connection = raw(store).await;
    let row = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(&mut connection).await.unwrap();
    row.get::<i64, _>(0) == 0
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_that_grew_beside_a_reader_goes_back_to_nothing() {
    let store = Store::sqlite();
    let memory = Memory::open(&store.address).await.unwrap();
    write(&memory, 0..1, ROW_BYTES).await;
    let reader = reading(&store).await;
    write(&memory, 1..ROWS, ROW_BYTES).await;
    let grown = log_bytes(&store);
    assert!(grown > u64::from(ROWS) * 2_048, "{grown}");
    assert!(!truncate(&store).await, "the reader still reads");
    reader.close().await.unwrap();
    assert!(truncate(&store).await);
    assert_eq!(log_bytes(&store), 0);
    assert_eq!(memory.check(|_| {}).await.unwrap().problems, []);
    println!("the log had {} KB", grown / 1_000);
}

/// Without anyone's doing, the next writes after the reader bring it back to its limit.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_beyond_its_limit_is_cut_by_the_writes_that_follow() {
    let store = Store::sqlite();
    let memory = Memory::open(&store.address).await.unwrap();
    write(&memory, 0..1, ROW_BYTES).await;
    let reader = reading(&store).await;
    let mut rows = 1;
    while log_bytes(&store) < LOG_BYTES_MAX + (4 << 20) {
        write(&memory, rows..rows + AT_ONCE, 16_000).await;
        rows += AT_ONCE;
        assert!(rows < 20_000, "the log stays at {}", log_bytes(&store));
    }
    reader.close().await.unwrap();
    write(&memory, rows..rows + AT_ONCE, ROW_BYTES).await;
    assert!(log_bytes(&store) <= LOG_BYTES_MAX, "{}", log_bytes(&store));
}

//! Opens the file, and makes its tables where it has none.

use std::fs::OpenOptions;
use std::path::Path;
use std::time::Duration;

use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{Connection as _, SqlitePool};

use crate::{FORM, IndexError};

/// Marks the file as an index: "TrKI".
const APPLICATION: i64 = 0x5472_4b49;
const CONNECTIONS_MAX: u32 = 4;
/// Rows that are read before they are taken: a search takes thousands, and each wait for one costs two changes of thread.
const ROWS_AHEAD: usize = 1_000;
/// Pages that a connection keeps in memory: 32 MiB, for a search reads the pages of every row that it matches.
const CACHE: &str = "-32768";
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(10);
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
const LOG_BYTES_KEPT: u32 = 16 * 1024 * 1024;
/// A file's first change to a write-ahead log does not wait for others that open it: so often is it tried.
const OPEN_TRIES_MAX: u32 = 100;
const OPEN_PAUSE: Duration = Duration::from_millis(20);

/// Connections to the file at `path`.
pub(super) async fn pool(path: &Path) -> Result<SqlitePool, IndexError> {
    make_private(path);
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Normal)
        .busy_timeout(BUSY_TIMEOUT)
        .foreign_keys(true)
        .row_buffer_size(ROWS_AHEAD)
        .pragma("secure_delete", "ON")
        .pragma("trusted_schema", "OFF")
        .pragma("cell_size_check", "ON")
        .pragma("temp_store", "MEMORY")
        .pragma("cache_size", CACHE)
        .pragma("journal_size_limit", LOG_BYTES_KEPT.to_string());
    let pool = SqlitePoolOptions::new()
        .max_connections(CONNECTIONS_MAX)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .connect_lazy_with(options);
    for _ in 1..OPEN_TRIES_MAX {
        match pool.acquire().await.map_err(IndexError::from) {
            Ok(_) => return Ok(pool),
            Err(IndexError::Unreachable(_)) => tokio::time::sleep(OPEN_PAUSE).await,
            Err(error) => return Err(error),
        }
    }
    pool.acquire().await?;
    Ok(pool)
}

/// Makes the file for its owner alone, where it is missing; what the engine puts beside it has the same permissions.
/// Where that fails, opening it says why.
fn make_private(path: &Path) {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    drop(options.open(path));
}

/// Makes the tables of an empty file; refuses a file of another form.
pub(super) async fn prepare(pool: &SqlitePool) -> Result<(), IndexError> {
    let mut connection = pool.acquire().await?;
    let outcome = prepare_on(&mut connection).await;
    super::settle(connection, outcome)
}

async fn prepare_on(connection: &mut SqliteConnection) -> Result<(), IndexError> {
    if form(connection).await? == Some(FORM) {
        return Ok(());
    }
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    match form(&mut transaction).await? {
        Some(FORM) => {}
        Some(found) => return Err(IndexError::OtherForm { found }),
        None => {
            sqlx::raw_sql(include_str!("schema.sql")).execute(&mut *transaction).await?;
        }
    }
    Ok(transaction.commit().await?)
}

/// The form of the tables; none in an empty file, 0 in one that is not an index.
async fn form(connection: &mut SqliteConnection) -> Result<Option<i64>, IndexError> {
    let (application, form, tables): (i64, i64, i64) =
        sqlx::query_as(include_str!("read_form.sql")).fetch_one(connection).await?;
    Ok(match (application, form, tables) {
        (0, 0, 0) => None,
        (APPLICATION, form, _) => Some(form),
        (_, _, _) => Some(0),
    })
}

//! Connections: one that writes, a few that read, each set up for its engine.

use std::time::Duration;

use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::{AnyConnection, AnyPool, ConnectOptions as _, Executor as _};

use crate::address::{Address, Engine};
use crate::error::StoreError;

const READERS_MAX: u32 = 4;
const READER_WAIT: Duration = Duration::from_secs(30);
const FIRST_TRIES_MAX: u32 = 1_000;
const FIRST_PAUSE: Duration = Duration::from_millis(10);

/// FULL, because with NORMAL a power loss takes acknowledged events with it. The busy time-out is ours
/// (`writer`), so that waiting processes get their turn.
const SQLITE_WRITER: &str = "PRAGMA busy_timeout = 0; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864; \
     PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF; PRAGMA secure_delete = ON; PRAGMA foreign_keys = OFF; \
     PRAGMA cache_size = -16384;";
const SQLITE_FIRST: &str = "PRAGMA busy_timeout = 30000; PRAGMA journal_mode = WAL;";
const SQLITE_READER: &str = "PRAGMA busy_timeout = 30000; PRAGMA query_only = ON; PRAGMA cell_size_check = ON; \
     PRAGMA trusted_schema = OFF; PRAGMA cache_size = -16384; PRAGMA mmap_size = 0;";
const POSTGRES_WRITER: &str = "SET lock_timeout = '30s'; SET client_min_messages = warning;";
const POSTGRES_READER: &str = "SET default_transaction_read_only = on; SET client_min_messages = warning;";

fn options(address: &Address, url: &str) -> Result<AnyConnectOptions, StoreError> {
    sqlx::any::install_default_drivers();
    let options: AnyConnectOptions = url.parse().map_err(|error: sqlx::Error| {
        StoreError::Unreachable(format!("{address} is no usable address: {error}"))
    })?;
    Ok(options.disable_statement_logging())
}

/// Opens a connection that may write. It has no transaction yet.
pub(crate) async fn writer(address: &Address) -> Result<AnyConnection, StoreError> {
    let options = options(address, &address.url())?;
    let mut connection = options.connect().await.map_err(|error| unreachable(address, error))?;
    match address.engine() {
        Engine::Sqlite => {
            log_ahead(&mut connection).await?;
            connection.execute(SQLITE_WRITER).await?;
        }
        Engine::Postgres => {
            connection.execute(POSTGRES_WRITER).await?;
        }
    }
    Ok(connection)
}

/// Gives the file its write-ahead log. SQLite answers at once that a fresh file is busy while another connection does
/// the same, whatever the time-out: waiting could be for ever.
async fn log_ahead(connection: &mut AnyConnection) -> Result<(), StoreError> {
    for _ in 1..FIRST_TRIES_MAX {
        match connection.execute(SQLITE_FIRST).await.map_err(StoreError::from) {
            Err(StoreError::Busy) => tokio::time::sleep(FIRST_PAUSE).await,
            done => return done.map(|_| ()),
        }
    }
    connection.execute(SQLITE_FIRST).await?;
    Ok(())
}

/// Opens a connection that cannot write, nor make what is not there.
pub(crate) async fn reader(address: &Address) -> Result<AnyConnection, StoreError> {
    let options = options(address, &address.url_to_read())?;
    let mut connection = options.connect().await.map_err(|error| unreachable(address, error))?;
    connection.execute(reader_setup(address)).await?;
    Ok(connection)
}

fn reader_setup(address: &Address) -> &'static str {
    match address.engine() {
        Engine::Sqlite => SQLITE_READER,
        Engine::Postgres => POSTGRES_READER,
    }
}

/// Opens the pool of connections that only read, by an address's URL. They hold no transaction across other work.
pub(crate) async fn readers(address: &Address, url: &str) -> Result<AnyPool, StoreError> {
    let setup = reader_setup(address);
    AnyPoolOptions::new()
        .max_connections(READERS_MAX)
        .acquire_timeout(READER_WAIT)
        .test_before_acquire(address.engine() == Engine::Postgres)
        .after_connect(move |connection, _| {
            Box::pin(async move {
                connection.execute(setup).await?;
                Ok(())
            })
        })
        .connect_with(options(address, url)?)
        .await
        .map_err(|error| unreachable(address, error))
}

fn unreachable(address: &Address, error: sqlx::Error) -> StoreError {
    match StoreError::from(error) {
        StoreError::Unreachable(why) | StoreError::Refused(why) => {
            StoreError::Unreachable(format!("{address}: {why}"))
        }
        other @ (StoreError::Busy
        | StoreError::Full
        | StoreError::Unconfirmed(_)
        | StoreError::Damaged { .. }
        | StoreError::Closed) => other,
    }
}

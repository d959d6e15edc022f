//! Connects to the database, and makes the tables where there are none.

use std::str::FromStr as _;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgConnection, PgPoolOptions};
use sqlx::{Connection as _, PgPool};

use crate::{FORM, IndexError};

/// The advisory lock of who makes the tables or writes: "TrKI" and 1.
const LOCK: i64 = 0x5472_4b49_0000_0001;
const CONNECTIONS_MAX: u32 = 8;
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(10);
/// What each connection is told: where the tables are, to plan for the words at hand, not to wait for ever.
const SETTINGS: [(&str, &str); 4] = [
    ("search_path", "truthkeeper_index"),
    ("plan_cache_mode", "force_custom_plan"),
    ("jit", "off"),
    ("lock_timeout", "10s"),
];

/// Connections to the database at `address`.
pub(super) fn pool(address: &str) -> Result<PgPool, IndexError> {
    let options = PgConnectOptions::from_str(address)?.options(SETTINGS);
    Ok(PgPoolOptions::new()
        .max_connections(CONNECTIONS_MAX)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .connect_lazy_with(options))
}

/// Makes the tables where there are none; refuses tables of another form.
pub(super) async fn prepare(pool: &PgPool) -> Result<(), IndexError> {
    let mut connection = pool.acquire().await?;
    let outcome = prepare_on(&mut connection).await;
    super::settle(connection, outcome)
}

/// Waits until nobody else makes tables or writes, until the transaction ends.
pub(super) async fn lock(transaction: &mut PgConnection) -> Result<(), IndexError> {
    sqlx::query(include_str!("lock.sql")).bind(LOCK).execute(transaction).await?;
    Ok(())
}

async fn prepare_on(connection: &mut PgConnection) -> Result<(), IndexError> {
    let mut transaction = connection.begin().await?;
    lock(&mut transaction).await?;
    match form(&mut transaction).await? {
        Some(FORM) => {}
        Some(found) => return Err(IndexError::OtherForm { found }),
        None => make_tables(&mut transaction).await?,
    }
    Ok(transaction.commit().await?)
}

async fn form(connection: &mut PgConnection) -> Result<Option<i64>, IndexError> {
    let there: bool = sqlx::query_scalar(include_str!("find_form.sql")).fetch_one(&mut *connection).await?;
    if !there {
        return Ok(None);
    }
    let form = sqlx::query_scalar(include_str!("read_form.sql")).fetch_one(connection).await?;
    Ok(Some(form))
}

async fn make_tables(connection: &mut PgConnection) -> Result<(), IndexError> {
    sqlx::raw_sql(include_str!("create_namespace.sql")).execute(&mut *connection).await?;
    sqlx::raw_sql(include_str!("schema.sql")).execute(&mut *connection).await?;
    sqlx::query(include_str!("put_form.sql")).bind(FORM).execute(connection).await?;
    Ok(())
}

//! Brings a database to this version, once, however many processes open it at the same moment.

use std::time::Duration;

use sha2::{Digest as _, Sha256};
use sqlx::AnyConnection;
use sqlx::{Connection as _, Executor as _, Row as _};

use crate::OpenError;
use crate::address::{Address, Engine};
use crate::error::StoreError;
use crate::writer::{self, Tx};
use crate::{connection, rebuild};

struct Migration {
    number: i64,
    sqlite: &'static str,
    postgres: &'static str,
}

const MIGRATIONS: [Migration; 8] = [
    Migration {
        number: 1,
        sqlite: include_str!("../../../migrations/sqlite/0001_ledger.sql"),
        postgres: include_str!("../../../migrations/postgres/0001_ledger.sql"),
    },
    Migration {
        number: 2,
        sqlite: include_str!("../../../migrations/sqlite/0002_projection.sql"),
        postgres: include_str!("../../../migrations/postgres/0002_projection.sql"),
    },
    Migration {
        number: 3,
        sqlite: include_str!("../../../migrations/sqlite/0003_review.sql"),
        postgres: include_str!("../../../migrations/postgres/0003_review.sql"),
    },
    Migration {
        number: 4,
        sqlite: include_str!("../../../migrations/sqlite/0004_receipts.sql"),
        postgres: include_str!("../../../migrations/postgres/0004_receipts.sql"),
    },
    Migration {
        number: 5,
        sqlite: include_str!("../../../migrations/sqlite/0005_qualification.sql"),
        postgres: include_str!("../../../migrations/postgres/0005_qualification.sql"),
    },
    Migration {
        number: 6,
        sqlite: include_str!("../../../migrations/sqlite/0006_adoption.sql"),
        postgres: include_str!("../../../migrations/postgres/0006_adoption.sql"),
    },
    Migration {
        number: 7,
        sqlite: include_str!("../../../migrations/sqlite/0007_keys.sql"),
        postgres: include_str!("../../../migrations/postgres/0007_keys.sql"),
    },
    Migration {
        number: 8,
        sqlite: include_str!("../../../migrations/sqlite/0008_drift.sql"),
        postgres: include_str!("../../../migrations/postgres/0008_drift.sql"),
    },
];

/// Any number that nobody else locks with: "truth" in ASCII.
const POSTGRES_LOCK: &str = "SELECT pg_advisory_xact_lock(500152300648)";

/// Applies what is missing, in one transaction under one lock.
pub(crate) async fn run(address: &Address, busy_wait: Duration) -> Result<(), OpenError> {
    let mut connection = connection::writer(address).await?;
    if is_current(&mut connection, address.engine()).await? {
        connection.close().await.map_err(StoreError::from)?;
        return Ok(());
    }
    writer::begin(&mut connection, address.engine(), busy_wait).await?;
    let mut tx = Tx::over(connection);
    let outcome = apply(&mut tx, address.engine()).await;
    let end = if outcome.is_ok() { "COMMIT" } else { "ROLLBACK" };
    let ended = tx.connection.execute(end).await;
    outcome?;
    ended.map_err(StoreError::from)?;
    tx.connection.close().await.map_err(StoreError::from)?;
    Ok(())
}

/// Refuses a database that is not as this version makes it. Changes nothing.
pub(crate) async fn verify(address: &Address) -> Result<(), OpenError> {
    let mut connection = connection::reader(address).await?;
    let applied = match applied(&mut connection).await {
        Ok(applied) if !applied.is_empty() => applied,
        // There is no such table.
        Ok(_) | Err(StoreError::Refused(_)) => return Err(OpenError::Empty),
        Err(error) => return Err(error.into()),
    };
    check_applied(&applied, address.engine())?;
    connection.close().await.map_err(StoreError::from)?;
    match MIGRATIONS.get(applied.len()) {
        Some(missing) => Err(OpenError::Older { missing: missing.number }),
        None => Ok(()),
    }
}

/// True when nothing is missing. Takes no lock, so that a reader opens while another process writes.
async fn is_current(connection: &mut AnyConnection, engine: Engine) -> Result<bool, OpenError> {
    match applied(connection).await {
        Ok(applied) => {
            check_applied(&applied, engine)?;
            Ok(applied.len() == MIGRATIONS.len())
        }
        // There is no such table before the first migration, or another process is just making it.
        Err(StoreError::Refused(_) | StoreError::Busy) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

async fn applied(connection: &mut AnyConnection) -> Result<Vec<(i64, String)>, StoreError> {
    let rows = sqlx::query(include_str!("sql/migrations_list.sql")).fetch_all(connection).await?;
    rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
}

/// Applies what is missing. What follows from the events of a store that was there is made anew: it may have another form.
async fn apply(tx: &mut Tx, engine: Engine) -> Result<(), OpenError> {
    let connection = &mut tx.connection;
    if engine == Engine::Postgres {
        connection.execute(POSTGRES_LOCK).await.map_err(StoreError::from)?;
    }
    let create = include_str!("sql/migrations_create.sql");
    connection.execute(create).await.map_err(StoreError::from)?;
    let applied = applied(connection).await?;
    check_applied(&applied, engine)?;
    for migration in &MIGRATIONS[applied.len()..] {
        connection.execute(migration.text(engine)).await.map_err(StoreError::from)?;
        crate::crash::point("open.migrated");
        sqlx::query(include_str!("sql/migrations_add.sql"))
            .bind(migration.number)
            .bind(migration.checksum(engine))
            .execute(&mut *connection)
            .await
            .map_err(StoreError::from)?;
    }
    if !applied.is_empty() && applied.len() < MIGRATIONS.len() {
        refill(tx).await?;
    }
    Ok(())
}

/// A store whose events are damaged keeps its tables as they are: it must open for a check to say what is wrong.
async fn refill(tx: &mut Tx) -> Result<(), StoreError> {
    tx.connection.execute("SAVEPOINT refill").await?;
    match rebuild::refill(tx, &|_| {}).await {
        Ok(_) => {}
        Err(StoreError::Damaged { .. }) => {
            tx.connection.execute("ROLLBACK TO SAVEPOINT refill").await?;
        }
        Err(error) => return Err(error),
    }
    tx.connection.execute("RELEASE SAVEPOINT refill").await?;
    Ok(())
}

/// Refuses a database that a newer version made, or whose migrations are not ours.
fn check_applied(applied: &[(i64, String)], engine: Engine) -> Result<(), OpenError> {
    let known = MIGRATIONS.last().map_or(0, |migration| migration.number);
    if let Some((number, _)) = applied.iter().find(|(number, _)| *number > known) {
        return Err(OpenError::Newer { found: *number, known });
    }
    for ((number, checksum), migration) in applied.iter().zip(&MIGRATIONS) {
        if *number != migration.number || *checksum != migration.checksum(engine) {
            return Err(OpenError::Changed { number: *number });
        }
    }
    Ok(())
}

impl Migration {
    fn text(&self, engine: Engine) -> &'static str {
        match engine {
            Engine::Sqlite => self.sqlite,
            Engine::Postgres => self.postgres,
        }
    }

    fn checksum(&self, engine: Engine) -> String {
        fact::hex(&Sha256::digest(self.text(engine)))
    }
}

//! What the engine says of itself: its version, how safely it writes, how much it keeps, and whether its pages are whole.

use sqlx::{AnyConnection, Row as _};

use crate::address::{Address, Engine};
use crate::error::StoreError;
use crate::{Ledger, file};

/// What the engine says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineFacts {
    /// Its name.
    pub name: &'static str,
    /// Its version.
    pub version: String,
    /// Settings by which it could lose what it has confirmed: name, how it is, how it must be.
    pub settings: Vec<(&'static str, String, &'static str)>,
}

/// How many bytes a store takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Size {
    /// The database, the index of PostgreSQL included.
    pub database: u64,
    /// The log beside it.
    pub log: u64,
}

const SQLITE_SETTINGS: [(&str, &str, &str); 1] = [("journal_mode", "PRAGMA journal_mode", "wal")];
const POSTGRES_SETTINGS: [(&str, &str, &str); 3] = [
    ("fsync", "SHOW fsync", "on"),
    ("full_page_writes", "SHOW full_page_writes", "on"),
    ("synchronous_commit", "SHOW synchronous_commit", "on"),
];

impl Ledger {
    /// What the engine says of itself.
    pub async fn engine_facts(&self) -> Result<EngineFacts, StoreError> {
        let mut connection = self.reader().await?;
        let (name, version, asked): (_, _, &[_]) = match self.address.engine() {
            Engine::Sqlite => ("SQLite", "SELECT sqlite_version()", &SQLITE_SETTINGS),
            Engine::Postgres => ("PostgreSQL", "SHOW server_version", &POSTGRES_SETTINGS),
        };
        let version = word(&mut connection, version).await?;
        let mut settings = Vec::new();
        for (name, statement, wanted) in asked {
            settings.push((*name, word(&mut connection, statement).await?, *wanted));
        }
        Ok(EngineFacts { name, version, settings })
    }

    /// How many bytes the store takes.
    pub async fn size(&self) -> Result<Size, StoreError> {
        match &self.address {
            Address::File(path) => {
                let bytes = |path: &std::path::Path| path.metadata().map_or(0, |file| file.len());
                let mut log = path.as_os_str().to_owned();
                log.push("-wal");
                Ok(Size { database: bytes(path), log: bytes(log.as_ref()) })
            }
            Address::Postgres(_) => {
                let mut connection = self.reader().await?;
                let statement = "SELECT pg_database_size(current_database())";
                let row = sqlx::query(statement).fetch_one(&mut *connection).await?;
                Ok(Size { database: u64::try_from(row.try_get::<i64, _>(0)?).unwrap_or(0), log: 0 })
            }
        }
    }

    /// How many faults SQLite finds in its own pages. PostgreSQL says nothing of that.
    pub async fn page_faults(&self) -> Result<Option<u64>, StoreError> {
        match self.address.engine() {
            Engine::Postgres => Ok(None),
            Engine::Sqlite => {
                let mut connection = self.reader().await?;
                let faults = file::damages(&mut connection, Engine::Sqlite).await?.len();
                Ok(Some(u64::try_from(faults).unwrap_or(u64::MAX)))
            }
        }
    }
}

async fn word(connection: &mut AnyConnection, statement: &'static str) -> Result<String, StoreError> {
    Ok(sqlx::query(statement).fetch_one(connection).await?.try_get(0)?)
}

//! The ledger: events that are appended and never changed, and the tables that follow from them.
//!
//! One API and one SQL text on SQLite and PostgreSQL. It knows nothing of the index, prompts or HTTP; it alone holds
//! the SQL of its tables.

mod acts;
mod address;
mod adoption;
mod audit;
mod batch;
mod beside;
mod carry;
mod census;
mod changes;
mod check;
mod commitment;
mod connection;
pub mod crash;
mod days;
mod derive;
mod digest;
mod drift;
mod ended;
mod engine;
mod erase;
mod error;
mod expected;
mod file;
mod find;
mod keys;
mod legacy;
mod list;
mod measures;
mod merged;
mod migrate;
mod older;
mod operations;
mod outbox;
mod read;
mod rebuild;
mod receipts;
mod record;
mod replay;
mod reports;
mod requests;
mod review;
mod row;
mod seal;
mod settings;
mod standing;
mod tables;
mod tenant;
mod transfer;
mod waiting;
mod writer;

use std::time::Duration;

use sqlx::AnyPool;
use sqlx::any::Any;
use sqlx::pool::PoolConnection;

pub use acts::Act;
pub use address::Address;
pub use adoption::{Adoption, AdoptionError, Begun, Seal, StepDone, StepOutcome};
pub use audit::Audit;
pub use census::{Census, OwnerCensus};
pub use changes::{Changes, Happened};
pub use check::{Chain, Fault, Problem, Report};
pub use days::{Stand, Turned};
pub use drift::{CopyReport, Drift, Drifted};
pub use ended::Ended;
pub use engine::{EngineFacts, Size};
pub use erase::{Erase, EraseError, Erased};
pub use error::StoreError;
pub use legacy::{ImportFate, Imported};
pub use list::{Cursor, Filter, ListError, Page};
pub use older::{KeptLegacy, LegacyPage};
pub use operations::{ATTEMPTS_MAX, Attempt, Concluded, Lease, Operation};
pub use outbox::{Failing, Outbox, Which};
pub use read::{Instant, Seen, Sought};
pub use receipts::Kept;
pub use record::{Record, RecordError, Recorded, Request};
pub use reports::{Inspection, Reported};
pub use review::HeldBack;
pub use settings::{Setting, SettingKey};
pub use standing::{LastCheck, Waiting};
pub use transfer::TransferError;
pub use waiting::OpenConflict;

/// A ledger that is open. Clones share its connections and its one writer.
#[derive(Clone)]
pub struct Ledger {
    address: Address,
    readers: AnyPool,
    writer: writer::Writer,
    busy_wait: Duration,
    secrets: tenant::Secrets,
}

/// Why a ledger was not opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// A newer version made this database.
    #[error("the store is from a newer version: it has migration {found}, this version knows up to {known}")]
    Newer {
        /// The migration that was found.
        found: i64,
        /// The last one that this version knows.
        known: i64,
    },
    /// No memory was begun in this database.
    #[error("no memory was begun in this store")]
    Empty,
    /// An older version made this database, and nothing was opened to write since.
    #[error("the store is from an older version: migration {missing} was not applied yet")]
    Older {
        /// The first migration that is missing.
        missing: i64,
    },
    /// A migration in this database is not the one that this version has.
    #[error("migration {number} of the store is not the one that this version has")]
    Changed {
        /// Its number.
        number: i64,
    },
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Ledger {
    /// Opens a ledger, and creates it where there is none. Needs a running tokio runtime.
    pub async fn open(address: Address) -> Result<Self, OpenError> {
        Self::open_with(address, writer::BUSY_WAIT_DEFAULT).await
    }

    /// As `open`, and gives up as busy when another process keeps the store for longer than `busy_wait`.
    pub async fn open_with(address: Address, busy_wait: Duration) -> Result<Self, OpenError> {
        measures::describe();
        if let Address::File(path) = &address {
            file::make_private(path);
        }
        migrate::run(&address, busy_wait).await?;
        // Not to read alone: the last connection that closes tidies up the log.
        let readers = connection::readers(&address, &address.url()).await?;
        let writer = writer::Writer::start(address.clone(), busy_wait);
        Ok(Self { address, readers, writer, busy_wait, secrets: tenant::Secrets::default() })
    }

    /// Opens a ledger that is there, and can be in use by others, to read it alone: what would write fails as closed.
    /// A SQLite file and its log stay as they are, to the last byte.
    pub async fn open_to_read(address: Address) -> Result<Self, OpenError> {
        migrate::verify(&address).await?;
        let readers = connection::readers(&address, &address.url_to_read()).await?;
        let (writer, busy_wait) = (writer::Writer::closed(), Duration::ZERO);
        Ok(Self { address, readers, writer, busy_wait, secrets: tenant::Secrets::default() })
    }

    /// Lets what was begun come to its end, and closes every connection: a SQLite file that nobody else has open is then
    /// without its log. What is asked of it later fails as closed.
    pub async fn close(&self) -> Result<(), StoreError> {
        let left = self.writer.close().await;
        self.readers.close().await;
        left
    }

    /// Where it lives.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// How many groups of works were committed since it was opened.
    pub fn groups(&self) -> u64 {
        self.writer.groups()
    }

    async fn reader(&self) -> Result<PoolConnection<Any>, StoreError> {
        Ok(self.readers.acquire().await?)
    }
}

//! The memory that a chat backend embeds: it wires ledger, rules, index and gate, and holds no rule about facts.
//!
//! ```no_run
//! use truthkeeper::{Budget, Caller, Draft, Memory, Recall};
//! # async fn example(caller: Caller, draft: Draft) -> Result<(), truthkeeper::MemoryError> {
//! let memory = Memory::open("memory.db").await?; // or a postgres:// address
//! let receipt = memory.remember(&caller, None, draft).await?; // recorded, and recallable when `searchable`
//! let recalled = memory.recall(&caller, &Recall::query("tea or coffee?")).await?; // only current truth
//! let block = truthkeeper::Block::render(&recalled, Budget::tokens(2_000)); // data for the prompt
//! # Ok(())
//! # }
//! ```

mod act;
mod ask;
mod caller;
mod clock;
mod error;
mod fresh;
mod look;
mod maintain;
mod project;
mod receipt;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use projection::Projector;
use reconcile::Policy;

pub use ask::{Mode, Recall};
pub use caller::Caller;
pub use clock::Clock;
pub use error::MemoryError;
pub use fact::{
    Access, Actor, Admission, BadInput, Case, Cause, Confidence, ConflictId, Container, Content, Draft,
    Ending, Evidence, EvidenceKind, FactId, FactType, Grants, Head, Id, Origin, Outcome, Position, Proposal,
    Provenance, Reach, Reader, RequestKey, Retention, ReviewId, Revision, RevisionNumber, Saying, Scope,
    Sight, State, Subject, Text, Timestamp, Trust, Truth, Words, Writer, is_invisible, limits,
};
pub use index::{Damage, IndexError, SearchIndex};
pub use ledger::{
    Address, Cursor, EraseError, Erased, Failing, Fault, Filter, HeldBack, Instant, OpenConflict, OpenError,
    Outbox, Page, Problem, Report, Seen, StoreError, TransferError, Which,
};
pub use look::Times;
pub use project::IndexReport;
pub use projection::{Checked, Drift, Drifted, Report as CopyReport, Retried};
pub use recall::{Block, Budget, RULE, Reason, Recalled, RecalledFact, visible};
pub use receipt::Receipt;
pub use reconcile::{Barrier, Refusal};

/// A memory that is open. Clones share everything.
#[derive(Clone)]
pub struct Memory {
    ledger: ledger::Ledger,
    index: Arc<dyn SearchIndex>,
    projector: Projector,
    policy: Policy,
    clock: Clock,
}

impl Memory {
    /// Opens the memory at a path (SQLite, with the index in a file beside it) or a `postgres://` address, and creates
    /// it where there is none.
    pub async fn open(address: &str) -> Result<Self, MemoryError> {
        Self::open_with(address, Clock::system()).await
    }

    /// As `open`, with a clock and a search index of the caller's.
    pub async fn open_over(
        address: &str,
        clock: Clock,
        index: Arc<dyn SearchIndex>,
    ) -> Result<Self, MemoryError> {
        let ledger = ledger::Ledger::open(Address::parse(address)).await?;
        Ok(Self::over(ledger, clock, index))
    }

    /// As `open`, with a clock of the caller's.
    pub async fn open_with(address: &str, clock: Clock) -> Result<Self, MemoryError> {
        let ledger = ledger::Ledger::open(Address::parse(address)).await?;
        let index = index_of(&ledger);
        Ok(Self::over(ledger, clock, index))
    }

    /// As `open`, and gives up as busy when another process keeps the store for longer than `busy_wait`.
    pub async fn open_within(address: &str, busy_wait: Duration) -> Result<Self, MemoryError> {
        let ledger = ledger::Ledger::open_with(Address::parse(address), busy_wait).await?;
        let index = index_of(&ledger);
        Ok(Self::over(ledger, Clock::system(), index))
    }

    fn over(ledger: ledger::Ledger, clock: Clock, index: Arc<dyn SearchIndex>) -> Self {
        let settings = projection::Settings::default();
        let projector = Projector::new(ledger.clone(), Arc::clone(&index), fresh::holder(), settings);
        Self { ledger, index, projector, policy: Policy::default(), clock }
    }

    /// The ledger beneath, for reading. Facts are written through this façade alone.
    pub fn ledger(&self) -> &ledger::Ledger {
        &self.ledger
    }
}

/// The index lives beside the ledger's file, as `name.index.db`; on PostgreSQL in tables of its own.
fn index_of(ledger: &ledger::Ledger) -> Arc<dyn SearchIndex> {
    match ledger.address() {
        Address::Postgres(url) => index::open(url),
        Address::File(path) => {
            let stem =
                path.file_stem().map_or_else(|| "memory".into(), |stem| stem.to_string_lossy().into_owned());
            let beside: PathBuf = path.with_file_name(format!("{stem}.index.db"));
            index::open(&beside.to_string_lossy())
        }
    }
}

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
mod adopt;
mod adoption;
mod ask;
mod bulk;
mod caller;
mod changes;
mod clock;
mod days;
mod duplicates;
mod embedded;
mod error;
mod examine;
mod forgotten;
mod fresh;
mod history;
mod install;
mod keys;
mod log;
#[cfg(test)]
mod log_tests;
mod look;
mod maintain;
mod measures;
mod merge;
mod once;
mod orders;
mod past;
mod project;
mod receipt;
mod receipts;
mod remembering;
mod replay;
mod rollback;
mod secrets;
mod settle;
mod sources;
mod status;
mod turn;
mod waiting;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use projection::{Models, Projector};
use reconcile::Policy;

pub use adopt::{Admissions, Intake, Taken};
pub use adoption::Applied;
pub use ask::{Mode, Recall};
pub use bulk::{Each, Fate};
pub use caller::Caller;
pub use clock::Clock;
pub use days::Day;
pub use duplicates::{COMPARED_FACTS_MAX, DUPLICATE_PAIRS_MAX, Duplicate, Duplicates, NoMeaning};
pub use embed::{
    ApiKey, BadFiles, BadModel, EmbedError, Embedder, Endpoint, EndpointSettings, HUB, LOCAL_MODEL,
    LocalModel, ModelFiles, ModelId, OnDemand, OnProgress, Prefixes, Progress, PullError, PullSource,
    RetryLimits, Role, pull,
};
pub use embedded::Embedded;
pub use error::MemoryError;
pub use fact::{
    Access, Actor, Admission, AdoptionId, BadInput, Bounds, Case, Cause, Confidence, ConflictId, Container,
    Content, Contest, Detector, Draft, Ending, Entry, Evidence, EvidenceKind, FactId, FactType, Grants,
    Happening, Head, Held as LegacyHeld, HoldsSecret, Id, Key, KeyId, KeyToken, Legacy, LegacyDecision,
    LegacyOrigin, LegacyRow, LegacySource, Near, Origin, Outcome, Position, Proposal, Provenance, Reach,
    Reader, ReceiptId, RequestKey, Retention, ReviewId, Revision, RevisionNumber, Right, Run, Saying, Scope,
    SecretPolicy, SecretValues, Sight, Standing as LegacyStanding, State, Subject, Text, Timestamp, Trust,
    Truth, Unadmitted, Verdict, Words, Writer, hex, is_invisible, limits,
};
pub use forgotten::{Forgot, Forgotten, ForgottenPage};
pub use index::{Damage, IndexError, Parts, SearchIndex};
pub use install::Install;
pub use keys::NewKey;
pub use ledger::{
    Act, Address, Adoption, AdoptionError, Census, Chain, Changes, CopyReport, Cursor, Drift, Drifted, Ended,
    EraseError, Erased, Failing, Fault, Filter, Happened, HeldBack, Instant, KeptLegacy, LegacyPage,
    OpenConflict, OpenError, Outbox, OwnerCensus, Page, Problem, Report, Reported, Seen, Setting, SettingKey,
    Stand, StepDone, StepOutcome, StoreError, TransferError, Which,
};
pub use legacy::{Skip, SourceError};
pub use look::Times;
pub use merge::Named;
pub use projection::{Checked, Rebuilt, Retried};
pub use qualify::{
    Area, Condition, CopyCheck, Finding, Said, SnapshotFault, Standing, Status, Survey, machine,
};
pub use recall::{
    Block, Budget, By, Degraded, Fit, Fusion, Layout, Miss, NearMiss, Order, PLAIN_RULE, RULE, Reason,
    Recalled, RecalledFact, RecalledLegacy, SourceWeights, Style, Warning, visible,
};
pub use receipt::Receipt;
pub use receipts::{Given, Question, RecallReceipt, Shown};
pub use reconcile::{
    Action, AdoptionStep, Audit as LegacyAudit, BadReview, BadSeal, Barrier, Choice, Flag, Group, GroupKind,
    GroupRow, NotSealable, NotTaken, Refusal, Review, ReviewGroup, ReviewRow, Sealed, Step, Uncertainty,
    is_owner, plan,
};
pub use remembering::{KEEP_DAYS_DEFAULT, Memo, Remember, ToolCall};
pub use replay::Replay;
pub use rollback::RolledBack;
pub use settle::Ruling;
pub use sources::{Account, REFUSED_NAMED_MAX};
pub use status::status_of;
pub use turn::Intent;
pub use waiting::{LOOKED_AT_FACTS_MAX, Waiting};

/// A memory that is open. Clones share everything.
#[derive(Clone)]
pub struct Memory {
    ledger: ledger::Ledger,
    index: Arc<dyn SearchIndex>,
    models: Models,
    projector: Projector,
    policy: Policy,
    clock: Clock,
    receipt_days: Option<u32>,
    screen: Arc<fact::Screen>,
    spoken: Arc<log::Spoken>,
}

/// Days for which a receipt is kept, where nobody says.
const RECEIPT_DAYS: u32 = 30;

/// How a memory is opened, where the defaults do not do.
#[derive(Clone)]
pub struct Options {
    /// Tells the time; the machine's clock.
    pub clock: Clock,
    /// How long another process may keep the store before we give up; the ledger's own patience.
    pub busy_wait: Option<Duration>,
    /// The search index; the one beside the ledger.
    pub index: Option<Arc<dyn SearchIndex>>,
    /// What turns texts into vectors; none, so that facts are found by their words alone.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// The one that was used before, by which is searched until a rebuild has embedded everything by the new one.
    pub former: Option<Arc<dyn Embedder>>,
    /// For how many days receipts of recalls are kept; none, so that none are. 30 where nobody says.
    pub receipt_days: Option<u32>,
    /// What becomes of what is said with a secret in it; it is refused where nobody says.
    pub secrets: SecretPolicy,
    /// The operator's own list of values that are never kept.
    pub secret_values: SecretValues,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            clock: Clock::system(),
            busy_wait: None,
            index: None,
            embedder: None,
            former: None,
            receipt_days: Some(RECEIPT_DAYS),
            secrets: SecretPolicy::default(),
            secret_values: SecretValues::default(),
        }
    }
}

impl From<Clock> for Options {
    fn from(clock: Clock) -> Self {
        Self { clock, ..Self::default() }
    }
}

impl Memory {
    /// Opens the memory at a path (SQLite, with the index in a file beside it) or a `postgres://` address, and creates
    /// it where there is none.
    pub async fn open(address: &str) -> Result<Self, MemoryError> {
        Self::open_with(address, Options::default()).await
    }

    /// As `open`, otherwise than by default.
    pub async fn open_with(address: &str, options: impl Into<Options>) -> Result<Self, MemoryError> {
        let Options { clock, busy_wait, index, embedder, former, receipt_days, secrets, secret_values } =
            options.into();
        measures::describe();
        let address = Address::parse(address);
        let ledger = match busy_wait {
            Some(busy_wait) => ledger::Ledger::open_with(address, busy_wait).await?,
            None => ledger::Ledger::open(address).await?,
        };
        let index = index.unwrap_or_else(|| index_of(&ledger));
        let (models, holder) = (Models { embedder, former }, fresh::holder());
        let settings = projection::Settings::default();
        let projector = Projector::new(ledger.clone(), Arc::clone(&index), models.clone(), holder, settings);
        Ok(Self {
            ledger,
            index,
            models,
            projector,
            policy: Policy::default(),
            clock,
            receipt_days,
            screen: Arc::new(fact::Screen::new(secrets, secret_values)),
            spoken: Arc::default(),
        })
    }

    /// Lets what was begun come to its end, the running step of the projection too, and closes every connection: SQLite's
    /// files are then without their logs, unless another process has them open. What is asked of it later, or of a clone
    /// of it, fails as closed.
    pub async fn close(&self) -> Result<(), MemoryError> {
        let step = self.projector.close(self.clock.now()).await;
        self.index.close().await;
        self.ledger.close().await?;
        step?;
        Ok(())
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

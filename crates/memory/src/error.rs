//! What a call can come to besides its answer.

use embed::EmbedError;
use fact::{AdoptionId, BadInput, FactId, HoldsSecret, Timestamp};
use index::IndexError;
use ledger::{AdoptionError, EraseError, ListError, OpenError, RecordError, StoreError, TransferError};
use legacy::SourceError;
use projection::ProjectionError;
use recall::Warning;
use reconcile::Refusal;

/// Why a call was not answered. Nothing changed, unless it says so.
#[derive(Debug, thiserror::Error)]
pub enum MemoryError {
    /// Input that is not within its limits.
    #[error(transparent)]
    BadInput(#[from] BadInput),
    /// A secret is in what was said: which field, and what found it. Never the secret.
    #[error(transparent)]
    Secret(#[from] HoldsSecret),
    /// No such fact, or not one that the caller may read.
    #[error("no such fact")]
    NotFound,
    /// It is a memory from before the ledger, which nobody changes before a review has decided about it.
    #[error("it is from before the ledger, and only its owner's review changes it")]
    AwaitingReconciliation,
    /// Rows of the owner are damaged: a review of the others alone would not be one of all.
    #[error("{rows} of the owner's rows from before the ledger are damaged")]
    LegacyDamaged {
        /// How many.
        rows: u64,
    },
    /// An adoption did not begin.
    #[error(transparent)]
    Adoption(#[from] AdoptionError),
    /// It was applied, and taken back since.
    #[error("adoption {adoption} was taken back: its rows need a new review")]
    AdoptionRolledBack {
        /// Which.
        adoption: AdoptionId,
    },
    /// Another fact has the key that an adopted one was to have.
    #[error("fact {fact} has its key: correct that one, or reject the row")]
    KeyTaken {
        /// Which.
        fact: FactId,
    },
    /// What another program kept cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// No such adoption, or not one of an owner whose rows the caller may read.
    #[error("no such adoption")]
    NoSuchAdoption,
    /// No such conflict, or not one of a fact that the caller may read.
    #[error("no such conflict")]
    NoSuchConflict,
    /// No such review, or not one of a fact that the caller may read.
    #[error("no such review")]
    NoSuchReview,
    /// No such receipt, or not one of the caller's own recalls, or not any more.
    #[error("no such receipt")]
    NoSuchReceipt,
    /// The tenant has no such key.
    #[error("no such key")]
    NoSuchKey,
    /// The key is malformed, unknown or revoked; nobody learns which.
    #[error("the key is not valid")]
    BadKey,
    /// What was asked then is forgotten, so that it cannot be asked again.
    #[error("what was asked is forgotten")]
    QueryForgotten,
    /// The fact is there for the caller to read, and nothing of it is current.
    #[error("the fact is {state}: nothing of it is current")]
    NotCurrent {
        /// What it is.
        state: &'static str,
    },
    /// The caller may not write there.
    #[error("not permitted: no right to write facts of that scope")]
    NotPermitted,
    /// The rules refuse it.
    #[error(transparent)]
    Refused(Refusal),
    /// The request's key was used for another request.
    #[error("the idempotency key was used for another request")]
    KeyReused,
    /// Others changed the fact each time that it was decided.
    #[error("the fact kept changing; try again")]
    Contention,
    /// One intent of a turn could not be answered.
    #[error("{intent}: {error}")]
    Intent {
        /// Which one.
        intent: String,
        /// Why.
        error: Box<MemoryError>,
    },
    /// The run has no such end user, conversation or project as its memory is kept for.
    #[error("the run does not have what its memory is kept for: {}", .0.name())]
    RunLacks(Warning),
    /// There is no search by meaning here.
    #[error("search by meaning is not available: there are no embeddings; use mode keyword")]
    SemanticUnavailable,
    /// What makes vectors does not answer.
    #[error("the embedder failed: {0}")]
    Embedder(#[from] EmbedError),
    /// The words are erased, and old pages of the log are still in use.
    #[error(transparent)]
    Erase(#[from] EraseError),
    /// A dump was not written or loaded.
    #[error(transparent)]
    Transfer(#[from] TransferError),
    /// The store cannot be opened.
    #[error("cannot open the store: {0}")]
    Open(#[from] OpenError),
    /// The ledger failed: what is true is not known, so nothing is said.
    #[error("the ledger failed: {0}")]
    Store(#[from] StoreError),
    /// The search index failed.
    #[error("the search index failed: {0}")]
    Index(#[from] IndexError),
    /// The search index could not be reached a moment ago, and is left alone for a while.
    #[error("the search index could not be reached; it is tried again from {until} on")]
    IndexPaused {
        /// The end of the pause.
        until: Timestamp,
    },
    /// The rules and the ledger disagree about what may follow: a fault of ours.
    #[error("the ledger refused what the rules decided: {0}")]
    Forbidden(fact::Forbidden),
    /// The machine gives no randomness.
    #[error("the machine gives no randomness: {0}")]
    NoRandomness(String),
}

impl From<RecordError> for MemoryError {
    fn from(error: RecordError) -> Self {
        match error {
            RecordError::Stale => Self::Contention,
            RecordError::KeyReused => Self::KeyReused,
            RecordError::Forbidden(forbidden) => Self::Forbidden(forbidden),
            RecordError::Store(error) => Self::Store(error),
        }
    }
}

impl From<ProjectionError> for MemoryError {
    fn from(error: ProjectionError) -> Self {
        match error {
            ProjectionError::Ledger(error) => Self::Store(error),
            ProjectionError::Index(error) => Self::Index(error),
            ProjectionError::Paused { until } => Self::IndexPaused { until },
        }
    }
}

impl From<ListError> for MemoryError {
    fn from(error: ListError) -> Self {
        match error {
            ListError::BadInput(bad) => Self::BadInput(bad),
            ListError::Store(error) => Self::Store(error),
        }
    }
}

impl From<Refusal> for MemoryError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::BadInput(bad) => Self::BadInput(bad),
            Refusal::Changed { .. }
            | Refusal::LegalHold
            | Refusal::NotPermitted { .. }
            | Refusal::NotCurrent
            | Refusal::Merged { .. }
            | Refusal::NotMerged
            | Refusal::Taken { .. }
            | Refusal::Contested { .. }
            | Refusal::ConflictChanged { .. }
            | Refusal::NotReopenable
            | Refusal::NotWaiting
            | Refusal::ConflictFull
            | Refusal::NotLatest
            | Refusal::StillCurrent => Self::Refused(refusal),
        }
    }
}

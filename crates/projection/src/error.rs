//! Why a step was not made, told apart by what is to be done.

use fact::Timestamp;
use index::IndexError;
use ledger::StoreError;

/// Why a step was not made. No attempt was used up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProjectionError {
    /// The ledger cannot be read or written.
    #[error("the ledger failed: {0}")]
    Ledger(#[from] StoreError),
    /// The index takes nothing from anyone.
    #[error("the index failed: {0}")]
    Index(IndexError),
    /// The index could not be reached a moment ago, and is left alone for a while.
    #[error("the index could not be reached; it is tried again from {until} on")]
    Paused {
        /// The end of the pause.
        until: Timestamp,
    },
}

/// The class of an error, as it is kept with an operation: never content.
pub(crate) fn class(error: &IndexError) -> &'static str {
    match error {
        IndexError::Unreachable(_) => "index-unreachable",
        IndexError::Refused(_) => "index-refused",
        IndexError::Corrupt(_) => "index-damaged",
        IndexError::OtherForm { .. } => "index-of-another-form",
    }
}

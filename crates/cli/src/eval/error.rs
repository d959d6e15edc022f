//! Why an evaluation came to nothing.

use std::io;
use std::path::PathBuf;

use truthkeeper::{BadInput, MemoryError};

/// Why nothing was measured.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EvalError {
    /// A file of the data set is not there.
    #[error(
        "there is no file {}; data sets are not part of the project: get one and give its path",
        .path.display()
    )]
    NoFile {
        /// Where it should be.
        path: PathBuf,
    },
    /// A file of the data set cannot be read.
    #[error("cannot read {}: {error}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A line of a data set is not as it should be.
    #[error("{}, line {line}: {bad}", .path.display())]
    BadLine {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The field, and what is wrong with it.
        bad: BadInput,
    },
    /// A category to leave out that no query has.
    #[error("no query has the category {name:?}")]
    NoCategory {
        /// The category.
        name: String,
    },
    /// No query with gold is left.
    #[error("no query is left to score")]
    NothingToScore,
    /// The store to evaluate in holds something.
    #[error("the store holds {events} events; an evaluation needs an empty one")]
    NotEmpty {
        /// How many events.
        events: u64,
    },
    /// Recall would look at less than was imported.
    #[error("{waiting} changes are not searchable: figures would be too low")]
    NotSearchable {
        /// How many.
        waiting: usize,
    },
    /// There is no room for a temporary store.
    #[error("cannot make a temporary folder: {0}")]
    NoFolder(io::Error),
    /// The memory failed.
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

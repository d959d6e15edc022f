//! Why a source could not be read as a whole.

use std::io;
use std::path::{Path, PathBuf};

/// A source that could not be read. Names the path, never content.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The system refused it.
    #[error("{} cannot be read", path.display())]
    Unreadable {
        /// Which file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The database in it is damaged.
    #[error("{} cannot be read as a SQLite database", path.display())]
    Database {
        /// Which file.
        path: PathBuf,
        /// What the engine said.
        source: rusqlite::Error,
    },
    /// It is something else.
    #[error("{} is not of this source: expected {expected}", path.display())]
    NotOfThisSource {
        /// Which file or folder.
        path: PathBuf,
        /// What it would be: its form and its fields.
        expected: &'static str,
    },
    /// Its program keeps it, or was ended in the middle of a write.
    #[error("{} is in use, or was left in the middle of a write: let its program close it first", path.display())]
    Locked {
        /// Which file or folder.
        path: PathBuf,
    },
    /// It is beyond a limit.
    #[error("{} has more than {limit}", path.display())]
    TooLarge {
        /// Which file or folder.
        path: PathBuf,
        /// Which limit.
        limit: &'static str,
    },
}

impl SourceError {
    pub(crate) fn unreadable(path: &Path, source: io::Error) -> Self {
        Self::Unreadable { path: path.to_owned(), source }
    }

    pub(crate) fn other(path: &Path, expected: &'static str) -> Self {
        Self::NotOfThisSource { path: path.to_owned(), expected }
    }

    pub(crate) fn too_large(path: &Path, limit: &'static str) -> Self {
        Self::TooLarge { path: path.to_owned(), limit }
    }
}

/// Refuses what is neither a file nor a folder, such as a pipe: it may never end.
pub(crate) fn check_kind(path: &Path) -> Result<(), SourceError> {
    let kind = std::fs::metadata(path).map_err(|error| SourceError::unreadable(path, error))?;
    match kind.is_file() || kind.is_dir() {
        true => Ok(()),
        false => Err(SourceError::other(path, "a file or a folder")),
    }
}

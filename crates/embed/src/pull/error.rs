//! Why a model was not pulled.

use std::borrow::Cow;
use std::io;
use std::path::Path;

use crate::BadModel;

/// What stopped a pull. Files that were whole by then stay, and the next pull goes on with the others.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PullError {
    /// The hub cannot be reached, or the connection broke: to be tried again.
    #[error("{file} cannot be fetched now: {reason}")]
    Unreachable {
        /// The file's name.
        file: &'static str,
        /// What was seen.
        reason: Cow<'static, str>,
    },
    /// The source does not have the file, or is none.
    #[error("{file} is not to be had there: {reason}")]
    NotThere {
        /// The file's name.
        file: &'static str,
        /// What was seen.
        reason: Cow<'static, str>,
    },
    /// What came is not what was published, or cannot be read.
    #[error(transparent)]
    Bad(#[from] BadModel),
    /// The folder cannot be written.
    #[error("{path} cannot be written: {kind}")]
    Unwritable {
        /// The folder or file.
        path: String,
        /// What the system said.
        kind: io::ErrorKind,
    },
    /// The program is ending.
    #[error("the pull was interrupted")]
    Interrupted,
}

impl PullError {
    pub(super) fn written(path: &Path, error: &io::Error) -> Self {
        Self::Unwritable { path: path.display().to_string(), kind: error.kind() }
    }
}

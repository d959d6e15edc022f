//! What can go wrong with an embedder, told apart by what is to be done. Never holds text, keys or an answer's words.

use std::borrow::Cow;
use std::time::Duration;

/// Why there are no vectors.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EmbedError {
    /// There is nothing to embed with, or its settings cannot work: somebody must change them.
    #[error("embedder is not configured: {0}")]
    NotConfigured(Cow<'static, str>),
    /// The model is not the one that it should be.
    #[error("model cannot be used: {0}")]
    BadModel(#[from] BadModel),
    /// An outage, and nobody's fault: the same texts may be embedded later.
    #[error("embedder cannot answer now: {reason}")]
    Passing {
        /// What was seen last.
        reason: Cow<'static, str>,
        /// How long the endpoint asked to be left alone.
        retry_after: Option<Duration>,
    },
    /// This text will not be embedded by this model, however often it is tried. The others may be.
    #[error("text {index} is refused: {reason}")]
    Final {
        /// Its place among the texts that were given.
        index: usize,
        /// Why.
        reason: Cow<'static, str>,
    },
}

impl EmbedError {
    /// Whether to try again later with the same texts.
    pub fn is_outage(&self) -> bool {
        match self {
            Self::Passing { .. } => true,
            Self::NotConfigured(_) | Self::BadModel(_) | Self::Final { .. } => false,
        }
    }

    /// How long to leave the embedder alone, where it said so.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Passing { retry_after, .. } => *retry_after,
            Self::NotConfigured(_) | Self::BadModel(_) | Self::Final { .. } => None,
        }
    }

    pub(crate) fn passing(reason: impl Into<Cow<'static, str>>) -> Self {
        Self::Passing { reason: reason.into(), retry_after: None }
    }
}

/// What is wrong with a model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadModel {
    /// No folder holds all of its files.
    #[error("no folder holds all of {files}; searched: {searched}")]
    Missing {
        /// The names of the files.
        files: String,
        /// The folders, in the order in which they were searched.
        searched: String,
    },
    /// A file is not the one that was published.
    #[error("{file} has digest {found}, not {expected}")]
    Digest {
        /// Its path.
        file: String,
        /// The SHA-256 that it should have, in hexadecimal digits.
        expected: String,
        /// The SHA-256 that it has.
        found: String,
    },
    /// A file cannot be read.
    #[error("{file} cannot be read: {kind}")]
    Unreadable {
        /// Its path.
        file: String,
        /// What the system said.
        kind: std::io::ErrorKind,
    },
    /// Its vectors have another size than before, or than the settings say.
    #[error("its vectors have {found} numbers, not {expected}")]
    Size {
        /// The size of earlier vectors, or of the settings.
        expected: usize,
        /// The size that was seen.
        found: usize,
    },
    /// The engine that runs it failed.
    #[error("the engine cannot {0}")]
    Engine(&'static str),
}

#[cfg(test)]
mod tests;

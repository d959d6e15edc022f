//! What goes into the index and what comes out of it.

use std::fmt;

use fact::{FactId, FactType, Id, RevisionNumber, Scope, Text};

use crate::IndexError;
use crate::rank::{self, damaged};

/// Where a row's text comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// A fact of the ledger.
    Fact,
}

impl Source {
    /// Reads the stored word.
    pub(crate) fn parse(word: &str) -> Option<Self> {
        match word {
            "fact" => Some(Self::Fact),
            _ => None,
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fact => f.write_str("fact"),
        }
    }
}

/// The copy of one fact. The text itself is not kept, only what it is found by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Where the text comes from.
    pub source: Source,
    /// The fact.
    pub fact: FactId,
    /// The revision that the text is of.
    pub revision: RevisionNumber,
    /// The kind of fact.
    pub kind: FactType,
    /// Whose it is.
    pub scope: Scope,
    /// The caller's digest of what the row was made from.
    pub digest: String,
    /// What it is found by.
    pub text: Text,
}

/// How often the index has written about a fact, removals included; 0 before the first time.
///
/// Who read a version before the ledger, and writes only where it still stands, never overwrites what is newer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Version(pub(crate) i64);

/// One write to the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Write {
    pub(crate) change: Change,
    pub(crate) after: Option<Version>,
}

/// What a write makes of a fact's row.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "writes are few at a time, and nearly all of them put")]
pub(crate) enum Change {
    Put(Row),
    Remove { tenant: Id, source: Source, fact: FactId },
}

impl Write {
    /// The only row of its tenant, source and fact from now on.
    pub fn put(row: Row) -> Self {
        Self { change: Change::Put(row), after: None }
    }

    /// No row of that tenant, source and fact from now on.
    pub fn remove(tenant: Id, source: Source, fact: FactId) -> Self {
        Self { change: Change::Remove { tenant, source, fact }, after: None }
    }

    /// Only where nobody has written about the fact since `version`.
    #[must_use]
    pub fn after(self, version: Version) -> Self {
        Self { after: Some(version), ..self }
    }
}

/// What the index holds of a fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowKey {
    /// Where the text came from.
    pub source: Source,
    /// The revision that it is of.
    pub revision: RevisionNumber,
    /// The digest that came with it.
    pub digest: String,
}

impl RowKey {
    /// Reads a stored row: its source, revision and digest.
    pub(crate) fn parse((source, revision, digest): (String, i64, String)) -> Result<Self, IndexError> {
        Ok(Self {
            source: Source::parse(&source).ok_or_else(|| damaged("entries.source", "a fact"))?,
            revision: rank::revision(revision)?,
            digest,
        })
    }
}

/// What is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// Any text. One without letters or digits finds nothing.
    pub text: Text,
    /// Only facts of these kinds; of any kind when empty.
    pub kinds: Vec<FactType>,
    /// Most candidates to return.
    pub limit: usize,
}

/// A fact that was found. Whether it is still true is not known here.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The fact.
    pub fact: FactId,
    /// The revision that was found.
    pub revision: RevisionNumber,
    /// How well it fits: above 0, comparable within one search only.
    pub score: f64,
}

//! What goes into the index and what comes out of it.

use std::fmt;

use fact::{Container, FactId, FactType, Id, RevisionNumber, Scope, Text};

use crate::rank::{self, damaged};
use crate::tokens;
use crate::{Around, IndexError, Parts};

/// Where a row's text comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// A fact of the ledger.
    Fact,
    /// A memory from before the ledger.
    Legacy,
}

impl Source {
    /// That of a row, by what it is the copy of.
    pub fn of(copied: FactId) -> Self {
        if copied.is_legacy() { Self::Legacy } else { Self::Fact }
    }

    /// Reads the stored word.
    pub(crate) fn parse(word: &str) -> Option<Self> {
        match word {
            "fact" => Some(Self::Fact),
            "legacy" => Some(Self::Legacy),
            _ => None,
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fact => f.write_str("fact"),
            Self::Legacy => f.write_str("legacy"),
        }
    }
}

/// The copy of one fact. The text itself is not kept, only what it is found by.
#[derive(Debug, Clone, PartialEq)]
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
    /// What stands around it.
    pub around: Around,
    /// What it means, by each model that was asked because the index may not have it yet.
    pub vectors: Vec<Vectors>,
}

/// What a text means, by one model.
#[derive(Debug, Clone, PartialEq)]
pub struct Vectors {
    /// The model, named so that another model has another name.
    pub model: String,
    /// A vector of unit length for each piece of the text.
    pub pieces: Vec<Vec<f32>>,
}

/// How often the index has written about a fact, removals included; 0 before the first time.
///
/// Who read a version before the ledger, and writes only where it still stands, never overwrites what is newer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Version(pub(crate) i64);

/// One write to the index.
#[derive(Debug, Clone, PartialEq)]
pub struct Write {
    pub(crate) change: Change,
    pub(crate) after: Option<Version>,
}

/// What a write makes of a fact's row.
#[derive(Debug, Clone, PartialEq)]
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
    /// Whether its words are those that its text has by the rules of today.
    pub by_these_rules: bool,
    /// What stands around it.
    pub around: Around,
}

/// The columns of a key: source, revision, digest, rules, what stands around it.
pub(crate) type StoredKey =
    (String, i64, String, i64, Option<String>, Option<i64>, Option<String>, Option<String>);

impl RowKey {
    pub(crate) fn parse(
        (source, revision, digest, rules, conversation, sequence, message, speaker): StoredKey,
    ) -> Result<Self, IndexError> {
        Ok(Self {
            source: Source::parse(&source).ok_or_else(|| damaged("entries.source", "a fact"))?,
            revision: rank::revision(revision)?,
            digest,
            by_these_rules: rules == tokens::RULES,
            around: Around::parse((conversation, sequence, message, speaker))?,
        })
    }
}

/// A row as a check sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its number.
    pub number: i64,
    /// The fact that it says it is a copy of.
    pub fact: FactId,
    /// What it is a copy of, as the ledger must have it.
    pub key: RowKey,
    /// Whose it is.
    pub scope: Scope,
    /// False where its words are gone, so that no search finds it.
    pub findable: bool,
    /// Whether its meaning is known by the model of the span.
    pub embedded: bool,
}

/// Sorts after every fact's id.
pub(crate) const BEYOND_FACTS: &str = "g";

/// The columns of a row: its number and fact, those of its key, its scope, whether its words and its vectors are there.
pub(crate) type StoredEntry = (
    i64,
    String,
    String,
    i64,
    String,
    i64,
    Option<String>,
    Option<i64>,
    Option<String>,
    Option<String>,
    String,
    bool,
    bool,
);

impl Entry {
    pub(crate) fn parse(
        (
            number,
            fact,
            source,
            revision,
            digest,
            rules,
            conversation,
            sequence,
            message,
            speaker,
            scope,
            findable,
            embedded,
        ): StoredEntry,
    ) -> Result<Self, IndexError> {
        Ok(Self {
            number,
            fact: FactId::parse(&fact).map_err(|_| damaged("entries.fact", "a fact's id"))?,
            key: RowKey::parse((source, revision, digest, rules, conversation, sequence, message, speaker))?,
            scope: serde_json::from_str(&scope).map_err(|_| damaged("scopes.scope", "a scope"))?,
            findable,
            embedded,
        })
    }
}

/// The rows to list: of a tenant, of one of its owners, of facts between two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// The tenant.
    pub tenant: Id,
    /// Of everybody, where it is none.
    pub owner: Option<Container>,
    /// Only facts after it.
    pub after: Option<FactId>,
    /// Only facts up to it.
    pub until: Option<FactId>,
    /// The model by which each row's meaning ought to be known.
    pub model: Option<String>,
}

/// Something about an index that no single row shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Damage {
    /// The engine says that the words are not as they must be.
    Words,
    /// Scopes that do not count their rows right, which order and scores rest on.
    Counts(u64),
    /// Words without a row.
    Strays(u64),
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

/// What is looked for by meaning.
#[derive(Debug, Clone, PartialEq)]
pub struct Nearest {
    /// The text, for whom it names.
    pub text: Text,
    /// The model that made the vector; vectors of other models are not looked at.
    pub model: String,
    /// A vector of unit length.
    pub vector: Vec<f32>,
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
    /// How well it fits, what stands around it included: comparable within one search only. Where words were looked
    /// for it is above 0; where meaning was, it is the cosine, from -1 to 1, and more where something around it fits.
    pub score: f64,
    /// What the score comes from.
    pub parts: Parts,
}

/// What was found by words.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Matches {
    /// Best first.
    pub candidates: Vec<Candidate>,
    /// The number of the last write to what the reader may find: as long as it stands, the same is found. 0 where the
    /// reader may find nothing.
    pub generation: i64,
}

/// What was found by meaning.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Nearby {
    /// Nearest first.
    pub candidates: Vec<Candidate>,
    /// The mean cosine of all that the reader may find: how near a text is that has nothing to do with the query.
    pub usual: f64,
    /// As of matches.
    pub generation: i64,
}

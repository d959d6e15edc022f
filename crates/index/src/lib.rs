//! The searchable copy: which facts a reader may find, by which words, and how well they fit.
//!
//! It knows ids and scores only, never what is current: that is the ledger's to say. It can be rebuilt at any time.

mod around;
mod error;
mod expression;
mod near;
mod opening;
mod past;
mod postgres;
mod rank;
mod readers;
mod row;
mod score;
mod search;
mod shelf;
mod speaker;
mod sqlite;
mod tokens;
mod weigh;
mod write;

use std::sync::Arc;

use async_trait::async_trait;
use fact::{FactId, Id, Reader};

pub use around::Around;
pub use error::IndexError;
pub use past::Past;
pub use postgres::PostgresIndex;
pub use row::{
    Candidate, Damage, Entry, Matches, Nearby, Nearest, Query, Row, RowKey, Source, Span, Vectors, Version,
    Write,
};
pub use score::Parts;
pub use sqlite::SqliteIndex;
pub use tokens::gist;

/// The form of the tables. An index of another form is not read: it is rebuilt.
const FORM: i64 = 4;

/// One searchable copy.
#[async_trait]
pub trait SearchIndex: Send + Sync {
    /// Makes all of `writes`, in order, or none. Making them again changes nothing.
    ///
    /// Gives, for each, whether it was made: not where another came before it (`Write::after`).
    async fn replace(&self, writes: &[Write]) -> Result<Vec<bool>, IndexError>;

    /// How often each of the tenants' facts was written about.
    async fn versions(&self, source: Source, facts: &[(Id, FactId)]) -> Result<Vec<Version>, IndexError>;

    /// What the copy holds of a fact: nothing, or a row of each source.
    async fn rows(&self, tenant: &Id, fact: FactId) -> Result<Vec<RowKey>, IndexError>;

    /// Rows in the order of their facts.
    async fn entries(&self, span: &Span) -> Result<Vec<Entry>, IndexError>;

    /// What is wrong with the index beyond single rows. Reads all of it.
    async fn damage(&self) -> Result<Vec<Damage>, IndexError>;

    /// Puts `damage` right: counts rows anew and takes out words without a row. What single rows lack stays.
    async fn mend(&self) -> Result<(), IndexError>;

    /// Puts an empty index in the place of one that cannot be read; leaves one alone that can.
    async fn remake(&self) -> Result<(), IndexError>;

    /// What `reader` may find, best first, the newest fact first among equals.
    ///
    /// Only rows that the reader may read count for order and score, what stands around a text included. Query text
    /// is never syntax.
    async fn search(&self, reader: &Reader, query: &Query) -> Result<Matches, IndexError>;

    /// What `reader` may find whose meaning is nearest, nearest first, the newest fact first among equals. Exact, and
    /// of rows that the reader may read only, as in a search.
    async fn nearest(&self, reader: &Reader, query: &Nearest) -> Result<Nearby, IndexError>;

    /// Whether the index knows the meaning of content, given by digest, by a model.
    async fn embedded(&self, model: &str, digests: &[String]) -> Result<Vec<bool>, IndexError>;

    /// What contents mean by a model, given by digest: the vectors of their pieces; none of content that it was not
    /// asked about.
    async fn vectors(&self, model: &str, digests: &[String]) -> Result<Vec<Vec<Vec<f32>>>, IndexError>;

    /// The model by whose vectors is searched: the first that there were any of, until another takes over.
    async fn serving(&self) -> Result<Option<String>, IndexError>;

    /// From now on is searched by this model, and the vectors of others go; unless the meaning of some row, whoever's
    /// it is, is not known by it. Gives whether it serves.
    async fn serve(&self, model: &str) -> Result<bool, IndexError>;

    /// Makes sure that nothing of what was removed or replaced is left in the files, its words included.
    ///
    /// Costs a rewrite of the copy, during which others wait: for an erasure, not for every removal.
    async fn purge(&self) -> Result<(), IndexError>;

    /// Closes every connection, once it is used no more; a file that nobody else has open is then without its log.
    async fn close(&self);
}

/// The index at `address`, made when it is missing: `postgres://…`, or the path of a SQLite file. It is opened when it
/// is first used, and tried anew as long as that fails: the ledger does without it.
pub fn open(address: &str) -> Arc<dyn SearchIndex> {
    Arc::new(opening::Opening::new(address.to_owned()))
}

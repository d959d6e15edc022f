//! How a write is made on either engine: which rows go, which come, and what each scope then holds.

use fact::{FactId, Id};

use crate::row::{Change, Vectors, Version};
use crate::tokens::{self, Indexed};
use crate::{IndexError, Row, Source, Write, readers};

/// A write, made ready outside the transaction.
pub(crate) struct Step<'a> {
    key: Key<'a>,
    entry: Option<Entry<'a>>,
    after: Option<Version>,
}

/// What there is one row of.
#[derive(Clone, Copy)]
pub(crate) struct Key<'a> {
    /// The tenant.
    pub(crate) tenant: &'a Id,
    /// Where the text came from.
    pub(crate) source: Source,
    /// The fact.
    pub(crate) fact: FactId,
}

/// A row to be written.
pub(crate) struct Entry<'a> {
    /// The row.
    pub(crate) row: &'a Row,
    /// Its scope as far as reading looks at it, as canonical JSON.
    pub(crate) place: String,
    /// The tokens of who may read it.
    pub(crate) readers: Vec<String>,
    /// What it is found by.
    pub(crate) indexed: Indexed,
}

/// A row that was taken out.
pub(crate) struct Taken {
    /// Its number, which its next revision keeps.
    pub(crate) id: i64,
    /// Its scope's number.
    pub(crate) scope: i64,
    /// Its length.
    pub(crate) length: i64,
    /// The digest of what it was made from.
    pub(crate) digest: String,
}

impl From<(i64, i64, i64, String)> for Taken {
    fn from((id, scope, length, digest): (i64, i64, i64, String)) -> Self {
        Self { id, scope, length, digest }
    }
}

/// An engine's open transaction, as far as writes need it.
pub(crate) trait Desk {
    /// Counts a write about `key`; false where another was counted since `after`.
    async fn turn(&mut self, key: Key<'_>, after: Option<Version>) -> Result<bool, sqlx::Error>;

    /// Takes out the row of `key`. Its words may stay, for `put` or `forget_words` to take.
    async fn take(&mut self, key: Key<'_>) -> Result<Option<Taken>, sqlx::Error>;

    /// Takes out the words of a row that is gone.
    async fn forget_words(&mut self, taken: &Taken) -> Result<(), sqlx::Error>;

    /// Puts a row in; its number is a new one where none is given. Its words are written where they are not there as
    /// they must be.
    async fn put(&mut self, id: Option<i64>, scope: i64, entry: &Entry<'_>) -> Result<(), sqlx::Error>;

    /// Counts a row in its scope, made if it is new; returns the scope's number.
    async fn enter(&mut self, entry: &Entry<'_>, changes: i64) -> Result<i64, sqlx::Error>;

    /// Counts a row out of its scope, which is forgotten when it holds no other; returns how many scopes that were.
    async fn leave(&mut self, taken: &Taken, changes: i64) -> Result<u64, sqlx::Error>;

    /// Numbers the writes of this transaction.
    async fn tick(&mut self) -> Result<i64, sqlx::Error>;

    /// Keeps the vectors of content that has a row, where there are none.
    async fn embed(&mut self, digest: &str, vectors: &Vectors, changes: i64) -> Result<(), sqlx::Error>;

    /// Lets the vectors of content go that has no row any more.
    async fn forget_vectors(&mut self, digest: &str) -> Result<(), sqlx::Error>;
}

/// Makes `writes` ready.
pub(crate) fn steps(writes: &[Write]) -> Vec<Step<'_>> {
    writes.iter().map(step).collect()
}

fn step(write: &Write) -> Step<'_> {
    let (key, entry) = match &write.change {
        Change::Put(row) => {
            let entry = Entry {
                row,
                place: readers::place(&row.scope),
                readers: readers::of_scope(&row.scope),
                indexed: tokens::of_text(row.text.as_str()),
            };
            (Key { tenant: &row.scope.tenant, source: row.source, fact: row.fact }, Some(entry))
        }
        Change::Remove { tenant, source, fact } => (Key { tenant, source: *source, fact: *fact }, None),
    };
    Step { key, entry, after: write.after }
}

/// Makes `steps` in order; gives which of them were made.
pub(crate) async fn make(desk: &mut impl Desk, steps: &[Step<'_>]) -> Result<Vec<bool>, IndexError> {
    let mut made = Vec::with_capacity(steps.len());
    let changes = desk.tick().await?;
    for Step { key, entry, after } in steps {
        let turn = desk.turn(*key, *after).await?;
        made.push(turn);
        match entry {
            _ if !turn => {}
            Some(entry) => put(desk, *key, entry, changes).await?,
            None => {
                if let Some(taken) = remove(desk, *key, changes).await? {
                    desk.forget_words(&taken).await?;
                    desk.forget_vectors(&taken.digest).await?;
                }
            }
        }
    }
    Ok(made)
}

/// Counts the new row before the old one goes, so that a scope of one row keeps its number.
async fn put(desk: &mut impl Desk, key: Key<'_>, entry: &Entry<'_>, changes: i64) -> Result<(), IndexError> {
    let scope = desk.enter(entry, changes).await?;
    let taken = remove(desk, key, changes).await?;
    desk.put(taken.as_ref().map(|taken| taken.id), scope, entry).await?;
    for vectors in &entry.row.vectors {
        desk.embed(&entry.row.digest, vectors, changes).await?;
    }
    if let Some(taken) = taken.filter(|taken| taken.digest != entry.row.digest) {
        desk.forget_vectors(&taken.digest).await?;
    }
    Ok(())
}

/// The row that went, if there was one.
async fn remove(desk: &mut impl Desk, key: Key<'_>, changes: i64) -> Result<Option<Taken>, IndexError> {
    let Some(taken) = desk.take(key).await? else {
        return Ok(None);
    };
    match desk.leave(&taken, changes).await? {
        1 => Ok(Some(taken)),
        _ => Err(IndexError::Corrupt("a row's scope is missing".into())),
    }
}

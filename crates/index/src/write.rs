//! How a write is made on either engine: which rows go, which come, and what each scope then holds.

use fact::{FactId, Id};

use crate::tokens::{self, Indexed};
use crate::{IndexError, Row, Source, Write, readers};

/// A write, made ready outside the transaction.
pub(crate) enum Step<'a> {
    /// As `Write::Put`.
    Put(Entry<'a>),
    /// As `Write::Remove`.
    Remove(Key<'a>),
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
}

impl From<(i64, i64, i64)> for Taken {
    fn from((id, scope, length): (i64, i64, i64)) -> Self {
        Self { id, scope, length }
    }
}

/// An engine's open transaction, as far as writes need it.
pub(crate) trait Desk {
    /// Takes out the row of `key`, with its words.
    async fn take(&mut self, key: Key<'_>) -> Result<Option<Taken>, sqlx::Error>;

    /// Puts a row in, with its words; its number is a new one where none is given.
    async fn put(&mut self, id: Option<i64>, scope: i64, entry: &Entry<'_>) -> Result<(), sqlx::Error>;

    /// The number of the entry's scope, made if it is new.
    async fn scope(&mut self, entry: &Entry<'_>) -> Result<i64, sqlx::Error>;

    /// Adds to what a scope holds; returns how many scopes that were.
    async fn count(&mut self, scope: i64, entries: i64, length: i64) -> Result<u64, sqlx::Error>;

    /// Forgets a scope that holds nothing.
    async fn forget_if_empty(&mut self, scope: i64) -> Result<(), sqlx::Error>;
}

/// Makes `writes` ready.
pub(crate) fn steps(writes: &[Write]) -> Vec<Step<'_>> {
    writes.iter().map(step).collect()
}

fn step(write: &Write) -> Step<'_> {
    match write {
        Write::Put(row) => Step::Put(Entry {
            row,
            place: readers::place(&row.scope),
            readers: readers::of_scope(&row.scope),
            indexed: tokens::of_text(row.text.as_str()),
        }),
        Write::Remove { tenant, source, fact } => Step::Remove(Key {
            tenant,
            source: *source,
            fact: *fact,
        }),
    }
}

/// Makes `steps` in order.
pub(crate) async fn make(desk: &mut impl Desk, steps: &[Step<'_>]) -> Result<(), IndexError> {
    for step in steps {
        match step {
            Step::Put(entry) => put(desk, entry).await?,
            Step::Remove(key) => {
                remove(desk, *key).await?;
            }
        }
    }
    Ok(())
}

/// Counts the new row before the old one goes, so that a scope of one row keeps its number.
async fn put(desk: &mut impl Desk, entry: &Entry<'_>) -> Result<(), IndexError> {
    let scope = desk.scope(entry).await?;
    count(desk, scope, 1, i64::from(entry.indexed.length)).await?;
    let key = Key {
        tenant: &entry.row.scope.tenant,
        source: entry.row.source,
        fact: entry.row.fact,
    };
    let id = remove(desk, key).await?;
    Ok(desk.put(id, scope, entry).await?)
}

/// The number of the row that went, if there was one.
async fn remove(desk: &mut impl Desk, key: Key<'_>) -> Result<Option<i64>, IndexError> {
    let Some(taken) = desk.take(key).await? else {
        return Ok(None);
    };
    count(desk, taken.scope, -1, -taken.length).await?;
    desk.forget_if_empty(taken.scope).await?;
    Ok(Some(taken.id))
}

async fn count(desk: &mut impl Desk, scope: i64, entries: i64, length: i64) -> Result<(), IndexError> {
    match desk.count(scope, entries, length).await? {
        1 => Ok(()),
        _ => Err(IndexError::Corrupt("a row's scope is missing".into())),
    }
}

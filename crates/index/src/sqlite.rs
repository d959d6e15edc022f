//! The index as a SQLite file: FTS5 matches our tokens, nothing else.

mod desk;
mod setup;

use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use fact::{FactId, Id, Reader};
use sqlx::pool::PoolConnection;
use sqlx::sqlite::SqliteConnection;
use sqlx::{Connection as _, Sqlite, SqlitePool};

use crate::expression::{Operators, expression};
use crate::near::Nearing;
use crate::rank::{self, StoredScope, View};
use crate::row::{BEYOND_FACTS, StoredEntry, StoredKey};
use crate::search::Search;
use crate::shelf::{self, Shelf};
use crate::{
    Damage, Entry, IndexError, Matches, Nearby, Nearest, Query, RowKey, SearchIndex, Source, Span, Version,
    Write, readers, write,
};

const OPERATORS: Operators = Operators { and: " AND ", or: " OR " };
/// How often a purge tries to empty the log while others read from it; each try waits for the busy timeout.
const CHECKPOINT_TRIES_MAX: u32 = 6;
const CHECKPOINT_PAUSE: Duration = Duration::from_millis(50);

/// An index in a SQLite file, which several processes may have open.
pub struct SqliteIndex {
    pool: SqlitePool,
    shelf: Shelf,
}

impl SqliteIndex {
    /// Opens the file at `path`, made when it is missing.
    pub async fn open(path: &Path) -> Result<Self, IndexError> {
        let pool = setup::pool(path).await?;
        setup::prepare(&pool).await?;
        Ok(Self { pool, shelf: Shelf::default() })
    }

    /// Takes away a file that is no index of ours, so that an empty one can be made in its place.
    pub(crate) fn clear(path: &Path) -> Result<(), IndexError> {
        for end in ["", "-wal", "-shm"] {
            let mut file = path.as_os_str().to_owned();
            file.push(end);
            match std::fs::remove_file(&file) {
                Ok(()) => {}
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => return Err(IndexError::Unreachable(format!("i/o: {}", error.kind()).into())),
            }
        }
        Ok(())
    }
}

#[async_trait]
impl SearchIndex for SqliteIndex {
    async fn replace(&self, writes: &[Write]) -> Result<Vec<bool>, IndexError> {
        let steps = write::steps(writes);
        let mut connection = self.pool.acquire().await?;
        let outcome = replace(&mut connection, &steps).await;
        settle(connection, outcome)
    }

    async fn versions(&self, source: Source, facts: &[(Id, FactId)]) -> Result<Vec<Version>, IndexError> {
        let mut connection = self.pool.acquire().await?;
        let mut versions = Vec::with_capacity(facts.len());
        for (tenant, fact) in facts {
            let version: Option<i64> = sqlx::query_scalar(include_str!("sql/read_version.sql"))
                .bind(tenant.as_str())
                .bind(source.to_string())
                .bind(fact.to_string())
                .fetch_optional(&mut *connection)
                .await?;
            versions.push(Version(version.unwrap_or(0)));
        }
        Ok(versions)
    }

    async fn rows(&self, tenant: &Id, fact: FactId) -> Result<Vec<RowKey>, IndexError> {
        let stored: Vec<StoredKey> = sqlx::query_as(include_str!("sql/read_keys.sql"))
            .bind(tenant.as_str())
            .bind(fact.to_string())
            .fetch_all(&self.pool)
            .await?;
        stored.into_iter().map(RowKey::parse).collect()
    }

    async fn entries(&self, span: &Span) -> Result<Vec<Entry>, IndexError> {
        let stored: Vec<StoredEntry> = sqlx::query_as(include_str!("sqlite/list_entries.sql"))
            .bind(span.tenant.as_str())
            .bind(span.after.map_or_else(String::new, |fact| fact.to_string()))
            .bind(span.until.map_or_else(|| BEYOND_FACTS.to_owned(), |fact| fact.to_string()))
            .bind(readers::of_owner(&span.tenant, span.owner.as_ref()))
            .bind(&span.model)
            .fetch_all(&self.pool)
            .await?;
        stored.into_iter().map(Entry::parse).collect()
    }

    async fn damage(&self) -> Result<Vec<Damage>, IndexError> {
        let mut connection = self.pool.acquire().await?;
        let mut damage = Vec::new();
        match are_words_sound(&mut connection).await {
            Ok(true) => {}
            Ok(false) => damage.push(Damage::Words),
            Err(error) => return settle(connection, Err(error)),
        }
        let miscounted: i64 =
            sqlx::query_scalar(include_str!("sql/count_miscounted.sql")).fetch_one(&mut *connection).await?;
        damage.extend(u64::try_from(miscounted).ok().filter(|count| *count > 0).map(Damage::Counts));
        let strays: i64 =
            sqlx::query_scalar(include_str!("sqlite/count_strays.sql")).fetch_one(&mut *connection).await?;
        damage.extend(u64::try_from(strays).ok().filter(|count| *count > 0).map(Damage::Strays));
        Ok(damage)
    }

    async fn mend(&self) -> Result<(), IndexError> {
        let mut connection = self.pool.acquire().await?;
        let outcome = mend(&mut connection).await;
        settle(connection, outcome)
    }

    async fn nearest(&self, reader: &Reader, query: &Nearest) -> Result<Nearby, IndexError> {
        let mut connection = self.pool.acquire().await?;
        let outcome = nearest(&mut connection, &self.shelf, reader, query).await;
        settle(connection, outcome)
    }

    async fn embedded(&self, model: &str, digests: &[String]) -> Result<Vec<bool>, IndexError> {
        let mut connection = self.pool.acquire().await?;
        let mut embedded = Vec::with_capacity(digests.len());
        for digest in digests {
            let found = sqlx::query(include_str!("sql/find_vector.sql"))
                .bind(digest)
                .bind(model)
                .fetch_optional(&mut *connection)
                .await?;
            embedded.push(found.is_some());
        }
        Ok(embedded)
    }

    async fn vectors(&self, model: &str, digests: &[String]) -> Result<Vec<Vec<Vec<f32>>>, IndexError> {
        let stored = sqlx::query_as(include_str!("sqlite/read_meanings.sql"))
            .bind(serde_json::json!(digests).to_string())
            .bind(model)
            .fetch_all(&self.pool)
            .await?;
        shelf::by_digest(digests, stored)
    }

    async fn serving(&self) -> Result<Option<String>, IndexError> {
        Ok(sqlx::query_scalar(include_str!("sql/read_serving.sql")).fetch_optional(&self.pool).await?)
    }

    async fn serve(&self, model: &str) -> Result<bool, IndexError> {
        let mut connection = self.pool.acquire().await?;
        let outcome = serve(&mut connection, model).await;
        settle(connection, outcome)
    }

    /// It was opened, so it can be read.
    async fn remake(&self) -> Result<(), IndexError> {
        Ok(())
    }

    async fn search(&self, reader: &Reader, query: &Query) -> Result<Matches, IndexError> {
        let Some(search) = Search::of(reader, query) else {
            return Ok(Matches::default());
        };
        let mut connection = self.pool.acquire().await?;
        let outcome = candidates(&mut connection, &search).await;
        settle(connection, outcome)
    }

    async fn purge(&self) -> Result<(), IndexError> {
        let mut connection = self.pool.acquire().await?;
        let outcome = purge(&mut connection).await;
        settle(connection, outcome)
    }

    async fn close(&self) {
        self.pool.close().await;
    }
}

/// Closes a connection on which something failed: SQLite may have ended its transaction by itself.
fn settle<T>(
    mut connection: PoolConnection<Sqlite>,
    outcome: Result<T, IndexError>,
) -> Result<T, IndexError> {
    if outcome.is_err() {
        connection.close_on_drop();
    }
    outcome
}

async fn replace(
    connection: &mut SqliteConnection,
    steps: &[write::Step<'_>],
) -> Result<Vec<bool>, IndexError> {
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    let made = write::make(&mut desk::SqliteDesk(&mut transaction), steps).await?;
    transaction.commit().await?;
    Ok(made)
}

/// Whether FTS5 finds its words sound. Asked twice: when another connection rebuilt them and then deleted some, this one
/// takes the page that is empty since for damage, until it reads the settings of the table again, as it does on failure.
async fn are_words_sound(connection: &mut SqliteConnection) -> Result<bool, IndexError> {
    for _ in 0..2 {
        let checked = sqlx::query(include_str!("sqlite/check_words.sql")).execute(&mut *connection).await;
        match checked.map_err(IndexError::from) {
            Ok(_) => return Ok(true),
            Err(IndexError::Corrupt(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(false)
}

async fn mend(connection: &mut SqliteConnection) -> Result<(), IndexError> {
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    for statement in [
        include_str!("sqlite/rebuild_words.sql"),
        include_str!("sqlite/take_strays.sql"),
        include_str!("sql/count_anew.sql"),
        include_str!("sql/forget_empty_scopes.sql"),
    ] {
        sqlx::query(statement).execute(&mut *transaction).await?;
    }
    Ok(transaction.commit().await?)
}

async fn serve(connection: &mut SqliteConnection, model: &str) -> Result<bool, IndexError> {
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    let switched =
        sqlx::query(include_str!("sql/switch_serving.sql")).bind(model).execute(&mut *transaction).await?;
    if switched.rows_affected() == 0 {
        return Ok(false);
    }
    sqlx::query(include_str!("sql/forget_other_vectors.sql")).bind(model).execute(&mut *transaction).await?;
    let changes: i64 = sqlx::query_scalar(include_str!("sql/tick.sql")).fetch_one(&mut *transaction).await?;
    sqlx::query(include_str!("sql/change_all_scopes.sql")).bind(changes).execute(&mut *transaction).await?;
    transaction.commit().await?;
    Ok(true)
}

/// Reads scopes and rows as of one moment.
async fn candidates(connection: &mut SqliteConnection, search: &Search<'_>) -> Result<Matches, IndexError> {
    let mut transaction = connection.begin().await?;
    let view = view(&mut transaction, search).await?;
    let matched: String = sqlx::query_scalar(include_str!("sqlite/match.sql"))
        .bind(expression(&OPERATORS, &search.readers, &search.words))
        .fetch_one(&mut *transaction)
        .await?;
    transaction.commit().await?;
    rank::best(view, search, &matched)
}

async fn view(connection: &mut SqliteConnection, search: &Search<'_>) -> Result<View, IndexError> {
    View::of(search.reader, scopes(connection, &search.readers).await?.into_iter())
}

/// The scopes that these tokens lead to.
async fn scopes(
    connection: &mut SqliteConnection,
    readers: &[String],
) -> Result<Vec<StoredScope>, IndexError> {
    let stored: Vec<(i64, String, i64, i64, i64)> = sqlx::query_as(include_str!("sqlite/read_scopes.sql"))
        .bind(serde_json::json!(readers).to_string())
        .fetch_all(connection)
        .await?;
    Ok(stored.into_iter().map(StoredScope::from).collect())
}

/// Reads scopes, and the vectors of those that changed since they were last read, as of one moment.
async fn nearest(
    connection: &mut SqliteConnection,
    shelf: &Shelf,
    reader: &Reader,
    query: &Nearest,
) -> Result<Nearby, IndexError> {
    let mut transaction = connection.begin().await?;
    let mut nearing = Nearing::new(reader, query);
    let mut changed = Vec::new();
    for scope in scopes(&mut transaction, &readers::of_reader(reader)).await? {
        if scope.is_open_to(reader)? {
            match shelf.get(&query.model, scope.id, scope.changes) {
                Some(kept) => nearing.add(kept),
                None => changed.push((scope.id, scope.changes)),
            }
        }
    }
    for changed in changed.chunks(shelf::SCOPES_AT_ONCE) {
        let scopes: Vec<i64> = changed.iter().map(|(scope, _)| *scope).collect();
        let vectors = sqlx::query_as(include_str!("sqlite/read_vectors.sql"))
            .bind(serde_json::json!(scopes).to_string())
            .bind(&query.model)
            .fetch_all(&mut *transaction)
            .await?;
        shelf.put(&query.model, changed, vectors)?.into_iter().for_each(|kept| nearing.add(kept));
    }
    transaction.commit().await?;
    Ok(nearing.best())
}

/// Rebuilds the words, for FTS5 keeps the beginnings of deleted ones where its pages meet; then rewrites the file,
/// for SQLite leaves stale copies in its pages when rows move between them, whatever `secure_delete` says.
async fn purge(connection: &mut SqliteConnection) -> Result<(), IndexError> {
    for statement in [include_str!("sqlite/rebuild_words.sql"), include_str!("sqlite/rewrite.sql")] {
        sqlx::query(statement).execute(&mut *connection).await?;
    }
    for _ in 0..CHECKPOINT_TRIES_MAX {
        let (busy, _, _): (i64, i64, i64) =
            sqlx::query_as(include_str!("sqlite/empty_log.sql")).fetch_one(&mut *connection).await?;
        if busy == 0 {
            return Ok(());
        }
        tokio::time::sleep(CHECKPOINT_PAUSE).await;
    }
    Err(IndexError::Unreachable("its log is being read".into()))
}

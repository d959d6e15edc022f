//! The index as tables of their own in a PostgreSQL database: a GIN index matches our tokens, nothing else.

mod desk;
mod setup;

use async_trait::async_trait;
use fact::{FactId, Id, Reader};
use sqlx::pool::PoolConnection;
use sqlx::postgres::PgConnection;
use sqlx::{Connection as _, PgPool, Postgres};

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

const OPERATORS: Operators = Operators { and: "&", or: "|" };
const SNAPSHOT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// An index in the schema `truthkeeper_index` of a PostgreSQL database.
pub struct PostgresIndex {
    pool: PgPool,
    shelf: Shelf,
}

impl PostgresIndex {
    /// Opens the index in the database at `address`, made when it is missing.
    pub async fn open(address: &str) -> Result<Self, IndexError> {
        let pool = setup::pool(address)?;
        setup::prepare(&pool).await?;
        Ok(Self { pool, shelf: Shelf::default() })
    }

    /// Takes away tables that are no index of ours, so that empty ones can be made in their place.
    pub(crate) async fn clear(address: &str) -> Result<(), IndexError> {
        let pool = setup::pool(address)?;
        sqlx::query(include_str!("postgres/drop_namespace.sql")).execute(&pool).await?;
        pool.close().await;
        Ok(())
    }
}

#[async_trait]
impl SearchIndex for PostgresIndex {
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
        let stored: Vec<StoredEntry> = sqlx::query_as(include_str!("postgres/list_entries.sql"))
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
        let miscounted: i64 =
            sqlx::query_scalar(include_str!("sql/count_miscounted.sql")).fetch_one(&mut *connection).await?;
        damage.extend(u64::try_from(miscounted).ok().filter(|count| *count > 0).map(Damage::Counts));
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
        let stored = sqlx::query_as(include_str!("postgres/read_meanings.sql"))
            .bind(digests)
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

    /// Rewrites the table: a vacuum alone leaves bytes in pages, and a GIN index keeps the words of what is gone.
    async fn purge(&self) -> Result<(), IndexError> {
        sqlx::query(include_str!("postgres/rewrite.sql")).execute(&self.pool).await?;
        Ok(())
    }

    async fn close(&self) {
        self.pool.close().await;
    }
}

/// Closes a connection on which something failed, so that no broken transaction is met again.
fn settle<T>(
    mut connection: PoolConnection<Postgres>,
    outcome: Result<T, IndexError>,
) -> Result<T, IndexError> {
    if outcome.is_err() {
        connection.close_on_drop();
    }
    outcome
}

/// One writer at a time, as on SQLite: two that count in the same scopes would wait for each other.
async fn replace(connection: &mut PgConnection, steps: &[write::Step<'_>]) -> Result<Vec<bool>, IndexError> {
    let mut transaction = connection.begin().await?;
    setup::lock(&mut transaction).await?;
    let made = write::make(&mut desk::PostgresDesk(&mut transaction), steps).await?;
    transaction.commit().await?;
    Ok(made)
}

async fn mend(connection: &mut PgConnection) -> Result<(), IndexError> {
    let mut transaction = connection.begin().await?;
    setup::lock(&mut transaction).await?;
    for statement in [include_str!("sql/count_anew.sql"), include_str!("sql/forget_empty_scopes.sql")] {
        sqlx::query(statement).execute(&mut *transaction).await?;
    }
    Ok(transaction.commit().await?)
}

async fn serve(connection: &mut PgConnection, model: &str) -> Result<bool, IndexError> {
    let mut transaction = connection.begin().await?;
    setup::lock(&mut transaction).await?;
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
async fn candidates(connection: &mut PgConnection, search: &Search<'_>) -> Result<Matches, IndexError> {
    let mut transaction = connection.begin_with(SNAPSHOT).await?;
    let view = view(&mut transaction, search).await?;
    let matched: String = sqlx::query_scalar(include_str!("postgres/match.sql"))
        .bind(expression(&OPERATORS, &search.readers, &search.words))
        .fetch_one(&mut *transaction)
        .await?;
    transaction.commit().await?;
    rank::best(view, search, &matched)
}

async fn view(connection: &mut PgConnection, search: &Search<'_>) -> Result<View, IndexError> {
    View::of(search.reader, scopes(connection, &search.readers).await?.into_iter())
}

/// The scopes that these tokens lead to.
async fn scopes(connection: &mut PgConnection, readers: &[String]) -> Result<Vec<StoredScope>, IndexError> {
    let stored: Vec<(i64, String, i64, i64, i64)> =
        sqlx::query_as(include_str!("postgres/read_scopes.sql")).bind(readers).fetch_all(connection).await?;
    Ok(stored.into_iter().map(StoredScope::from).collect())
}

/// Reads scopes, and the vectors of those that changed since they were last read, as of one moment.
async fn nearest(
    connection: &mut PgConnection,
    shelf: &Shelf,
    reader: &Reader,
    query: &Nearest,
) -> Result<Nearby, IndexError> {
    let mut transaction = connection.begin_with(SNAPSHOT).await?;
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
        let vectors = sqlx::query_as(include_str!("postgres/read_vectors.sql"))
            .bind(&scopes)
            .bind(&query.model)
            .fetch_all(&mut *transaction)
            .await?;
        shelf.put(&query.model, changed, vectors)?.into_iter().for_each(|kept| nearing.add(kept));
    }
    transaction.commit().await?;
    Ok(nearing.best())
}

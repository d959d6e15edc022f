//! The write statements on PostgreSQL.

use sqlx::postgres::PgConnection;

use crate::readers;
use crate::write::{Desk, Entry, Key, Taken};

/// A connection with an open transaction.
pub(super) struct PostgresDesk<'a>(pub(super) &'a mut PgConnection);

impl Desk for PostgresDesk<'_> {
    async fn take(&mut self, key: Key<'_>) -> Result<Option<Taken>, sqlx::Error> {
        let taken: Option<(i64, i64, i64)> = sqlx::query_as(include_str!("../sql/take_entry.sql"))
            .bind(key.tenant.as_str())
            .bind(key.source.to_string())
            .bind(key.fact.to_string())
            .fetch_optional(&mut *self.0)
            .await?;
        Ok(taken.map(Taken::from))
    }

    async fn put(&mut self, id: Option<i64>, scope: i64, entry: &Entry<'_>) -> Result<(), sqlx::Error> {
        let row = entry.row;
        sqlx::query(include_str!("put_entry.sql"))
            .bind(id)
            .bind(row.scope.tenant.as_str())
            .bind(row.source.to_string())
            .bind(row.fact.to_string())
            .bind(i64::from(row.revision.get()))
            .bind(row.kind.as_str())
            .bind(scope)
            .bind(&row.digest)
            .bind(i64::from(entry.indexed.length))
            .bind(&entry.indexed.terms)
            .bind(&entry.readers)
            .execute(&mut *self.0)
            .await?;
        Ok(())
    }

    async fn scope(&mut self, entry: &Entry<'_>) -> Result<i64, sqlx::Error> {
        let scope = sqlx::query_scalar(include_str!("../sql/find_scope.sql"))
            .bind(readers::name(&entry.place))
            .bind(&entry.place)
            .fetch_one(&mut *self.0)
            .await?;
        for token in &entry.readers {
            sqlx::query(include_str!("../sql/add_scope_token.sql"))
                .bind(token)
                .bind(scope)
                .execute(&mut *self.0)
                .await?;
        }
        Ok(scope)
    }

    async fn count(&mut self, scope: i64, entries: i64, length: i64) -> Result<u64, sqlx::Error> {
        let done = sqlx::query(include_str!("../sql/count.sql"))
            .bind(scope)
            .bind(entries)
            .bind(length)
            .execute(&mut *self.0)
            .await?;
        Ok(done.rows_affected())
    }

    async fn forget_if_empty(&mut self, scope: i64) -> Result<(), sqlx::Error> {
        sqlx::query(include_str!("../sql/forget_empty_scope.sql"))
            .bind(scope)
            .execute(&mut *self.0)
            .await?;
        Ok(())
    }
}

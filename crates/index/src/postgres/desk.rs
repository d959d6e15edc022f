//! The write statements on PostgreSQL.

use fact::Id;
use sqlx::postgres::PgConnection;

use crate::row::{Vectors, Version};
use crate::write::{Desk, Entry, Key, Taken};
use crate::{readers, shelf, tokens};

/// A connection with an open transaction.
pub(super) struct PostgresDesk<'a>(pub(super) &'a mut PgConnection);

impl Desk for PostgresDesk<'_> {
    async fn turn(&mut self, key: Key<'_>, after: Option<Version>) -> Result<bool, sqlx::Error> {
        let counted = sqlx::query(include_str!("../sql/count_version.sql"))
            .bind(key.tenant.as_str())
            .bind(key.source.to_string())
            .bind(key.fact.to_string())
            .bind(after.map(|version| version.0))
            .execute(&mut *self.0)
            .await?;
        Ok(counted.rows_affected() == 1)
    }

    async fn take(&mut self, key: Key<'_>) -> Result<Option<Taken>, sqlx::Error> {
        let taken: Option<(i64, i64, i64, String)> = sqlx::query_as(include_str!("../sql/take_entry.sql"))
            .bind(key.tenant.as_str())
            .bind(key.source.to_string())
            .bind(key.fact.to_string())
            .fetch_optional(&mut *self.0)
            .await?;
        Ok(taken.map(Taken::from))
    }

    /// They are a part of the row, and went with it.
    async fn forget_words(&mut self, _taken: &Taken) -> Result<(), sqlx::Error> {
        Ok(())
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
            .bind(tokens::RULES)
            .bind(row.around.conversation.as_ref().map(Id::as_str))
            .bind(row.around.sequence.map(i64::from))
            .bind(row.around.message.as_ref().map(Id::as_str))
            .bind(row.around.speaker.as_ref().map(Id::as_str))
            .bind(&entry.indexed.terms)
            .bind(&entry.readers)
            .execute(&mut *self.0)
            .await?;
        Ok(())
    }

    async fn enter(&mut self, entry: &Entry<'_>, changes: i64) -> Result<i64, sqlx::Error> {
        let (scope, entries): (i64, i64) = sqlx::query_as(include_str!("../sql/enter_scope.sql"))
            .bind(readers::name(&entry.place))
            .bind(&entry.place)
            .bind(i64::from(entry.indexed.length))
            .bind(changes)
            .fetch_one(&mut *self.0)
            .await?;
        if entries == 1 {
            for token in &entry.readers {
                sqlx::query(include_str!("../sql/add_scope_token.sql"))
                    .bind(token)
                    .bind(scope)
                    .execute(&mut *self.0)
                    .await?;
            }
        }
        Ok(scope)
    }

    async fn leave(&mut self, taken: &Taken, changes: i64) -> Result<u64, sqlx::Error> {
        let left = sqlx::query(include_str!("../sql/leave_scope.sql"))
            .bind(taken.scope)
            .bind(taken.length)
            .bind(changes)
            .execute(&mut *self.0)
            .await?;
        sqlx::query(include_str!("../sql/forget_empty_scope.sql"))
            .bind(taken.scope)
            .execute(&mut *self.0)
            .await?;
        Ok(left.rows_affected())
    }

    async fn tick(&mut self) -> Result<i64, sqlx::Error> {
        sqlx::query_scalar(include_str!("../sql/tick.sql")).fetch_one(&mut *self.0).await
    }

    async fn embed(&mut self, digest: &str, vectors: &Vectors, changes: i64) -> Result<(), sqlx::Error> {
        let mut new = 0;
        for (piece, vector) in (0_i64..).zip(&vectors.pieces) {
            let put = sqlx::query(include_str!("../sql/put_vector.sql"))
                .bind(digest)
                .bind(&vectors.model)
                .bind(piece)
                .bind(shelf::bytes(vector))
                .execute(&mut *self.0)
                .await?;
            new += put.rows_affected();
        }
        if new > 0 {
            sqlx::query(include_str!("../sql/begin_serving.sql"))
                .bind(&vectors.model)
                .execute(&mut *self.0)
                .await?;
            sqlx::query(include_str!("../sql/change_scopes.sql"))
                .bind(digest)
                .bind(changes)
                .execute(&mut *self.0)
                .await?;
        }
        Ok(())
    }

    async fn forget_vectors(&mut self, digest: &str) -> Result<(), sqlx::Error> {
        sqlx::query(include_str!("../sql/forget_vectors.sql")).bind(digest).execute(&mut *self.0).await?;
        Ok(())
    }
}

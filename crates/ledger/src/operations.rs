//! The outbox: one work order per copy and fact, written with its event. Later changes only raise what is wanted.

use fact::{FactId, Id, Position, Timestamp};
use futures_core::future::BoxFuture;
use sqlx::Row as _;
use sqlx::any::AnyRow;

use crate::error::StoreError;
use crate::{Ledger, row};

/// The name of the one copy that exists: the search index.
pub(crate) const SEARCH_COPY: &str = "search";

/// A work order: make the copy of one fact equal to its truth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// The tenant.
    pub tenant: Id,
    /// The fact.
    pub fact: FactId,
    /// The position that the copy is to reach.
    pub wanted: Position,
    /// Attempts used up.
    pub attempts: u32,
}

/// A work order that was carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// The work order as it was taken.
    pub operation: Operation,
    /// When the copy has to be looked at again because of the clock alone.
    pub next: Option<Timestamp>,
}

/// A work order that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failed {
    /// The work order as it was taken.
    pub operation: Operation,
    /// The kind of error: never content.
    pub error: &'static str,
    /// When to try again.
    pub next: Timestamp,
}

impl Ledger {
    /// Work orders that are due, longest waiting first.
    pub async fn due(&self, now: Timestamp, limit: u32) -> Result<Vec<Operation>, StoreError> {
        let mut connection = self.reader().await?;
        let rows = sqlx::query(include_str!("sql/operations_due.sql"))
            .bind(SEARCH_COPY)
            .bind(now.micros())
            .bind(i64::from(limit))
            .fetch_all(&mut *connection)
            .await?;
        rows.iter().map(operation).collect()
    }

    /// The work order of one fact, where something is left to do, be it due or waiting for another attempt.
    pub async fn operation_of(
        &self,
        tenant: &Id,
        fact: FactId,
        now: Timestamp,
    ) -> Result<Option<Operation>, StoreError> {
        let mut connection = self.reader().await?;
        let row = sqlx::query(include_str!("sql/operation_of.sql"))
            .bind(SEARCH_COPY)
            .bind(now.micros())
            .bind(tenant.as_str())
            .bind(fact.to_string())
            .fetch_optional(&mut *connection)
            .await?;
        row.as_ref().map(operation).transpose()
    }

    /// How many facts of a tenant the copy does not show as they are at `now`.
    pub async fn waiting(&self, tenant: &Id, now: Timestamp) -> Result<usize, StoreError> {
        let mut connection = self.reader().await?;
        let row = sqlx::query(include_str!("sql/operations_waiting.sql"))
            .bind(SEARCH_COPY)
            .bind(now.micros())
            .bind(tenant.as_str())
            .fetch_one(&mut *connection)
            .await?;
        let count: i64 = row.try_get(0)?;
        Ok(usize::try_from(count).unwrap_or(0))
    }

    /// Strikes off work orders up to what was wanted when they were taken.
    pub async fn finish(&self, finished: Vec<Finished>) -> Result<(), StoreError> {
        self.writer
            .run(move |tx| -> BoxFuture<'_, Result<(), StoreError>> {
                let finished = finished.clone();
                Box::pin(async move {
                    for done in &finished {
                        let query = match done.next {
                            None => sqlx::query(include_str!("sql/operation_finish.sql")),
                            Some(next) => {
                                sqlx::query(include_str!("sql/operation_wait.sql")).bind(next.micros())
                            }
                        };
                        let at_once = query
                            .bind(done.operation.tenant.as_str())
                            .bind(SEARCH_COPY)
                            .bind(done.operation.fact.to_string())
                            .bind(done.operation.wanted.get())
                            .execute(&mut tx.connection)
                            .await?;
                        if at_once.rows_affected() == 0 {
                            // The fact changed meanwhile: what is still unanswered begins after what was done.
                            sqlx::query(include_str!("sql/operation_reach.sql"))
                                .bind(done.operation.tenant.as_str())
                                .bind(SEARCH_COPY)
                                .bind(done.operation.fact.to_string())
                                .bind(done.operation.wanted.next().get())
                                .execute(&mut tx.connection)
                                .await?;
                        }
                        crate::crash::point("project.finishing");
                    }
                    Ok(())
                })
            })
            .await
    }

    /// Notes that work orders failed.
    pub async fn fail(&self, failed: Vec<Failed>) -> Result<(), StoreError> {
        self.writer
            .run(move |tx| -> BoxFuture<'_, Result<(), StoreError>> {
                let failed = failed.clone();
                Box::pin(async move {
                    for one in &failed {
                        sqlx::query(include_str!("sql/operation_fail.sql"))
                            .bind(one.operation.tenant.as_str())
                            .bind(SEARCH_COPY)
                            .bind(one.operation.fact.to_string())
                            .bind(one.error)
                            .bind(one.next.micros())
                            .execute(&mut tx.connection)
                            .await?;
                    }
                    Ok(())
                })
            })
            .await
    }
}

fn operation(found: &AnyRow) -> Result<Operation, StoreError> {
    let tenant: String = found.try_get(0)?;
    let fact: String = found.try_get(1)?;
    let attempts: i64 = found.try_get(3)?;
    Ok(Operation {
        tenant: Id::parse("tenant", &tenant).map_err(|bad| StoreError::damaged("operations", &fact, bad))?,
        fact: row::fact_id("operations", &fact)?,
        wanted: Position::new(found.try_get(2)?),
        attempts: u32::try_from(attempts).unwrap_or(u32::MAX),
    })
}

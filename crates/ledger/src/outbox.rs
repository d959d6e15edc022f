//! What the outbox says of itself: what waits, what failed, what waits behind it; and another try for what failed.

use fact::{Container, FactId, Id, Scope, Timestamp};
use futures_core::future::BoxFuture;
use sqlx::AnyConnection;
use sqlx::Row as _;
use sqlx::any::{AnyArguments, AnyRow};

use crate::error::StoreError;
use crate::operations::SEARCH_COPY;
use crate::{Ledger, row};

/// Failed operations that are listed; the counts are of all.
const FAILING_MAX: u32 = 200;
/// The class of an attempt that never came to an end.
const INTERRUPTED: &str = "interrupted";

/// Which operations are meant: all, where nothing is named.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Which {
    /// Of one tenant.
    pub tenant: Option<Id>,
    /// Of one owner.
    pub owner: Option<Container>,
    /// Of one fact.
    pub fact: Option<FactId>,
}

/// The outbox at a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outbox {
    /// Facts whose copy is not as they are, and that have attempts left.
    pub waiting: u64,
    /// Facts that have none left.
    pub failed: u64,
    /// Failed facts that changed again since.
    pub blocked: u64,
    /// When the oldest change was recorded that the copy does not show.
    pub oldest: Option<Timestamp>,
    /// The first of those that failed.
    pub failing: Vec<Failing>,
}

/// An operation that has no attempts left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failing {
    /// The tenant.
    pub tenant: Id,
    /// The fact.
    pub fact: FactId,
    /// Whose it is.
    pub scope: Scope,
    /// Attempts used up.
    pub attempts: u32,
    /// The class of the last error.
    pub error: String,
    /// Since when it fails, where an attempt came to an end.
    pub since: Option<Timestamp>,
}

type Query<'q> = sqlx::query::Query<'q, sqlx::Any, AnyArguments>;

impl Ledger {
    /// What waits and what failed at `now`, where `attempts_max` attempts are made.
    pub async fn outbox(
        &self,
        which: &Which,
        attempts_max: u32,
        now: Timestamp,
    ) -> Result<Outbox, StoreError> {
        let mut connection = self.reader().await?;
        let totals = of(include_str!("sql/outbox_totals.sql"), which, attempts_max, now)
            .fetch_one(&mut *connection)
            .await?;
        let failing = list(&mut connection, which, attempts_max, now, FAILING_MAX).await?;
        let count = |at| Ok::<_, StoreError>(u64::try_from(totals.try_get::<i64, _>(at)?).unwrap_or(0));
        let oldest: Option<i64> = totals.try_get(3)?;
        Ok(Outbox {
            waiting: count(0)?,
            failed: count(1)?,
            blocked: count(2)?,
            oldest: oldest.map(Timestamp::from_micros),
            failing,
        })
    }

    /// Grants what failed one more attempt, due at once. Gives the facts that this is about.
    pub async fn renew(
        &self,
        which: &Which,
        attempts_max: u32,
        now: Timestamp,
    ) -> Result<Vec<(Id, FactId)>, StoreError> {
        let mut connection = self.reader().await?;
        let failing = list(&mut connection, which, attempts_max, now, u32::MAX).await?;
        let facts: Vec<(Id, FactId)> = failing.into_iter().map(|one| (one.tenant, one.fact)).collect();
        let renewed = facts.clone();
        self.writer
            .run(move |tx| -> BoxFuture<'_, Result<(), StoreError>> {
                let facts = renewed.clone();
                Box::pin(async move {
                    for (tenant, fact) in &facts {
                        sqlx::query(include_str!("sql/operation_renew.sql"))
                            .bind(tenant.as_str())
                            .bind(SEARCH_COPY)
                            .bind(fact.to_string())
                            .bind(i64::from(attempts_max.saturating_sub(1)))
                            .bind(now.micros())
                            .execute(&mut tx.connection)
                            .await?;
                    }
                    Ok(())
                })
            })
            .await?;
        Ok(facts)
    }
}

async fn list(
    connection: &mut AnyConnection,
    which: &Which,
    attempts_max: u32,
    now: Timestamp,
    limit: u32,
) -> Result<Vec<Failing>, StoreError> {
    let rows = of(include_str!("sql/outbox_failing.sql"), which, attempts_max, now)
        .bind(i64::from(limit))
        .fetch_all(connection)
        .await?;
    rows.iter().map(failing).collect()
}

/// A statement whose first values say which operations it is about.
fn of<'q>(sql: &'static str, which: &Which, attempts_max: u32, now: Timestamp) -> Query<'q> {
    sqlx::query(sql)
        .bind(SEARCH_COPY)
        .bind(i64::from(attempts_max))
        .bind(now.micros())
        .bind(which.tenant.as_ref().map(|tenant| tenant.as_str().to_owned()))
        .bind(which.owner.as_ref().map(Container::token))
        .bind(which.fact.map(|fact| fact.to_string()))
}

fn failing(found: &AnyRow) -> Result<Failing, StoreError> {
    let (tenant, fact, scope): (String, String, String) =
        (found.try_get(0)?, found.try_get(1)?, found.try_get(2)?);
    let (attempts, error, since): (i64, Option<String>, Option<i64>) =
        (found.try_get(3)?, found.try_get(4)?, found.try_get(5)?);
    Ok(Failing {
        tenant: Id::parse("tenant", &tenant).map_err(|bad| StoreError::damaged("operations", &fact, bad))?,
        fact: row::fact_id("operations", &fact)?,
        scope: row::json("facts", &fact, &scope)?,
        attempts: u32::try_from(attempts).unwrap_or(u32::MAX),
        error: error.unwrap_or_else(|| INTERRUPTED.to_owned()),
        since: since.map(Timestamp::from_micros),
    })
}

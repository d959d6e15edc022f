//! The outbox: one work order per copy and fact, written with its event. Later changes only raise what is wanted.
//!
//! Who works on one holds it until its lease ends: the attempt is counted before the work, so that a crash counts, and
//! what a holder says after another took over changes nothing.

use std::collections::BTreeMap;

use fact::{FactId, Id, Position, Timestamp};
use futures_core::future::BoxFuture;
use sqlx::Row as _;
use sqlx::any::{AnyArguments, AnyRow};

use crate::error::StoreError;
use crate::reports::count_changes;
use crate::writer::Tx;
use crate::{Ledger, row};

/// The name of the one copy that exists: the search index.
pub(crate) const SEARCH_COPY: &str = "search";
/// Attempts at an operation before a person has to look.
pub const ATTEMPTS_MAX: u32 = 3;
/// When an operation is due that waits for a person.
const NEVER: i64 = i64::MAX;

/// Who works on operations, and until when nobody else does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// A name that no other process has.
    pub holder: String,
    /// Its end.
    pub until: Timestamp,
}

/// A work order: make the copy of one fact equal to its truth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// The tenant.
    pub tenant: Id,
    /// The fact.
    pub fact: FactId,
    /// The position that the copy is to reach.
    pub wanted: Position,
    /// Attempts used up, the one that is made now included.
    pub attempts: u32,
    epoch: i64,
}

/// What became of an operation that was held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Concluded {
    /// The operation as it was taken.
    pub operation: Operation,
    /// How it ended.
    pub attempt: Attempt,
    /// The name of whose row was written, where one was.
    pub owner: Option<String>,
}

/// How an attempt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attempt {
    /// The copy is equal to the truth, and has to be looked at again then because of the clock alone.
    Done {
        /// When; never, where nothing is to begin or end.
        next: Option<Timestamp>,
    },
    /// The attempt failed.
    Failed {
        /// The class of error: never content.
        error: &'static str,
        /// When to try again; not before a person says so, where there is none.
        next: Option<Timestamp>,
    },
    /// No attempt could be made, which uses up none.
    Unmade {
        /// The class of error.
        error: &'static str,
        /// When to try again.
        next: Timestamp,
    },
}

type Query<'q> = sqlx::query::Query<'q, sqlx::Any, AnyArguments>;

impl Ledger {
    /// Operations that are due and have attempts left, longest waiting first.
    pub async fn due(
        &self,
        now: Timestamp,
        attempts_max: u32,
        limit: u32,
    ) -> Result<Vec<Operation>, StoreError> {
        let mut connection = self.reader().await?;
        let rows = sqlx::query(include_str!("sql/operations_due.sql"))
            .bind(SEARCH_COPY)
            .bind(now.micros())
            .bind(i64::from(attempts_max))
            .bind(i64::from(limit))
            .fetch_all(&mut *connection)
            .await?;
        rows.iter().map(operation).collect()
    }

    /// Takes operations that are due, and counts an attempt of each. Gives those that nobody else took first.
    pub async fn claim(
        &self,
        due: Vec<Operation>,
        lease: Lease,
        now: Timestamp,
    ) -> Result<Vec<Operation>, StoreError> {
        self.writer
            .run(move |tx| -> BoxFuture<'_, Result<Vec<Operation>, StoreError>> {
                let (mut due, lease) = (due.clone(), lease.clone());
                // In one order everywhere, so that two who claim never wait for each other.
                due.sort_by(|one, other| (&one.tenant, one.fact).cmp(&(&other.tenant, other.fact)));
                Box::pin(async move { claim(tx, &due, &lease, now).await })
            })
            .await
    }

    /// The operation of a fact, where `holder` holds it.
    pub async fn held(
        &self,
        tenant: &Id,
        fact: FactId,
        holder: &str,
    ) -> Result<Option<Operation>, StoreError> {
        let mut connection = self.reader().await?;
        let row = sqlx::query(include_str!("sql/operation_held.sql"))
            .bind(tenant.as_str())
            .bind(SEARCH_COPY)
            .bind(fact.to_string())
            .bind(holder)
            .fetch_optional(&mut *connection)
            .await?;
        row.as_ref().map(operation).transpose()
    }

    /// The operation of one fact, where something is left to do, be it due or waiting for another attempt.
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

    /// Writes down how attempts ended. Gives how many of them were still `holder`'s to end.
    pub async fn conclude(
        &self,
        concluded: Vec<Concluded>,
        holder: String,
        now: Timestamp,
    ) -> Result<usize, StoreError> {
        self.writer
            .run(move |tx| -> BoxFuture<'_, Result<usize, StoreError>> {
                let (mut concluded, holder) = (concluded.clone(), holder.clone());
                concluded.sort_by(|one, other| {
                    let key = |concluded: &Concluded| {
                        (concluded.operation.tenant.clone(), concluded.operation.fact)
                    };
                    key(one).cmp(&key(other))
                });
                Box::pin(async move {
                    let (mut ours, mut changes) = (0, BTreeMap::<(&Id, &str), i64>::new());
                    for one in &concluded {
                        ours += usize::from(conclude(tx, one, &holder, now).await?);
                        if let Some(owner) = &one.owner {
                            *changes.entry((&one.operation.tenant, owner)).or_default() += 1;
                        }
                        crate::crash::point("project.concluding");
                    }
                    for ((tenant, owner), count) in changes {
                        count_changes(tx, tenant, owner, count).await?;
                    }
                    Ok(ours)
                })
            })
            .await
    }
}

async fn claim(
    tx: &mut Tx,
    due: &[Operation],
    lease: &Lease,
    now: Timestamp,
) -> Result<Vec<Operation>, StoreError> {
    let mut taken = Vec::with_capacity(due.len());
    for one in due {
        let row = of(include_str!("sql/operation_claim.sql"), one, &lease.holder)
            .bind(lease.until.micros())
            .bind(one.epoch)
            .bind(now.micros())
            .fetch_optional(&mut tx.connection)
            .await?;
        taken.extend(row.as_ref().map(operation).transpose()?);
    }
    Ok(taken)
}

async fn conclude(
    tx: &mut Tx,
    concluded: &Concluded,
    holder: &str,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let Concluded { operation, attempt, owner: _ } = concluded;
    let held = |sql| of(sql, operation, holder).bind(operation.epoch);
    let wanted = operation.wanted;
    let query = match attempt {
        Attempt::Done { next: None } => held(include_str!("sql/operation_finish.sql")).bind(wanted.get()),
        Attempt::Done { next: Some(next) } => {
            held(include_str!("sql/operation_wait.sql")).bind(wanted.get()).bind(next.micros())
        }
        Attempt::Failed { error, next } => held(include_str!("sql/operation_fail.sql"))
            .bind(i64::from(operation.attempts))
            .bind(*error)
            .bind(now.micros())
            .bind(next.map_or(NEVER, Timestamp::micros)),
        Attempt::Unmade { error, next } => held(include_str!("sql/operation_fail.sql"))
            .bind(i64::from(operation.attempts.saturating_sub(1)))
            .bind(*error)
            .bind(now.micros())
            .bind(next.micros()),
    };
    if query.execute(&mut tx.connection).await?.rows_affected() > 0 {
        return Ok(true);
    }
    if !matches!(attempt, Attempt::Done { .. }) {
        return Ok(false);
    }
    // Where the fact changed meanwhile, what is still unanswered begins after what was done.
    let reached = held(include_str!("sql/operation_reach.sql"))
        .bind(wanted.next().get())
        .bind(now.micros())
        .execute(&mut tx.connection)
        .await?;
    Ok(reached.rows_affected() > 0)
}

/// Orders the copy of one fact to be made again, whatever it holds.
pub(crate) async fn order(tx: &mut Tx, tenant: &Id, fact: FactId, now: Timestamp) -> Result<(), StoreError> {
    sqlx::query(include_str!("sql/operation_order.sql"))
        .bind(tenant.as_str())
        .bind(SEARCH_COPY)
        .bind(fact.to_string())
        .bind(now.micros())
        .execute(&mut tx.connection)
        .await?;
    Ok(())
}

/// A statement whose first values are the operation's key and its holder.
fn of<'q>(sql: &'static str, operation: &Operation, holder: &'q str) -> Query<'q> {
    sqlx::query(sql)
        .bind(operation.tenant.as_str().to_owned())
        .bind(SEARCH_COPY)
        .bind(operation.fact.to_string())
        .bind(holder)
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
        epoch: found.try_get(4)?,
    })
}

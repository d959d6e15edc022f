//! How a tenant's ledger stands, in numbers: what waits for people, whose facts there are, and the last check.

use std::collections::BTreeSet;

use fact::{Id, Position, Scope, Timestamp};
use futures_core::future::BoxFuture;
use sqlx::Row as _;

use crate::check::Chain;
use crate::error::StoreError;
use crate::{Ledger, Report, row};

/// What waits for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Waiting {
    /// Open conflicts.
    pub conflicts: u64,
    /// When the oldest of them was opened.
    pub since: Option<Timestamp>,
    /// Proposals that wait for a decision.
    pub reviews: u64,
}

/// How the last check of a tenant's ledger ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastCheck {
    /// When it was made.
    pub at: Timestamp,
    /// How far it came, and how much it found.
    pub chain: Chain,
}

impl Ledger {
    /// What of a tenant waits for people.
    pub async fn awaited(&self, tenant: &Id) -> Result<Waiting, StoreError> {
        let mut connection = self.reader().await?;
        let row = sqlx::query(include_str!("sql/waiting_count.sql"))
            .bind(tenant.as_str())
            .fetch_one(&mut *connection)
            .await?;
        let count = |at| Ok::<_, StoreError>(u64::try_from(row.try_get::<i64, _>(at)?).unwrap_or(0));
        let since: Option<i64> = row.try_get(1)?;
        Ok(Waiting { conflicts: count(0)?, since: since.map(Timestamp::from_micros), reviews: count(2)? })
    }

    /// The names of everybody who has facts, whatever their state.
    pub async fn owners(&self, tenant: &Id) -> Result<BTreeSet<String>, StoreError> {
        let mut connection = self.reader().await?;
        let rows = sqlx::query(include_str!("sql/scopes_list.sql"))
            .bind(tenant.as_str())
            .fetch_all(&mut *connection)
            .await?;
        rows.iter()
            .map(|found| {
                let scope: Scope = row::json("facts", "scope", &found.try_get::<String, _>(0)?)?;
                Ok(scope.anchor().to_string())
            })
            .collect()
    }

    /// Keeps how a check ended, for each tenant.
    pub async fn keep_check(&self, report: &Report, now: Timestamp) -> Result<(), StoreError> {
        let chains = report.chains.clone();
        self.writer
            .run(move |tx| -> BoxFuture<'_, Result<(), StoreError>> {
                let chains = chains.clone();
                Box::pin(async move {
                    for Chain { tenant, position, digest, found } in &chains {
                        sqlx::query(include_str!("sql/check_put.sql"))
                            .bind(tenant.as_str())
                            .bind(now.micros())
                            .bind(position.get())
                            .bind(digest)
                            .bind(i64::try_from(*found).unwrap_or(i64::MAX))
                            .execute(&mut tx.connection)
                            .await?;
                    }
                    Ok(())
                })
            })
            .await
    }

    /// How the last check of a tenant's ledger ended; none before the first.
    pub async fn last_check(&self, tenant: &Id) -> Result<Option<LastCheck>, StoreError> {
        let mut connection = self.reader().await?;
        let row = sqlx::query(include_str!("sql/check_find.sql"))
            .bind(tenant.as_str())
            .fetch_optional(&mut *connection)
            .await?;
        let Some(row) = row else { return Ok(None) };
        let chain = Chain {
            tenant: tenant.clone(),
            position: Position::new(row.try_get(1)?),
            digest: row.try_get(2)?,
            found: u64::try_from(row.try_get::<i64, _>(3)?).unwrap_or(0),
        };
        Ok(Some(LastCheck { at: Timestamp::from_micros(row.try_get(0)?), chain }))
    }

    /// Whether an event stands at that position, with that digest: a chain that was cut, or is another's, has none.
    pub async fn reaches(&self, tenant: &Id, position: Position, digest: &str) -> Result<bool, StoreError> {
        if position == Position::START {
            return Ok(true);
        }
        let mut connection = self.reader().await?;
        let row = sqlx::query(include_str!("sql/digest_at.sql"))
            .bind(tenant.as_str())
            .bind(position.get())
            .fetch_optional(&mut *connection)
            .await?;
        let found: Option<Vec<u8>> = row.map(|row| row.try_get(0)).transpose()?;
        Ok(found.is_some_and(|found| fact::hex(&found) == digest))
    }
}

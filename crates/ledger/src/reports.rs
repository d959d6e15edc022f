//! What checks of the copy found, and how often the copy changed since.

use fact::{FactId, Id, Timestamp};
use futures_core::future::BoxFuture;
use sqlx::Row as _;

use crate::error::StoreError;
use crate::operations::SEARCH_COPY;
use crate::writer::Tx;
use crate::{Ledger, row};

/// The last report about an owner's rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reported {
    /// The owner's name.
    pub owner: String,
    /// When the check was made.
    pub at: Timestamp,
    /// How often the owner's rows were written since.
    pub changes: u64,
    /// What it found, as its maker wrote it.
    pub report: String,
}

/// What a check found of an owner's rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The owner's name.
    pub owner: String,
    /// How many rows, or facts without one, differ.
    pub drift: u64,
    /// Everything, as its maker wrote it.
    pub report: String,
}

impl Ledger {
    /// Facts of a tenant, or of one of its owners by token, in the order of their ids.
    pub async fn facts_after(
        &self,
        tenant: &Id,
        owner: Option<&str>,
        after: Option<FactId>,
        limit: u32,
    ) -> Result<Vec<FactId>, StoreError> {
        let mut connection = self.reader().await?;
        let rows = sqlx::query(include_str!("sql/facts_after.sql"))
            .bind(tenant.as_str())
            .bind(after.map_or_else(String::new, |fact| fact.to_string()))
            .bind(owner.map(str::to_owned))
            .bind(i64::from(limit))
            .fetch_all(&mut *connection)
            .await?;
        rows.iter().map(|found| row::fact_id("facts", &found.try_get::<String, _>(0)?)).collect()
    }

    /// How many facts a tenant has, whatever their state.
    pub async fn facts(&self, tenant: &Id) -> Result<u64, StoreError> {
        let mut connection = self.reader().await?;
        let row = sqlx::query(include_str!("sql/facts_count.sql"))
            .bind(tenant.as_str())
            .fetch_one(&mut *connection)
            .await?;
        Ok(u64::try_from(row.try_get::<i64, _>(0)?).unwrap_or(0))
    }

    /// Every tenant.
    pub async fn tenants(&self) -> Result<Vec<Id>, StoreError> {
        let mut connection = self.reader().await?;
        crate::replay::tenants(&mut connection).await
    }

    /// Orders the copies of facts to be made again. What failed stays failed.
    pub async fn order(&self, tenant: Id, facts: Vec<FactId>, now: Timestamp) -> Result<(), StoreError> {
        self.writer
            .run(move |tx| -> BoxFuture<'_, Result<(), StoreError>> {
                let (tenant, mut facts) = (tenant.clone(), facts.clone());
                facts.sort();
                Box::pin(async move {
                    for fact in &facts {
                        sqlx::query(include_str!("sql/operation_order.sql"))
                            .bind(tenant.as_str())
                            .bind(SEARCH_COPY)
                            .bind(fact.to_string())
                            .bind(now.micros())
                            .execute(&mut tx.connection)
                            .await?;
                        crate::crash::point("repair.ordered");
                    }
                    Ok(())
                })
            })
            .await
    }

    /// Keeps what a check found of each owner's rows. The reports of other owners stay.
    pub async fn report(&self, tenant: Id, findings: Vec<Finding>, now: Timestamp) -> Result<(), StoreError> {
        self.writer
            .run(move |tx| -> BoxFuture<'_, Result<(), StoreError>> {
                let (tenant, findings) = (tenant.clone(), findings.clone());
                Box::pin(async move {
                    for Finding { owner, drift, report } in &findings {
                        sqlx::query(include_str!("sql/report_put.sql"))
                            .bind(tenant.as_str())
                            .bind(owner)
                            .bind(now.micros())
                            .bind(report)
                            .bind(i64::try_from(*drift).unwrap_or(i64::MAX))
                            .execute(&mut tx.connection)
                            .await?;
                    }
                    Ok(())
                })
            })
            .await
    }

    /// How much differed at the last checks of a tenant's rows.
    pub async fn known_drift(&self, tenant: &Id) -> Result<u64, StoreError> {
        let mut connection = self.reader().await?;
        let row = sqlx::query(include_str!("sql/reports_drift.sql"))
            .bind(tenant.as_str())
            .fetch_one(&mut *connection)
            .await?;
        Ok(u64::try_from(row.try_get::<i64, _>(0)?).unwrap_or(0))
    }

    /// The last report about each owner of a tenant.
    pub async fn reports(&self, tenant: &Id) -> Result<Vec<Reported>, StoreError> {
        let mut connection = self.reader().await?;
        let rows = sqlx::query(include_str!("sql/reports_list.sql"))
            .bind(tenant.as_str())
            .fetch_all(&mut *connection)
            .await?;
        rows.iter()
            .map(|found| {
                Ok(Reported {
                    owner: found.try_get(0)?,
                    at: Timestamp::from_micros(found.try_get(1)?),
                    report: found.try_get(2)?,
                    changes: u64::try_from(found.try_get::<i64, _>(3)?).unwrap_or(0),
                })
            })
            .collect()
    }
}

/// Counts writes about an owner's rows.
pub(crate) async fn count_changes(
    tx: &mut Tx,
    tenant: &Id,
    owner: &str,
    changes: i64,
) -> Result<(), StoreError> {
    sqlx::query(include_str!("sql/changes_count.sql"))
        .bind(tenant.as_str())
        .bind(owner)
        .bind(changes)
        .execute(&mut tx.connection)
        .await?;
    Ok(())
}

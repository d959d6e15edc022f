//! What checks of the copy found, and how often the copy changed since.

use std::collections::BTreeMap;

use fact::{FactId, Id, Timestamp};
use futures_core::future::BoxFuture;
use sqlx::Row as _;
use sqlx::any::AnyRow;

use crate::drift::CopyReport;
use crate::error::StoreError;
use crate::operations::order;
use crate::writer::Tx;
use crate::{Ledger, row};

/// Days for which it is known how much differed.
const DRIFT_DAYS_KEPT: i64 = 365;

/// The last report about an owner's rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reported {
    /// The owner's name.
    pub owner: String,
    /// When the check was made.
    pub at: Timestamp,
    /// How often the owner's rows were written since.
    pub changes: u64,
    /// What it found.
    pub report: CopyReport,
}

/// A check of a tenant's rows, or of one owner's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inspection {
    /// Whether it looked at every row of the tenant: then owners that it did not meet have none.
    pub whole: bool,
    /// When it was made.
    pub at: Timestamp,
    /// How often each owner's rows had been written before it began.
    pub changes: BTreeMap<String, u64>,
    /// What it found, by the name of the owner.
    pub owners: BTreeMap<String, CopyReport>,
}

impl Ledger {
    /// Everything of a tenant that has a copy, or of one of its owners by token: facts and legacy rows, in the order of
    /// their ids.
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

    /// How many facts and legacy rows a tenant has, whatever their state.
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
                        order(tx, &tenant, *fact, now).await?;
                        crate::crash::point("repair.ordered");
                    }
                    Ok(())
                })
            })
            .await
    }

    /// Keeps what a check found of each owner's rows. The reports of owners that it did not look at stay.
    pub async fn report(&self, tenant: Id, inspection: Inspection) -> Result<(), StoreError> {
        self.writer
            .run(move |tx| -> BoxFuture<'_, Result<(), StoreError>> {
                let (tenant, inspection) = (tenant.clone(), inspection.clone());
                Box::pin(async move { keep(tx, &tenant, &inspection).await })
            })
            .await
    }

    /// How often the rows of each owner of a tenant were written.
    pub async fn changes(&self, tenant: &Id) -> Result<BTreeMap<String, u64>, StoreError> {
        let mut connection = self.reader().await?;
        let rows = sqlx::query(include_str!("sql/changes_list.sql"))
            .bind(tenant.as_str())
            .fetch_all(&mut *connection)
            .await?;
        let pair = |found: &AnyRow| Ok((found.try_get(0)?, count(found.try_get(1)?)));
        rows.iter().map(pair).collect()
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

    /// How much was known to differ after the last check of each day that had one: days counted in UTC from 1970.
    pub async fn drift_daily(&self, tenant: &Id) -> Result<BTreeMap<i64, u64>, StoreError> {
        let mut connection = self.reader().await?;
        let rows = sqlx::query(include_str!("sql/drift_days_list.sql"))
            .bind(tenant.as_str())
            .fetch_all(&mut *connection)
            .await?;
        rows.iter().map(|found| Ok((found.try_get(0)?, count(found.try_get(1)?)))).collect()
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
                let (owner, report): (String, String) = (found.try_get(0)?, found.try_get(2)?);
                Ok(Reported {
                    at: Timestamp::from_micros(found.try_get(1)?),
                    report: row::json("index_reports", &owner, &report)?,
                    changes: count(found.try_get(3)?),
                    owner,
                })
            })
            .collect()
    }
}

async fn keep(tx: &mut Tx, tenant: &Id, inspection: &Inspection) -> Result<(), StoreError> {
    let Inspection { whole, at, changes, owners } = inspection;
    if *whole {
        sqlx::query(include_str!("sql/reports_clear.sql"))
            .bind(tenant.as_str())
            .execute(&mut tx.connection)
            .await?;
    }
    for (owner, report) in owners {
        let drift: u64 = report.drift.values().sum();
        sqlx::query(include_str!("sql/report_put.sql"))
            .bind(tenant.as_str())
            .bind(owner)
            .bind(at.micros())
            .bind(i64::try_from(changes.get(owner).copied().unwrap_or(0)).unwrap_or(i64::MAX))
            .bind(fact::canonical(report))
            .bind(i64::try_from(drift).unwrap_or(i64::MAX))
            .execute(&mut tx.connection)
            .await?;
    }
    keep_day(tx, tenant, *at).await
}

/// Keeps how much is known to differ by now as that of the day. Days of long ago go.
async fn keep_day(tx: &mut Tx, tenant: &Id, at: Timestamp) -> Result<(), StoreError> {
    let day = at.day();
    sqlx::query(include_str!("sql/drift_day_put.sql"))
        .bind(tenant.as_str())
        .bind(day)
        .execute(&mut tx.connection)
        .await?;
    sqlx::query(include_str!("sql/drift_days_forget.sql"))
        .bind(tenant.as_str())
        .bind(day - DRIFT_DAYS_KEPT)
        .execute(&mut tx.connection)
        .await?;
    Ok(())
}

fn count(stored: i64) -> u64 {
    u64::try_from(stored).unwrap_or(0)
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

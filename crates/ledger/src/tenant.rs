//! The tip of each tenant's ledger: last position, digest and time, and the tenant's secret.
//!
//! Taking the tip locks the tenant's row, so positions follow the order of commits and leave no gap.

use fact::{Id, Position, Timestamp};
use sqlx::Row as _;

use crate::commitment;
use crate::error::StoreError;
use crate::writer::Tx;

/// The last event of a tenant, as the next one must follow it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tip {
    pub(crate) position: Position,
    pub(crate) digest: Vec<u8>,
    pub(crate) recorded_at: Timestamp,
    pub(crate) secret: Vec<u8>,
    pub(crate) moved: bool,
}

/// Locks the tenant and gives its tip; a tenant that is new begins here.
pub(crate) async fn lock<'t>(
    tx: &'t mut Tx,
    tenant: &Id,
    entropy: &[u8; 32],
) -> Result<&'t mut Tip, StoreError> {
    if !tx.tips.contains_key(tenant) {
        let tip = match take(tx, tenant).await? {
            Some(tip) => tip,
            None => {
                create(tx, tenant, &commitment::derived(entropy, "tenant secret")).await?;
                take(tx, tenant)
                    .await?
                    .ok_or_else(|| StoreError::damaged("tenants", tenant, "a new tenant is not there"))?
            }
        };
        tx.tips.insert(tenant.clone(), tip);
    }
    tx.tips.get_mut(tenant).ok_or(StoreError::Closed)
}

async fn take(tx: &mut Tx, tenant: &Id) -> Result<Option<Tip>, StoreError> {
    let row = sqlx::query(include_str!("sql/tenant_lock.sql"))
        .bind(tenant.as_str())
        .fetch_optional(&mut tx.connection)
        .await?;
    row.map(|row| tip(&row)).transpose()
}

pub(crate) fn tip(row: &sqlx::any::AnyRow) -> Result<Tip, StoreError> {
    Ok(Tip {
        position: Position::new(row.try_get(0)?),
        digest: row.try_get(1)?,
        recorded_at: Timestamp::from_micros(row.try_get(2)?),
        secret: row.try_get(3)?,
        moved: false,
    })
}

/// Starts a tenant's ledger.
pub(crate) async fn create(tx: &mut Tx, tenant: &Id, secret: &[u8]) -> Result<(), StoreError> {
    sqlx::query(include_str!("sql/tenant_create.sql"))
        .bind(tenant.as_str())
        .bind(commitment::genesis(tenant))
        .bind(secret.to_vec())
        .execute(&mut tx.connection)
        .await?;
    Ok(())
}

/// Writes every tip that moved, at the end of the transaction.
pub(crate) async fn save(tx: &mut Tx) -> Result<(), StoreError> {
    for (tenant, tip) in tx.tips.iter().filter(|(_, tip)| tip.moved) {
        let done = sqlx::query(include_str!("sql/tenant_advance.sql"))
            .bind(tenant.as_str())
            .bind(tip.position.get())
            .bind(tip.digest.clone())
            .bind(tip.recorded_at.micros())
            .execute(&mut tx.connection)
            .await?;
        if done.rows_affected() != 1 {
            return Err(StoreError::damaged("tenants", tenant, "the tip moved under its lock"));
        }
    }
    Ok(())
}

//! The tip of each tenant's ledger: last position, digest and time, and the tenant's secret.
//!
//! Taking the tip locks the tenant's row, so positions follow the order of commits and leave no gap.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use fact::{Event, Id, Position, Timestamp};
use sqlx::{AnyConnection, Row as _};

use crate::Ledger;
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

impl Tip {
    /// The tip after another event, whose digest is given.
    pub(crate) fn follow(&mut self, event: &Event, digest: Vec<u8>) {
        self.position = event.position;
        self.digest = digest;
        self.recorded_at = event.recorded_at;
        self.moved = true;
    }
}

/// The secret of each tenant that was looked up: it never changes while the tenant is there.
#[derive(Clone, Default)]
pub(crate) struct Secrets(Arc<Mutex<HashMap<Id, Vec<u8>>>>);

impl Secrets {
    fn get(&self, tenant: &Id) -> Option<Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(tenant).cloned()
    }

    fn keep(&self, tenant: &Id, secret: &[u8]) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(tenant.clone(), secret.to_vec());
    }

    /// Looks it up anew next time: the store may have been put in the place of another.
    pub(crate) fn forget(&self, tenant: &Id) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(tenant);
    }
}

impl Ledger {
    /// The secret of a tenant; none before its first event.
    pub(crate) async fn secret(
        &self,
        connection: &mut AnyConnection,
        tenant: &Id,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        if let Some(secret) = self.secrets.get(tenant) {
            return Ok(Some(secret));
        }
        let row = sqlx::query(include_str!("sql/tenant_read.sql"))
            .bind(tenant.as_str())
            .fetch_optional(connection)
            .await?;
        let Some(row) = row else { return Ok(None) };
        let secret = tip(&row)?.secret;
        self.secrets.keep(tenant, &secret);
        Ok(Some(secret))
    }
}

impl Ledger {
    /// When a tenant's last event was recorded.
    pub async fn recorded_at(&self, tenant: &Id) -> Result<Option<Timestamp>, StoreError> {
        Ok(self.sound_tip(tenant).await?.map(|tip| tip.recorded_at))
    }

    /// The last event of a tenant, and when it was recorded.
    pub async fn last(&self, tenant: &Id) -> Result<Option<(Position, Timestamp)>, StoreError> {
        Ok(self.sound_tip(tenant).await?.map(|tip| (tip.position, tip.recorded_at)))
    }

    /// The last position of a tenant and the digest of its last event: what an anchor outside the file keeps.
    pub async fn tip(&self, tenant: &Id) -> Result<Option<(Position, String)>, StoreError> {
        Ok(self.sound_tip(tenant).await?.map(|tip| (tip.position, fact::hex(&tip.digest))))
    }

    /// The tip, where it names an event as it is: what holds now is read at a time that is no earlier than its.
    async fn sound_tip(&self, tenant: &Id) -> Result<Option<Tip>, StoreError> {
        let mut connection = self.reader().await?;
        let row = sqlx::query(include_str!("sql/tenant_tip.sql"))
            .bind(tenant.as_str())
            .fetch_optional(&mut *connection)
            .await?;
        let Some(row) = row else { return Ok(None) };
        let (tip, digest, at) =
            (tip(&row)?, row.try_get::<Option<Vec<u8>>, _>(4)?, row.try_get::<Option<i64>, _>(5)?);
        let is_sound =
            digest.is_some_and(|digest| digest == tip.digest) && at == Some(tip.recorded_at.micros());
        if is_sound || tip.position == Position::START {
            return Ok(Some(tip));
        }
        Err(StoreError::damaged("tenants", tenant, "it does not name its last event"))
    }
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

/// Writes every tip that moved, and what is pending with it, at the end of the transaction.
pub(crate) async fn save(tx: &mut Tx) -> Result<(), StoreError> {
    for (tenant, tip) in tx.tips.iter().filter(|(_, tip)| tip.moved) {
        let binds = vec![
            tenant.as_str().into(),
            tip.position.get().into(),
            tip.digest.as_slice().into(),
            tip.recorded_at.micros().into(),
        ];
        tx.pending.add("tenants", include_str!("sql/tenant_advance.sql"), binds);
    }
    tx.flush().await
}

//! Keys of the API: what each opens, kept beside the events with a hash of its secret.

use fact::{Actor, Bounds, Id, Key, KeyId, KeyToken, Text, Timestamp, canonical};
use futures_core::future::BoxFuture;
use serde::{Deserialize, Serialize};
use sqlx::Row as _;
use sqlx::any::AnyRow;
use subtle::ConstantTimeEq as _;

use crate::Ledger;
use crate::error::StoreError;

/// What is kept of a key besides its id, its tenant and its times.
#[derive(Debug, Serialize, Deserialize)]
struct Body {
    label: String,
    actor: Actor,
    bounds: Bounds,
}

impl Ledger {
    /// Keeps a key, with a hash of its secret.
    pub async fn add_key(&self, key: Key, digest: [u8; 32]) -> Result<(), StoreError> {
        self.writer
            .run(move |tx| -> BoxFuture<'_, Result<(), StoreError>> {
                let Key { id, tenant, label, actor, bounds, created_at, revoked_at: _ } = key.clone();
                let body = Body { label: label.as_str().to_owned(), actor, bounds };
                Box::pin(async move {
                    sqlx::query(include_str!("sql/key_add.sql"))
                        .bind(id.as_str())
                        .bind(tenant.as_str())
                        .bind(digest.to_vec())
                        .bind(canonical(&body))
                        .bind(created_at.micros())
                        .execute(&mut tx.connection)
                        .await?;
                    Ok(())
                })
            })
            .await
    }

    /// The keys of a tenant, oldest first, those that are revoked among them.
    pub async fn keys(&self, tenant: &Id) -> Result<Vec<Key>, StoreError> {
        let mut connection = self.reader().await?;
        let rows = sqlx::query(include_str!("sql/keys_list.sql"))
            .bind(tenant.as_str())
            .fetch_all(&mut *connection)
            .await?;
        rows.iter().map(key).collect()
    }

    /// The key that a token is; none where there is no such one, or its secret is another.
    pub async fn key(&self, token: &KeyToken) -> Result<Option<Key>, StoreError> {
        let mut connection = self.reader().await?;
        let found = sqlx::query(include_str!("sql/key_find.sql"))
            .bind(token.id().as_str())
            .fetch_optional(&mut *connection)
            .await?;
        let Some(found) = found else { return Ok(None) };
        let kept: Vec<u8> = found.try_get(5)?;
        let is_it = bool::from(kept.as_slice().ct_eq(&token.digest()));
        is_it.then(|| key(&found)).transpose()
    }

    /// Lets a key open nothing from `now` on. False where the tenant has no such key.
    pub async fn revoke_key(&self, tenant: Id, id: KeyId, now: Timestamp) -> Result<bool, StoreError> {
        self.writer
            .run(move |tx| -> BoxFuture<'_, Result<bool, StoreError>> {
                let (tenant, id) = (tenant.clone(), id.clone());
                Box::pin(async move {
                    let revoked = sqlx::query(include_str!("sql/key_revoke.sql"))
                        .bind(tenant.as_str())
                        .bind(id.as_str())
                        .bind(now.micros())
                        .execute(&mut tx.connection)
                        .await?;
                    Ok(revoked.rows_affected() == 1)
                })
            })
            .await
    }
}

fn key(found: &AnyRow) -> Result<Key, StoreError> {
    let (id, tenant, body): (String, String, String) =
        (found.try_get(0)?, found.try_get(1)?, found.try_get(2)?);
    let damaged = |problem: String| StoreError::damaged("keys", &id, problem);
    let Body { label, actor, bounds } =
        serde_json::from_str(&body).map_err(|error| damaged(error.to_string()))?;
    Ok(Key {
        id: KeyId::parse(&id).map_err(|bad| damaged(bad.to_string()))?,
        tenant: Id::parse("tenant", &tenant).map_err(|bad| damaged(bad.to_string()))?,
        label: Text::stored(label),
        actor,
        bounds,
        created_at: Timestamp::from_micros(found.try_get(3)?),
        revoked_at: found.try_get::<Option<i64>, _>(4)?.map(Timestamp::from_micros),
    })
}

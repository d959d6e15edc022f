//! Idempotency: the same key and the same request get the first answer again, even later.

use fact::{Id, RequestKey, Timestamp, hex};
use futures_core::future::BoxFuture;
use sqlx::AnyConnection;
use sqlx::Row as _;
use subtle::ConstantTimeEq as _;

use crate::batch::Batch;
use crate::error::StoreError;
use crate::record::{RecordError, Request};
use crate::{Ledger, commitment, tenant};

/// A request that was answered before.
pub(crate) struct Answered {
    digest: Vec<u8>,
    pub(crate) answer: String,
}

impl Answered {
    pub(crate) fn means(&self, secret: &[u8], meaning: &str) -> bool {
        bool::from(commitment::request(secret, meaning).ct_eq(&self.digest))
    }
}

impl Ledger {
    /// The answer that this request got before; `KeyReused` when its key was used for another one.
    pub async fn answered(
        &self,
        tenant: &Id,
        key: &RequestKey,
        meaning: &str,
    ) -> Result<Option<String>, RecordError> {
        let mut connection = self.reader().await?;
        let Some(answered) = find(&mut connection, tenant, key).await? else {
            return Ok(None);
        };
        let secret = self
            .secret(&mut connection, tenant)
            .await?
            .ok_or_else(|| StoreError::damaged("tenants", tenant, "a tenant with requests is not there"))?;
        if answered.means(&secret, meaning) { Ok(Some(answered.answer)) } else { Err(RecordError::KeyReused) }
    }

    /// The answer to whatever request had this key: for keys that the engine makes itself, by what they name.
    pub async fn answer_of(&self, tenant: &Id, key: &RequestKey) -> Result<Option<String>, StoreError> {
        let mut connection = self.reader().await?;
        Ok(find(&mut connection, tenant, key).await?.map(|answered| answered.answer))
    }

    /// A name for `text` that is the same each time and that nobody without the tenant's secret can guess it from:
    /// it may outlive an erasure. A tenant that is new begins here, with a secret from `entropy`.
    pub async fn name_of(&self, tenant: &Id, entropy: [u8; 32], text: &str) -> Result<String, StoreError> {
        let mut connection = self.reader().await?;
        let secret = match self.secret(&mut connection, tenant).await? {
            Some(secret) => secret,
            None => self.begin_tenant(tenant.clone(), entropy).await?,
        };
        Ok(hex(&commitment::name(&secret, text)))
    }

    async fn begin_tenant(&self, tenant: Id, entropy: [u8; 32]) -> Result<Vec<u8>, StoreError> {
        self.writer
            .run(move |tx| -> BoxFuture<'_, Result<Vec<u8>, StoreError>> {
                let tenant = tenant.clone();
                Box::pin(async move { Ok(tenant::lock(tx, &tenant, &entropy).await?.secret.clone()) })
            })
            .await
    }
}

pub(crate) async fn find(
    connection: &mut AnyConnection,
    tenant: &Id,
    key: &RequestKey,
) -> Result<Option<Answered>, StoreError> {
    let row = sqlx::query(include_str!("sql/request_find.sql"))
        .bind(tenant.as_str())
        .bind(key.as_str())
        .fetch_optional(connection)
        .await?;
    row.map(|row| Ok(Answered { digest: row.try_get(0)?, answer: row.try_get(1)? })).transpose()
}

/// Keeps the answer to a request.
pub(crate) fn add(batch: &mut Batch, tenant: &Id, request: &Request, secret: &[u8], at: Timestamp) {
    let digest = commitment::request(secret, &request.meaning);
    insert(batch, tenant, request.key.as_str(), &digest, &request.answer, at);
}

/// Writes a request as it is, digest included.
pub(crate) fn insert(batch: &mut Batch, tenant: &Id, key: &str, digest: &[u8], answer: &str, at: Timestamp) {
    let binds = vec![tenant.as_str().into(), key.into(), digest.into(), answer.into(), at.micros().into()];
    batch.add("requests", include_str!("sql/request_add.sql"), binds);
}

//! Who read what: an operator's reads of content are on record.

use fact::{Actor, FactId, Id, Timestamp, canonical};
use futures_core::future::BoxFuture;

use crate::Ledger;
use crate::error::StoreError;

/// One read of content by an operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Audit {
    /// The tenant.
    pub tenant: Id,
    /// When.
    pub at: Timestamp,
    /// Who.
    pub reader: Actor,
    /// What was done, such as `get` or `recall`.
    pub act: &'static str,
    /// The fact, where one was asked for.
    pub fact: Option<FactId>,
}

impl Ledger {
    /// Puts a read on record. When it fails the read still stands: the caller says so and goes on.
    pub async fn audit(&self, audit: Audit) -> Result<(), StoreError> {
        self.writer
            .run(move |tx| -> BoxFuture<'_, Result<(), StoreError>> {
                let audit = audit.clone();
                Box::pin(async move {
                    sqlx::query(include_str!("sql/audit_add.sql"))
                        .bind(audit.tenant.as_str())
                        .bind(audit.at.micros())
                        .bind(canonical(&audit.reader))
                        .bind(audit.act)
                        .bind(audit.fact.map(|fact| fact.to_string()))
                        .execute(&mut tx.connection)
                        .await?;
                    Ok(())
                })
            })
            .await
    }
}

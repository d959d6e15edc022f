//! What recalls gave to whom: kept beside the events, for a time, and never part of what is true.

use fact::{Id, ReceiptId, Text, Timestamp};
use futures_core::future::BoxFuture;
use sqlx::Row as _;
use sqlx::any::AnyRow;

use crate::Ledger;
use crate::error::StoreError;

/// A receipt as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The receipt.
    pub receipt: ReceiptId,
    /// When the recall was made.
    pub recalled_at: Timestamp,
    /// Until when it is kept, that instant not included.
    pub expires_at: Timestamp,
    /// As what the reader saw, in canonical form.
    pub reader: String,
    /// What was asked; none once it is forgotten, or where nothing was.
    pub query: Option<Text>,
    /// What was given: ids, numbers and names, never content.
    pub body: String,
}

impl Ledger {
    /// Keeps a receipt.
    pub async fn keep_receipt(&self, tenant: Id, kept: Kept) -> Result<(), StoreError> {
        self.writer
            .run(move |tx| -> BoxFuture<'_, Result<(), StoreError>> {
                let (tenant, kept) = (tenant.clone(), kept.clone());
                Box::pin(async move {
                    sqlx::query(include_str!("sql/receipt_add.sql"))
                        .bind(tenant.as_str())
                        .bind(kept.receipt.to_string())
                        .bind(kept.recalled_at.micros())
                        .bind(kept.expires_at.micros())
                        .bind(kept.reader)
                        .bind(kept.query.map(|query| query.as_str().to_owned()))
                        .bind(kept.body)
                        .execute(&mut tx.connection)
                        .await?;
                    Ok(())
                })
            })
            .await
    }

    /// A receipt that is not over at `now`.
    pub async fn receipt(
        &self,
        tenant: &Id,
        receipt: ReceiptId,
        now: Timestamp,
    ) -> Result<Option<Kept>, StoreError> {
        let mut connection = self.reader().await?;
        let found = sqlx::query(include_str!("sql/receipt_find.sql"))
            .bind(tenant.as_str())
            .bind(receipt.to_string())
            .bind(now.micros())
            .fetch_optional(&mut *connection)
            .await?;
        found.map(|found| kept(&found)).transpose()
    }

    /// Receipts that are not over at `now`, newest first, from below `before` on: of one reader, where it is given.
    pub async fn receipts(
        &self,
        tenant: &Id,
        reader: Option<&str>,
        before: Option<ReceiptId>,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<Kept>, StoreError> {
        /// Sorts after every id.
        const BEYOND_RECEIPTS: &str = "g";
        let mut connection = self.reader().await?;
        let rows = sqlx::query(include_str!("sql/receipts_list.sql"))
            .bind(tenant.as_str())
            .bind(before.map_or_else(|| BEYOND_RECEIPTS.to_owned(), |before| before.to_string()))
            .bind(now.micros())
            .bind(reader.map(str::to_owned))
            .bind(i64::from(limit))
            .fetch_all(&mut *connection)
            .await?;
        rows.iter().map(kept).collect()
    }

    /// Forgets what was asked; the rest of the receipt stays.
    pub async fn forget_query(&self, tenant: Id, receipt: ReceiptId) -> Result<(), StoreError> {
        self.writer
            .run(move |tx| -> BoxFuture<'_, Result<(), StoreError>> {
                let tenant = tenant.clone();
                Box::pin(async move {
                    sqlx::query(include_str!("sql/receipt_unask.sql"))
                        .bind(tenant.as_str())
                        .bind(receipt.to_string())
                        .execute(&mut tx.connection)
                        .await?;
                    Ok(())
                })
            })
            .await
    }

    /// Lets go of what is over at `now`; gives how many there were.
    pub async fn expire_receipts(&self, tenant: Id, now: Timestamp) -> Result<u64, StoreError> {
        self.writer
            .run(move |tx| -> BoxFuture<'_, Result<u64, StoreError>> {
                let tenant = tenant.clone();
                Box::pin(async move {
                    let gone = sqlx::query(include_str!("sql/receipts_expire.sql"))
                        .bind(tenant.as_str())
                        .bind(now.micros())
                        .execute(&mut tx.connection)
                        .await?;
                    Ok(gone.rows_affected())
                })
            })
            .await
    }
}

fn kept(found: &AnyRow) -> Result<Kept, StoreError> {
    let receipt: String = found.try_get(0)?;
    let query: Option<String> = found.try_get(4)?;
    Ok(Kept {
        receipt: ReceiptId::parse(&receipt).map_err(|bad| StoreError::damaged("receipts", receipt, bad))?,
        recalled_at: Timestamp::from_micros(found.try_get(1)?),
        expires_at: Timestamp::from_micros(found.try_get(2)?),
        reader: found.try_get(3)?,
        query: query.map(Text::stored),
        body: found.try_get(5)?,
    })
}

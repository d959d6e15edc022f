//! A fingerprint of what is true for a reader, by which a caller knows whether anything changed.

use fact::{Reader, Timestamp, canonical, hex};
use sha2::{Digest as _, Sha256};
use sqlx::Row as _;

use crate::error::StoreError;
use crate::operations::SEARCH_COPY;
use crate::{Ledger, row};

/// Heads read at a time.
const BATCH_HEADS: i64 = 1_000;

impl Ledger {
    /// The digest of the truth of every fact of this reader at `now`: ids and numbers, never words. It changes with every
    /// event about one of them, when the clock brings in or ends something, and while a copy is owed; and with the
    /// memories from before the ledger that may be recalled.
    pub async fn truth_digest(&self, reader: &Reader, now: Timestamp) -> Result<String, StoreError> {
        let tokens: Option<String> = reader.tokens().map(|tokens| tokens.into_iter().collect());
        let statement = match &tokens {
            Some(_) => include_str!("sql/heads_within.sql"),
            None => include_str!("sql/heads_all.sql"),
        };
        let tokens = tokens.unwrap_or_default();
        let mut connection = self.reader().await?;
        let (mut digest, mut after) = (Sha256::new(), String::new());
        loop {
            let rows = sqlx::query(statement)
                .bind(reader.tenant.as_str())
                .bind(SEARCH_COPY)
                .bind(after.as_str())
                .bind(BATCH_HEADS)
                .bind(tokens.as_str())
                .fetch_all(&mut *connection)
                .await?;
            for found in &rows {
                after = found.try_get(0)?;
                let head = row::head(found, 1)?;
                if head.truth.is_said() && reader.may_read(&head.scope) {
                    let is_owed = found.try_get::<i64, _>(2)? > 0;
                    let holds = head.truth.settled(now);
                    digest.update(canonical(&(&head.fact, head.version, holds, is_owed)));
                }
            }
            if i64::try_from(rows.len()).map_or(true, |rows| rows < BATCH_HEADS) {
                break;
            }
        }
        drop(connection);
        for row in self.recallable_legacy(reader, now).await?.0 {
            digest.update(row.row.to_string());
        }
        Ok(hex(&digest.finalize()))
    }
}

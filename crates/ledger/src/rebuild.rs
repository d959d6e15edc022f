//! Making the tables anew from the events, in one transaction.

use fact::Position;
use futures_core::future::BoxFuture;
use sqlx::Executor as _;

use crate::batch::Batch;
use crate::derive::Step;
use crate::error::StoreError;
use crate::replay::{self, Fold};
use crate::writer::Tx;
use crate::{Ledger, tables};

impl Ledger {
    /// Empties every table that follows from the events and fills it again. Gives how many events were replayed.
    /// `progress` is told how many are done. Nothing changes when it fails.
    pub async fn rebuild(&self, progress: impl Fn(u64) + Send + Sync + 'static) -> Result<u64, StoreError> {
        let progress = std::sync::Arc::new(progress);
        self.writer
            .run(move |tx| -> BoxFuture<'_, Result<u64, StoreError>> {
                let progress = std::sync::Arc::clone(&progress);
                Box::pin(async move { refill(tx, progress.as_ref()).await })
            })
            .await
    }
}

/// Empties those tables and fills them again, within a transaction.
pub(crate) async fn refill(tx: &mut Tx, progress: &(impl Fn(u64) + Send + Sync)) -> Result<u64, StoreError> {
    tx.connection.execute(include_str!("sql/tables_empty.sql")).await?;
    crate::crash::point("rebuild.emptied");
    let mut done = 0;
    for tenant in replay::tenants(&mut tx.connection).await? {
        let secret = crate::tenant::lock(tx, &tenant, &[0; 32]).await?.secret.clone();
        let mut fold = Fold::default();
        let mut after = Position::START;
        loop {
            let batch = replay::batch(&mut tx.connection, &tenant, after).await?;
            for found in &batch {
                let stored = replay::stored(&tenant, found)?;
                let words = replay::known(stored.event.open(stored.words.as_ref())?);
                let event = &stored.event.event;
                after = event.position;
                let (before, head) = fold
                    .step(&stored.event)
                    .map_err(|forbidden| StoreError::damaged("events", after, forbidden))?;
                let step = Step::of(&tenant, event, &words, &secret, before.as_ref(), head);
                let mut batch = Batch::default();
                tables::write(&mut batch, &step);
                tables::want(&mut batch, &tenant, event, None);
                batch.run(&mut tx.connection).await?;
                crate::crash::point("rebuild.step");
                done += 1;
            }
            progress(done);
            if batch.is_empty() {
                break;
            }
        }
    }
    Ok(done)
}

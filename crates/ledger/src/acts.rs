//! What was done about a fact besides saying it: who did it, when, and why.

use fact::{Event, FactId, Position, Reader, Text};

use crate::error::StoreError;
use crate::{Ledger, row};

/// Something that was done about a fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Act {
    /// What happened.
    pub event: Event,
    /// Why, where a reason or a note was given and is not erased; none of what was held back.
    pub reason: Option<Text>,
}

impl Ledger {
    /// Of the newest `limit` events of a fact, from below `before` on, those that say nothing new, newest first. None
    /// where the fact is unknown or not this reader's.
    pub async fn acts(
        &self,
        reader: &Reader,
        fact: FactId,
        before: Option<Position>,
        limit: u32,
    ) -> Result<Option<Vec<Act>>, StoreError> {
        if self.head(reader, fact).await?.is_none() {
            return Ok(None);
        }
        let mut connection = self.reader().await?;
        let rows = sqlx::query(include_str!("sql/fact_history.sql"))
            .bind(reader.tenant.as_str())
            .bind(fact.to_string())
            .bind(before.map_or(i64::MAX, Position::get))
            .bind(i64::from(limit))
            .fetch_all(&mut *connection)
            .await?;
        let mut acts = Vec::new();
        for found in &rows {
            let stored = row::event(&reader.tenant, found, 0)?;
            if stored.event.happening.recorded().is_none() {
                let words = stored.open(row::words(found, 11)?.as_ref())?;
                // What waits, or was dismissed, is for whoever decides about it alone.
                let words = words.filter(|_| stored.event.happening.saying().is_none());
                acts.push(Act { event: stored.event, reason: words.and_then(|words| words.reason) });
            }
        }
        Ok(Some(acts))
    }
}

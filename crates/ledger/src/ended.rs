//! How facts ended, and which ran out without anybody having recorded it.

use fact::{Actor, Ending, FactId, Head, Id, Text, Timestamp, Truth};
use sqlx::Row as _;

use crate::error::StoreError;
use crate::{Ledger, row};

/// How a fact ended that can be restored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// Somebody had it forgotten.
    Forgotten {
        /// When.
        at: Timestamp,
        /// Who.
        by: Actor,
        /// Why, where a reason was given and is not erased.
        reason: Option<Text>,
    },
    /// Its time was over.
    Expired {
        /// Since when; the clock's doing, and nobody's.
        at: Timestamp,
    },
}

impl Ledger {
    /// How a fact ended by `now`; none where something of it stands, is contested, or is gone for ever.
    pub async fn ended(&self, tenant: &Id, head: &Head, now: Timestamp) -> Result<Option<Ended>, StoreError> {
        if let Truth::Ended(Ending::Retracted { at, .. }) = &head.truth {
            return self.forgotten_at(tenant, head.fact, *at).await.map(Some);
        }
        let over = head.truth.reign().filter(|_| !head.truth.stands(now));
        let until = over.and_then(|reign| reign.spans().last()).and_then(|span| span.until);
        Ok(until.map(|at| Ended::Expired { at }))
    }

    /// Facts of a tenant, in their order from after that one on, of which a revision ran out by `now`. At most `limit`.
    pub async fn lapsed(
        &self,
        tenant: &Id,
        after: Option<FactId>,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<FactId>, StoreError> {
        let mut connection = self.reader().await?;
        let rows = sqlx::query(include_str!("sql/facts_lapsed.sql"))
            .bind(tenant.as_str())
            .bind(now.micros())
            .bind(after.map_or_else(String::new, |fact| fact.to_string()))
            .bind(i64::from(limit))
            .fetch_all(&mut *connection)
            .await?;
        rows.iter().map(|found| row::fact_id("revisions", &found.try_get::<String, _>(0)?)).collect()
    }

    /// The event of that time that made a fact forgotten.
    async fn forgotten_at(&self, tenant: &Id, fact: FactId, at: Timestamp) -> Result<Ended, StoreError> {
        let mut connection = self.reader().await?;
        let found = sqlx::query(include_str!("sql/event_at.sql"))
            .bind(tenant.as_str())
            .bind(fact.to_string())
            .bind(at.micros())
            .fetch_optional(&mut *connection)
            .await?;
        let found = found.ok_or_else(|| StoreError::damaged("events", fact, "its end is missing"))?;
        let stored = row::event(tenant, &found, 0)?;
        let words = stored.open(row::words(&found, 11)?.as_ref())?;
        let reason = words.and_then(|words| words.reason);
        Ok(Ended::Forgotten { at, by: stored.event.actor, reason })
    }
}

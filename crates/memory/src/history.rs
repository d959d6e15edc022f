//! What became of a fact, besides its revisions.

use fact::{FactId, Position};
use ledger::{Act, Ended};

use crate::{Caller, Memory, MemoryError};

impl Memory {
    /// Of the newest `limit` events of a fact, from below `before` on, those that say nothing new (that it was forgotten,
    /// settled, held), newest first, each with who did it and why.
    pub async fn acts(
        &self,
        caller: &Caller,
        fact: FactId,
        before: Option<Position>,
        limit: u32,
    ) -> Result<Vec<Act>, MemoryError> {
        let now = self.now(caller.tenant()).await?;
        self.audit(caller, "acts", Some(fact), now).await;
        match self.ledger.acts(&caller.reader, fact, before, limit).await? {
            Some(acts) => Ok(acts),
            None => Err(self.missing(&caller.reader, fact).await),
        }
    }

    /// How a fact ended that the caller may read; none where something of it stands, or is contested.
    pub async fn ended(&self, caller: &Caller, fact: FactId) -> Result<Option<Ended>, MemoryError> {
        let now = self.now(caller.tenant()).await?;
        self.audit(caller, "ended", Some(fact), now).await;
        let Some(head) = self.ledger.head(&caller.reader, fact).await? else {
            return Err(self.missing(&caller.reader, fact).await);
        };
        Ok(self.ledger.ended(caller.tenant(), &head, now).await?)
    }
}

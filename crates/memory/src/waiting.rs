//! How much waits for a caller, counted without what it says; and how a fact ended.

use fact::FactId;
use ledger::Ended;

use crate::{Caller, Memory, MemoryError, Which};

/// How much waits for a caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Waiting {
    /// Open conflicts that the caller may see.
    pub conflicts: usize,
    /// Proposals that were held back, of facts that the caller may read and write.
    pub reviews: usize,
}

impl Memory {
    /// How much waits for a caller. It shows nothing of what is said, and is no read that goes on record.
    pub async fn waiting(&self, caller: &Caller) -> Result<Waiting, MemoryError> {
        let (_, conflicts) = self.ledger.open_conflicts(&caller.reader, &[], 0).await?;
        let held = self.ledger.held_back(&caller.reader).await?;
        let reviews = held.iter().filter(|held| caller.writer.may_write(&held.scope)).count();
        Ok(Waiting { conflicts, reviews })
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

    /// Facts of the whole tenant whose copy in the search index failed.
    pub async fn failed_syncs(&self, caller: &Caller) -> Result<u64, MemoryError> {
        let which = Which { tenant: Some(caller.tenant().clone()), ..Which::default() };
        Ok(self.outbox(&which).await?.failed)
    }
}

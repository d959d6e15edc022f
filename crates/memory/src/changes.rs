//! What happened to the facts of a caller, for whoever follows them.

use fact::{BadInput, Position, limits};
use ledger::Changes;

use crate::{Caller, Memory, MemoryError};

impl Memory {
    /// What changed facts of the caller's after a position, in order: ids, numbers and states, never words. At most 100.
    pub async fn changes(
        &self,
        caller: &Caller,
        after: Position,
        limit: usize,
    ) -> Result<Changes, MemoryError> {
        let most = limits::PAGE_ITEMS_MAX;
        if !(1..=most).contains(&limit) {
            return Err(BadInput::new("limit", format!("must be from 1 to {most}")).into());
        }
        let changes = self.ledger.changes_after(&caller.reader, after, limit).await?;
        if !changes.items.is_empty() {
            self.audit(caller, "changes", None, self.now(caller.tenant()).await?).await;
        }
        Ok(changes)
    }

    /// The position of what was recorded last in the caller's tenant.
    pub async fn last_position(&self, caller: &Caller) -> Result<Position, MemoryError> {
        let last = self.ledger.last(caller.tenant()).await?;
        Ok(last.map_or(Position::START, |(position, _)| position))
    }
}

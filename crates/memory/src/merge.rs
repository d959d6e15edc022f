//! Facts that say the same become one, and become several again.

use fact::{FactId, RequestKey, RevisionNumber};
use reconcile::{Refusal, Viewed};
use serde_json::json;

use crate::act::{DECISIONS_MAX, moment};
use crate::{Caller, Memory, MemoryError, Receipt};

/// A fact that a request names, and the version that must be the current one.
pub type Named = (FactId, Option<RevisionNumber>);

impl Memory {
    /// Merges up to 50 facts into one of the same scope: they end, and what they rest on counts for it. Their owner only;
    /// all of them or none.
    pub async fn merge(
        &self,
        caller: &Caller,
        key: Option<RequestKey>,
        survivor: Named,
        others: &[Named],
    ) -> Result<Receipt, MemoryError> {
        let asked = self.asked(caller, key, "merge", &json!({ "survivor": survivor, "others": others }))?;
        if let Some(receipt) = self.replayed(&asked).await? {
            return Ok(receipt);
        }
        for _ in 0..DECISIONS_MAX {
            let case = self.case_to_write(caller, survivor.0).await?;
            let mut cases = Vec::with_capacity(others.len());
            for (other, expected) in others {
                cases.push((self.case_to_write(caller, *other).await?, *expected));
            }
            let viewed = |(case, expected)| Viewed { case, expected };
            let others: Vec<Viewed<'_>> =
                cases.iter().map(|(case, expected)| viewed((case, *expected))).collect();
            let now = self.now(caller.tenant()).await?;
            let decision =
                reconcile::merge(viewed((&case, survivor.1)), &others, &moment(caller, now, None))?;
            if let Some(receipt) = self.record(&asked, now, decision).await? {
                return Ok(receipt);
            }
        }
        Err(MemoryError::Contention)
    }

    /// Takes a fact out of the one that it was merged into: it stands again as if it had never been. Of two that were not
    /// merged it is put on record that they are not the same. Its owner only. The other fact may be left out where the
    /// fact is merged.
    pub async fn split(
        &self,
        caller: &Caller,
        key: Option<RequestKey>,
        fact: FactId,
        from: Option<FactId>,
    ) -> Result<Receipt, MemoryError> {
        let asked = self.asked(caller, key, "split", &json!({ "fact": fact, "from": from }))?;
        if let Some(receipt) = self.replayed(&asked).await? {
            return Ok(receipt);
        }
        for _ in 0..DECISIONS_MAX {
            let case = self.case_to_write(caller, fact).await?;
            let from = from.or(case.head.truth.merged_into()).ok_or(Refusal::NotMerged)?;
            let other = match self.case_to_write(caller, from).await {
                Ok(other) => Some(other),
                // It was moved out of sight since: what was merged into it is its owner's all the same.
                Err(MemoryError::NotFound | MemoryError::NotPermitted)
                    if case.head.truth.merged_into() == Some(from) =>
                {
                    None
                }
                Err(error) => return Err(error),
            };
            let now = self.now(caller.tenant()).await?;
            let decision = reconcile::split(&case, from, other.as_ref(), &moment(caller, now, None))?;
            if let Some(receipt) = self.record(&asked, now, decision).await? {
                return Ok(receipt);
            }
        }
        Err(MemoryError::Contention)
    }
}

//! Reading facts.

use fact::{Actor, FactId, Reader, RevisionNumber, Sight, Timestamp, Truth};
use ledger::{Audit, Cursor, Filter, HeldBack, Instant, OpenConflict, Page, Seen};
use reconcile::Refusal;
use serde::{Deserialize, Serialize};

use crate::{Caller, Memory, MemoryError};

/// The times that a read asks about; now, where it does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Times {
    /// What was known then.
    pub as_of: Option<Timestamp>,
    /// What was true then.
    pub valid_at: Option<Timestamp>,
}

impl Times {
    pub(crate) fn instant(self, now: Timestamp) -> Instant {
        let known = self.as_of.unwrap_or(now);
        Instant { known, valid: self.valid_at.unwrap_or(known) }
    }
}

impl Memory {
    /// The current revision of a fact, or that of another time.
    pub async fn get(&self, caller: &Caller, fact: FactId, times: Times) -> Result<Seen, MemoryError> {
        let now = self.now(caller.tenant()).await?;
        self.audit(caller, "get", Some(fact), now).await;
        match self.ledger.get(&caller.reader, fact, times.instant(now)).await? {
            Some(seen) => Ok(seen),
            None if times == Times::default() => Err(self.why_nothing(&caller.reader, fact, now).await?),
            None => Err(self.missing(&caller.reader, fact).await),
        }
    }

    /// One revision of a fact by its number, whatever its state.
    pub async fn revision(
        &self,
        caller: &Caller,
        fact: FactId,
        number: RevisionNumber,
    ) -> Result<Seen, MemoryError> {
        let page = self.revisions(caller, fact, Some(number.next()), 1).await?;
        page.into_iter().find(|seen| seen.revision.number == number).ok_or(MemoryError::NotFound)
    }

    /// The revisions of a fact, newest first, from below `before` on, at most `limit`.
    pub async fn revisions(
        &self,
        caller: &Caller,
        fact: FactId,
        before: Option<RevisionNumber>,
        limit: u32,
    ) -> Result<Vec<Seen>, MemoryError> {
        let now = self.now(caller.tenant()).await?;
        self.audit(caller, "revisions", Some(fact), now).await;
        let page = self.ledger.revisions(&caller.reader, fact, before, limit, now).await?;
        if page.is_empty() && self.ledger.head(&caller.reader, fact).await?.is_none() {
            return Err(self.missing(&caller.reader, fact).await);
        }
        Ok(page)
    }

    /// A page of revisions, newest first.
    pub async fn list(
        &self,
        caller: &Caller,
        filter: &Filter,
        times: Times,
        after: Option<&Cursor>,
        limit: usize,
    ) -> Result<Page, MemoryError> {
        let now = self.now(caller.tenant()).await?;
        self.audit(caller, "list", None, now).await;
        Ok(self.ledger.list(&caller.reader, filter, times.instant(now), after, limit).await?)
    }

    /// A digest of what is true now for the caller, without a word of it: equal as long as nothing changed that a recall
    /// could show, a restart included. It reads the head of each fact.
    pub async fn truth_digest(&self, caller: &Caller) -> Result<String, MemoryError> {
        let now = self.now(caller.tenant()).await?;
        Ok(self.ledger.truth_digest(&caller.reader, now).await?)
    }

    /// Open conflicts that the caller may see, newest first, and how many there are.
    pub async fn conflicts(
        &self,
        caller: &Caller,
        limit: usize,
    ) -> Result<(Vec<OpenConflict>, usize), MemoryError> {
        let now = self.now(caller.tenant()).await?;
        self.audit(caller, "conflicts", None, now).await;
        Ok(self.ledger.open_conflicts(&caller.reader, &[], limit).await?)
    }

    /// Proposals that wait for the caller's decision: of facts that the caller may read and write.
    pub async fn held_back(&self, caller: &Caller) -> Result<Vec<HeldBack>, MemoryError> {
        let now = self.now(caller.tenant()).await?;
        self.audit(caller, "review", None, now).await;
        let mut waiting = self.ledger.held_back(&caller.reader).await?;
        waiting.retain(|held| caller.writer.may_write(&held.scope));
        Ok(waiting)
    }

    /// Says which fact it is that has nothing current, where the caller may know.
    async fn why_nothing(
        &self,
        reader: &Reader,
        fact: FactId,
        now: Timestamp,
    ) -> Result<MemoryError, MemoryError> {
        let Some(head) = self.ledger.head(reader, fact).await? else {
            return Ok(self.missing(reader, fact).await);
        };
        let into = head.truth.merged_into();
        if let Some(into) = into
            && self.ledger.head(reader, into).await?.is_some()
        {
            return Ok(MemoryError::Refused(Refusal::Merged { into }));
        }
        let state = match &head.truth {
            Truth::Contested(_) => "contested",
            Truth::Ended(_) => head.truth.name(),
            Truth::Settled(_) if head.truth.next_turn(now).is_some() => "not yet valid",
            Truth::Settled(_) => "expired",
        };
        Ok(MemoryError::NotCurrent { state })
    }

    /// Puts an operator's read on record. The read stands when that fails.
    pub(crate) async fn audit(
        &self,
        caller: &Caller,
        act: &'static str,
        fact: Option<FactId>,
        at: Timestamp,
    ) {
        match (&caller.reader.sight, &caller.actor) {
            (Sight::Operator, actor) => {
                let audit =
                    Audit { tenant: caller.tenant().clone(), at, reader: Actor::clone(actor), act, fact };
                if let Err(error) = self.ledger.audit(audit).await {
                    self.unaudited(&error);
                }
            }
            (Sight::Admin | Sight::Within(_) | Sight::InRun(..), _) => {}
        }
    }
}

//! What operators do with the ledger: check, rebuild, erase, dump, load.

use std::collections::BTreeMap;
use std::io;

use fact::{FactId, Position, RequestKey, RevisionNumber, State};
use ledger::{Erase, EraseError, Erased, Report, StoreError};

use crate::{Caller, Memory, MemoryError};

impl Memory {
    /// Replays the ledger, checks its chain and every word, and compares the tables with what follows from it. How it
    /// ended is kept for the status.
    pub async fn check(&self, progress: impl Fn(u64) + Send) -> Result<Report, MemoryError> {
        let report = self.ledger.check(progress).await?;
        if let Err(error) = self.ledger.keep_check(&report, self.clock.now()).await {
            tracing::warn!(%error, "how the ledger's check ended could not be kept");
        }
        Ok(report)
    }

    /// Makes the ledger's tables anew from its events.
    pub async fn rebuild(&self, progress: impl Fn(u64) + Send + Sync + 'static) -> Result<u64, MemoryError> {
        let events = self.ledger.rebuild(progress).await?;
        self.projector.resume();
        self.project_all(self.clock.now()).await?;
        Ok(events)
    }

    /// Erases the words of a fact, of one revision, or of a memory from before the ledger, for ever: from the ledger, its
    /// log, and the index.
    pub async fn erase(
        &self,
        caller: &Caller,
        key: Option<RequestKey>,
        fact: FactId,
        revision: Option<RevisionNumber>,
    ) -> Result<Erased, MemoryError> {
        let Some(head) = self.ledger.head_of_any(&caller.reader, fact).await? else {
            self.erase_legacy(caller, fact).await?;
            self.erase_copies(caller).await?;
            return Ok(Erased { revisions: Vec::new(), position: Position::START });
        };
        if !caller.writer.may_write(&head.scope) {
            return Err(MemoryError::NotPermitted);
        }
        reconcile::check_erasure(&head, &caller.actor)?;
        let now = self.now(caller.tenant()).await?;
        let tenant = caller.tenant().clone();
        let erase = Erase { tenant, fact, revision, actor: caller.actor.clone(), now, request: key };
        let erased = self.ledger.erase(erase).await;
        match &erased {
            // The words are gone from the ledger, now or before: no copy may keep them.
            Ok(_) | Err(EraseError::LogInUse | EraseError::NotFound) => {
                self.erase_copies(caller).await?;
            }
            Err(EraseError::LegalHold | EraseError::KeyReused | EraseError::Store(_)) => {}
        }
        Ok(erased?)
    }

    async fn erase_copies(&self, caller: &Caller) -> Result<(), MemoryError> {
        self.projector.resume();
        self.project_all(self.now(caller.tenant()).await?).await?;
        Ok(self.index.purge().await?)
    }

    /// Writes the whole history, line by line.
    pub async fn dump(
        &self,
        out: impl FnMut(&str) -> io::Result<()> + Send,
        progress: impl Fn(u64) + Send,
    ) -> Result<u64, MemoryError> {
        Ok(self.ledger.dump(out, progress).await?)
    }

    /// Reads a whole history into an empty ledger.
    pub async fn load(
        &self,
        lines: impl Iterator<Item = io::Result<String>> + Send,
        progress: impl Fn(u64) + Send,
    ) -> Result<u64, MemoryError> {
        let events = self.ledger.load(lines, progress).await?;
        self.projector.resume();
        self.project_all(self.clock.now()).await?;
        Ok(events)
    }

    /// How many events there are.
    pub async fn events(&self) -> Result<u64, MemoryError> {
        Ok(self.ledger.events().await?)
    }

    /// Revisions of the caller's tenant by state now.
    pub async fn counts(&self, caller: &Caller) -> Result<BTreeMap<State, u64>, MemoryError> {
        let now = self.now(caller.tenant()).await?;
        Ok(self.ledger.counts(caller.tenant(), now).await?)
    }

    /// Says that a read could not be put on record.
    pub(crate) fn unaudited(&self, error: &StoreError) {
        tracing::warn!(%error, "an operator's read could not be put on record");
    }
}

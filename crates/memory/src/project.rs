//! The searchable copy as operators see it: what waits, what failed, what drifted, and how it is put right.

use std::time::Duration;

use fact::{Container, Id, Timestamp};
use ledger::{Outbox, Reported, Which};
use projection::{Checked, Rebuilt, Retried};

use crate::{Memory, MemoryError};

impl Memory {
    /// Carries out everything that is due on the search index. Gives how many facts it brought up to date.
    pub async fn project_all(&self, now: Timestamp) -> Result<usize, MemoryError> {
        let mut done = 0;
        loop {
            let step = self.projector.step(now).await?;
            done += step.done;
            if step.is_idle() {
                return Ok(done);
            }
        }
    }

    /// Carries out what others record and what the clock makes due, every `poll`, until it is dropped; and puts on
    /// record what ran out. What this process records needs no waiting.
    pub async fn keep_projecting(&self, poll: Duration) {
        loop {
            self.catch_up(self.clock.now()).await;
            if let Err(error) = self.sweep_all().await {
                tracing::warn!(%error, "what ran out could not be put on record");
            }
            tokio::time::sleep(poll).await;
        }
    }

    async fn sweep_all(&self) -> Result<(), MemoryError> {
        for tenant in self.ledger.tenants().await? {
            self.sweep(&tenant).await?;
        }
        Ok(())
    }

    /// What a service does before it serves: tries once more what failed, and checks the rows of every owner.
    pub async fn start_projecting(&self) -> Result<Vec<(Id, Checked)>, MemoryError> {
        self.projector.retry(&Which::default(), self.clock.now()).await?;
        let mut checked = Vec::new();
        for tenant in self.ledger.tenants().await? {
            let found = self.check_index(&tenant, None, |_| {}).await?;
            checked.push((tenant, found));
        }
        Ok(checked)
    }

    /// What waits for the search index, and what failed.
    pub async fn outbox(&self, which: &Which) -> Result<Outbox, MemoryError> {
        let attempts = self.projector.settings().attempts_max;
        Ok(self.ledger.outbox(which, attempts, self.time_of(which).await?).await?)
    }

    /// Tries what failed once more, then checks the rows of whom it is about.
    pub async fn retry(&self, which: &Which) -> Result<Retried, MemoryError> {
        let retried = self.projector.retry(which, self.time_of(which).await?).await?;
        if let Some(tenant) = &which.tenant {
            self.check_index(tenant, which.owner.as_ref(), |_| {}).await?;
        }
        Ok(retried)
    }

    /// Compares the search index with the ledger, row by row, and keeps what it found for each owner.
    pub async fn check_index(
        &self,
        tenant: &Id,
        owner: Option<&Container>,
        progress: impl Fn(u64) + Send,
    ) -> Result<Checked, MemoryError> {
        Ok(self.projector.check(tenant, owner, self.now(tenant).await?, progress).await?)
    }

    /// Makes again what drifted. Gives how many facts that are.
    pub async fn repair_index(
        &self,
        tenant: &Id,
        owner: Option<&Container>,
        progress: impl Fn(u64) + Send,
    ) -> Result<usize, MemoryError> {
        self.projector.resume();
        Ok(self.projector.repair(tenant, owner, self.now(tenant).await?, progress).await?)
    }

    /// Makes the rows of all of a tenant's facts anew, while recall goes on. `progress` is told how many are made.
    pub async fn rebuild_index(
        &self,
        tenant: &Id,
        progress: impl Fn(u64) + Send,
    ) -> Result<Rebuilt, MemoryError> {
        Ok(self.projector.rebuild(tenant, self.now(tenant).await?, progress).await?)
    }

    /// The model by which is searched, where it is not that of today: a rebuild lets today's take over.
    pub async fn outdated_model(&self) -> Option<String> {
        let serving = self.index.serving().await.ok()??;
        let today = self.models.embedder.as_ref()?.model().await.ok()?;
        (today.to_string() != serving).then_some(serving)
    }

    /// How many facts a tenant has, whatever their state.
    pub async fn facts(&self, tenant: &Id) -> Result<u64, MemoryError> {
        Ok(self.ledger.facts(tenant).await?)
    }

    /// The last check of each owner of a tenant.
    pub async fn index_reports(&self, tenant: &Id) -> Result<Vec<Reported>, MemoryError> {
        Ok(self.ledger.reports(tenant).await?)
    }

    /// Whether the ledger knows a fact of that owner.
    pub async fn owns_facts(&self, tenant: &Id, owner: &Container) -> Result<bool, MemoryError> {
        Ok(!self.ledger.facts_after(tenant, Some(&owner.token()), None, 1).await?.is_empty())
    }

    /// Does what the clock made due, so that a recall finds what begins now. A failure is seen in what waits.
    pub(crate) async fn catch_up(&self, now: Timestamp) {
        let idle = self.ledger.due(now, self.projector.settings().attempts_max, 1).await;
        if idle.is_ok_and(|due| due.is_empty()) {
            return;
        }
        if let Err(error) = self.projector.catch_up(now).await {
            tracing::warn!(%error, "the search index could not be brought up to date");
        }
    }

    async fn time_of(&self, which: &Which) -> Result<Timestamp, MemoryError> {
        match &which.tenant {
            Some(tenant) => self.now(tenant).await,
            None => Ok(self.clock.now()),
        }
    }
}

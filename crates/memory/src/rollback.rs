//! Taking an adoption back: what it made is forgotten in its name, but for what its owner has changed since.

use fact::{AdoptionId, FactId, Id, RequestKey, RevisionNumber};
use ledger::{Adoption, StepDone, StepOutcome};
use reconcile::Refusal;

use crate::adoption::{came_to, check_decides, step_key};
use crate::{Caller, Memory, MemoryError};

/// What taking an adoption back came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RolledBack {
    /// The adoption.
    pub adoption: AdoptionId,
    /// Whether it had been taken back before, and nothing was done now.
    pub was_rolled_back: bool,
    /// What each step came to; and why, where what it made stays.
    pub steps: Vec<(StepDone, Option<String>)>,
}

impl Memory {
    /// Takes an adoption back as a unit: what it made is forgotten and names it as the reason, and its rows wait for
    /// another review. What the owner changed since stays, and its row says so. They are not recalled again without a
    /// review. An adoption that is unfinished is taken back as far as it came.
    pub async fn roll_back(
        &self,
        caller: &Caller,
        adoption: AdoptionId,
        progress: impl Fn(usize) + Send,
    ) -> Result<RolledBack, MemoryError> {
        let found = self.readable_adoption(caller, adoption).await?;
        check_decides(caller, &found.scope)?;
        let tenant = caller.tenant().clone();
        // No step is done any more from here on, whoever applies it.
        self.ledger.close_adoption(tenant.clone(), adoption, self.now(&tenant).await?).await?;
        let mut steps = Vec::new();
        let mut is_new = false;
        for done in self.done_by(&tenant, &found).await? {
            if matches!(done.outcome, StepOutcome::TakenBack | StepOutcome::Left) {
                steps.push((done, None));
                continue;
            }
            is_new = true;
            let (done, kept) = self.step_back(caller, adoption, done).await?;
            steps.push((done, kept));
            progress(1);
        }
        let now = self.now(&tenant).await?;
        self.ledger.adoption_rolled_back(tenant, adoption, now).await?;
        self.catch_up(now).await;
        let was_rolled_back = found.rolled_back_at.is_some() && !is_new;
        Ok(RolledBack { adoption, was_rolled_back, steps })
    }

    /// What the steps came to, with those whose fact was made before its process died.
    async fn done_by(&self, tenant: &Id, found: &Adoption) -> Result<Vec<StepDone>, MemoryError> {
        let mut all = self.ledger.adoption_steps(tenant, found.adoption).await?;
        for step in 1..=found.steps {
            if all.iter().any(|done| done.step == step) {
                continue;
            }
            let key = step_key(found.adoption, step)?;
            if let Some(receipt) = self.answered_as(tenant, &key).await? {
                let (fact, outcome) = (Some((receipt.fact, receipt.revision)), came_to(receipt.outcome));
                let rows = self.ledger.cited_by(tenant, receipt.fact).await?;
                all.push(StepDone { step, outcome, rows, fact });
            }
        }
        all.sort_by_key(|done| done.step);
        Ok(all)
    }

    /// Takes back what a step made, unless it was changed since: then it says why it stays. Its rows wait again.
    pub(crate) async fn step_back(
        &self,
        caller: &Caller,
        adoption: AdoptionId,
        done: StepDone,
    ) -> Result<(StepDone, Option<String>), MemoryError> {
        let kept = match (done.outcome, done.fact) {
            (StepOutcome::Adopted, Some(made)) => self.take_back(caller, adoption, done.step, made).await?,
            _ => None,
        };
        let outcome = if kept.is_some() { StepOutcome::Left } else { StepOutcome::TakenBack };
        let done = StepDone { outcome, ..done };
        ledger::crash::point("rollback.recorded");
        let (tenant, now) = (caller.tenant(), self.now(caller.tenant()).await?);
        self.ledger.adoption_step_back(tenant.clone(), adoption, done.clone(), now).await?;
        Ok((done, kept))
    }

    /// Forgets what a step made; or says why it stays.
    async fn take_back(
        &self,
        caller: &Caller,
        adoption: AdoptionId,
        step: u32,
        (fact, revision): (FactId, RevisionNumber),
    ) -> Result<Option<String>, MemoryError> {
        let key = RequestKey::parse(&format!("rollback-{adoption}.{step}"))?;
        let reason = format!("adoption {adoption} was taken back");
        match self.forget(caller, Some(key), fact, Some(revision), Some(&reason)).await {
            // Its owner has forgotten or erased it: nothing of it stays.
            Ok(_)
            | Err(
                MemoryError::Refused(Refusal::NotCurrent)
                | MemoryError::NotFound
                | MemoryError::NotCurrent { .. },
            ) => Ok(None),
            Err(error @ (MemoryError::Refused(_) | MemoryError::NotPermitted)) => Ok(Some(error.to_string())),
            Err(error) => Err(error),
        }
    }
}

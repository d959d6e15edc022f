//! Taking an adoption back: what it made is forgotten in its name, but for what its owner has changed since.

use fact::{AdoptionId, FactId, RequestKey, RevisionNumber};
use ledger::{StepDone, StepOutcome};

use crate::act::check_write;
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
        check_write(caller, &found.scope)?;
        if !caller.actor.is_person() {
            return Err(MemoryError::NotPermitted);
        }
        let tenant = caller.tenant().clone();
        let was_rolled_back = found.rolled_back_at.is_some();
        let mut steps = Vec::new();
        for done in self.ledger.adoption_steps(&tenant, adoption).await? {
            if was_rolled_back || matches!(done.outcome, StepOutcome::TakenBack | StepOutcome::Left) {
                steps.push((done, None));
                continue;
            }
            let kept = match (done.outcome, done.fact) {
                (StepOutcome::Adopted, Some(made)) => {
                    self.take_back(caller, adoption, done.step, made).await?
                }
                _ => None,
            };
            let outcome = if kept.is_some() { StepOutcome::Left } else { StepOutcome::TakenBack };
            let done = StepDone { outcome, ..done };
            ledger::crash::point("rollback.recorded");
            let now = self.now(&tenant).await?;
            self.ledger.adoption_step_back(tenant.clone(), adoption, done.clone(), now).await?;
            steps.push((done, kept));
            progress(1);
        }
        if !was_rolled_back {
            let now = self.now(&tenant).await?;
            self.ledger.end_adoption(tenant, adoption, true, now).await?;
            self.catch_up(now).await;
        }
        Ok(RolledBack { adoption, was_rolled_back, steps })
    }

    /// Forgets what a step made, unless it was changed since: then it says why it stays.
    pub(crate) async fn take_back(
        &self,
        caller: &Caller,
        adoption: AdoptionId,
        step: u32,
        (fact, revision): (FactId, RevisionNumber),
    ) -> Result<Option<String>, MemoryError> {
        let key = RequestKey::parse(&format!("rollback-{adoption}.{step}"))?;
        let reason = format!("adoption {adoption} was taken back");
        match self.forget(caller, Some(key), fact, Some(revision), Some(&reason)).await {
            Ok(_) => Ok(None),
            Err(
                error @ (MemoryError::Refused(_)
                | MemoryError::NotFound
                | MemoryError::NotPermitted
                | MemoryError::NotCurrent { .. }),
            ) => Ok(Some(error.to_string())),
            Err(error) => Err(error),
        }
    }
}

//! Another try for what failed.

use fact::Timestamp;
use index::Source;
use ledger::Which;

use crate::{ProjectionError, Projector};

/// What became of the operations that were tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Retried {
    /// How many were tried again.
    pub retried: u64,
    /// How many of them are done.
    pub succeeded: u64,
    /// How many of them are not.
    pub failed: u64,
    /// How many of these have changed since they first failed.
    pub blocked: u64,
}

impl Projector {
    /// Tries what failed once more. Where the index cannot be reached, nothing is changed.
    pub async fn retry(&self, which: &Which, now: Timestamp) -> Result<Retried, ProjectionError> {
        let desk = &self.desk;
        let failed = desk.ledger.outbox(which, desk.settings.attempts_max, now).await?;
        let Some(first) = failed.failing.first() else { return Ok(Retried::default()) };
        let key = [(first.tenant.clone(), first.fact)];
        desk.index.versions(Source::of(first.fact), &key).await.map_err(ProjectionError::Index)?;
        desk.index.rows(&first.tenant, first.fact).await.map_err(ProjectionError::Index)?;
        self.resume();
        let facts = desk.ledger.renew(which, desk.settings.attempts_max, now).await?;
        desk.all(now).await?;
        let mut retried = Retried::default();
        for (tenant, fact) in &facts {
            let left = desk.ledger.operation_of(tenant, *fact, now).await?;
            retried.retried += 1;
            retried.failed += u64::from(left.is_some());
        }
        retried.succeeded = retried.retried - retried.failed;
        retried.blocked = desk.ledger.outbox(which, desk.settings.attempts_max, now).await?.blocked;
        Ok(retried)
    }
}

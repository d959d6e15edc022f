//! Makes the searchable copy equal to the truth of the ledger: it looks at both and never replays a difference.
//!
//! It does not decide what is current, and holds no SQL.

use std::sync::Arc;

use fact::{FactId, Id, Reader, Sight, Timestamp};
use index::{IndexError, Row, SearchIndex, Source, Write};
use ledger::{Failed, Finished, Ledger, Operation, Sought, StoreError};

/// Work orders taken at a time: one transaction of the index.
const BATCH_OPERATIONS: u32 = 128;
/// How long a work order that failed waits: doubled with each attempt, up to the longest.
const RETRY_MICROS: i64 = 1_000_000;
const RETRY_DOUBLINGS_MAX: u32 = 8;

/// Carries work orders from the ledger out on the index.
#[derive(Clone)]
pub struct Projector {
    ledger: Ledger,
    index: Arc<dyn SearchIndex>,
}

/// What one step did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Step {
    /// Work orders carried out.
    pub done: usize,
    /// Work orders that failed, and wait for another attempt.
    pub failed: usize,
}

/// Why a step was not made. No attempt was used up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProjectionError {
    /// The ledger cannot be read or written.
    #[error("the ledger failed: {0}")]
    Ledger(#[from] StoreError),
    /// The index takes nothing from anyone.
    #[error("the index failed: {0}")]
    Index(IndexError),
}

/// A work order with what has to be written for it.
struct Plan {
    operation: Operation,
    write: Write,
    next: Option<Timestamp>,
}

impl Projector {
    /// Projects from `ledger` to `index`.
    pub fn new(ledger: Ledger, index: Arc<dyn SearchIndex>) -> Self {
        Self { ledger, index }
    }

    /// Carries out a batch of the work orders that are due at `now`. Nothing is left to do when it did nothing.
    pub async fn step(&self, now: Timestamp) -> Result<Step, ProjectionError> {
        let operations = self.ledger.due(now, BATCH_OPERATIONS).await?;
        let (mut plans, mut failed) = (Vec::new(), Vec::new());
        for operation in operations {
            match self.plan(&operation, now).await {
                Ok(plan) => plans.push(plan),
                Err(StoreError::Damaged { .. }) => failed.push(failure(operation, "ledger-damaged", now)),
                Err(error) => return Err(error.into()),
            }
        }
        ledger::crash::point("project.planned");
        let finished = self.write(plans, &mut failed, now).await?;
        ledger::crash::point("project.written");
        let step = Step { done: finished.len(), failed: failed.len() };
        if !failed.is_empty() {
            self.ledger.fail(failed).await?;
        }
        if !finished.is_empty() {
            self.ledger.finish(finished).await?;
        }
        ledger::crash::point("project.finished");
        Ok(step)
    }

    /// What makes the copy of one fact equal to its truth at `now`.
    async fn plan(&self, operation: &Operation, now: Timestamp) -> Result<Plan, StoreError> {
        let reader = Reader { tenant: operation.tenant.clone(), sight: Sight::Admin };
        let case = self.ledger.case(&reader, &Sought::Fact(operation.fact)).await?;
        let truth = case.as_ref().map(|case| &case.head.truth);
        let next = truth.and_then(|truth| truth.next_turn(now));
        let row = case.as_ref().and_then(|case| {
            let number =
                case.head.truth.settled(now).filter(|number| !case.head.quarantined.contains(number))?;
            let content = case.revision(number)?.content()?;
            Some(Row {
                source: Source::Fact,
                fact: case.head.fact,
                revision: number,
                kind: case.head.kind.clone(),
                scope: case.head.scope.clone(),
                digest: content.hash(),
                text: content.text(),
            })
        });
        let write = row.map_or_else(|| remove(&operation.tenant, operation.fact), Write::Put);
        Ok(Plan { operation: operation.clone(), write, next })
    }

    /// Writes all in one transaction; when the index refuses that, one by one, so that only the refused one fails.
    async fn write(
        &self,
        plans: Vec<Plan>,
        failed: &mut Vec<Failed>,
        now: Timestamp,
    ) -> Result<Vec<Finished>, ProjectionError> {
        let writes: Vec<Write> = plans.iter().map(|plan| plan.write.clone()).collect();
        if writes.is_empty() {
            return Ok(Vec::new());
        }
        match self.index.replace(&writes).await {
            Ok(()) => return Ok(plans.into_iter().map(finished).collect()),
            Err(IndexError::Refused(_)) => {}
            Err(error) => return Err(ProjectionError::Index(error)),
        }
        let mut done = Vec::new();
        for plan in plans {
            match self.index.replace(std::slice::from_ref(&plan.write)).await {
                Ok(()) => done.push(finished(plan)),
                Err(IndexError::Refused(_)) => failed.push(failure(plan.operation, "index-refused", now)),
                Err(error) => return Err(ProjectionError::Index(error)),
            }
        }
        Ok(done)
    }
}

fn remove(tenant: &Id, fact: FactId) -> Write {
    Write::Remove { tenant: tenant.clone(), source: Source::Fact, fact }
}

fn finished(plan: Plan) -> Finished {
    Finished { operation: plan.operation, next: plan.next }
}

fn failure(operation: Operation, error: &'static str, now: Timestamp) -> Failed {
    let doublings = operation.attempts.min(RETRY_DOUBLINGS_MAX);
    let wait = RETRY_MICROS << doublings;
    Failed { operation, error, next: Timestamp::from_micros(now.micros() + wait) }
}

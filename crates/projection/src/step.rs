//! One step: take, look, plan, write, conclude.

use fact::Timestamp;
use index::{IndexError, Source, Version, Write};
use ledger::{Attempt, Concluded, Operation, StoreError};

use crate::error::class;
use crate::plan::{Plan, Unembedded};
use crate::{Desk, ProjectionError};

/// The class of an attempt that another writer was faster than.
const OVERTAKEN: &str = "overtaken";

/// What one step did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Step {
    /// Operations carried out.
    pub done: usize,
    /// Operations that failed, and wait for another attempt or for a person.
    pub failed: usize,
    /// Operations that are due again without an attempt used up: another writer was faster, or nobody could say what
    /// the fact means.
    pub unmade: usize,
}

impl Step {
    /// Whether there was nothing to do.
    pub fn is_idle(&self) -> bool {
        *self == Self::default()
    }
}

impl Desk {
    pub(crate) async fn step(&self, now: Timestamp) -> Result<Step, ProjectionError> {
        let settings = &self.settings;
        let due = self.ledger.due(now, settings.attempts_max, settings.batch_operations).await?;
        if due.is_empty() {
            return Ok(Step::default());
        }
        if let Some(until) = self.pause.until(now) {
            return Err(ProjectionError::Paused { until });
        }
        let taken = self.ledger.claim(due, self.lease(now), now).await?;
        ledger::crash::point("project.claimed");
        self.carry_out(taken, now).await
    }

    /// Steps until nothing is due.
    pub(crate) async fn all(&self, now: Timestamp) -> Result<(), ProjectionError> {
        while !self.step(now).await?.is_idle() {}
        Ok(())
    }

    /// Carries out operations that we hold.
    pub(crate) async fn carry_out(
        &self,
        taken: Vec<Operation>,
        now: Timestamp,
    ) -> Result<Step, ProjectionError> {
        if taken.is_empty() {
            return Ok(Step::default());
        }
        if let Some(until) = self.pause.enter(now, &self.settings) {
            self.leave(taken, "index-unreachable", until, now).await?;
            return Err(ProjectionError::Paused { until });
        }
        match self.attempt(&taken, now).await {
            Ok(concluded) => {
                self.pause.end();
                let step = count(&concluded);
                self.conclude(concluded, now).await?;
                ledger::crash::point("project.concluded");
                Ok(step)
            }
            Err(ProjectionError::Index(error)) => {
                let until = self.pause.begin(now, &self.settings);
                self.leave(taken, class(&error), until, now).await?;
                Err(ProjectionError::Index(error))
            }
            Err(error @ (ProjectionError::Ledger(_) | ProjectionError::Paused { .. })) => Err(error),
        }
    }

    /// The error is that of an index, or a ledger, that takes nothing from anyone.
    async fn attempt(&self, taken: &[Operation], now: Timestamp) -> Result<Vec<Concluded>, ProjectionError> {
        let versions = self.versions(taken).await?;
        let (mut plans, mut concluded) = (Vec::with_capacity(taken.len()), Vec::with_capacity(taken.len()));
        for (operation, version) in taken.iter().cloned().zip(versions) {
            match self.plan(operation, version, now).await {
                Ok(plan) => plans.push(plan),
                Err((operation, StoreError::Damaged { .. })) => {
                    concluded.push(self.failed(operation, "ledger-damaged", now));
                }
                Err((_, error)) => return Err(error.into()),
            }
        }
        ledger::crash::point("project.planned");
        self.embed(&mut plans, now).await?;
        ledger::crash::point("project.embedded");
        concluded.extend(self.write(plans, now).await?);
        ledger::crash::point("project.written");
        Ok(concluded)
    }

    /// How often the index has written about each, in their order.
    async fn versions(&self, taken: &[Operation]) -> Result<Vec<Version>, ProjectionError> {
        let mut versions = vec![Version::default(); taken.len()];
        for source in [Source::Fact, Source::Legacy] {
            let places: Vec<usize> =
                (0..taken.len()).filter(|place| Source::of(taken[*place].fact) == source).collect();
            let keys: Vec<_> =
                places.iter().map(|place| (taken[*place].tenant.clone(), taken[*place].fact)).collect();
            if keys.is_empty() {
                continue;
            }
            let found = self.index.versions(source, &keys).await.map_err(ProjectionError::Index)?;
            places.into_iter().zip(found).for_each(|(place, version)| versions[place] = version);
        }
        Ok(versions)
    }

    /// Writes all in one transaction; when the index refuses that, one by one, so that only the refused one fails.
    async fn write(&self, plans: Vec<Plan>, now: Timestamp) -> Result<Vec<Concluded>, ProjectionError> {
        let writes: Vec<Write> = plans.iter().map(Plan::write).collect();
        if writes.is_empty() {
            return Ok(Vec::new());
        }
        match self.index.replace(&writes).await {
            Ok(made) => {
                return Ok(plans
                    .into_iter()
                    .zip(made)
                    .map(|(plan, made)| self.written(plan, made, now))
                    .collect());
            }
            Err(IndexError::Refused(_)) => {}
            Err(error) => return Err(ProjectionError::Index(error)),
        }
        let mut concluded = Vec::with_capacity(plans.len());
        for plan in plans {
            match self.index.replace(&[plan.write()]).await {
                Ok(made) => concluded.push(self.written(plan, made == [true], now)),
                Err(error @ IndexError::Refused(_)) => {
                    concluded.push(self.failed(plan.operation, class(&error), now));
                }
                Err(error) => return Err(ProjectionError::Index(error)),
            }
        }
        Ok(concluded)
    }

    fn failed(&self, operation: Operation, error: &'static str, now: Timestamp) -> Concluded {
        let next = self.settings.next_attempt(operation.fact, operation.attempts, now);
        Concluded { operation, attempt: Attempt::Failed { error, next }, owner: None }
    }

    /// How the attempt ended, after the row was written or another was faster.
    fn written(&self, plan: Plan, made: bool, now: Timestamp) -> Concluded {
        let Plan { operation, unembedded, next, owner, .. } = plan;
        let attempt = match (made, unembedded) {
            (false, _) => Attempt::Unmade { error: OVERTAKEN, next: now },
            (true, None) => Attempt::Done { next },
            (true, Some(Unembedded::Later { error, next })) => Attempt::Unmade { error, next },
            (true, Some(Unembedded::Refused)) => {
                let next = self.settings.next_attempt(operation.fact, operation.attempts, now);
                Attempt::Failed { error: "embedder-refused", next }
            }
        };
        Concluded { operation, attempt, owner: owner.filter(|_| made) }
    }

    /// Gives operations back: no attempt was made.
    async fn leave(
        &self,
        taken: Vec<Operation>,
        error: &'static str,
        next: Timestamp,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let attempt = Attempt::Unmade { error, next };
        let left = taken.into_iter().map(|operation| Concluded { operation, attempt, owner: None }).collect();
        self.conclude(left, now).await
    }

    /// What is no longer ours to conclude, another has taken over.
    async fn conclude(&self, concluded: Vec<Concluded>, now: Timestamp) -> Result<(), StoreError> {
        self.ledger.conclude(concluded, self.holder.clone(), now).await?;
        Ok(())
    }
}

fn count(concluded: &[Concluded]) -> Step {
    let mut step = Step::default();
    for one in concluded {
        match one.attempt {
            Attempt::Done { .. } => step.done += 1,
            Attempt::Failed { .. } => step.failed += 1,
            Attempt::Unmade { .. } => step.unmade += 1,
        }
    }
    step
}

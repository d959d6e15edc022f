//! What runs on the searchable copy, or ran last: one thing at a time for whom it is about.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use truthkeeper::{CopyReport, Memory, MemoryError, Retried, Which};

use super::super::work::Work;
use crate::plain::counted;
use crate::wire::damage;

/// Whose last jobs are known.
const JOBS_MAX: usize = 200;

/// What runs, or ran last, by whom it is about.
#[derive(Clone, Default)]
pub(crate) struct Jobs(Arc<Mutex<BTreeMap<String, Arc<Job>>>>);

/// What is to be done.
pub(super) enum Task {
    Retry(Vec<Which>),
    Check(Vec<Which>),
    Repair(Vec<Which>),
}

/// What was begun.
pub(super) struct Job {
    pub(super) work: Arc<Work<Came>>,
    pub(super) what: &'static str,
    is_told: AtomicBool,
}

/// What it came to.
#[derive(Clone)]
pub(super) struct Came {
    pub(super) said: String,
    pub(super) found: Option<Arc<Found>>,
}

/// What a check found.
pub(super) struct Found {
    pub(super) report: CopyReport,
    /// What is wrong beyond single rows, in words.
    pub(super) damage: Vec<String>,
}

impl Jobs {
    /// What runs, or ran last.
    pub(super) fn last(&self, name: &str) -> Option<Arc<Job>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }

    /// Begins a task, unless something runs.
    pub(super) fn begin(&self, name: String, memory: &Memory, task: Task, facts: u64) -> Arc<Job> {
        let mut jobs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(running) = jobs.get(&name).filter(|job| job.work.end().is_none()) {
            return Arc::clone(running);
        }
        if jobs.len() >= JOBS_MAX {
            jobs.retain(|_, job| job.work.end().is_none());
        }
        let (memory, what) = (memory.clone(), task.words());
        let steps = if let Task::Check(_) = task { facts } else { 0 };
        let work = Work::begin(steps, |work| async move { Ok(carry_out(&memory, task, &work).await?) });
        let job = Arc::new(Job { work, what, is_told: AtomicBool::new(false) });
        jobs.insert(name, Arc::clone(&job));
        job
    }
}

impl Job {
    /// Whether nobody was told yet what it came to.
    pub(super) fn is_told_now(&self) -> bool {
        !self.is_told.swap(true, Ordering::Relaxed)
    }
}

impl Task {
    fn words(&self) -> &'static str {
        match self {
            Self::Retry(_) => "What failed is being tried once more, and then compared.",
            Self::Check(_) => "The search index is being compared with the memory, fact by fact.",
            Self::Repair(_) => "What drifted is being made again.",
        }
    }
}

async fn carry_out(memory: &Memory, task: Task, work: &Work<Came>) -> Result<Came, MemoryError> {
    match task {
        Task::Retry(which) => {
            let mut all = Retried::default();
            for which in &which {
                let Retried { retried, succeeded, failed, blocked } = memory.retry(which).await?;
                all.retried += retried;
                all.succeeded += succeeded;
                all.failed += failed;
                all.blocked += blocked;
            }
            Ok(Came { said: tried(&all), found: None })
        }
        Task::Check(which) => {
            let found = check(memory, &which, work).await?;
            Ok(Came { said: found.words(), found: Some(Arc::new(found)) })
        }
        Task::Repair(which) => {
            let mut repaired = 0;
            for Which { tenant, owner, .. } in &which {
                if let Some(tenant) = tenant {
                    repaired += memory.repair_index(tenant, owner.as_ref(), |_| {}).await?;
                }
            }
            let found = check(memory, &which, work).await?;
            let said = format!("{} made again. {}", counted(repaired, "fact"), found.words());
            Ok(Came { said, found: Some(Arc::new(found)) })
        }
    }
}

async fn check(memory: &Memory, which: &[Which], work: &Work<Came>) -> Result<Found, MemoryError> {
    let (mut found, before) =
        (Found { report: CopyReport::default(), damage: Vec::new() }, AtomicU64::new(0));
    for Which { tenant, owner, .. } in which {
        let Some(tenant) = tenant else { continue };
        let progress = |done| work.is_at(before.load(Ordering::Relaxed) + done);
        let checked = memory.check_index(tenant, owner.as_ref(), progress).await?;
        before.fetch_add(checked.total.facts, Ordering::Relaxed);
        found.report.merge(&checked.total);
        found.damage = checked.damage.iter().map(damage).collect();
    }
    Ok(found)
}

impl Found {
    fn words(&self) -> String {
        let differ = usize::try_from(self.report.drift.values().sum::<u64>()).unwrap_or(usize::MAX);
        match (differ, self.damage.is_empty()) {
            (0, true) => "The search index agrees with the memory.".to_owned(),
            (0, false) => "The search index is damaged.".to_owned(),
            (differ, true) => format!("The search index differs in {}.", counted(differ, "place")),
            (differ, false) => {
                format!("The search index is damaged, and differs in {}.", counted(differ, "place"))
            }
        }
    }
}

fn tried(all: &Retried) -> String {
    let Retried { retried, succeeded, failed, blocked: _ } = all;
    match (retried, failed) {
        (0, _) => "Nothing had failed: there was nothing to try again.".to_owned(),
        (_, 0) => format!("{retried} tried again: all in the search index now."),
        (_, failed) => {
            format!("{retried} tried again: {succeeded} in the search index now, {failed} failed again.")
        }
    }
}

//! The metrics of a memory: what they are called, what they mean, and what sets them. Names of ours alone stand in their
//! labels, never an id and never a word of a fact.

use std::collections::BTreeMap;
use std::time::Duration;

use fact::{State, Timestamp};
use ledger::{Drift, Which};
use metrics::{Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use recall::Recalled;

use crate::{Memory, MemoryError};

const VERSIONS: &str = "truthkeeper_versions";
const CONFLICTS_OPEN: &str = "truthkeeper_conflicts_open";
const CONFLICT_OLDEST: &str = "truthkeeper_conflict_oldest_seconds";
const OPERATIONS_FAILED: &str = "truthkeeper_operations_failed";
const OPERATIONS_BLOCKED: &str = "truthkeeper_operations_blocked";
const DRIFT: &str = "truthkeeper_index_drift";
const CHECKED: &str = "truthkeeper_index_checked_timestamp_seconds";
const RECALL: &str = "truthkeeper_recall_seconds";
const WITHHELD: &str = "truthkeeper_recall_withheld_total";

/// Tells the recorder what each of them means.
pub(crate) fn describe() {
    describe_gauge!(
        VERSIONS,
        Unit::Count,
        "Versions of facts by state; an active one is current, or will be."
    );
    describe_gauge!(CONFLICTS_OPEN, Unit::Count, "Conflicts that wait for their owners.");
    describe_gauge!(CONFLICT_OLDEST, Unit::Seconds, "How long the oldest open conflict has waited.");
    describe_gauge!(OPERATIONS_FAILED, Unit::Count, "Facts whose searchable copy could not be made.");
    describe_gauge!(OPERATIONS_BLOCKED, Unit::Count, "Of those, facts that changed again since.");
    describe_gauge!(DRIFT, Unit::Count, "Rows of the search index that differ from the ledger, by how.");
    describe_gauge!(
        CHECKED,
        Unit::Seconds,
        "When the owner whose rows were not checked for longest was checked."
    );
    describe_histogram!(RECALL, Unit::Seconds, "How long a recall took.");
    describe_counter!(WITHHELD, Unit::Count, "What was found and not recalled, by reason.");
}

/// A recall is over.
pub(crate) fn recalled(recalled: &Recalled, began: Timestamp, now: Timestamp) {
    histogram!(RECALL).record(between(began, now));
    for (reason, count) in &recalled.withheld {
        counter!(WITHHELD, "reason" => reason.name()).increment(u64::try_from(*count).unwrap_or(0));
    }
}

impl Memory {
    /// Sets every metric that takes a look at the store, over all tenants: what there is by state, what waits, what
    /// failed, what the last checks of the search index found. A service calls it before its metrics are read; what
    /// happens meanwhile (appends, recalls) counts itself.
    pub async fn measure(&self) -> Result<(), MemoryError> {
        let now = self.clock.now();
        let outbox = self.outbox(&Which::default()).await?;
        gauge!(OPERATIONS_FAILED).set(number(outbox.failed));
        gauge!(OPERATIONS_BLOCKED).set(number(outbox.blocked));
        let mut versions: BTreeMap<State, u64> = State::ALL.into_iter().map(|state| (state, 0)).collect();
        let mut drift: BTreeMap<Drift, u64> = Drift::ALL.into_iter().map(|drift| (drift, 0)).collect();
        let (mut open, mut oldest) = (0, None);
        let mut checked: Option<Timestamp> = None;
        for tenant in self.ledger.tenants().await? {
            add(&mut versions, &self.ledger.counts(&tenant, self.now(&tenant).await?).await?);
            let awaited = self.ledger.awaited(&tenant).await?;
            open += awaited.conflicts;
            oldest = earlier(oldest, awaited.since);
            for one in self.index_reports(&tenant).await? {
                add(&mut drift, &one.report.drift);
                checked = earlier(checked, Some(one.at));
            }
        }
        gauge!(CONFLICTS_OPEN).set(number(open));
        gauge!(CONFLICT_OLDEST).set(oldest.map_or(0.0, |oldest| between(oldest, now)));
        versions
            .iter()
            .for_each(|(state, count)| gauge!(VERSIONS, "state" => state.name()).set(number(*count)));
        drift.iter().for_each(|(drift, count)| gauge!(DRIFT, "kind" => drift.name()).set(number(*count)));
        if let Some(checked) = checked {
            gauge!(CHECKED).set(between(Timestamp::from_micros(0), checked));
        }
        Ok(())
    }
}

fn add<K: Ord + Copy>(sum: &mut BTreeMap<K, u64>, more: &BTreeMap<K, u64>) {
    more.iter().for_each(|(key, count)| *sum.entry(*key).or_default() += count);
}

fn earlier(one: Option<Timestamp>, other: Option<Timestamp>) -> Option<Timestamp> {
    one.into_iter().chain(other).min()
}

/// Seconds from one time to a later one.
fn between(from: Timestamp, to: Timestamp) -> f64 {
    let micros = to.micros().saturating_sub(from.micros());
    Duration::from_micros(u64::try_from(micros).unwrap_or(0)).as_secs_f64()
}

fn number(count: u64) -> f64 {
    u32::try_from(count).map_or(f64::from(u32::MAX), f64::from)
}

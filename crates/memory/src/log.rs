//! What the log says of recalls: times and counts, never a word of what was asked or found.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};

use fact::{Container, Timestamp, canonical};
use recall::{Reason, Recalled};

use crate::Caller;

/// How long nothing more is said of an owner's truth.
const TRUTH_EVERY_MICROS: i64 = 60_000_000;
/// Owners of whom it is remembered when their truth was spoken of last.
pub(crate) const OWNERS_MAX: usize = 10_000;

/// When the truth of each owner was spoken of last.
#[derive(Default)]
pub(crate) struct Spoken(Mutex<HashMap<Owner, Timestamp>>);

pub(crate) type Owner = (fact::Id, Container);

impl Spoken {
    /// Whether it is time to speak of an owner again; if so, it counts as done.
    pub(crate) fn is_due(&self, owner: &Owner, now: Timestamp) -> bool {
        let mut spoken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = |last: &Timestamp| {
            let since = now.micros().saturating_sub(last.micros());
            !(0..TRUTH_EVERY_MICROS).contains(&since)
        };
        if !spoken.get(owner).is_none_or(is_due) {
            return false;
        }
        if spoken.len() >= OWNERS_MAX {
            spoken.clear();
        }
        spoken.insert(owner.clone(), now);
        true
    }

    /// How many owners are remembered.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// One line for the recall, and one for each owner whose truth was not spoken of in the last minute.
    pub(crate) fn tell(
        &self,
        caller: &Caller,
        query_chars: usize,
        began: Timestamp,
        recalled: &Recalled,
        now: Timestamp,
    ) {
        let milliseconds = now.micros().saturating_sub(began.micros()) / 1_000;
        tracing::info!(
            milliseconds,
            query_chars,
            facts = recalled.facts.len(),
            legacy = recalled.legacy.len(),
            withheld = %reasons(&recalled.withheld),
            conflicts = recalled.conflicts_open,
            not_searchable_yet = recalled.not_searchable_yet,
            degraded = recalled.degraded.map_or("no", |why| why.name()),
            by = %canonical(&caller.actor),
            "memory.recall",
        );
        let mut admitted: BTreeMap<Container, usize> = BTreeMap::new();
        for fact in &recalled.facts {
            *admitted.entry(fact.case.head.scope.anchor()).or_default() += 1;
        }
        for (owner, admitted) in admitted {
            let owner = (caller.reader.tenant.clone(), owner);
            if self.is_due(&owner, now) {
                let withheld = reasons(&recalled.withheld);
                tracing::info!(owner = %owner.1, admitted, %withheld, "memory.truth");
            }
        }
    }
}

/// Such as `2 stale, 1 expired`.
fn reasons(withheld: &BTreeMap<Reason, usize>) -> String {
    let mut text = String::new();
    for (reason, count) in withheld {
        let gap = if text.is_empty() { "" } else { ", " };
        write!(text, "{gap}{count} {}", reason.name()).expect("a string takes every write");
    }
    text
}

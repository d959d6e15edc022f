//! How a tenant's facts stood day by day, how often something was recalled, and what was known of drift.

use std::collections::BTreeMap;

use fact::{Id, Timestamp};
use ledger::{Stand, Turned};

use crate::{Memory, MemoryError};

/// A day in UTC; the last one is not over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Day {
    /// When it began.
    pub begins: Timestamp,
    /// How many facts stood how when it ended, by what was on record then.
    pub facts: BTreeMap<Stand, u64>,
    /// How many recalls there were, by the receipts that are kept.
    pub recalls: u64,
    /// How much of the copy was known to differ by the last check until its end; none where there was none.
    pub drift: Option<u64>,
}

impl Memory {
    /// The last days of a tenant, today included, the oldest first: as many as `days`.
    pub async fn last_days(&self, tenant: &Id, days: u32) -> Result<Vec<Day>, MemoryError> {
        let now = self.now(tenant).await?;
        let today = now.day();
        let first = today - i64::from(days.max(1)) + 1;
        let since = Timestamp::begin_of_day(first);
        let turned = self.ledger.facts_turned(tenant, since).await?;
        let recalls = self.ledger.recalls_daily(tenant, since, now).await?;
        let drift = self.ledger.drift_daily(tenant).await?;
        let mut standing = self.ledger.facts_standing(tenant).await?;
        let mut all = Vec::new();
        for day in (first..=today).rev() {
            let recalls = recalls.get(&day).copied().unwrap_or(0);
            let drift = drift.range(..=day).next_back().map(|(_, drift)| *drift);
            all.push(Day { begins: Timestamp::begin_of_day(day), facts: standing.clone(), recalls, drift });
            turn_back(&mut standing, turned.iter().filter(|turned| turned.day == day));
        }
        all.reverse();
        Ok(all)
    }
}

/// How many stood how before facts turned. What they were is counted before what they became is taken away, so that no
/// count falls below nothing on the way.
fn turn_back<'a>(standing: &mut BTreeMap<Stand, u64>, turned: impl Iterator<Item = &'a Turned> + Clone) {
    for Turned { was, facts, .. } in turned.clone() {
        if let Some(was) = was {
            *standing.entry(*was).or_default() += facts;
        }
    }
    for Turned { became, facts, .. } in turned {
        let count = standing.entry(*became).or_default();
        *count = count.saturating_sub(*facts);
    }
}

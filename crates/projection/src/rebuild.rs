//! All rows made anew from the ledger, in place: each is there before and after, so that recall goes on meanwhile.

use std::time::Duration;

use fact::{FactId, Id, Timestamp};

use crate::settings::later;
use crate::{ProjectionError, Projector};

/// Facts ordered at a time.
const PAGE_FACTS: u32 = 512;
/// The pause between two looks at what others are doing.
const PAUSE_MICROS: i64 = 50_000;
const PAUSE: Duration = Duration::from_millis(50);

/// How a rebuild ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rebuilt {
    /// Facts whose rows were made.
    pub made: u64,
    /// Facts whose rows were not: they wait or failed, and some may not have been looked at.
    pub left: u64,
}

impl Projector {
    /// Makes the rows of a tenant's facts anew, and takes out rows of facts that are not known. An index that cannot be
    /// read is replaced first. Killed, it goes on where it was when it is called again: what was ordered stays ordered.
    ///
    /// It ends where a whole page came to nothing, as when the embedder cannot be reached.
    pub async fn rebuild(
        &self,
        tenant: &Id,
        now: Timestamp,
        progress: impl Fn(u64) + Send,
    ) -> Result<Rebuilt, ProjectionError> {
        let desk = &self.desk;
        desk.index.remake().await.map_err(ProjectionError::Index)?;
        ledger::crash::point("rebuild-index.remade");
        self.resume();
        let (mut rebuilt, mut after, mut seen) = (Rebuilt::default(), None, 0);
        loop {
            let page = desk.ledger.facts_after(tenant, None, after, PAGE_FACTS).await?;
            let Some(last) = page.last().copied() else { break };
            let (facts, left) = (count(&page), self.remake(tenant, page, now).await?);
            seen += facts;
            rebuilt.made += facts - left;
            rebuilt.left += left;
            progress(rebuilt.made);
            ledger::crash::point("rebuild-index.page");
            if left == facts {
                rebuilt.left += desk.ledger.facts(tenant).await?.saturating_sub(seen);
                break;
            }
            after = Some(last);
        }
        if rebuilt.left == 0 {
            ledger::crash::point("rebuild-index.made");
            self.repair(tenant, None, now, |_| {}).await?;
        }
        Ok(rebuilt)
    }

    /// Gives how many of these facts have not got their rows. Other processes may take a part of the work: they are
    /// waited for, as long as a lease, and what one of them held that is gone is then taken over.
    async fn remake(&self, tenant: &Id, facts: Vec<FactId>, now: Timestamp) -> Result<u64, ProjectionError> {
        let desk = &self.desk;
        desk.ledger.order(tenant.clone(), facts.clone(), now).await?;
        ledger::crash::point("rebuild-index.ordered");
        let (mut open, mut undone) = (facts, 0);
        for pause in 0..=desk.settings.lease_micros / PAUSE_MICROS {
            let now = later(now, pause * PAUSE_MICROS);
            loop {
                let step = desk.step(now).await?;
                undone += step.failed + step.unmade;
                if step.is_idle() {
                    break;
                }
            }
            let mut still = Vec::new();
            for fact in open {
                if desk.ledger.operation_of(tenant, fact, now).await?.is_some() {
                    still.push(fact);
                }
            }
            open = still;
            if open.len() <= undone {
                break;
            }
            tokio::time::sleep(PAUSE).await;
        }
        Ok(count(&open))
    }
}

fn count(facts: &[FactId]) -> u64 {
    u64::try_from(facts.len()).unwrap_or(u64::MAX)
}

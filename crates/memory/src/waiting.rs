//! How much waits for a caller, and what is kept out of recall.

use fact::{Admission, Container, Reader, Sight, limits};
use ledger::{Filter, Instant, Seen};

use crate::{Caller, Memory, MemoryError, Which};

/// The newest facts that are looked at for quarantined ones.
pub const LOOKED_AT_FACTS_MAX: usize = 10_000;
/// Owners whose failed work is counted for one caller.
const OWNERS_MAX: usize = 20;

/// How much waits for a caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Waiting {
    /// Open conflicts that the caller may see.
    pub conflicts: usize,
    /// Proposals that were held back, of facts that the caller may read and write.
    pub reviews: usize,
    /// Facts that the search index does not show and that are not tried any more: of the owners that the caller reads
    /// for, or of the whole tenant where the caller reads all of it.
    pub failed: u64,
}

impl Memory {
    /// How much waits for a caller. It shows nothing of what is said, and is no read that goes on record.
    pub async fn waiting(&self, caller: &Caller) -> Result<Waiting, MemoryError> {
        let (_, conflicts) = self.ledger.open_conflicts(&caller.reader, &[], 0).await?;
        let held = self.ledger.held_back(&caller.reader).await?;
        let reviews = held.iter().filter(|held| caller.writer.may_write(&held.scope)).count();
        let mut failed = 0;
        for which in caller.copies() {
            failed += self.outbox(&which).await?.failed;
        }
        Ok(Waiting { conflicts, reviews, failed })
    }

    /// The facts among the `LOOKED_AT_FACTS_MAX` newest that are kept out of recall until an operator admits them, and
    /// whether there are others that were not looked at.
    pub async fn quarantined(&self, caller: &Caller) -> Result<(Vec<Seen>, bool), MemoryError> {
        let now = self.now(caller.tenant()).await?;
        self.audit(caller, "quarantined", None, now).await;
        let (mut found, mut looked_at, mut after) = (Vec::new(), 0, None);
        let (filter, at) = (Filter::current(), Instant::now(now));
        while looked_at < LOOKED_AT_FACTS_MAX {
            let most = limits::PAGE_ITEMS_MAX;
            let page = self.ledger.list(&caller.reader, &filter, at, after.as_ref(), most).await?;
            looked_at += page.items.len();
            found.extend(page.items.into_iter().filter(|seen| seen.admission == Admission::Quarantined));
            after = page.next;
            if after.is_none() {
                return Ok((found, false));
            }
        }
        Ok((found, true))
    }
}

impl Caller {
    /// The copies in the search index that the caller may see to: those of each person they read for, or of the whole
    /// tenant where they read all of it. Of many people the first ones.
    pub fn copies(&self) -> Vec<Which> {
        let which = |owner| Which { tenant: Some(self.tenant().clone()), owner, fact: None };
        owners(&self.reader).into_iter().map(which).collect()
    }
}

/// Whose work in the outbox a reader is shown; none stands for everybody's.
fn owners(reader: &Reader) -> Vec<Option<Container>> {
    match &reader.sight {
        Sight::Admin | Sight::Operator => vec![None],
        Sight::Within(access) => {
            let users = access.users.iter().cloned().map(Container::User);
            let people = access.participants.iter().cloned();
            let people = people.map(|(project, participant)| Container::Participant { project, participant });
            users.chain(people).take(OWNERS_MAX).map(Some).collect()
        }
        Sight::InRun(..) => Vec::new(),
    }
}

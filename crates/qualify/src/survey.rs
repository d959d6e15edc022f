//! What findings are made from: what the ledger and its stored reports say, without a word of any fact.

use std::collections::{BTreeMap, BTreeSet};

use fact::{AdoptionId, Id, Position, State, Timestamp};
use ledger::{
    ATTEMPTS_MAX, Adoption, LastCheck, Ledger, Outbox, OwnerCensus, Reported, Setting, Size, StoreError,
    Waiting, Which,
};

/// How a store stands at a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Survey {
    /// The moment.
    pub at: Timestamp,
    /// What the store takes; none where no memory was begun in it.
    pub size: Option<Size>,
    /// Those who have events.
    pub tenants: Vec<Standing>,
    /// The defaults of the engine, and whose each is.
    pub settings: Vec<(Id, Setting)>,
}

/// How a tenant's memory stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// The tenant.
    pub tenant: Id,
    /// The position of the last event.
    pub position: Position,
    /// Revisions by state.
    pub states: BTreeMap<State, u64>,
    /// What waits for the searchable copy, and what failed.
    pub outbox: Outbox,
    /// The names of those who have facts.
    pub owners: BTreeSet<String>,
    /// The last check of each owner's rows.
    pub reports: Vec<Reported>,
    /// What waits for people.
    pub awaited: Waiting,
    /// How the memories from before the ledger stand, owner by owner.
    pub legacy: Vec<OwnerCensus>,
    /// Adoptions that have begun and not ended.
    pub unfinished: Vec<AdoptionId>,
    /// The last check of the ledger.
    pub proof: Option<LastCheck>,
    /// Whether the event is still there that this check ended with.
    pub is_whole: bool,
    /// Whether the event is there that the ledger names as its last.
    pub is_ended: bool,
}

impl Survey {
    /// Reads how a store stands at `now`. Writes nothing.
    pub async fn gather(ledger: &Ledger, now: Timestamp) -> Result<Self, StoreError> {
        let mut tenants = Vec::new();
        for tenant in ledger.tenants().await? {
            tenants.push(Standing::gather(ledger, tenant, now).await?);
        }
        let (size, settings) = (Some(ledger.size().await?), ledger.settings(None).await?);
        Ok(Self { at: now, size, tenants, settings })
    }

    /// Takes in a check that was just made. A tenant that only stray rows name is one, too.
    pub(crate) async fn prove(&mut self, ledger: &Ledger, proof: LastCheck) -> Result<(), StoreError> {
        let tenant = &proof.chain.tenant;
        let at = match self.tenants.iter().position(|standing| standing.tenant == *tenant) {
            Some(at) => at,
            None => {
                self.tenants.push(Standing::gather(ledger, tenant.clone(), self.at).await?);
                self.tenants.len() - 1
            }
        };
        let standing = &mut self.tenants[at];
        (standing.is_whole, standing.proof) = (true, Some(proof));
        Ok(())
    }

    /// Of a store in which no memory was begun.
    pub fn of_nothing(now: Timestamp) -> Self {
        Self { at: now, size: None, tenants: Vec::new(), settings: Vec::new() }
    }
}

impl Standing {
    async fn gather(ledger: &Ledger, tenant: Id, now: Timestamp) -> Result<Self, StoreError> {
        let (last, is_ended) = match ledger.last(&tenant).await {
            Err(StoreError::Damaged { .. }) => (None, false),
            last => (last?, true),
        };
        // The clock may have been set back: what was recorded was recorded.
        let now = last.map_or(now, |(_, recorded)| now.max(recorded));
        let which = Which { tenant: Some(tenant.clone()), owner: None, fact: None };
        let proof = ledger.last_check(&tenant).await?;
        let is_whole = match &proof {
            Some(proof) => ledger.reaches(&tenant, proof.chain.position, &proof.chain.digest).await?,
            None => true,
        };
        Ok(Self {
            position: last.map_or(Position::START, |(position, _)| position),
            states: ledger.counts(&tenant, now).await?,
            outbox: ledger.outbox(&which, ATTEMPTS_MAX, now).await?,
            owners: ledger.owners(&tenant).await?,
            reports: ledger.reports(&tenant).await?,
            awaited: ledger.awaited(&tenant).await?,
            legacy: OwnerCensus::joined(ledger.legacy_census(Some(&tenant)).await?),
            unfinished: unfinished(&ledger.adoptions(&tenant).await?),
            proof,
            is_whole,
            is_ended,
            tenant,
        })
    }
}

fn unfinished(adoptions: &[Adoption]) -> Vec<AdoptionId> {
    adoptions.iter().filter(|one| one.is_unfinished()).map(|one| one.adoption).collect()
}

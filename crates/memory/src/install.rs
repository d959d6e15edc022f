//! An install that is examined: its store is only read, whoever uses it, and its index is not opened.

use fact::Timestamp;
use ledger::{Address, Ledger, OpenError};
use qualify::{Area, Finding, Survey, machine};

use crate::MemoryError;

/// A store that is open to be examined.
pub struct Install {
    ledger: Ledger,
    now: Timestamp,
}

impl Install {
    /// Opens the store at an address, as it is at `now`.
    pub async fn open(address: &str, now: Timestamp) -> Result<Self, OpenError> {
        Ok(Self { ledger: Ledger::open_to_read(Address::parse(address)).await?, now })
    }

    /// What is found about one part.
    pub async fn findings(&self, area: Area) -> Result<Vec<Finding>, MemoryError> {
        Ok(qualify::gaps(&Survey::gather(&self.ledger, self.now).await?, area))
    }

    /// What is found about the database engine.
    pub async fn engine(&self) -> Result<Vec<Finding>, MemoryError> {
        Ok(machine::engine(&self.ledger.engine_facts().await?))
    }

    /// What the engine finds in its own pages.
    pub async fn pages(&self) -> Result<Option<Finding>, MemoryError> {
        Ok(machine::pages(self.ledger.page_faults().await?))
    }

    /// What a check of the whole ledger finds. It is not kept.
    pub async fn prove(&self, progress: impl Fn(u64) + Send) -> Result<Vec<Finding>, MemoryError> {
        let chains = self.ledger.check(progress).await?.chains.into_iter();
        let unsound = chains.filter(|chain| chain.found > 0);
        Ok(unsound.map(|chain| Finding::Unsound { tenant: chain.tenant, found: chain.found }).collect())
    }

    /// How many events there are.
    pub async fn events(&self) -> Result<u64, MemoryError> {
        Ok(self.ledger.events().await?)
    }

    /// Whether the machine's clock is behind what was recorded.
    pub async fn clock(&self) -> Result<Vec<Finding>, MemoryError> {
        let mut findings = Vec::new();
        for tenant in self.ledger.tenants().await? {
            let recorded = self.ledger.recorded_at(&tenant).await?;
            findings.extend(recorded.and_then(|recorded| machine::clock(&tenant, self.now, recorded)));
        }
        Ok(findings)
    }
}

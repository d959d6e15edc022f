//! How an install stands, and the engine's defaults.

use fact::{Id, Timestamp};
use ledger::{Address, Ledger, OpenError, Setting, SettingKey};
use qualify::{Status, Survey};

use crate::{Memory, MemoryError};

/// How the store at an address stands, whoever uses it: it is only read, and its index is not opened.
pub async fn status_of(address: &str, now: Timestamp) -> Result<Status, MemoryError> {
    let survey = match Ledger::open_to_read(Address::parse(address)).await {
        Ok(ledger) => Survey::gather(&ledger, now).await?,
        Err(OpenError::Empty) => Survey::of_nothing(now),
        Err(error) => return Err(error.into()),
    };
    Ok(Status::of(&survey))
}

impl Memory {
    /// How the install stands, by what the ledger says alone: the index is not opened.
    pub async fn status(&self) -> Result<Status, MemoryError> {
        Ok(Status::of(&Survey::gather(&self.ledger, self.clock.now()).await?))
    }

    /// Whether the store answers.
    pub async fn ready(&self) -> Result<(), MemoryError> {
        self.ledger.tenants().await?;
        Ok(())
    }

    /// The model that facts are found by beside their words: none where there is none, or how it cannot be had.
    pub async fn meaning(&self) -> Option<Result<String, MemoryError>> {
        let embedder = self.models.embedder.as_ref()?;
        Some(embedder.model().await.map(|model| model.to_string()).map_err(MemoryError::from))
    }

    /// Keeps a default of the engine.
    pub async fn set_default(&self, tenant: Id, setting: Setting) -> Result<(), MemoryError> {
        let Setting { key: SettingKey { channel, agent, runtime, field }, value } = &setting;
        for (name, part) in [("channel", channel), ("agent", agent), ("runtime", runtime)] {
            if !part.is_empty() {
                Id::parse(name, part)?;
            }
        }
        Id::parse("field", field)?;
        Id::parse("value", value)?;
        self.screen.text("value", value)?;
        Ok(self.ledger.set(tenant, setting).await?)
    }

    /// Every default of the engine.
    pub async fn defaults(&self, tenant: &Id) -> Result<Vec<Setting>, MemoryError> {
        let settings = self.ledger.settings(Some(tenant)).await?;
        Ok(settings.into_iter().map(|(_, setting)| setting).collect())
    }
}

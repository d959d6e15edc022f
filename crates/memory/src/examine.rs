//! What only a memory that is open can find about itself: its copy, and what makes its vectors.

use embed::Role;
use qualify::{Area, Finding, Survey};

use crate::{Memory, MemoryError};

/// What is embedded to see whether the embedder answers.
const PROBE: &str = "tea";

impl Memory {
    /// Compares every row of every tenant with the ledger, keeps what it found, and says what is wrong.
    pub async fn examine_index(&self) -> Result<Vec<Finding>, MemoryError> {
        for tenant in self.ledger.tenants().await? {
            match self.check_index(&tenant, None, |_| {}).await {
                Ok(_) => {}
                Err(MemoryError::Index(error)) => {
                    return Ok(vec![Finding::IndexFailed { tenant, why: error.to_string() }]);
                }
                Err(error) => return Err(error),
            }
        }
        let survey = Survey::gather(&self.ledger, self.clock.now()).await?;
        Ok(qualify::gaps(&survey, Area::IndexDrift))
    }

    /// Embeds a word: what makes vectors answers, they have its size, and searches go by it.
    pub async fn examine_embedder(&self) -> Result<Vec<Finding>, MemoryError> {
        let Some(embedder) = &self.models.embedder else { return Ok(Vec::new()) };
        let answered = match embedder.model().await {
            Ok(_) => embedder.embed(Role::Query, &[PROBE.to_owned()]).await.map(drop),
            Err(error) => Err(error),
        };
        if let Err(error) = answered {
            return Ok(vec![Finding::EmbedderFailed { why: error.to_string() }]);
        }
        let outdated = self.outdated_model().await;
        Ok(outdated.map(|serving| Finding::ModelOutdated { serving }).into_iter().collect())
    }
}

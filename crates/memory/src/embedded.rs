//! Which model says what a content means.

use std::collections::HashSet;

use fact::Revision;
use index::IndexError;

use crate::Memory;

/// The contents that are found by what they mean, and by which model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Embedded {
    model: String,
    hashes: HashSet<String>,
}

impl Embedded {
    /// The model that embedded what a revision says; none where it is found by its words alone, or not at all.
    pub fn model_of(&self, revision: &Revision) -> Option<&str> {
        let hash = revision.content()?.hash();
        self.hashes.contains(&hash).then_some(self.model.as_str())
    }
}

impl Memory {
    /// Which of these revisions are found by what they mean. None where there is no model, or the index cannot say.
    pub async fn embedded(&self, revisions: impl IntoIterator<Item = &Revision>) -> Embedded {
        if self.models.embedder.is_none() {
            return Embedded::default();
        }
        let contents = revisions.into_iter().filter_map(Revision::content);
        let hashes: Vec<String> = contents.map(|content| content.hash()).collect();
        self.look_up(hashes).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "it could not be said what is found by meaning");
            Embedded::default()
        })
    }

    async fn look_up(&self, hashes: Vec<String>) -> Result<Embedded, IndexError> {
        let Some(model) = self.index.serving().await? else { return Ok(Embedded::default()) };
        let known = self.index.embedded(&model, &hashes).await?;
        let hashes = hashes.into_iter().zip(known).filter(|(_, known)| *known).map(|(hash, _)| hash);
        Ok(Embedded { model, hashes: hashes.collect() })
    }
}

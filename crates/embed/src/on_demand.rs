//! The local model, read when it is first asked: most commands of a memory never ask.

use async_trait::async_trait;
use tokio::sync::OnceCell;

use crate::{EmbedError, Embedder, LocalModel, ModelFiles, ModelId, Role};

/// What files that are not the published ones come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadFiles {
    /// An error: somebody asked for this model.
    Refused,
    /// As if there were no model: nobody asked for it, it merely lay there.
    Ignored,
}

/// The local model, read when it is first asked.
pub struct OnDemand {
    files: ModelFiles,
    bad: BadFiles,
    model: OnceCell<LocalModel>,
}

impl OnDemand {
    /// The model of these files.
    pub fn new(files: ModelFiles, bad: BadFiles) -> Self {
        Self { files, bad, model: OnceCell::new() }
    }

    async fn loaded(&self) -> Result<&LocalModel, EmbedError> {
        let loaded = self.model.get_or_try_init(|| LocalModel::load(&self.files)).await;
        match (loaded, self.bad) {
            (Err(EmbedError::BadModel(bad)), BadFiles::Ignored) => {
                Err(EmbedError::NotConfigured(format!("the local model is left out: {bad}").into()))
            }
            (loaded, _) => loaded,
        }
    }
}

#[async_trait]
impl Embedder for OnDemand {
    async fn model(&self) -> Result<ModelId, EmbedError> {
        self.loaded().await?.model().await
    }

    async fn embed(&self, role: Role, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.loaded().await?.embed(role, texts).await
    }

    /// As the model has it; the text whole before anybody asked which model it is.
    fn pieces(&self, text: &str) -> Vec<String> {
        match self.model.get() {
            Some(model) => model.pieces(text),
            None => Some(text.to_owned()).filter(|text| !text.is_empty()).into_iter().collect(),
        }
    }
}

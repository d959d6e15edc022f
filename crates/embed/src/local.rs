//! The local model, all-MiniLM-L6-v2, in this process. Its engine is known to `bert.rs` alone.

mod bert;
mod tokens;

use std::sync::Arc;

use async_trait::async_trait;
use tokio::task::spawn_blocking;

use crate::files::{CONFIG, LOCAL_MODEL, REVISION, TOKENIZER, WEIGHTS};
use crate::vectors::unit;
use crate::{BadModel, EmbedError, Embedder, ModelFiles, ModelId, Prefixes, Role};
use bert::Bert;
use tokens::{TEXT_TOKENS_MAX, Tokens, batches};

const PROVIDER: &str = "local";

/// The local model, loaded: some 90 MB, shared by its clones.
#[derive(Debug, Clone)]
pub struct LocalModel {
    loaded: Arc<Loaded>,
}

#[derive(Debug)]
struct Loaded {
    tokens: Tokens,
    bert: Bert,
}

impl LocalModel {
    /// Reads the files, which must be the published ones. They are not mapped: a file that changes later changes
    /// nothing, and no signal kills the process.
    pub async fn load(files: &ModelFiles) -> Result<Self, EmbedError> {
        let files = files.clone();
        let loaded = spawn_blocking(move || load(&files)).await.map_err(|_| BadModel::Engine("load"))??;
        Ok(Self { loaded: Arc::new(loaded) })
    }
}

fn load(files: &ModelFiles) -> Result<Loaded, BadModel> {
    let config = files.read(&CONFIG)?;
    let tokens = Tokens::read(&files.read(&TOKENIZER)?)?;
    let bert = Bert::read(&config, files.read(&WEIGHTS)?)?;
    Ok(Loaded { tokens, bert })
}

impl Loaded {
    fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let mut rows = Vec::with_capacity(texts.len());
        for (index, text) in texts.iter().enumerate() {
            let row = self.tokens.of(text)?;
            let reason = format!("it has more than {TEXT_TOKENS_MAX} word pieces").into();
            rows.push(row.ok_or(EmbedError::Final { index, reason })?);
        }
        let mut vectors = vec![Vec::new(); texts.len()];
        for batch in batches(&rows) {
            let batched: Vec<&[u32]> = batch.iter().map(|place| rows[*place].as_slice()).collect();
            let answered = self.bert.embed(&batched)?;
            for (index, vector) in batch.into_iter().zip(answered) {
                let unusable = |unusable: crate::vectors::Unusable| unusable.reason().into();
                vectors[index] =
                    unit(vector).map_err(|error| EmbedError::Final { index, reason: unusable(error) })?;
            }
        }
        Ok(vectors)
    }
}

#[async_trait]
impl Embedder for LocalModel {
    async fn model(&self) -> Result<ModelId, EmbedError> {
        Ok(ModelId {
            provider: PROVIDER.to_owned(),
            model: LOCAL_MODEL.to_owned(),
            revision: REVISION.to_owned(),
            size: self.loaded.bert.size(),
            prefixes: Prefixes::default(),
        })
    }

    /// The model was trained without prefixes, so the role changes nothing.
    async fn embed(&self, _role: Role, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let (loaded, texts) = (Arc::clone(&self.loaded), texts.to_vec());
        spawn_blocking(move || loaded.embed(&texts)).await.map_err(|_| BadModel::Engine("embed"))?
    }

    fn pieces(&self, text: &str) -> Vec<String> {
        self.loaded.tokens.pieces(text)
    }
}

//! The local model, all-MiniLM-L6-v2, in this process. Its engine is known to `bert.rs` alone.

mod bert;
mod tokens;

use std::sync::Arc;

use async_trait::async_trait;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use crate::files::{CONFIG, LOCAL_MODEL, REVISION, TOKENIZER, WEIGHTS};
use crate::vectors::unit;
use crate::{BadModel, EmbedError, Embedder, ModelFiles, ModelId, Prefixes, Role};
use bert::Bert;
use tokens::{TEXT_CHARS_MAX, TEXT_TOKENS_MAX, Tokens, batches};

const PROVIDER: &str = "local";
/// How many batches are computed at once, whoever asks: each takes memory, and all cores where it can.
const BATCHES_AT_ONCE: usize = 2;

/// The local model, loaded: some 90 MB, shared by its clones.
#[derive(Debug, Clone)]
pub struct LocalModel {
    tokens: Arc<Tokens>,
    bert: Arc<Bert>,
    /// First come, first served, by the batch: a query waits for a batch of a long work, never for all of it.
    turns: Arc<Semaphore>,
}

impl LocalModel {
    /// Reads the files, which must be the published ones. They are not mapped: a file that changes later changes
    /// nothing, and no signal kills the process.
    pub async fn load(files: &ModelFiles) -> Result<Self, EmbedError> {
        let files = files.clone();
        Ok(apart("load", move || load(&files)).await?)
    }

    /// Each text's tokens, or the first text that has too many.
    async fn rows(&self, texts: &[String]) -> Result<Vec<Vec<u32>>, EmbedError> {
        let (tokens, texts) = (Arc::clone(&self.tokens), texts.to_vec());
        let rows = move || texts.iter().map(|text| tokens.of(text)).collect::<Result<Vec<_>, _>>();
        let rows = apart("read the text", rows).await?.into_iter().enumerate();
        let too_long = || {
            format!("it has more than {TEXT_TOKENS_MAX} word pieces or {TEXT_CHARS_MAX} characters").into()
        };
        rows.map(|(index, row)| row.ok_or_else(|| EmbedError::Final { index, reason: too_long() })).collect()
    }

    /// The vectors of one batch. Its turn is over when it was computed, though nobody waits for it any more.
    async fn compute(&self, rows: Vec<Vec<u32>>) -> Result<Vec<Vec<f32>>, BadModel> {
        let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(|_| BadModel::Engine("embed"))?;
        let bert = Arc::clone(&self.bert);
        let computed = move || {
            let vectors = bert.embed(&rows);
            drop(turn);
            vectors
        };
        apart("embed", computed).await
    }
}

/// Does work that keeps a core busy away from the threads that others wait for.
async fn apart<T: Send + 'static>(
    what: &'static str,
    work: impl FnOnce() -> Result<T, BadModel> + Send + 'static,
) -> Result<T, BadModel> {
    spawn_blocking(work).await.map_err(|_| BadModel::Engine(what))?
}

fn load(files: &ModelFiles) -> Result<LocalModel, BadModel> {
    let config = files.read(&CONFIG)?;
    let tokens = Tokens::read(&files.read(&TOKENIZER)?)?;
    let bert = Bert::read(&config, files.read(&WEIGHTS)?)?;
    let turns = Semaphore::new(BATCHES_AT_ONCE);
    Ok(LocalModel { tokens: Arc::new(tokens), bert: Arc::new(bert), turns: Arc::new(turns) })
}

#[async_trait]
impl Embedder for LocalModel {
    async fn model(&self) -> Result<ModelId, EmbedError> {
        Ok(ModelId {
            provider: PROVIDER.to_owned(),
            model: LOCAL_MODEL.to_owned(),
            revision: REVISION.to_owned(),
            size: self.bert.size(),
            prefixes: Prefixes::default(),
        })
    }

    /// The model was trained without prefixes, so the role changes nothing.
    async fn embed(&self, _role: Role, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let mut rows = self.rows(texts).await?;
        let mut vectors = vec![Vec::new(); rows.len()];
        for places in batches(&rows) {
            let batch = places.iter().map(|place| std::mem::take(&mut rows[*place])).collect();
            for (index, vector) in places.into_iter().zip(self.compute(batch).await?) {
                vectors[index] = unit(vector)
                    .map_err(|unusable| EmbedError::Final { index, reason: unusable.reason().into() })?;
            }
        }
        Ok(vectors)
    }

    fn pieces(&self, text: &str) -> Vec<String> {
        self.tokens.pieces(text)
    }
}

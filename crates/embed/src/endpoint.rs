//! An endpoint that speaks OpenAI's `POST /embeddings`: Ollama, vLLM, TEI, OpenAI and others.

mod answer;
mod ask;
mod key;
mod retry;
mod settings;

use std::ops::Range;
use std::sync::OnceLock;

use async_trait::async_trait;
use reqwest::redirect::Policy;
use reqwest::{Client, Url};

use crate::pieces::by_characters;
use crate::vectors::unit;
use crate::{BadModel, EmbedError, Embedder, ModelId, Role, http};
use answer::Answer;

pub use key::ApiKey;
pub use retry::RetryLimits;
pub use settings::EndpointSettings;

const PROVIDER: &str = "openai-compat";
/// What is embedded where only the size is wanted.
const PROBE: &str = "size";

/// A model behind an address.
#[derive(Debug)]
pub struct Endpoint {
    settings: EndpointSettings,
    client: Client,
    address: Url,
    revision: String,
    /// Of the settings, or of the first answer.
    size: OnceLock<usize>,
}

impl Endpoint {
    /// Checks the settings and makes the client; connects to nothing.
    pub fn new(settings: EndpointSettings) -> Result<Self, EmbedError> {
        let unusable = |reason: &'static str| EmbedError::NotConfigured(reason.into());
        settings.check().map_err(unusable)?;
        let base = http::base(&settings.base).map_err(unusable)?;
        // The texts are for this address alone.
        let client = http::client(&base, Policy::none(), settings.timeout).map_err(unusable)?;
        let address = format!("{}/embeddings", base.as_str().trim_end_matches('/'));
        let address = Url::parse(&address).map_err(|_| unusable("its address is no URL"))?;
        let revision = settings.revision.clone().unwrap_or_else(|| base.to_string());
        let size = settings.size.map_or_else(OnceLock::new, OnceLock::from);
        Ok(Self { settings, client, address, revision, size })
    }

    /// The vectors of one batch after another; one that is refused is halved until the text is found that is.
    async fn embed_all(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let mut vectors = Vec::with_capacity(texts.len());
        let mut waiting = batches(texts.len(), self.settings.batch);
        while let Some(range) = waiting.pop() {
            match self.ask(&texts[range.clone()]).await? {
                Answer::Vectors(answered) => self.accept(answered, &mut vectors)?,
                Answer::Refused(reason) if range.len() == 1 => {
                    return Err(EmbedError::Final { index: range.start, reason });
                }
                Answer::Refused(_) => {
                    let middle = range.start + range.len() / 2;
                    waiting.extend([middle..range.end, range.start..middle]);
                }
            }
        }
        Ok(vectors)
    }

    /// Takes what was answered for the next texts.
    fn accept(&self, answered: Vec<Vec<f32>>, vectors: &mut Vec<Vec<f32>>) -> Result<(), EmbedError> {
        for vector in answered {
            let vector = unit(vector).map_err(|unusable| EmbedError::Final {
                index: vectors.len(),
                reason: unusable.reason().into(),
            })?;
            let expected = *self.size.get_or_init(|| vector.len());
            if vector.len() != expected {
                return Err(BadModel::Size { expected, found: vector.len() }.into());
            }
            vectors.push(vector);
        }
        Ok(())
    }
}

#[async_trait]
impl Embedder for Endpoint {
    async fn model(&self) -> Result<ModelId, EmbedError> {
        if self.size.get().is_none() {
            self.embed_all(&[PROBE.to_owned()]).await?;
        }
        Ok(ModelId {
            provider: PROVIDER.to_owned(),
            model: self.settings.model.clone(),
            revision: self.revision.clone(),
            size: self.size.get().copied().unwrap_or_default(),
            prefixes: self.settings.prefixes.clone(),
        })
    }

    async fn embed(&self, role: Role, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let prefix = self.settings.prefixes.of(role);
        if prefix.is_empty() {
            return self.embed_all(texts).await;
        }
        let texts: Vec<String> = texts.iter().map(|text| format!("{prefix}{text}")).collect();
        self.embed_all(&texts).await
    }

    fn pieces(&self, text: &str) -> Vec<String> {
        by_characters(text, self.settings.piece_chars)
    }
}

/// The places of `count` texts in batches, the first of them last.
fn batches(count: usize, size: usize) -> Vec<Range<usize>> {
    let starts = (0..count).step_by(size);
    starts.rev().map(|start| start..count.min(start + size)).collect()
}

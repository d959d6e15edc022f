//! An embedder whose vectors anybody can foretell, and that fails when it is told to.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use truthkeeper::{BadModel, EmbedError, Embedder, ModelId, Prefixes, Role};

/// Words that mean the same have the same number.
const MEANINGS: [&[&str]; 4] = [&["tea", "brew"], &["coffee", "espresso"], &["milk", "dairy"], &["water"]];
/// A text with this word is refused while refusals are planted.
const POISON: &str = "poison";

/// What the embedder does instead of its work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Planted {
    /// Nothing: it works.
    Nothing,
    /// It cannot be reached.
    Outage,
    /// It refuses texts with the word `poison`.
    Refusals,
    /// It does not answer for a minute.
    Slowness,
    /// It is not the model that it should be.
    BadModel,
}

/// An embedder that knows a few words.
pub struct FewWords {
    name: String,
    planted: Mutex<Planted>,
    texts: AtomicU32,
    given: Mutex<Vec<String>>,
}

impl FewWords {
    /// A model of that name.
    pub fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            planted: Mutex::new(Planted::Nothing),
            texts: AtomicU32::new(0),
            given: Mutex::default(),
        }
    }

    /// From now on.
    pub fn plant(&self, planted: Planted) {
        *self.planted.lock().unwrap_or_else(PoisonError::into_inner) = planted;
    }

    /// The texts that it was given, even where it failed.
    pub fn given(&self) -> Vec<String> {
        self.given.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How many texts it was given.
    pub fn texts(&self) -> u32 {
        self.texts.load(Ordering::Relaxed)
    }
}

/// One number for each meaning, and one for what is not known.
fn vector(text: &str) -> Vec<f32> {
    let mut vector = vec![0.0_f32; MEANINGS.len() + 1];
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let known = MEANINGS.iter().position(|words| words.contains(&word.to_lowercase().as_str()));
        match known {
            Some(meaning) => vector[meaning] += 1.0,
            None => vector[MEANINGS.len()] += 0.1,
        }
    }
    let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt().max(0.1);
    vector.iter().map(|number| number / length).collect()
}

#[async_trait]
impl Embedder for FewWords {
    async fn model(&self) -> Result<ModelId, EmbedError> {
        Ok(ModelId {
            provider: "tests".to_owned(),
            model: self.name.clone(),
            revision: "1".to_owned(),
            size: MEANINGS.len() + 1,
            prefixes: Prefixes::default(),
        })
    }

    async fn embed(&self, _role: Role, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.given.lock().unwrap_or_else(PoisonError::into_inner).extend(texts.iter().cloned());
        let poison = texts.iter().position(|text| text.contains(POISON));
        let planted = *self.planted.lock().unwrap_or_else(PoisonError::into_inner);
        match (planted, poison) {
            (Planted::Outage, _) => {
                return Err(EmbedError::Passing { reason: "planted".into(), retry_after: None });
            }
            (Planted::Slowness, _) => tokio::time::sleep(Duration::from_secs(60)).await,
            (Planted::BadModel, _) => {
                return Err(EmbedError::BadModel(BadModel::Size { expected: 5, found: 4 }));
            }
            (Planted::Refusals, Some(index)) => {
                return Err(EmbedError::Final { index, reason: "planted".into() });
            }
            (Planted::Nothing | Planted::Refusals, _) => {}
        }
        self.texts.fetch_add(u32::try_from(texts.len()).unwrap_or(u32::MAX), Ordering::Relaxed);
        Ok(texts.iter().map(|text| vector(text)).collect())
    }

    /// Sentences.
    fn pieces(&self, text: &str) -> Vec<String> {
        text.split_inclusive('.').filter(|piece| !piece.trim().is_empty()).map(str::to_owned).collect()
    }
}

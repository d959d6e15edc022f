//! What somebody must say, or may, about an endpoint.

use std::time::Duration;

use super::{ApiKey, RetryLimits};
use crate::Prefixes;

const BATCH: usize = 32;
/// What OpenAI takes in one request, the most of all.
const BATCH_MAX: usize = 2_048;
const TIMEOUT: Duration = Duration::from_secs(30);
/// Some 500 tokens of most languages, which the usual models of 512 take.
const PIECE_CHARS: usize = 2_000;

/// An endpoint, as somebody set it up.
#[derive(Debug, Clone)]
pub struct EndpointSettings {
    /// Where `/embeddings` lies, such as `http://127.0.0.1:11434/v1`.
    pub base: String,
    /// The model's name there.
    pub model: String,
    /// What tells this model from others of its name. Without it the address does, so that a server that calls each
    /// model `default` mixes nothing up; with it a model keeps its vectors when it moves to another address.
    pub revision: Option<String>,
    /// The key, where one is needed.
    pub api_key: Option<ApiKey>,
    /// How many numbers a vector has; without it the first answer says.
    pub size: Option<usize>,
    /// What the model wants before a text.
    pub prefixes: Prefixes,
    /// How many texts go in one request, 1 to 2,048.
    pub batch: usize,
    /// How long one request may take.
    pub timeout: Duration,
    /// How many characters a piece of a long text has at most.
    pub piece_chars: usize,
    /// How often and how long to try.
    pub retry: RetryLimits,
}

impl EndpointSettings {
    /// The usual settings for a model at an address.
    pub fn new(base: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            base: base.into(),
            model: model.into(),
            revision: None,
            api_key: None,
            size: None,
            prefixes: Prefixes::default(),
            batch: BATCH,
            timeout: TIMEOUT,
            piece_chars: PIECE_CHARS,
            retry: RetryLimits::default(),
        }
    }

    pub(super) fn check(&self) -> Result<(), &'static str> {
        if self.model.is_empty() {
            return Err("no model is named");
        }
        if !(1..=BATCH_MAX).contains(&self.batch) {
            return Err("the batch must be of 1 to 2,048 texts");
        }
        if self.size == Some(0) || self.piece_chars == 0 || self.timeout.is_zero() || self.retry.tries == 0 {
            return Err("a size, a limit, a timeout or a number of tries is zero");
        }
        if self.api_key.as_ref().is_some_and(|key| key.header().is_none()) {
            return Err("the api key holds a character that no header can");
        }
        Ok(())
    }
}

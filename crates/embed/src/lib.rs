//! Text to vectors: a local model in process, or an endpoint that speaks OpenAI's embeddings.
//!
//! It knows nothing of facts, of the ledger or of the index. Nothing is fetched unless [`pull()`] is called, and no
//! text leaves the process unless an [`Endpoint`] was made. The HTTP client honours the system's TLS roots and proxy
//! settings, the latter never for a loopback address.

mod endpoint;
mod error;
#[cfg(feature = "local-model")]
mod files;
mod http;
#[cfg(feature = "local-model")]
mod local;
mod model_id;
#[cfg(feature = "local-model")]
mod on_demand;
mod pieces;
#[cfg(feature = "local-model")]
mod pull;
mod vectors;

use async_trait::async_trait;

pub use endpoint::{ApiKey, Endpoint, EndpointSettings, RetryLimits};
pub use error::{BadModel, EmbedError};
#[cfg(feature = "local-model")]
pub use files::{LOCAL_MODEL, ModelFiles};
#[cfg(feature = "local-model")]
pub use local::LocalModel;
pub use model_id::{ModelId, Prefixes};
#[cfg(feature = "local-model")]
pub use on_demand::{BadFiles, OnDemand};
#[cfg(feature = "local-model")]
pub use pull::{HUB, OnProgress, Progress, PullError, PullSource, pull};

/// What a text is for; some models want it said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// It is to be found.
    Passage,
    /// It asks.
    Query,
}

/// One model that turns text into vectors.
#[async_trait]
pub trait Embedder: Send + Sync {
    /// Which model answers; vectors of different ids are never compared.
    ///
    /// An endpoint whose size was not configured is asked once, and remembers: an id without the size would be a
    /// second kind of id, and two models of different sizes could share it.
    async fn model(&self) -> Result<ModelId, EmbedError>;

    /// One vector for each text, in their order: finite, of unit length, all of the model's size.
    ///
    /// A text that is too long for the model is refused, never cut: take its [`pieces`](Self::pieces) first.
    /// Where one text is refused, no vector is returned, and [`EmbedError::Final`] says which it was.
    async fn embed(&self, role: Role, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError>;

    /// The text in pieces that the model takes whole. Joined, they are the text; an empty text has none.
    fn pieces(&self, text: &str) -> Vec<String>;
}

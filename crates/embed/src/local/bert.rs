//! The engine: BERT's forward pass by candle, with the mean over a text's tokens. Nothing else here knows candle.
//!
//! Written out rather than taken from candle-transformers, which compiles every model there is.

use candle_core::{DType, Device, Result, Tensor};
use candle_nn::{Embedding, LayerNorm, Linear, Module, VarBuilder, embedding, layer_norm, linear, ops};
use serde::Deserialize;

use crate::BadModel;

/// What hides a padded token from the others, far below any score.
const HIDDEN: f64 = -10_000.0;
/// Any token does, as it is hidden; this one is what `config.json` says.
const PADDING: u32 = 0;

/// The part of `config.json` that shapes the model.
#[derive(Debug, Deserialize)]
struct Config {
    vocab_size: usize,
    max_position_embeddings: usize,
    type_vocab_size: usize,
    hidden_size: usize,
    intermediate_size: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    layer_norm_eps: f64,
}

/// The weights of the model, on the CPU.
#[derive(Debug)]
pub(super) struct Bert {
    words: Embedding,
    positions: Tensor,
    /// Added to every token: the first text's, as there is no second.
    first_type: Tensor,
    norm: LayerNorm,
    layers: Vec<Layer>,
    size: usize,
}

#[derive(Debug)]
struct Layer {
    heads: usize,
    /// What keeps scores small, however wide a head is: one over the root of its width.
    scale: f64,
    query: Linear,
    key: Linear,
    value: Linear,
    attended: Linear,
    attended_norm: LayerNorm,
    inner: Linear,
    outer: Linear,
    outer_norm: LayerNorm,
}

impl Bert {
    /// From the bytes of `config.json` and `model.safetensors`.
    pub(super) fn read(config: &[u8], weights: Vec<u8>) -> std::result::Result<Self, BadModel> {
        let config = serde_json::from_slice(config).map_err(|_| BadModel::Engine("read its config"))?;
        VarBuilder::from_buffered_safetensors(weights, DType::F32, &Device::Cpu)
            .and_then(|weights| Self::from_weights(&config, &weights))
            .map_err(|_| BadModel::Engine("read its weights"))
    }

    fn from_weights(config: &Config, weights: &VarBuilder) -> Result<Self> {
        let Config { hidden_size: size, layer_norm_eps: eps, .. } = *config;
        let first = weights.pp("embeddings");
        let types = first.pp("token_type_embeddings").get((config.type_vocab_size, size), "weight")?;
        let layers = (0..config.num_hidden_layers)
            .map(|layer| Layer::from_weights(config, &weights.pp(format!("encoder.layer.{layer}"))));
        Ok(Self {
            words: embedding(config.vocab_size, size, first.pp("word_embeddings"))?,
            positions: first
                .pp("position_embeddings")
                .get((config.max_position_embeddings, size), "weight")?,
            first_type: types.get(0)?,
            norm: layer_norm(size, eps, first.pp("LayerNorm"))?,
            layers: layers.collect::<Result<_>>()?,
            size,
        })
    }

    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// The mean of the token vectors of each row, not yet of unit length.
    pub(super) fn embed(&self, rows: &[Vec<u32>]) -> std::result::Result<Vec<Vec<f32>>, BadModel> {
        self.means(rows).map_err(|_| BadModel::Engine("embed"))
    }

    fn means(&self, rows: &[Vec<u32>]) -> Result<Vec<Vec<f32>>> {
        let longest = rows.iter().map(Vec::len).max().unwrap_or_default();
        let shape = (rows.len(), longest);
        let places = || rows.iter().flat_map(|row| (0..longest).map(|place| row.get(place).copied()));
        let tokens = places().map(|token| token.unwrap_or(PADDING));
        let mask = places().map(|token| if token.is_some() { 1_f32 } else { 0.0 });
        let tokens = Tensor::from_iter(tokens, &Device::Cpu)?.reshape(shape)?;
        let mask = Tensor::from_iter(mask, &Device::Cpu)?.reshape(shape)?;
        let hidden = self.forward(&tokens, &mask)?;
        let sums = mask.unsqueeze(1)?.matmul(&hidden)?.squeeze(1)?;
        sums.broadcast_div(&mask.sum_keepdim(1)?)?.to_vec2()
    }

    /// A vector for each token.
    fn forward(&self, tokens: &Tensor, mask: &Tensor) -> Result<Tensor> {
        let positions = self.positions.narrow(0, 0, tokens.dim(1)?)?;
        let places = positions.broadcast_add(&self.first_type)?;
        let embedded = self.words.forward(tokens)?.broadcast_add(&places)?;
        let hidden = self.norm.forward(&embedded)?;
        // 0 where there is a token, HIDDEN where there is none, for every head and every token that looks.
        let hiding = mask.affine(-HIDDEN, HIDDEN)?.unsqueeze(1)?.unsqueeze(1)?;
        self.layers.iter().try_fold(hidden, |hidden, layer| layer.forward(&hidden, &hiding))
    }
}

impl Layer {
    fn from_weights(config: &Config, weights: &VarBuilder) -> Result<Self> {
        let Config { hidden_size: size, intermediate_size: inner, layer_norm_eps: eps, .. } = *config;
        let attention = weights.pp("attention");
        let own = attention.pp("self");
        let heads = config.num_attention_heads;
        let width = u32::try_from(size / heads).map_err(candle_core::Error::wrap)?;
        Ok(Self {
            heads,
            scale: f64::from(width).sqrt().recip(),
            query: linear(size, size, own.pp("query"))?,
            key: linear(size, size, own.pp("key"))?,
            value: linear(size, size, own.pp("value"))?,
            attended: linear(size, size, attention.pp("output.dense"))?,
            attended_norm: layer_norm(size, eps, attention.pp("output.LayerNorm"))?,
            inner: linear(size, inner, weights.pp("intermediate.dense"))?,
            outer: linear(inner, size, weights.pp("output.dense"))?,
            outer_norm: layer_norm(size, eps, weights.pp("output.LayerNorm"))?,
        })
    }

    fn forward(&self, hidden: &Tensor, hiding: &Tensor) -> Result<Tensor> {
        let attended = self.attended.forward(&self.attend(hidden, hiding)?)?;
        let attended = self.attended_norm.forward(&(attended + hidden)?)?;
        let outer = self.outer.forward(&self.inner.forward(&attended)?.gelu_erf()?)?;
        self.outer_norm.forward(&(outer + attended)?)
    }

    fn attend(&self, hidden: &Tensor, hiding: &Tensor) -> Result<Tensor> {
        let (texts, tokens, size) = hidden.dims3()?;
        let width = size / self.heads;
        let by_head = |tensor: Tensor| {
            tensor.reshape((texts, tokens, self.heads, width))?.transpose(1, 2)?.contiguous()
        };
        let query = by_head(self.query.forward(hidden)?)?;
        let key = by_head(self.key.forward(hidden)?)?;
        let value = by_head(self.value.forward(hidden)?)?;
        let scores = (query.matmul(&key.t()?)? * self.scale)?.broadcast_add(hiding)?;
        let seen = ops::softmax_last_dim(&scores)?.matmul(&value)?;
        seen.transpose(1, 2)?.contiguous()?.reshape((texts, tokens, size))
    }
}

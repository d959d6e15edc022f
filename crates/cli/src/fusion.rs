//! How the orders by words and by meaning are made into one, as the command line says it.

use truthkeeper::{BadInput, By, Fusion};

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct FusionArgs {
    /// Mode both: fuse by rank, and not by score; the larger, the less the first ranks stand out [published: 60].
    #[arg(long, value_name = "K")]
    fusion_k: Option<f64>,
    /// Mode both: how much the order by words counts [default: as measured best].
    #[arg(long, value_name = "WEIGHT")]
    keyword_weight: Option<f64>,
    /// Mode both: how much the order by meaning counts [default: as measured best].
    #[arg(long, value_name = "WEIGHT")]
    semantic_weight: Option<f64>,
}

impl FusionArgs {
    /// The settings, within their limits.
    pub(crate) fn fusion(&self) -> Result<Fusion, BadInput> {
        let shipped = Fusion::default();
        Ok(Fusion {
            by: match self.fusion_k {
                Some(k) => By::Rank { k: from_zero("fusion-k", k)? },
                None => shipped.by,
            },
            keyword: from_zero("keyword-weight", self.keyword_weight.unwrap_or(shipped.keyword))?,
            semantic: from_zero("semantic-weight", self.semantic_weight.unwrap_or(shipped.semantic))?,
        })
    }
}

fn from_zero(field: &'static str, number: f64) -> Result<f64, BadInput> {
    if number.is_finite() && number >= 0.0 {
        return Ok(number);
    }
    Err(BadInput::new(field, "must be a number from 0 on"))
}

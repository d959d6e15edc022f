//! How the orders by words and by meaning are made into one, as the command line says it.

use truthkeeper::{BadInput, Fusion};

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct FusionArgs {
    /// Mode both: the larger, the less the first ranks stand out [default: as measured best].
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
            k: from_zero("fusion-k", self.fusion_k, shipped.k)?,
            keyword: from_zero("keyword-weight", self.keyword_weight, shipped.keyword)?,
            semantic: from_zero("semantic-weight", self.semantic_weight, shipped.semantic)?,
        })
    }
}

fn from_zero(field: &'static str, given: Option<f64>, shipped: f64) -> Result<f64, BadInput> {
    let number = given.unwrap_or(shipped);
    if number.is_finite() && number >= 0.0 {
        return Ok(number);
    }
    Err(BadInput::new(field, "must be a number from 0 on"))
}

//! How what is found is put in order, as the command line says it.

use truthkeeper::{BadInput, By, Fusion, Recall, SourceWeights};

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct RankingArgs {
    /// Mode both: fuse by rank, and not by score; the larger, the less the first ranks stand out [published: 60].
    #[arg(long, value_name = "K")]
    fusion_k: Option<f64>,
    /// Mode both: how much the order by words counts [default: as measured best].
    #[arg(long, value_name = "WEIGHT")]
    keyword_weight: Option<f64>,
    /// Mode both: how much the order by meaning counts [default: as measured best].
    #[arg(long, value_name = "WEIGHT")]
    semantic_weight: Option<f64>,
    /// Leave out what is found by meaning alone and fits less well: a cosine, from -1 to 1 [default: nothing].
    #[arg(long, value_name = "COSINE", allow_negative_numbers = true)]
    floor: Option<f64>,
    /// How much a fact counts by who said it, such as migration=0.8: user, agent, operator, migration or service.
    #[arg(long, value_name = "SOURCE=WEIGHT", value_delimiter = ',')]
    source_weight: Vec<String>,
}

/// The settings.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ranking {
    fusion: Fusion,
    floor: Option<f64>,
    sources: SourceWeights,
}

impl Ranking {
    /// With that floor where the command line names none.
    pub(crate) fn or_floor(self, floor: Option<f64>) -> Self {
        Self { floor: self.floor.or(floor), ..self }
    }

    /// A recall by these settings.
    pub(crate) fn of(self, recall: Recall) -> Recall {
        recall.fusion(self.fusion).sources(self.sources).floor(self.floor)
    }
}

impl RankingArgs {
    /// The settings, as far as they can be read; a recall says where they are out of their limits.
    pub(crate) fn ranking(&self) -> Result<Ranking, BadInput> {
        let shipped = Fusion::default();
        let fusion = Fusion {
            by: match self.fusion_k {
                Some(k) => By::Rank { k: from_zero("fusion-k", k)? },
                None => shipped.by,
            },
            keyword: from_zero("keyword-weight", self.keyword_weight.unwrap_or(shipped.keyword))?,
            semantic: from_zero("semantic-weight", self.semantic_weight.unwrap_or(shipped.semantic))?,
        };
        let mut sources = SourceWeights::default();
        for weight in &self.source_weight {
            take_weight(&mut sources, weight)?;
        }
        Ok(Ranking { fusion, floor: self.floor, sources })
    }
}

fn take_weight(sources: &mut SourceWeights, text: &str) -> Result<(), BadInput> {
    let bad = || {
        BadInput::new("source-weight", "must be user, agent, operator, migration or service, = and a number")
    };
    let (source, weight) = text.split_once('=').ok_or_else(bad)?;
    let place = match source {
        "user" => &mut sources.user,
        "agent" => &mut sources.agent,
        "operator" => &mut sources.operator,
        "migration" => &mut sources.migration,
        "service" => &mut sources.service,
        _ => return Err(bad()),
    };
    *place = weight.parse().map_err(|_| bad())?;
    Ok(())
}

fn from_zero(field: &'static str, number: f64) -> Result<f64, BadInput> {
    if number.is_finite() && number >= 0.0 {
        return Ok(number);
    }
    Err(BadInput::new(field, "must be a number from 0 on"))
}

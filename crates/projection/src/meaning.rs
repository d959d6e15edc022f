//! What the rows mean: embedded many at once, without letting one text fail its neighbours.

use embed::{EmbedError, Embedder, Role};
use fact::Timestamp;
use index::Vectors;

use crate::plan::{Plan, Unembedded};
use crate::{Desk, ProjectionError};

/// A row whose meaning is not known yet, in pieces that the model takes whole.
struct Unknown {
    plan: usize,
    pieces: Vec<String>,
}

/// The rows that a model gave no vectors for.
#[derive(Default)]
struct Without {
    /// It takes others, but not these.
    refused: Vec<usize>,
    /// It takes nothing from anyone.
    left: Vec<usize>,
    /// Why.
    outage: Option<EmbedError>,
}

impl Desk {
    /// The model whose vectors every row ought to have; none where there is none, or it cannot say now.
    pub(crate) async fn model(&self) -> Option<String> {
        match &self.models.embedder {
            Some(embedder) => embedder.model().await.ok().map(|model| model.to_string()),
            None => None,
        }
    }

    /// Gives the plans' rows the vectors that the index lacks. Where there are none to be had, it says why: such a row
    /// is found by its words alone, and is done once its vectors are there.
    pub(crate) async fn embed(&self, plans: &mut [Plan], now: Timestamp) -> Result<(), ProjectionError> {
        self.embed_by_former(plans, now).await?;
        let Some(embedder) = &self.models.embedder else { return Ok(()) };
        let without = match (self.embedder_pause.enter(now, &self.settings), embedder.model().await) {
            (Some(until), _) => {
                let paused = Unembedded::Later { error: "embedder-unreachable", next: until };
                plans.iter_mut().for_each(|plan| plan.lacks_vectors(paused));
                return Ok(());
            }
            (None, Err(EmbedError::NotConfigured(_))) => return Ok(()),
            (None, Err(error)) => {
                Without { left: (0..plans.len()).collect(), outage: Some(error), ..Without::default() }
            }
            (None, Ok(model)) => self.embed_by(embedder.as_ref(), &model.to_string(), plans).await?,
        };
        for refused in without.refused {
            plans[refused].lacks_vectors(Unembedded::Refused);
        }
        let Some(outage) = without.outage else {
            self.embedder_pause.end();
            return Ok(());
        };
        let next = self.embedder_pause.begin(now, &self.settings);
        for left in without.left {
            plans[left].lacks_vectors(Unembedded::Later { error: class(&outage), next });
        }
        Ok(())
    }

    /// As long as is searched by the former model, what is written now gets its vectors too. Where it gives none, the
    /// row is found by its words until today's model takes over.
    async fn embed_by_former(&self, plans: &mut [Plan], now: Timestamp) -> Result<(), ProjectionError> {
        if self.models.former.is_none() {
            return Ok(());
        }
        let serving = self.index.serving().await.map_err(ProjectionError::Index)?;
        let Some(model) = serving else { return Ok(()) };
        let Some(former) = self.models.former_serving(&model).await else { return Ok(()) };
        if self.former_pause.enter(now, &self.settings).is_some() {
            return Ok(());
        }
        match self.embed_by(former.as_ref(), &model, plans).await?.outage {
            Some(_) => drop(self.former_pause.begin(now, &self.settings)),
            None => self.former_pause.end(),
        }
        Ok(())
    }

    async fn embed_by(
        &self,
        embedder: &dyn Embedder,
        model: &str,
        plans: &mut [Plan],
    ) -> Result<Without, ProjectionError> {
        let mut without = Without::default();
        let mut unknown = self.unknown(embedder, model, plans).await?;
        while !unknown.is_empty() {
            let texts: Vec<String> = unknown.iter().flat_map(|one| one.pieces.iter().cloned()).collect();
            match embedder.embed(Role::Passage, &texts).await {
                Ok(vectors) => {
                    let mut vectors = vectors.into_iter();
                    for Unknown { plan, pieces } in unknown {
                        let pieces = vectors.by_ref().take(pieces.len()).collect();
                        plans[plan].give(Vectors { model: model.to_owned(), pieces });
                    }
                    break;
                }
                Err(EmbedError::Final { index, .. }) => {
                    without.refused.push(unknown.remove(place(&unknown, index)).plan);
                }
                Err(error) => {
                    without.left = unknown.iter().map(|one| one.plan).collect();
                    without.outage = Some(error);
                    break;
                }
            }
        }
        Ok(without)
    }

    /// The plans' rows whose meaning the index does not know, cut into pieces.
    async fn unknown(
        &self,
        embedder: &dyn Embedder,
        model: &str,
        plans: &[Plan],
    ) -> Result<Vec<Unknown>, ProjectionError> {
        let with_rows = plans.iter().enumerate();
        let rows: Vec<_> =
            with_rows.filter_map(|(plan, one)| one.row.as_ref().map(|row| (plan, row))).collect();
        let digests: Vec<String> = rows.iter().map(|(_, row)| row.digest.clone()).collect();
        let known = self.index.embedded(model, &digests).await.map_err(ProjectionError::Index)?;
        let unknown = rows.into_iter().zip(known).filter(|(_, known)| !known);
        let cut =
            unknown.map(|((plan, row), _)| Unknown { plan, pieces: embedder.pieces(row.text.as_str()) });
        Ok(cut.filter(|one| !one.pieces.is_empty()).collect())
    }
}

fn class(error: &EmbedError) -> &'static str {
    match error {
        EmbedError::NotConfigured(_) => "embedder-not-configured",
        EmbedError::BadModel(_) => "embedder-bad-model",
        EmbedError::Passing { .. } => "embedder-unreachable",
        EmbedError::Final { .. } => "embedder-refused",
    }
}

/// Whose piece it is that was refused: the first of all, where the embedder names none of ours.
fn place(unknown: &[Unknown], piece: usize) -> usize {
    let mut end = 0;
    let whose = unknown.iter().position(|one| {
        end += one.pieces.len();
        piece < end
    });
    whose.unwrap_or(0)
}

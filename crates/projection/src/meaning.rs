//! What the rows mean: embedded many at once, without letting one text fail its neighbours.

use embed::{EmbedError, Role};
use fact::Timestamp;
use index::Vectors;

use crate::plan::{Plan, Unembedded};
use crate::{Desk, ProjectionError};

/// A row whose meaning is not known yet, in pieces that the model takes whole.
struct Unknown {
    plan: usize,
    pieces: Vec<String>,
}

impl Desk {
    /// The model whose vectors every row ought to have; none where there is none, or it cannot say now.
    pub(crate) async fn model(&self) -> Option<String> {
        match &self.embedder {
            Some(embedder) => embedder.model().await.ok().map(|model| model.to_string()),
            None => None,
        }
    }

    /// Gives the plans' rows the vectors that the index lacks. Where there are none to be had, it says why: such a row
    /// is found by its words alone, and is done once its vectors are there.
    pub(crate) async fn embed(&self, plans: &mut [Plan], now: Timestamp) -> Result<(), ProjectionError> {
        let Some(embedder) = &self.embedder else { return Ok(()) };
        let outage = match (self.embedder_pause.enter(now, &self.settings), embedder.model().await) {
            (Some(until), _) => Some(Unembedded::Later { error: "embedder-unreachable", next: until }),
            (None, Err(EmbedError::NotConfigured(_))) => return Ok(()),
            (None, Err(error)) => Some(self.embedder_outage(&error, now)),
            (None, Ok(model)) => self.embed_by(&model.to_string(), plans, now).await?,
        };
        if let Some(outage) = outage {
            for plan in plans.iter_mut().filter(|plan| plan.lacks_vectors()) {
                plan.unembedded = Some(outage);
            }
        }
        Ok(())
    }

    /// Gives why the rest has no vectors, where the embedder takes nothing from anyone.
    async fn embed_by(
        &self,
        model: &str,
        plans: &mut [Plan],
        now: Timestamp,
    ) -> Result<Option<Unembedded>, ProjectionError> {
        let mut unknown = self.unknown(model, plans).await?;
        while !unknown.is_empty() {
            let texts: Vec<String> = unknown.iter().flat_map(|one| one.pieces.iter().cloned()).collect();
            let Some(embedder) = &self.embedder else { return Ok(None) };
            match embedder.embed(Role::Passage, &texts).await {
                Ok(vectors) => {
                    let mut vectors = vectors.into_iter();
                    for Unknown { plan, pieces } in unknown {
                        let pieces = vectors.by_ref().take(pieces.len()).collect();
                        plans[plan].give(Vectors { model: model.to_owned(), pieces });
                    }
                    self.embedder_pause.end();
                    return Ok(None);
                }
                Err(EmbedError::Final { index, .. }) => {
                    let refused = unknown.remove(place(&unknown, index));
                    plans[refused.plan].unembedded = Some(Unembedded::Refused);
                }
                Err(error) => return Ok(Some(self.embedder_outage(&error, now))),
            }
        }
        self.embedder_pause.end();
        Ok(None)
    }

    /// The plans' rows whose meaning the index does not know, cut into pieces.
    async fn unknown(&self, model: &str, plans: &mut [Plan]) -> Result<Vec<Unknown>, ProjectionError> {
        let rows: Vec<(usize, String)> = plans
            .iter()
            .enumerate()
            .filter_map(|(plan, one)| one.row.as_ref().map(|row| (plan, row.digest.clone())))
            .collect();
        let digests: Vec<String> = rows.iter().map(|(_, digest)| digest.clone()).collect();
        let known = self.index.embedded(model, &digests).await.map_err(ProjectionError::Index)?;
        let mut unknown = Vec::new();
        for ((plan, _), known) in rows.into_iter().zip(known) {
            let (Some(row), Some(embedder)) = (&plans[plan].row, &self.embedder) else { continue };
            let pieces = if known { Vec::new() } else { embedder.pieces(row.text.as_str()) };
            if pieces.is_empty() {
                plans[plan].embedded = true;
            } else {
                unknown.push(Unknown { plan, pieces });
            }
        }
        Ok(unknown)
    }

    fn embedder_outage(&self, error: &EmbedError, now: Timestamp) -> Unembedded {
        let next = self.embedder_pause.begin(now, &self.settings);
        let error = match error {
            EmbedError::NotConfigured(_) => "embedder-not-configured",
            EmbedError::BadModel(_) => "embedder-bad-model",
            EmbedError::Passing { .. } => "embedder-unreachable",
            EmbedError::Final { .. } => "embedder-refused",
        };
        Unembedded::Later { error, next }
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

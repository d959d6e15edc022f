//! The orders that a recall is made of, by words and by meaning, and what is looked for in each.

use embed::{EmbedError, Embedder, Role};
use fact::{BadInput, limits};
use index::{Matches, Nearby, Nearest, Query};
use ledger::Seen;
use recall::{Found, Leg, Order};

use crate::{Mode, Recall, Text};

/// The orders of one recall, each with at most so many candidates.
pub(crate) struct Orders<'a> {
    recall: &'a Recall,
    reach: usize,
    legs: Vec<Leg>,
    /// The last write to the copy that they show.
    pub(crate) generation: i64,
}

impl<'a> Orders<'a> {
    /// None yet.
    pub(crate) fn new(recall: &'a Recall, reach: usize) -> Self {
        Self { recall, reach, legs: Vec::new(), generation: 0 }
    }

    /// The order by words.
    pub(crate) fn add_words(&mut self, matches: Matches) {
        let Matches { candidates, generation } = matches;
        let (weight, is_cut) = (self.recall.fusion.keyword, candidates.len() == self.reach);
        self.legs.push(Leg { order: Order::Words, weight, usual: 0.0, candidates, is_cut });
        self.generation = self.generation.max(generation);
    }

    /// The order by meaning.
    pub(crate) fn add_meaning(&mut self, near: Nearby) {
        let Nearby { candidates, usual, generation } = near;
        let (weight, is_cut) = (self.recall.fusion.semantic, candidates.len() == self.reach);
        self.legs.push(Leg { order: Order::Meaning, weight, usual, candidates, is_cut });
        self.generation = self.generation.max(generation);
    }

    /// Whether to look further would find nothing more.
    pub(crate) fn are_exhausted(&self) -> bool {
        !self.legs.iter().any(|leg| leg.goes_on(self.recall.floor))
    }

    /// All of them as one, best first.
    pub(crate) fn found(&self) -> Vec<Found> {
        recall::fuse(&self.legs, self.recall.fusion.by)
    }
}

/// What is looked for by words, and by meaning, as the mode asks for it.
pub(crate) fn queries(
    recall: &Recall,
    meant: Option<&Meant>,
    reach: usize,
) -> Result<(Option<Query>, Option<Nearest>), BadInput> {
    let kinds = || recall.kinds.clone();
    let text = || query_text(recall).map(|text| Text::stored(text.to_owned()));
    let words = match recall.mode {
        Mode::Semantic => None,
        Mode::Keyword | Mode::List | Mode::Both => {
            Some(Query { text: text()?, kinds: kinds(), limit: reach })
        }
    };
    let Some(Meant { model, vector }) = meant else { return Ok((words, None)) };
    let meaning =
        Nearest { text: text()?, model: model.clone(), vector: vector.clone(), kinds: kinds(), limit: reach };
    Ok((words, Some(meaning)))
}

/// A fact that is listed, not found.
pub(crate) fn unscored(seen: &Seen) -> Found {
    Found { fact: seen.head.fact, revision: seen.revision.number, score: 0.0, fits: Vec::new() }
}

/// What a query means.
pub(crate) struct Meant {
    pub(crate) model: String,
    vector: Vec<f32>,
}

impl Meant {
    /// A query of several pieces means what lies between them; a blank one means nothing.
    pub(crate) async fn of(embedder: &dyn Embedder, text: &str) -> Result<Option<Self>, EmbedError> {
        let pieces = embedder.pieces(text);
        if pieces.is_empty() {
            return Ok(None);
        }
        let model = embedder.model().await?.to_string();
        let vectors = embedder.embed(Role::Query, &pieces).await?;
        Ok(Some(Self { model, vector: middle(&vectors) }))
    }
}

/// The vector of unit length between others.
pub(crate) fn middle(vectors: &[Vec<f32>]) -> Vec<f32> {
    let size = vectors.first().map_or(0, Vec::len);
    let sum: Vec<f32> = (0..size).map(|at| vectors.iter().map(|vector| vector[at]).sum()).collect();
    let length = sum.iter().map(|number| number * number).sum::<f32>().sqrt();
    sum.iter().map(|number| if length > 0.0 { number / length } else { 0.0 }).collect()
}

/// The text of a query, within its limits.
pub(crate) fn query_text(recall: &Recall) -> Result<&str, BadInput> {
    let text = recall.query.as_deref().ok_or_else(|| BadInput::new("query", "is missing"))?;
    let chars = text.chars().count();
    let most = limits::QUERY_CHARS_MAX;
    if chars > most {
        return Err(BadInput::new("query", format!("has {chars} characters; at most {most}")));
    }
    Ok(text)
}

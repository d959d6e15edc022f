//! Asks the questions of a data set, one after the other, and scores what recall gives.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use truthkeeper::{Memory, MemoryError, Mode, Recall};

use crate::progress::bar;
use crate::ranking::Ranking;

use super::dataset::{DocumentNumber, Owner, Question, Versions};
use super::error::EvalError;
use super::import::{self, Standing};
use super::score::{self, PLACES_MAX, Score};

/// What came of one question.
pub(super) struct Answer<'a> {
    /// Its category.
    pub(super) category: &'a str,
    /// How well recall found.
    pub(super) score: Score,
    /// How long recall took.
    pub(super) took: Duration,
    /// Superseded documents among the first places, which the ledger should have kept back.
    pub(super) superseded: usize,
    /// Where the question names versions: how the stale ones fared.
    pub(super) versions: Option<StaleVersions>,
}

/// How the stale versions of one question fared.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct StaleVersions {
    /// How many were among the first places.
    pub(super) shown: usize,
    /// One stood before every version that holds.
    pub(super) first: bool,
}

/// Refuses a mode that recall does not have, before anything is written.
pub(super) async fn check_mode(memory: &Memory, mode: Mode) -> Result<(), EvalError> {
    let nobody = Owner {
        id: truthkeeper::Id::parse("owner", "nobody").map_err(truthkeeper::MemoryError::from)?,
        documents: Vec::new(),
        questions: Vec::new(),
    };
    let recalled = memory.recall(&import::caller(&nobody)?, &Recall::query("anything").mode(mode)).await?;
    // Figures of words alone must not go by the name of both.
    match recalled.degraded {
        None => Ok(()),
        Some(_) => Err(MemoryError::SemanticUnavailable.into()),
    }
}

/// How the questions are asked.
#[derive(Debug, Clone, Copy)]
pub(super) struct How {
    /// By words, by meaning, or both.
    pub(super) mode: Mode,
    /// How what is found is put in order.
    pub(super) ranking: Ranking,
}

/// Asks every question that has gold.
pub(super) async fn all<'a>(
    memory: &Memory,
    owners: &'a [Owner],
    standings: &[Standing],
    how: How,
    limit: usize,
) -> Result<Vec<Answer<'a>>, EvalError> {
    let asked = |owner: &'a Owner| owner.questions.iter().filter(|question| !question.gold.is_empty());
    let progress = bar("queries", u64::try_from(owners.iter().flat_map(asked).count()).ok());
    let mut answers = Vec::new();
    for (owner, standing) in owners.iter().zip(standings) {
        let caller = import::caller(owner)?;
        for question in asked(owner) {
            let recall = Recall::query(question.text.as_str()).mode(how.mode);
            let recall = how.ranking.of(recall).limit(standing.facts_for(limit));
            let start = Instant::now();
            let recalled = memory.recall(&caller, &recall).await?;
            let took = start.elapsed();
            if recalled.not_searchable_yet > 0 {
                return Err(EvalError::NotSearchable { waiting: recalled.not_searchable_yet });
            }
            let mut ranking = score::ranking(recalled.facts.iter().map(|fact| standing.of(fact)));
            ranking.truncate(limit);
            answers.push(answer(question, &ranking, standing, took));
            progress.inc(1);
        }
    }
    progress.finish_and_clear();
    Ok(answers)
}

fn answer<'a>(
    question: &'a Question,
    ranking: &[BTreeSet<DocumentNumber>],
    standing: &Standing,
    took: Duration,
) -> Answer<'a> {
    let first_places = &ranking[..ranking.len().min(PLACES_MAX)];
    Answer {
        category: &question.category,
        score: Score::of(first_places, &question.gold),
        took,
        superseded: first_places.iter().filter(|place| place.is_subset(&standing.superseded)).count(),
        versions: question.versions.as_ref().map(|versions| StaleVersions::of(first_places, versions)),
    }
}

impl StaleVersions {
    pub(super) fn of(first_places: &[BTreeSet<DocumentNumber>], versions: &Versions) -> Self {
        let best = |version: &BTreeSet<DocumentNumber>| {
            first_places.iter().position(|place| !place.is_disjoint(version))
        };
        let shown = first_places.iter().flatten().filter(|document| versions.original.contains(document));
        let first = match (best(&versions.original), best(&versions.updated)) {
            (Some(original), Some(updated)) => original < updated,
            (original, None) => original.is_some(),
            (None, Some(_)) => false,
        };
        Self { shown: shown.count(), first }
    }
}

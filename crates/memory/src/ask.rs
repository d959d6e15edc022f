//! Recalling: search, gate, and what was withheld.

use embed::{EmbedError, Embedder, Role};
use fact::{BadInput, FactType, Timestamp, limits};
use index::{Candidate, Nearby, Nearest, Query};
use ledger::{Filter, Instant, Seen};
use projection::Searching;
use recall::{Admitted, Degraded, Fusion, Leg, Recalled};

use serde::{Deserialize, Serialize};

use crate::receipts::Asked;
use crate::{Caller, Memory, MemoryError, Question, Text, Times};

/// Facts that one recall gives, when it does not say.
const FACTS_DEFAULT: usize = 10;
/// Conflict notices that one recall gives; there may be more, and it says how many.
const NOTICES_MAX: usize = 5;
/// Facts that are named because the index does not show yet what they say.
const UNSEARCHABLE_MAX: usize = 20;
/// Candidates taken beyond what is asked for, so that what the gate keeps back hides nothing.
pub(crate) const CANDIDATES_SPARE: usize = 50;

/// How to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// By words.
    #[default]
    Keyword,
    /// The newest first, without a query.
    List,
    /// By meaning.
    Semantic,
    /// By both, fused. By words alone, and saying so, where there are no vectors.
    Both,
}

impl Mode {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Keyword => "keyword",
            Self::List => "list",
            Self::Semantic => "semantic",
            Self::Both => "both",
        }
    }

    /// Reads a name; `none` is another one of `list`.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "none" => Some(Self::List),
            name => [Self::Keyword, Self::List, Self::Semantic, Self::Both]
                .into_iter()
                .find(|mode| mode.name() == name),
        }
    }
}

/// What to recall.
#[derive(Debug, Clone, Default)]
pub struct Recall {
    pub(crate) query: Option<String>,
    pub(crate) kinds: Vec<FactType>,
    pub(crate) mode: Mode,
    limit: Option<usize>,
    pub(crate) fusion: Fusion,
    pub(crate) times: Times,
}

impl Recall {
    /// What fits these words.
    pub fn query(query: impl Into<String>) -> Self {
        Self { query: Some(query.into()), ..Self::default() }
    }

    /// The newest facts.
    pub fn newest() -> Self {
        Self { mode: Mode::List, ..Self::default() }
    }

    /// Only facts of these kinds.
    #[must_use]
    pub fn kinds(self, kinds: Vec<FactType>) -> Self {
        let mut distinct: Vec<FactType> = Vec::with_capacity(kinds.len());
        for kind in kinds {
            if !distinct.contains(&kind) {
                distinct.push(kind);
            }
        }
        Self { kinds: distinct, ..self }
    }

    /// How to look.
    #[must_use]
    pub fn mode(self, mode: Mode) -> Self {
        Self { mode, ..self }
    }

    /// How the orders by words and by meaning are made into one.
    #[must_use]
    pub fn fusion(self, fusion: Fusion) -> Self {
        Self { fusion, ..self }
    }

    /// As of other times: what was known, what was true then. Such an answer is not current truth.
    #[must_use]
    pub fn times(self, times: Times) -> Self {
        Self { times, ..self }
    }

    /// At most that many facts, from 1 to 100.
    #[must_use]
    pub fn limit(self, limit: usize) -> Self {
        Self { limit: Some(limit), ..self }
    }

    /// Whether facts of that kind are asked for.
    pub(crate) fn is_of_kind(&self, kind: &FactType) -> bool {
        self.kinds.is_empty() || self.kinds.contains(kind)
    }

    /// How many facts it gives at most.
    pub(crate) fn facts_max(&self) -> usize {
        self.limit.unwrap_or(FACTS_DEFAULT)
    }
}

impl Memory {
    /// Recalls current truth for the caller. When the ledger cannot be read, nothing is recalled and the error says so.
    pub async fn recall(&self, caller: &Caller, recall: &Recall) -> Result<Recalled, MemoryError> {
        let began = self.clock.now();
        let now = self.now(caller.tenant()).await?;
        self.audit(caller, "recall", None, now).await;
        self.catch_up(now).await;
        let last = self.ledger.last(caller.tenant()).await?;
        let recalled = self.recall_at(caller, recall, now).await?;
        let asked = Asked {
            query: recall.query.as_deref(),
            questions: vec![Question::of(&caller.reader, recall)],
            last,
            now,
        };
        self.told(caller, asked, began, recalled).await
    }

    /// Recalls what is true at `now`, the copy being as it is.
    pub(crate) async fn recall_at(
        &self,
        caller: &Caller,
        recall: &Recall,
        now: Timestamp,
    ) -> Result<Recalled, MemoryError> {
        if recall.times != Times::default() {
            return self.recall_then(caller, recall, now).await;
        }
        let limit = check_limit(recall.facts_max())?;
        // Before the search: what the copy shows meanwhile may have been missed.
        let (unsearchable, not_searchable_yet) =
            self.ledger.unsearchable(&caller.reader, now, UNSEARCHABLE_MAX).await?;
        let (Admitted { facts, withheld, near }, degraded, model) = match recall.mode {
            Mode::Keyword | Mode::Semantic | Mode::Both => self.find(caller, recall, limit, now).await?,
            Mode::List => (self.newest(caller, recall, limit, now).await?, None, None),
        };
        let (conflicts, conflicts_open) =
            self.ledger.open_conflicts(&caller.reader, &recall.kinds, NOTICES_MAX).await?;
        let index_drifted = self.ledger.known_drift(caller.tenant()).await? > 0;
        Ok(Recalled {
            facts,
            withheld,
            conflicts,
            conflicts_open,
            not_searchable_yet,
            unsearchable,
            index_drifted,
            degraded,
            warnings: Vec::new(),
            near,
            model,
            then: None,
            receipt: None,
        })
    }

    /// Keeps a receipt of a recall and says in the log what it came to.
    pub(crate) async fn told(
        &self,
        caller: &Caller,
        asked: Asked<'_>,
        began: Timestamp,
        recalled: Recalled,
    ) -> Result<Recalled, MemoryError> {
        let query_chars = asked.query.map_or(0, |query| query.chars().count());
        let recalled = self.keep_receipt(caller, asked, recalled).await?;
        self.spoken.tell(caller, query_chars, began, &recalled, self.clock.now());
        Ok(recalled)
    }

    /// Looks again where another model took over meanwhile: with it the vectors went that were looked for.
    async fn find(
        &self,
        caller: &Caller,
        recall: &Recall,
        limit: usize,
        now: Timestamp,
    ) -> Result<(Admitted, Option<Degraded>, Option<String>), MemoryError> {
        loop {
            let before = self.serving(recall).await?;
            let (meant, degraded) = self.meaning_of(recall, before.as_deref()).await?;
            let found = self.search(caller, recall, meant.as_ref(), limit, now).await?;
            if self.serving(recall).await? == before {
                return Ok((found, degraded, meant.map(|meant| meant.model)));
            }
        }
    }

    /// The model by which is searched, where the mode needs one.
    async fn serving(&self, recall: &Recall) -> Result<Option<String>, MemoryError> {
        match recall.mode {
            Mode::Keyword | Mode::List => Ok(None),
            Mode::Semantic | Mode::Both => Ok(self.index.serving().await?),
        }
    }

    /// What the query means, where the mode asks for it; and why it is not known, where the words will do.
    pub(crate) async fn meaning_of(
        &self,
        recall: &Recall,
        serving: Option<&str>,
    ) -> Result<(Option<Meant>, Option<Degraded>), MemoryError> {
        if matches!(recall.mode, Mode::Keyword | Mode::List) {
            return Ok((None, None));
        }
        let both = recall.mode == Mode::Both;
        let Some(Searching { embedder, partial }) = self.models.searching(serving).await else {
            let degraded = Some(Degraded::NoEmbeddings).filter(|_| both);
            return degraded.map(|why| (None, Some(why))).ok_or(MemoryError::SemanticUnavailable);
        };
        match Meant::of(embedder.as_ref(), query_text(recall)?).await {
            Ok(meant) => Ok((meant, partial.then_some(Degraded::OtherModel))),
            Err(EmbedError::NotConfigured(_)) if both => Ok((None, Some(Degraded::NoEmbeddings))),
            Err(error) if both && error.is_outage() => Ok((None, Some(Degraded::EmbedderUnreachable))),
            Err(error) => Err(error.into()),
        }
    }

    /// Looks further while the gate keeps back so much that a fact could be hidden.
    async fn search(
        &self,
        caller: &Caller,
        recall: &Recall,
        meant: Option<&Meant>,
        limit: usize,
        now: Timestamp,
    ) -> Result<Admitted, MemoryError> {
        let mut reach = limit + CANDIDATES_SPARE;
        loop {
            let legs = self.legs(caller, recall, meant, reach).await?;
            let exhausted = legs.iter().all(|leg| !leg.is_cut);
            let candidates = one_order(&legs, recall);
            let found = recall::admit(&candidates, &self.ledger, &caller.reader, now, limit).await?;
            if found.facts.len() == limit || exhausted {
                return Ok(found);
            }
            reach *= 4;
        }
    }

    /// The orders that the mode asks for, each with at most `reach` candidates.
    async fn legs(
        &self,
        caller: &Caller,
        recall: &Recall,
        meant: Option<&Meant>,
        reach: usize,
    ) -> Result<Vec<Leg>, MemoryError> {
        let (words, meaning) = queries(recall, meant, reach)?;
        let mut legs = Vec::new();
        if let Some(query) = words {
            legs.push(by_words(recall, self.index.search(&caller.reader, &query).await?, reach));
        }
        if let Some(query) = meaning {
            legs.push(by_meaning(recall, self.index.nearest(&caller.reader, &query).await?, reach));
        }
        Ok(legs)
    }

    /// Looks further, as `search` does.
    async fn newest(
        &self,
        caller: &Caller,
        recall: &Recall,
        limit: usize,
        now: Timestamp,
    ) -> Result<Admitted, MemoryError> {
        let mut reach = limit + CANDIDATES_SPARE;
        loop {
            let candidates = self.newest_first(caller, recall, reach, now).await?;
            let mut found = recall::admit(&candidates, &self.ledger, &caller.reader, now, limit).await?;
            if found.facts.len() == limit || candidates.len() < reach {
                found.facts.iter_mut().for_each(|fact| fact.score = None);
                return Ok(found);
            }
            reach *= 4;
        }
    }

    /// What the caller may read of the kinds asked for, at most `reach` of it.
    async fn newest_first(
        &self,
        caller: &Caller,
        recall: &Recall,
        reach: usize,
        now: Timestamp,
    ) -> Result<Vec<Candidate>, MemoryError> {
        let kinds: Vec<Option<FactType>> = match recall.kinds.is_empty() {
            true => vec![None],
            false => recall.kinds.iter().cloned().map(Some).collect(),
        };
        let mut seen = Vec::new();
        for kind in kinds {
            let filter = Filter { kind, ..Filter::current() };
            let (mut left, mut after) = (reach, None);
            loop {
                let size = left.min(limits::PAGE_ITEMS_MAX);
                let page = self
                    .ledger
                    .list(&caller.reader, &filter, Instant::now(now), after.as_ref(), size)
                    .await?;
                left -= page.items.len();
                seen.extend(page.items);
                after = page.next;
                if left == 0 || after.is_none() {
                    break;
                }
            }
        }
        seen.sort_by_key(|seen| std::cmp::Reverse(seen.revision.position));
        seen.truncate(reach);
        Ok(seen.iter().map(unscored).collect())
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

/// The order by words, of at most `reach` candidates.
pub(crate) fn by_words(recall: &Recall, candidates: Vec<Candidate>, reach: usize) -> Leg {
    let is_cut = candidates.len() == reach;
    Leg { weight: recall.fusion.keyword, usual: 0.0, candidates, is_cut }
}

/// The order by meaning, of at most `reach` candidates.
pub(crate) fn by_meaning(recall: &Recall, near: Nearby, reach: usize) -> Leg {
    let Nearby { candidates, usual } = near;
    let is_cut = candidates.len() == reach;
    Leg { weight: recall.fusion.semantic, usual, candidates, is_cut }
}

/// The orders made into one; an only one keeps its scores.
pub(crate) fn one_order(legs: &[Leg], recall: &Recall) -> Vec<Candidate> {
    match legs {
        [only] => only.candidates.clone(),
        legs => recall::fuse(legs, recall.fusion.by),
    }
}

/// A fact that is listed, not found.
pub(crate) fn unscored(seen: &Seen) -> Candidate {
    Candidate { fact: seen.head.fact, revision: seen.revision.number, score: 0.0 }
}

/// What a query means.
pub(crate) struct Meant {
    pub(crate) model: String,
    vector: Vec<f32>,
}

impl Meant {
    /// A query of several pieces means what lies between them; a blank one means nothing.
    async fn of(embedder: &dyn Embedder, text: &str) -> Result<Option<Self>, EmbedError> {
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
fn query_text(recall: &Recall) -> Result<&str, BadInput> {
    let text = recall.query.as_deref().ok_or_else(|| BadInput::new("query", "is missing"))?;
    let chars = text.chars().count();
    let most = limits::QUERY_CHARS_MAX;
    if chars > most {
        return Err(BadInput::new("query", format!("has {chars} characters; at most {most}")));
    }
    Ok(text)
}

pub(crate) fn check_limit(limit: usize) -> Result<usize, BadInput> {
    if (1..=limits::PAGE_ITEMS_MAX).contains(&limit) {
        return Ok(limit);
    }
    let most = limits::PAGE_ITEMS_MAX;
    Err(BadInput::new("limit", format!("must be from 1 to {most}")))
}

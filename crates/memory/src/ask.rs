//! Recalling: search, gate, and what was withheld.

use embed::EmbedError;
use fact::{BadInput, FactType, Timestamp, limits};
use ledger::{Filter, Instant};
use projection::Searching;
use recall::{Admitted, Degraded, Found, Fusion, Pick, Reason, Recalled, SourceWeights};
use serde::{Deserialize, Serialize};

use crate::orders::{Meant, Orders, queries, query_text, unscored};
use crate::receipts::Asked;
use crate::{Caller, Memory, MemoryError, Question, Times, measures};

/// Facts that one recall gives, when it does not say.
const FACTS_DEFAULT: usize = 10;
/// Conflict notices that one recall gives; there may be more, and it says how many.
const NOTICES_MAX: usize = 5;
/// Facts that are named because the index does not show yet what they say.
const UNSEARCHABLE_MAX: usize = 20;
/// Candidates taken beyond what is asked for, so that what the gate keeps back hides nothing.
pub(crate) const CANDIDATES_SPARE: usize = 50;

/// Candidates among which facts come before memories from before the ledger that fit better.
const LEGACY_REACH: usize = 500;

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
    pub(crate) floor: Option<f64>,
    pub(crate) sources: SourceWeights,
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

    /// Leaves out what is found by meaning alone and fits less well: a cosine, from -1 to 1. None by default.
    #[must_use]
    pub fn floor(self, floor: impl Into<Option<f64>>) -> Self {
        Self { floor: floor.into(), ..self }
    }

    /// How much each fact counts by who said it; all the same by default.
    #[must_use]
    pub fn sources(self, sources: SourceWeights) -> Self {
        Self { sources, ..self }
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

    /// What is taken of what is found, within the limits. A list is in the order of time, whoever said what.
    pub(crate) fn pick(&self) -> Result<Pick, BadInput> {
        check_settings(self)?;
        let sources = match self.mode {
            Mode::List => SourceWeights::default(),
            Mode::Keyword | Mode::Semantic | Mode::Both => self.sources,
        };
        Ok(Pick { limit: check_limit(self.facts_max())?, floor: self.floor, sources })
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
        let pick = recall.pick()?;
        // Before the search: what the copy shows meanwhile may have been missed.
        let (unsearchable, not_searchable_yet) =
            self.ledger.unsearchable(&caller.reader, now, UNSEARCHABLE_MAX).await?;
        let Answer { admitted, degraded, model, generation } = match recall.mode {
            Mode::Keyword | Mode::Semantic | Mode::Both => self.find(caller, recall, &pick, now).await?,
            Mode::List => Answer::listed(self.newest(caller, recall, &pick, now).await?),
        };
        let Admitted { facts, legacy, withheld, near } = admitted;
        let (conflicts, conflicts_open) =
            self.ledger.open_conflicts(&caller.reader, &recall.kinds, NOTICES_MAX).await?;
        let index_drifted = self.ledger.known_drift(caller.tenant()).await? > 0;
        Ok(Recalled {
            facts,
            legacy,
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
            generation,
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
        let ended = self.clock.now();
        measures::recalled(&recalled, began, ended);
        self.spoken.tell(caller, query_chars, began, &recalled, ended);
        Ok(recalled)
    }

    /// Looks again where another model took over meanwhile: with it the vectors went that were looked for.
    async fn find(
        &self,
        caller: &Caller,
        recall: &Recall,
        pick: &Pick,
        now: Timestamp,
    ) -> Result<Answer, MemoryError> {
        loop {
            let before = self.serving(recall).await?;
            let (meant, degraded) = self.meaning_of(recall, before.as_deref()).await?;
            let (admitted, generation) = self.search(caller, recall, meant.as_ref(), pick, now).await?;
            if self.serving(recall).await? == before {
                let model = meant.map(|meant| meant.model);
                return Ok(Answer { admitted, degraded, model, generation: Some(generation) });
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
        // An embedder may be another's machine: what leaves for it has no secret in it.
        let text = query_text(recall)?;
        let screened = self.screen.cleaned(text);
        match Meant::of(embedder.as_ref(), screened.as_deref().unwrap_or(text)).await {
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
        pick: &Pick,
        now: Timestamp,
    ) -> Result<(Admitted, i64), MemoryError> {
        let mut reach = pick.limit + CANDIDATES_SPARE;
        loop {
            let orders = self.orders(caller, recall, meant, reach).await?;
            let found = orders.found();
            let admitted = recall::admit(&found, &self.ledger, &caller.reader, now, pick).await?;
            // A fact that fits so much less than so many older memories is not looked for without end.
            let is_full = reach > LEGACY_REACH && admitted.facts.len() + admitted.legacy.len() == pick.limit;
            if admitted.facts.len() == pick.limit || is_full || orders.are_exhausted() {
                return Ok((admitted, orders.generation));
            }
            reach *= 4;
        }
    }

    /// The orders that the mode asks for, each with at most `reach` candidates.
    async fn orders<'a>(
        &self,
        caller: &Caller,
        recall: &'a Recall,
        meant: Option<&Meant>,
        reach: usize,
    ) -> Result<Orders<'a>, MemoryError> {
        let (words, meaning) = queries(recall, meant, reach)?;
        let mut orders = Orders::new(recall, reach);
        if let Some(query) = words {
            orders.add_words(self.index.search(&caller.reader, &query).await?);
        }
        if let Some(query) = meaning {
            orders.add_meaning(self.index.nearest(&caller.reader, &query).await?);
        }
        Ok(orders)
    }

    /// Looks further, as `search` does.
    async fn newest(
        &self,
        caller: &Caller,
        recall: &Recall,
        pick: &Pick,
        now: Timestamp,
    ) -> Result<Admitted, MemoryError> {
        let mut reach = pick.limit + CANDIDATES_SPARE;
        loop {
            let found = self.newest_first(caller, recall, reach, now).await?;
            let mut admitted = recall::admit(&found, &self.ledger, &caller.reader, now, pick).await?;
            if admitted.facts.len() == pick.limit || found.len() < reach {
                admitted.facts.iter_mut().for_each(|fact| fact.score = None);
                let room = pick.limit - admitted.facts.len();
                let (legacy, damaged) = self.newest_legacy(caller, recall, room, now).await?;
                admitted.legacy = legacy;
                if let Some(damaged) = usize::try_from(damaged).ok().filter(|damaged| *damaged > 0) {
                    *admitted.withheld.entry(Reason::Damaged).or_default() += damaged;
                }
                return Ok(admitted);
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
    ) -> Result<Vec<Found>, MemoryError> {
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

/// What a search came to.
struct Answer {
    admitted: Admitted,
    degraded: Option<Degraded>,
    model: Option<String>,
    generation: Option<i64>,
}

impl Answer {
    /// Of no search.
    fn listed(admitted: Admitted) -> Self {
        Self { admitted, degraded: None, model: None, generation: None }
    }
}

fn check_settings(recall: &Recall) -> Result<(), BadInput> {
    let SourceWeights { user, agent, operator, migration, service } = recall.sources;
    if recall.floor.is_some_and(|floor| !(-1.0..=1.0).contains(&floor)) {
        return Err(BadInput::new("floor", "must be from -1 to 1"));
    }
    if [user, agent, operator, migration, service].iter().all(|weight| (0.01..=100.0).contains(weight)) {
        return Ok(());
    }
    Err(BadInput::new("sources", "must be weights from 0.01 to 100"))
}

fn check_limit(limit: usize) -> Result<usize, BadInput> {
    if (1..=limits::PAGE_ITEMS_MAX).contains(&limit) {
        return Ok(limit);
    }
    let most = limits::PAGE_ITEMS_MAX;
    Err(BadInput::new("limit", format!("must be from 1 to {most}")))
}

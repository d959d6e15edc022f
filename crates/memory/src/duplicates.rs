//! Facts that seem to say the same: listed for their owner, and left as they are.

use std::collections::{BTreeMap, HashMap};

use fact::{FactId, FactType, Head, RevisionNumber, Scope, State, Timestamp, limits};
use index::IndexError;
use ledger::{Filter, Instant, Seen};
use projection::Searching;
use reconcile::{Gist, Stated};

use crate::orders::middle;
use crate::{Caller, Memory, MemoryError};

/// The newest facts that are compared.
pub const COMPARED_FACTS_MAX: usize = 10_000;
/// Pairs that one list gives.
pub const DUPLICATE_PAIRS_MAX: usize = reconcile::PAIRS_MAX;
/// Contents whose meaning is read together.
const MEANINGS_AT_ONCE: usize = 500;

/// Two facts that seem to say the same.
#[derive(Debug, Clone, PartialEq)]
pub struct Duplicate {
    /// The fact that was recorded first, by the revision that is near.
    pub older: Seen,
    /// The other one.
    pub newer: Seen,
}

/// What a search for duplicates came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Duplicates {
    /// The pairs, the one with the newest revision first.
    pub pairs: Vec<Duplicate>,
    /// Facts that were compared.
    pub compared: usize,
    /// Whether there are facts beyond the `COMPARED_FACTS_MAX` newest, which were not looked at.
    pub facts_left_out: bool,
    /// Whether there may be more pairs than were given.
    pub pairs_left_out: bool,
    /// Statements that were compared by their words alone.
    pub by_words_alone: usize,
    /// Why meanings were not compared, where none was.
    pub no_meaning: Option<NoMeaning>,
}

/// Why statements were compared by their words alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoMeaning {
    /// There is no model here.
    NoEmbeddings,
    /// The vectors are of a model that is not here.
    OtherModel,
    /// The search index, which holds the vectors, does not answer.
    IndexUnreachable,
}

/// The statements to compare.
struct Taken {
    seen: Vec<Seen>,
    facts: usize,
    left_out: bool,
}

/// What the contents mean, as far as the index knows.
pub(crate) struct Meanings {
    pub(crate) by_digest: HashMap<String, Vec<f32>>,
    none: Option<NoMeaning>,
}

impl Memory {
    /// Pairs of facts that seem to say the same, of those that `filter` names, whatever its state says: current or
    /// contested, of one scope and type, and the caller's to read and to write. Nothing is merged.
    ///
    /// Compares the `COMPARED_FACTS_MAX` newest. Where meanings cannot be compared, the words alone are, and it says so.
    pub async fn duplicates(&self, caller: &Caller, filter: &Filter) -> Result<Duplicates, MemoryError> {
        let now = self.now(caller.tenant()).await?;
        self.audit(caller, "duplicates", None, now).await;
        let taken = self.to_compare(caller, filter, now).await?;
        let groups = grouped(&taken.seen);
        let meanings = self.meanings(&taken.seen, &groups).await;
        let (facts, left_out) = (taken.facts, taken.left_out);
        let compare = move || compared(&taken.seen, &groups, &meanings);
        let compared = tokio::task::spawn_blocking(compare).await;
        // Nobody cancels it, so that it can only have panicked.
        let found = compared.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()));
        Ok(Duplicates { compared: facts, facts_left_out: left_out, ..found })
    }

    /// The newest statements that are the caller's, the current ones and both sides of the contested.
    async fn to_compare(
        &self,
        caller: &Caller,
        filter: &Filter,
        now: Timestamp,
    ) -> Result<Taken, MemoryError> {
        let (mut seen, mut left_out) = (Vec::new(), false);
        for state in [State::Active, State::Conflicted] {
            let filter = Filter { state, ..filter.clone() };
            let (newest, more) = self.newest_of(caller, &filter, now).await?;
            seen.extend(newest);
            left_out |= more;
        }
        seen.sort_by_key(|seen| std::cmp::Reverse(seen.revision.position));
        let mut newest = HashMap::new();
        for (place, one) in seen.iter().enumerate() {
            newest.entry(one.head.fact).or_insert(place);
        }
        let mut places: Vec<usize> = newest.values().copied().collect();
        places.sort_unstable();
        let end = places.get(COMPARED_FACTS_MAX).copied();
        let is_in = |seen: &Seen| end.is_none_or(|end| newest[&seen.head.fact] < end);
        let facts = places.len().min(COMPARED_FACTS_MAX);
        seen.retain(is_in);
        Ok(Taken { seen, facts, left_out: left_out || end.is_some() })
    }

    /// The newest revisions in one state that are the caller's to write too, and whether there are more.
    async fn newest_of(
        &self,
        caller: &Caller,
        filter: &Filter,
        now: Timestamp,
    ) -> Result<(Vec<Seen>, bool), MemoryError> {
        let (mut newest, mut after) = (Vec::new(), None);
        loop {
            let (at, most) = (Instant::now(now), limits::PAGE_ITEMS_MAX);
            let page = self.ledger.list(&caller.reader, filter, at, after.as_ref(), most).await?;
            newest.extend(page.items.into_iter().filter(|seen| caller.writer.may_write(&seen.head.scope)));
            after = page.next;
            if after.is_none() || newest.len() > COMPARED_FACTS_MAX {
                let more = after.is_some();
                return Ok((newest, more));
            }
        }
    }

    /// What the statements mean of those groups that are small enough for it. A text of several pieces means what lies
    /// between them.
    async fn meanings(&self, seen: &[Seen], groups: &[Vec<usize>]) -> Meanings {
        let small = groups.iter().filter(|group| (2..=reconcile::MEANING_ITEMS_MAX).contains(&group.len()));
        let digests: Vec<String> = small.flatten().filter_map(|place| digest(&seen[*place])).collect();
        match self.read_meanings(&digests).await {
            Ok(meanings) => meanings,
            Err(error) => {
                tracing::warn!(%error, "duplicates are looked for without the search index");
                Meanings::none(NoMeaning::IndexUnreachable)
            }
        }
    }

    /// What contents mean by the model of today, by their digests.
    pub(crate) async fn read_meanings(&self, digests: &[String]) -> Result<Meanings, IndexError> {
        if self.models.embedder.is_none() {
            return Ok(Meanings::none(NoMeaning::NoEmbeddings));
        }
        let Some(model) = self.index.serving().await? else {
            return Ok(Meanings::none(NoMeaning::NoEmbeddings));
        };
        match self.models.searching(Some(&model)).await {
            None => return Ok(Meanings::none(NoMeaning::NoEmbeddings)),
            Some(Searching { partial: true, .. }) => return Ok(Meanings::none(NoMeaning::OtherModel)),
            Some(Searching { partial: false, .. }) => {}
        }
        let mut by_digest = HashMap::new();
        for digests in digests.chunks(MEANINGS_AT_ONCE) {
            let vectors = self.index.vectors(&model, digests).await?;
            let known = digests.iter().cloned().zip(vectors).filter(|(_, pieces)| !pieces.is_empty());
            by_digest.extend(known.map(|(digest, pieces)| (digest, middle(&pieces))));
        }
        Ok(Meanings { by_digest, none: None })
    }
}

impl Meanings {
    fn none(why: NoMeaning) -> Self {
        Self { by_digest: HashMap::new(), none: Some(why) }
    }
}

/// The places of the statements of one scope and type each.
fn grouped(seen: &[Seen]) -> Vec<Vec<usize>> {
    let mut groups: BTreeMap<(&Scope, &FactType), Vec<usize>> = BTreeMap::new();
    for (place, one) in seen.iter().enumerate() {
        groups.entry((&one.head.scope, &one.head.kind)).or_default().push(place);
    }
    groups.into_values().collect()
}

/// What the index knows a statement's content by.
fn digest(seen: &Seen) -> Option<String> {
    seen.revision.content().map(|content| content.hash())
}

fn compared(seen: &[Seen], groups: &[Vec<usize>], meanings: &Meanings) -> Duplicates {
    let mut pairs: BTreeMap<(FactId, FactId), (usize, usize)> = BTreeMap::new();
    let (mut more, mut by_words_alone) = (false, 0);
    for group in groups.iter().filter(|group| group.len() > 1) {
        let (places, stated) = stated(seen, group, meanings);
        let found = reconcile::pairs(&stated);
        more |= found.more;
        by_words_alone += match found.words_only {
            true => stated.len(),
            false => stated.iter().filter(|one| one.meaning.is_empty()).count(),
        };
        for (one, other) in found.near {
            // Places run from the newest on.
            let (newer, older) = (places[one], places[other]);
            let (one, other) = (seen[newer].head.fact, seen[older].head.fact);
            if are_apart(&seen[newer].head, &seen[older].head) {
                continue;
            }
            pairs.entry((one.min(other), one.max(other))).or_insert((newer, older));
        }
    }
    let mut places: Vec<(usize, usize)> = pairs.into_values().collect();
    places.sort_unstable();
    more |= places.len() > DUPLICATE_PAIRS_MAX;
    places.truncate(DUPLICATE_PAIRS_MAX);
    let pair = |(one, other): &(usize, usize)| duplicate(&seen[*one], &seen[*other]);
    Duplicates {
        pairs: places.iter().map(pair).collect(),
        compared: 0,
        facts_left_out: false,
        pairs_left_out: more,
        by_words_alone,
        no_meaning: meanings.none,
    }
}

/// The statements of a group that have words, with their places.
fn stated(seen: &[Seen], group: &[usize], meanings: &Meanings) -> (Vec<usize>, Vec<Stated>) {
    let mut owners = HashMap::new();
    let stated = group.iter().filter_map(|place| {
        let (next, one) = (owners.len(), &seen[*place]);
        let content = one.revision.content()?;
        let owner = *owners.entry(one.head.fact).or_insert(next);
        let meaning = digest(one).and_then(|digest| meanings.by_digest.get(&digest)).cloned();
        Some((*place, Stated { owner, gist: Gist::of(content), meaning: meaning.unwrap_or_default() }))
    });
    stated.unzip()
}

/// Whether their owner has said that they are two.
fn are_apart(one: &Head, other: &Head) -> bool {
    one.apart.contains(&other.fact) || other.apart.contains(&one.fact)
}

/// The fact that is there for longer comes first.
fn duplicate(one: &Seen, other: &Seen) -> Duplicate {
    let (older, newer) = match age(one) <= age(other) {
        true => (one, other),
        false => (other, one),
    };
    Duplicate { older: older.clone(), newer: newer.clone() }
}

fn age(seen: &Seen) -> (Timestamp, FactId, RevisionNumber) {
    (seen.head.created_at, seen.head.fact, seen.revision.number)
}

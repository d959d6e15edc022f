//! From the rows that an engine matched to the candidates of one search: who may read, what counts, what is best.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use fact::{FactId, FactType, Reader, RevisionNumber, Scope};
use serde::Deserialize;

use crate::around::{Spot, StoredPlace};
use crate::score::Stock;
use crate::search::Search;
use crate::speaker::Naming;
use crate::weigh::{self, Said};
use crate::{Candidate, IndexError, Matches};

/// A scope as it is stored, with what it holds.
pub(crate) struct StoredScope {
    /// Its number.
    pub(crate) id: i64,
    /// The scope, as canonical JSON.
    pub(crate) scope: String,
    /// Its rows.
    pub(crate) entries: i64,
    /// Their lengths, together.
    pub(crate) length: i64,
    /// The number of the last write that changed them.
    pub(crate) changes: i64,
}

impl From<(i64, String, i64, i64, i64)> for StoredScope {
    fn from((id, scope, entries, length, changes): (i64, String, i64, i64, i64)) -> Self {
        Self { id, scope, entries, length, changes }
    }
}

impl StoredScope {
    /// Whether `reader` may read what is in it.
    pub(crate) fn is_open_to(&self, reader: &Reader) -> Result<bool, IndexError> {
        let scope: Scope = serde_json::from_str(&self.scope).map_err(|_| damaged("scopes.scope", self.id))?;
        Ok(reader.may_read(&scope))
    }
}

/// A row as an engine gives it: fact, revision, kind, scope, length, terms, conversation, sequence, message, speaker.
#[derive(Deserialize)]
struct Matched<'a>(
    #[serde(borrow)] Cow<'a, str>,
    i64,
    #[serde(borrow)] Cow<'a, str>,
    i64,
    i64,
    #[serde(borrow)] Cow<'a, str>,
    #[serde(borrow)] Option<Cow<'a, str>>,
    Option<i64>,
    #[serde(borrow)] Option<Cow<'a, str>>,
    #[serde(borrow)] Option<Cow<'a, str>>,
);

/// The best of the rows that an engine matched, as a JSON array of them.
pub(crate) fn best(view: View, search: &Search<'_>, matched: &str) -> Result<Matches, IndexError> {
    let matched: Vec<Matched<'_>> =
        serde_json::from_str(matched).map_err(|_| damaged("entries", "a match"))?;
    let mut ranking = Ranking::new(view, search);
    for Matched(fact, revision, kind, scope, length, terms, conversation, sequence, message, speaker) in
        matched
    {
        ranking.add(&StoredRow {
            fact: &fact,
            revision,
            kind: &kind,
            scope,
            length,
            terms: &terms,
            around: StoredPlace { conversation, sequence, message, speaker },
        })?;
    }
    Ok(ranking.best())
}

/// A row as it is stored.
pub(crate) struct StoredRow<'a> {
    /// The fact's id.
    pub(crate) fact: &'a str,
    /// The revision's number.
    pub(crate) revision: i64,
    /// The kind of fact.
    pub(crate) kind: &'a str,
    /// Its scope's number.
    pub(crate) scope: i64,
    /// How long it is for scoring.
    pub(crate) length: i64,
    /// Its tokens.
    pub(crate) terms: &'a str,
    /// What stands around it.
    pub(crate) around: StoredPlace<'a>,
}

/// What a reader may see.
#[derive(Default)]
pub(crate) struct View {
    scopes: HashSet<i64>,
    stock: Stock,
    generation: i64,
}

impl View {
    /// Those of the scopes that the engine offers which `reader` may read.
    pub(crate) fn of(
        reader: &Reader,
        offered: impl Iterator<Item = StoredScope>,
    ) -> Result<Self, IndexError> {
        let mut view = Self::default();
        for stored in offered {
            if stored.is_open_to(reader)? {
                view.scopes.insert(stored.id);
                view.generation = view.generation.max(stored.changes);
                view.stock.rows += natural::<u64>(stored.entries, "scopes.entries", stored.id)?;
                view.stock.length += natural::<u64>(stored.length, "scopes.length", stored.id)?;
            }
        }
        Ok(view)
    }
}

/// One search while its matches come in.
pub(crate) struct Ranking<'a> {
    view: View,
    kinds: &'a [FactType],
    limit: usize,
    naming: Naming,
    /// For each token the place of its word in the order in which scores are summed.
    places: HashMap<&'a str, usize>,
    /// By place: how many readable rows have the word.
    found: Vec<u64>,
    hits: Vec<Hit>,
    /// What was said, by the place of its hit.
    said: Vec<Said>,
    conversations: Numbers,
    messages: Numbers,
    speakers: Numbers,
}

struct Hit {
    fact: FactId,
    revision: RevisionNumber,
    /// Whether it is of a kind that is asked for; others only stand around.
    is_wanted: bool,
    speaker: Option<u32>,
}

/// Numbers for the names within each scope: what has the same name in another is something else.
#[derive(Default)]
struct Numbers {
    names: HashMap<i64, HashMap<String, u32>>,
    next: u32,
}

impl Numbers {
    fn of(&mut self, scope: i64, name: Option<&str>) -> Option<u32> {
        let name = name?;
        let names = self.names.entry(scope).or_default();
        if let Some(number) = names.get(name) {
            return Some(*number);
        }
        names.insert(name.to_owned(), self.next);
        self.next += 1;
        Some(self.next - 1)
    }
}

/// Speakers are known by name wherever they speak.
const EVERYWHERE: i64 = 0;

impl<'a> Ranking<'a> {
    /// A search among what `view` opens.
    pub(crate) fn new(view: View, search: &'a Search<'_>) -> Self {
        Self {
            view,
            kinds: &search.query.kinds,
            limit: search.query.limit,
            naming: Naming::of(search.reader, search.query.text.as_str()),
            found: vec![0; search.words.count()],
            places: search.words.places(),
            hits: Vec::new(),
            said: Vec::new(),
            conversations: Numbers::default(),
            messages: Numbers::default(),
            speakers: Numbers::default(),
        }
    }

    /// Takes in a row that the engine matched, if it may be read and has a term.
    pub(crate) fn add(&mut self, row: &StoredRow<'_>) -> Result<(), IndexError> {
        if !self.view.scopes.contains(&row.scope) {
            return Ok(());
        }
        let mut counts: Vec<(usize, u32)> = Vec::new();
        for place in row.terms.split(' ').filter_map(|term| self.places.get(term)) {
            match counts.binary_search_by_key(place, |(place, _)| *place) {
                Ok(at) => counts[at].1 += 1,
                Err(at) => counts.insert(at, (*place, 1)),
            }
        }
        for (place, _) in &counts {
            self.found[*place] += 1;
        }
        if counts.is_empty() {
            return Ok(());
        }
        self.hits.push(Hit {
            fact: FactId::parse(row.fact).map_err(|_| damaged("entries.fact", row.fact))?,
            revision: revision(row.revision)?,
            is_wanted: self.kinds.is_empty() || self.kinds.iter().any(|kind| kind.as_str() == row.kind),
            speaker: self.speakers.of(EVERYWHERE, row.around.speaker.as_deref()),
        });
        let conversation = self.conversations.of(row.scope, row.around.conversation.as_deref());
        let message = self.messages.of(row.scope, row.around.message.as_deref());
        self.said.push(Said {
            length: natural(row.length, "entries.length", row.fact)?,
            counts,
            conversation,
            spot: Spot::of(conversation, row.around.sequence, message),
            is_named: false,
        });
        Ok(())
    }

    /// The best, best first; among equals the fact with the later id.
    pub(crate) fn best(mut self) -> Matches {
        let View { stock, generation, .. } = self.view;
        let weights: Vec<f64> = self.found.iter().map(|found| stock.weight(*found)).collect();
        if let Some(named) = self.named() {
            for (hit, said) in self.hits.iter().zip(&mut self.said) {
                said.is_named = hit.speaker == Some(named);
            }
        }
        let scores = weigh::scores(&self.said, &weights, stock);
        let mut candidates: Vec<_> = self
            .hits
            .iter()
            .zip(scores)
            .filter(|(hit, _)| hit.is_wanted)
            .map(|(hit, parts)| Candidate {
                fact: hit.fact,
                revision: hit.revision,
                score: parts.total(),
                parts,
            })
            .collect();
        candidates.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| b.fact.cmp(&a.fact)));
        candidates.truncate(self.limit);
        Matches { candidates, generation }
    }

    /// The one speaker whom the query names.
    fn named(&self) -> Option<u32> {
        let speakers = self.speakers.names.get(&EVERYWHERE)?;
        let named = self.naming.only(speakers.keys().map(String::as_str))?;
        speakers.get(named).copied()
    }
}

/// A stored revision number.
pub(crate) fn revision(stored: i64) -> Result<RevisionNumber, IndexError> {
    u32::try_from(stored)
        .ok()
        .and_then(RevisionNumber::new)
        .ok_or_else(|| damaged("entries.revision", stored))
}

fn natural<N: TryFrom<i64>>(stored: i64, column: &str, row: impl std::fmt::Display) -> Result<N, IndexError> {
    N::try_from(stored).map_err(|_| damaged(column, row))
}

/// A stored value that cannot be right.
pub(crate) fn damaged(column: &str, row: impl std::fmt::Display) -> IndexError {
    IndexError::Corrupt(format!("{column} of {row} cannot be read").into())
}

#[cfg(test)]
mod tests;

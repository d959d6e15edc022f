//! From the rows that an engine matched to the candidates of one search: who may read, what counts, what is best.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use fact::{FactId, FactType, Reader, RevisionNumber, Scope};

use crate::score::Stock;
use crate::{Candidate, IndexError, Query};

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
}

/// What a reader may see.
#[derive(Default)]
pub(crate) struct View {
    scopes: HashSet<i64>,
    stock: Stock,
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
    /// Each term's place in the order in which scores are summed.
    places: HashMap<&'a str, usize>,
    /// By place: how many readable rows have the term.
    found: Vec<u64>,
    hits: Vec<Hit>,
}

struct Hit {
    fact: FactId,
    revision: RevisionNumber,
    length: u32,
    /// How often each term occurs, by place.
    counts: BTreeMap<usize, u32>,
}

impl<'a> Ranking<'a> {
    /// A search for `terms` among what `view` opens.
    pub(crate) fn new(view: View, query: &'a Query, terms: &'a BTreeSet<String>) -> Self {
        let places: HashMap<_, _> = terms.iter().map(String::as_str).zip(0..).collect();
        Self {
            view,
            kinds: &query.kinds,
            limit: query.limit,
            found: vec![0; places.len()],
            places,
            hits: Vec::new(),
        }
    }

    /// Takes in a row that the engine matched, if it may be read and has a term.
    pub(crate) fn add(&mut self, row: &StoredRow<'_>) -> Result<(), IndexError> {
        if !self.view.scopes.contains(&row.scope) {
            return Ok(());
        }
        let mut counts = BTreeMap::new();
        for place in row.terms.split(' ').filter_map(|term| self.places.get(term)) {
            *counts.entry(*place).or_insert(0) += 1;
        }
        for place in counts.keys() {
            self.found[*place] += 1;
        }
        let wanted = self.kinds.is_empty() || self.kinds.iter().any(|kind| kind.as_str() == row.kind);
        if wanted && !counts.is_empty() {
            self.hits.push(Hit::parse(row, counts)?);
        }
        Ok(())
    }

    /// The best, best first; among equals the fact with the later id.
    pub(crate) fn best(self) -> Vec<Candidate> {
        let stock = self.view.stock;
        let weights: Vec<f64> = self.found.iter().map(|found| stock.weight(*found)).collect();
        let score = |hit: &Hit| {
            let shares = hit.counts.iter();
            shares.map(|(place, count)| weights[*place] * stock.share(*count, hit.length)).sum()
        };
        let mut candidates: Vec<_> = self
            .hits
            .iter()
            .map(|hit| Candidate { fact: hit.fact, revision: hit.revision, score: score(hit) })
            .collect();
        candidates.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| b.fact.cmp(&a.fact)));
        candidates.truncate(self.limit);
        candidates
    }
}

impl Hit {
    fn parse(row: &StoredRow<'_>, counts: BTreeMap<usize, u32>) -> Result<Self, IndexError> {
        Ok(Self {
            fact: FactId::parse(row.fact).map_err(|_| damaged("entries.fact", row.fact))?,
            revision: revision(row.revision)?,
            length: natural(row.length, "entries.length", row.fact)?,
            counts,
        })
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

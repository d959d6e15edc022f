//! The nearest by meaning: exact, among what the reader may read, the same on both engines.
//!
//! Vectors that were read are kept in memory, scope by scope, as long as the scope's number says that nothing changed.

use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use fact::{FactId, RevisionNumber};

use crate::rank::{self, damaged};
use crate::{Candidate, IndexError, Nearest};

/// Memory that vectors may take up between searches: some 300,000 of 384 numbers.
const KEPT_BYTES_MAX: usize = 512 << 20;
/// So many scopes find no room, for each that is kept, before the shelf is emptied.
const REFUSALS_PER_SCOPE: usize = 100;
/// Scopes whose vectors are read at a time.
pub(crate) const SCOPES_AT_ONCE: usize = 500;
/// Numbers that are multiplied side by side.
const LANES: usize = 16;

/// A vector as it is stored.
pub(crate) fn bytes(vector: &[f32]) -> Vec<u8> {
    vector.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// A vector from what is stored of it.
pub(crate) fn vector(bytes: &[u8], row: &str) -> Result<Vec<f32>, IndexError> {
    let numbers = bytes.chunks_exact(size_of::<f32>());
    if !numbers.remainder().is_empty() {
        return Err(damaged("vectors.vector", row));
    }
    Ok(numbers.map(|number| f32::from_le_bytes([number[0], number[1], number[2], number[3]])).collect())
}

/// The vectors of each digest, from what is stored of them in the order of their pieces.
pub(crate) fn by_digest(
    digests: &[String],
    stored: Vec<(String, Vec<u8>)>,
) -> Result<Vec<Vec<Vec<f32>>>, IndexError> {
    let mut pieces: HashMap<String, Vec<Vec<f32>>> = HashMap::new();
    for (digest, bytes) in stored {
        pieces.entry(digest).or_default().push(vector(&bytes, "some content")?);
    }
    Ok(digests.iter().map(|digest| pieces.get(digest).cloned().unwrap_or_default()).collect())
}

/// A vector as it is read: scope, fact, revision, kind, vector.
pub(crate) type StoredVector = (i64, String, i64, String, Vec<u8>);

/// The vectors of one scope by one model.
#[derive(Default)]
pub(crate) struct Kept {
    changes: i64,
    rows: Vec<KeptRow>,
    numbers: Vec<f32>,
}

struct KeptRow {
    fact: FactId,
    revision: RevisionNumber,
    kind: Arc<str>,
    /// Where its vector begins.
    start: usize,
}

impl Kept {
    fn bytes(&self) -> usize {
        size_of_val(self.numbers.as_slice()) + size_of_val(self.rows.as_slice())
    }

    fn add(&mut self, stored: StoredVector, kinds: &mut HashMap<String, Arc<str>>) -> Result<(), IndexError> {
        let (_, fact, revision, kind, vector) = stored;
        let numbers = self::vector(&vector, &fact)?;
        self.rows.push(KeptRow {
            fact: FactId::parse(&fact).map_err(|_| damaged("entries.fact", fact))?,
            revision: rank::revision(revision)?,
            kind: Arc::clone(kinds.entry(kind).or_insert_with_key(|kind| Arc::from(kind.as_str()))),
            start: self.numbers.len(),
        });
        self.numbers.extend(numbers);
        Ok(())
    }
}

/// The vectors that were read, by scope; those of one model, for one is searched by at a time.
#[derive(Default)]
pub(crate) struct Shelf(Mutex<Shelved>);

#[derive(Default)]
struct Shelved {
    model: String,
    bytes: usize,
    /// Scopes that found no room.
    refused: usize,
    scopes: HashMap<i64, Arc<Kept>>,
}

impl Shelf {
    /// The vectors of a scope, where they are as of that change.
    pub(crate) fn get(&self, model: &str, scope: i64, changes: i64) -> Option<Arc<Kept>> {
        let shelved = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = shelved.scopes.get(&scope).filter(|_| shelved.model == model)?;
        (kept.changes == changes).then(|| Arc::clone(kept))
    }

    /// Keeps what was read of some scopes, each as of its change; a scope without vectors is kept as empty.
    pub(crate) fn put(
        &self,
        model: &str,
        scopes: &[(i64, i64)],
        stored: Vec<StoredVector>,
    ) -> Result<Vec<Arc<Kept>>, IndexError> {
        let mut read: HashMap<i64, Kept> = scopes
            .iter()
            .map(|(scope, changes)| (*scope, Kept { changes: *changes, ..Kept::default() }))
            .collect();
        let mut kinds = HashMap::new();
        for vector in stored {
            if let Some(kept) = read.get_mut(&vector.0) {
                kept.add(vector, &mut kinds)?;
            }
        }
        let mut shelved = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if shelved.model != model {
            *shelved = Shelved { model: model.to_owned(), ..Shelved::default() };
        }
        Ok(read.into_iter().map(|(scope, kept)| shelved.keep(scope, kept)).collect())
    }
}

impl Shelved {
    fn keep(&mut self, scope: i64, kept: Kept) -> Arc<Kept> {
        let kept = Arc::new(kept);
        if let Some(old) = self.scopes.remove(&scope) {
            self.bytes -= old.bytes();
        }
        if self.bytes + kept.bytes() <= KEPT_BYTES_MAX {
            self.bytes += kept.bytes();
            self.scopes.insert(scope, Arc::clone(&kept));
            return kept;
        }
        // What is there stays: who searches everything in turn would drop each scope just before it is needed. What
        // nobody needs any more goes with all the rest, once in a long while.
        self.refused += 1;
        if self.refused > self.scopes.len() * REFUSALS_PER_SCOPE {
            (self.bytes, self.refused, self.scopes) = (0, 0, HashMap::new());
        }
        kept
    }
}

/// One search while the scopes come in.
pub(crate) struct Nearing<'a> {
    query: &'a Nearest,
    /// The best so far, the worst of them on top: a fact is in it once.
    best: BinaryHeap<Reverse<Near>>,
}

struct Near {
    score: f32,
    fact: FactId,
    revision: RevisionNumber,
}

impl Near {
    fn key(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then_with(|| self.fact.cmp(&other.fact))
    }
}

impl PartialEq for Near {
    fn eq(&self, other: &Self) -> bool {
        self.key(other) == Ordering::Equal
    }
}

impl Eq for Near {}

impl PartialOrd for Near {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Near {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key(other)
    }
}

impl<'a> Nearing<'a> {
    pub(crate) fn new(query: &'a Nearest) -> Self {
        Self { query, best: BinaryHeap::new() }
    }

    /// Takes in the vectors of a scope. A row of several pieces is as near as its nearest one.
    pub(crate) fn add(&mut self, kept: &Kept) {
        let size = self.query.vector.len();
        for pieces in kept.rows.chunk_by(|one, next| one.fact == next.fact) {
            let row = &pieces[0];
            let wanted = self.query.kinds.is_empty()
                || self.query.kinds.iter().any(|kind| kind.as_str() == &*row.kind);
            let vectors = pieces.iter().filter_map(|piece| kept.numbers.get(piece.start..piece.start + size));
            let score = vectors.map(|vector| dot(&self.query.vector, vector)).max_by(f32::total_cmp);
            if let (true, Some(score)) = (wanted, score) {
                self.offer(Near { score, fact: row.fact, revision: row.revision });
            }
        }
    }

    fn offer(&mut self, near: Near) {
        if self.best.len() < self.query.limit {
            self.best.push(Reverse(near));
        } else if self.best.peek().is_some_and(|Reverse(worst)| near > *worst) {
            self.best.pop();
            self.best.push(Reverse(near));
        }
    }

    /// The nearest, nearest first; among equals the fact with the later id.
    pub(crate) fn best(self) -> Vec<Candidate> {
        let best = self.best.into_sorted_vec().into_iter();
        best.map(|Reverse(Near { score, fact, revision })| Candidate { fact, revision, score: score.into() })
            .collect()
    }
}

/// The product of two vectors, summed in an order that is the same on every machine.
fn dot(one: &[f32], other: &[f32]) -> f32 {
    let mut lanes = [0.0_f32; LANES];
    let (ones, others) = (one.chunks_exact(LANES), other.chunks_exact(LANES));
    let rest: f32 = ones.remainder().iter().zip(others.remainder()).map(|(a, b)| a * b).sum();
    for (ones, others) in ones.zip(others) {
        for (lane, (a, b)) in lanes.iter_mut().zip(ones.iter().zip(others)) {
            *lane += a * b;
        }
    }
    lanes.iter().sum::<f32>() + rest
}

#[cfg(test)]
mod tests;

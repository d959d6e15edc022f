//! Vectors as they are stored, and those that were read, kept in memory scope by scope as long as the scope's number
//! says that nothing changed.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use fact::{FactId, RevisionNumber};

use crate::IndexError;
use crate::around::Spot;
use crate::rank::{self, damaged};

/// Memory that vectors may take up between searches: some 300,000 of 384 numbers.
const KEPT_BYTES_MAX: usize = 512 << 20;
/// So many scopes find no room, for each that is kept, before the shelf is emptied.
const REFUSALS_PER_SCOPE: usize = 100;
/// Scopes whose vectors are read at a time.
pub(crate) const SCOPES_AT_ONCE: usize = 500;

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

/// A vector as it is read: scope, fact, revision, kind, what stands around it, vector.
pub(crate) type StoredVector =
    (i64, String, i64, String, Option<String>, Option<i64>, Option<String>, Option<String>, Vec<u8>);

/// The vectors of one scope by one model, with what stands around each text.
#[derive(Default)]
pub(crate) struct Kept {
    /// The number of the last write that it shows.
    pub(crate) changes: i64,
    pub(crate) texts: Vec<KeptText>,
    /// How many spots there are; each is known by its number.
    pub(crate) spots: usize,
    numbers: Vec<f32>,
}

/// One text with its pieces.
pub(crate) struct KeptText {
    pub(crate) fact: FactId,
    pub(crate) revision: RevisionNumber,
    pub(crate) kind: Arc<str>,
    pub(crate) speaker: Option<Arc<str>>,
    /// Where it stands, and what stands just before and after.
    pub(crate) spot: Option<usize>,
    pub(crate) beside: [Option<usize>; 2],
    /// The vectors of its pieces, one after the other.
    numbers: Range<usize>,
}

impl Kept {
    fn bytes(&self) -> usize {
        size_of_val(self.numbers.as_slice()) + size_of_val(self.texts.as_slice())
    }

    /// The vectors of a text, of that length; none where they have another.
    pub(crate) fn vectors(&self, text: &KeptText, length: usize) -> impl Iterator<Item = &[f32]> {
        self.numbers[text.numbers.clone()].chunks_exact(length.max(1))
    }
}

/// The vectors of a scope while they are read.
#[derive(Default)]
struct Keeping {
    kept: Kept,
    /// Where each text stands.
    spots: Vec<Option<Spot>>,
    conversations: HashMap<String, u32>,
    messages: HashMap<String, u32>,
}

impl Keeping {
    /// Takes in a piece; those of a text come one after the other.
    fn add(&mut self, stored: StoredVector, names: &mut Names) -> Result<(), IndexError> {
        let (_, fact, revision, kind, conversation, sequence, message, speaker, vector) = stored;
        let numbers = self::vector(&vector, &fact)?;
        let start = self.kept.numbers.len();
        self.kept.numbers.extend(numbers);
        let end = self.kept.numbers.len();
        let fact = FactId::parse(&fact).map_err(|_| damaged("entries.fact", fact))?;
        if let Some(last) = self.kept.texts.last_mut().filter(|last| last.fact == fact) {
            last.numbers.end = end;
            return Ok(());
        }
        self.kept.texts.push(KeptText {
            fact,
            revision: rank::revision(revision)?,
            kind: names.of(kind),
            speaker: speaker.map(|speaker| names.of(speaker)),
            spot: None,
            beside: [None, None],
            numbers: start..end,
        });
        let conversation = conversation.map(|name| number(&mut self.conversations, name));
        let message = message.map(|name| number(&mut self.messages, name));
        self.spots.push(Spot::of(conversation, sequence, message));
        Ok(())
    }

    /// All of them, as of that change, with what stands beside what.
    fn kept(self, changes: i64) -> Kept {
        let Self { mut kept, spots, .. } = self;
        let mut numbers = HashMap::new();
        for spot in spots.iter().flatten() {
            let next = numbers.len();
            numbers.entry(*spot).or_insert(next);
        }
        for (text, spot) in kept.texts.iter_mut().zip(spots) {
            text.spot = spot.and_then(|spot| numbers.get(&spot).copied());
            text.beside = spot.map_or([None, None], Spot::beside).map(|spot| numbers.get(&spot?).copied());
        }
        Kept { changes, spots: numbers.len(), ..kept }
    }
}

/// The number of a name within a scope, given when it first comes.
fn number(numbers: &mut HashMap<String, u32>, name: String) -> u32 {
    let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
    *numbers.entry(name).or_insert(next)
}

/// Names that many texts share.
#[derive(Default)]
struct Names(HashMap<String, Arc<str>>);

impl Names {
    fn of(&mut self, name: String) -> Arc<str> {
        Arc::clone(self.0.entry(name).or_insert_with_key(|name| Arc::from(name.as_str())))
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
        let mut read: HashMap<i64, (i64, Keeping)> =
            scopes.iter().map(|(scope, changes)| (*scope, (*changes, Keeping::default()))).collect();
        let mut names = Names::default();
        for vector in stored {
            if let Some((_, keeping)) = read.get_mut(&vector.0) {
                keeping.add(vector, &mut names)?;
            }
        }
        let read = read.into_iter().map(|(scope, (changes, keeping))| (scope, keeping.kept(changes)));
        let mut shelved = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if shelved.model != model {
            *shelved = Shelved { model: model.to_owned(), ..Shelved::default() };
        }
        Ok(read.map(|(scope, kept)| shelved.keep(scope, kept)).collect())
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

#[cfg(test)]
mod tests;

//! Rows become domain values here, and nowhere else; a broken row is an error that names table and row.

use fact::{
    Actor, Content, Event, FactId, Happening, Head, Id, Position, RequestKey, Revision, RevisionNumber,
    State, Timestamp, Words,
};
use serde::de::DeserializeOwned;
use sqlx::Row as _;
use sqlx::any::AnyRow;
use subtle::ConstantTimeEq as _;

use crate::commitment::{Sealed, commit};
use crate::error::StoreError;
use crate::seal::{self, Turn};
use crate::{derive, read};

/// The layout of event bodies that this version writes.
pub(crate) const EVENT_VERSION: i64 = 1;

/// An event as it is stored, with its digests.
#[derive(Debug, Clone)]
pub(crate) struct StoredEvent {
    pub(crate) event: Event,
    pub(crate) body: String,
    pub(crate) actor: String,
    pub(crate) commitment: Option<Vec<u8>>,
    pub(crate) previous: Vec<u8>,
    pub(crate) digest: Vec<u8>,
}

/// The words of one event as they are stored.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StoredWords {
    pub(crate) doc: String,
    pub(crate) salt: Vec<u8>,
}

/// Reads columns `position, fact, revision, version, body, actor, recorded_at, request, commitment, previous, digest`
/// from `at` on, and checks the event's own digest.
pub(crate) fn event(tenant: &Id, row: &AnyRow, at: usize) -> Result<StoredEvent, StoreError> {
    let position: i64 = row.try_get(at)?;
    let fact: String = row.try_get(at + 1)?;
    let revision: i64 = row.try_get(at + 2)?;
    let version: i64 = row.try_get(at + 3)?;
    let body: String = row.try_get(at + 4)?;
    let actor: String = row.try_get(at + 5)?;
    let recorded_at: i64 = row.try_get(at + 6)?;
    let request: Option<String> = row.try_get(at + 7)?;
    let commitment: Option<Vec<u8>> = row.try_get(at + 8)?;
    let previous: Vec<u8> = row.try_get(at + 9)?;
    let digest: Vec<u8> = row.try_get(at + 10)?;
    let sealed = Sealed {
        tenant: tenant.as_str(),
        position,
        fact: &fact,
        revision,
        version,
        body: &body,
        actor: &actor,
        recorded_at,
        request: request.as_deref(),
        commitment: commitment.as_deref(),
        previous: &previous,
    };
    unseal(&sealed, digest)
}

/// Opens an event after checking its own digest.
pub(crate) fn unseal(sealed: &Sealed<'_>, digest: Vec<u8>) -> Result<StoredEvent, StoreError> {
    let position = sealed.position;
    let damaged = |problem: &str| StoreError::damaged("events", position, problem);
    if sealed.digest() != digest {
        return Err(damaged("its digest does not match"));
    }
    if sealed.version != EVENT_VERSION {
        return Err(damaged("it has a layout that this version does not know"));
    }
    let happening: Happening = json("events", position, sealed.body)?;
    if sealed.revision != happening.revision().map_or(0, |number| i64::from(number.get())) {
        return Err(damaged("its revision does not match its body"));
    }
    let event = Event {
        position: Position::new(position),
        fact: fact_id("events", sealed.fact)?,
        recorded_at: Timestamp::from_micros(sealed.recorded_at),
        actor: json::<Actor>("events", position, sealed.actor)?,
        request: sealed
            .request
            .map(RequestKey::parse)
            .transpose()
            .map_err(|bad| damaged(&bad.to_string()))?,
        happening,
    };
    Ok(StoredEvent {
        event,
        body: sealed.body.to_owned(),
        actor: sealed.actor.to_owned(),
        commitment: sealed.commitment.map(<[u8]>::to_vec),
        previous: sealed.previous.to_vec(),
        digest,
    })
}

/// Reads columns `doc, salt` from `at` on; none when the words are not there.
pub(crate) fn words(row: &AnyRow, at: usize) -> Result<Option<StoredWords>, StoreError> {
    let doc: Option<String> = row.try_get(at)?;
    let salt: Option<Vec<u8>> = row.try_get(at + 1)?;
    Ok(doc.zip(salt).map(|(doc, salt)| StoredWords { doc, salt }))
}

impl StoredEvent {
    /// Checks words against the event's promise, and opens them. Words that are gone are none, whether they were
    /// erased by right is for `check` to say.
    pub(crate) fn open(&self, words: Option<&StoredWords>) -> Result<Option<Words>, StoreError> {
        let damaged = |problem: &str| StoreError::damaged("contents", self.event.position, problem);
        match (&self.commitment, words) {
            (None, None) => Ok(Some(Words::default())),
            (None, Some(_)) => Err(damaged("there are words that no event promised")),
            (Some(_), None) => Ok(None),
            (Some(promised), Some(words)) => {
                if !bool::from(commit(&words.salt, &words.doc).ct_eq(promised)) {
                    return Err(damaged("the words are not those that were recorded"));
                }
                json("contents", self.event.position.get(), &words.doc).map(Some)
            }
        }
    }

    /// The revision that this event recorded.
    pub(crate) fn revision(&self, words: Option<Words>) -> Result<Revision, StoreError> {
        let number = self.event.happening.revision();
        let number = number.ok_or_else(|| self.says_nothing())?;
        self.numbered(number, words)
    }

    /// What was said in it, under that number.
    pub(crate) fn numbered(
        &self,
        number: RevisionNumber,
        words: Option<Words>,
    ) -> Result<Revision, StoreError> {
        let Event { position, recorded_at, actor, happening, fact: _, request: _ } = &self.event;
        let saying = happening.saying().ok_or_else(|| self.says_nothing())?;
        Ok(Revision {
            number,
            position: *position,
            recorded_at: *recorded_at,
            actor: actor.clone(),
            saying: saying.clone(),
            words,
            added_evidence: Vec::new(),
            merged_evidence: Vec::new(),
            merged: Vec::new(),
            admissions: Vec::new(),
        })
    }

    fn says_nothing(&self) -> StoreError {
        StoreError::damaged("events", self.event.position, "it records no revision")
    }
}

pub(crate) fn head(row: &AnyRow, at: usize) -> Result<Head, StoreError> {
    seal::open_head(&row.try_get::<String, _>(at)?)
}

/// Reads columns `state, turned_at, ended_at` of a revision from `at` on: the state without a clock, and since when it is
/// over for good. The two times are the same one where it is.
pub(crate) fn turned(
    number: RevisionNumber,
    row: &AnyRow,
    at: usize,
) -> Result<(State, Option<Timestamp>), StoreError> {
    let state = read::state(&row.try_get::<String, _>(at)?)?;
    let (turned, ended): (i64, Option<i64>) = (row.try_get(at + 1)?, row.try_get(at + 2)?);
    if ended != derive::over(state).then_some(turned) {
        return Err(StoreError::damaged("revisions", number, "its state and its times do not agree"));
    }
    Ok((state, ended.map(Timestamp::from_micros)))
}

/// Reads columns `truth, recorded_at, position` of a fact from `at` on.
pub(crate) fn turn(fact: FactId, row: &AnyRow, at: usize) -> Result<Turn, StoreError> {
    let text: String = row.try_get(at)?;
    let recorded_at = Timestamp::from_micros(row.try_get(at + 1)?);
    seal::open_turn(fact, recorded_at, Position::new(row.try_get(at + 2)?), &text)
}

pub(crate) fn fact_id(table: &'static str, text: &str) -> Result<FactId, StoreError> {
    FactId::parse(text).map_err(|_| StoreError::damaged(table, "fact", "its fact id is no id"))
}

/// The error never repeats what was read.
pub(crate) fn json<T: DeserializeOwned>(
    table: &'static str,
    row: impl std::fmt::Display,
    text: &str,
) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|_| StoreError::damaged(table, row, "it cannot be read"))
}

/// What a search sees of words, and their tags between unit separators, as the columns beside `doc` hold them.
pub(crate) fn columns(words: &Words) -> (String, String) {
    let body =
        words.content.as_ref().map(Content::text).map_or_else(String::new, |text| text.as_str().to_owned());
    let mut tags = String::new();
    for tag in &words.tags {
        tags.push_str(&framed(tag.as_str()));
    }
    (body, tags)
}

/// A tag as the column holds it. Tags have no control characters, so a frame is never part of one.
pub(crate) fn framed(tag: &str) -> String {
    format!("\u{1f}{tag}\u{1f}")
}

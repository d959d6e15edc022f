//! Heads and truths as they are stored: each behind a digest of itself and of its place. What a reader is shown rests on
//! them, and no reader replays the events to see whether they are whole.

use fact::{FactId, Head, Position, Timestamp, Truth, canonical, hex};
use sha2::{Digest as _, Sha256};

use crate::error::StoreError;
use crate::row::json;

/// Bytes of a seal: it tells a damaged text from a whole one, and keeps nobody out who means to forge one. The check does.
const SEAL_BYTES: usize = 8;

/// The truth of a fact after one event.
pub(crate) struct Turn {
    /// The event.
    pub(crate) position: Position,
    /// The event of the fact before it; the start, where it is the first.
    pub(crate) follows: Position,
    pub(crate) truth: Truth,
}

/// A head as the column holds it.
pub(crate) fn head(head: &Head) -> String {
    sealed("head", &canonical(head))
}

/// The head that a column holds.
pub(crate) fn open_head(stored: &str) -> Result<Head, StoreError> {
    json("facts", "head", opened("head", stored).ok_or_else(|| broken("facts", "head"))?)
}

/// A truth as the column holds it.
pub(crate) fn turn(fact: FactId, at: Timestamp, turn: &Turn) -> String {
    let Turn { position, follows, truth } = turn;
    sealed(&place(fact, at, *position), &canonical(&(follows, truth)))
}

/// The truth that a column holds, in the row of that fact, time and event.
pub(crate) fn open_turn(
    fact: FactId,
    at: Timestamp,
    position: Position,
    stored: &str,
) -> Result<Turn, StoreError> {
    let text = opened(&place(fact, at, position), stored).ok_or_else(|| broken("truths", position))?;
    let (follows, truth) = json("truths", position, text)?;
    Ok(Turn { position, follows, truth })
}

fn place(fact: FactId, at: Timestamp, position: Position) -> String {
    format!("truth {fact} {} {position}", at.micros())
}

fn sealed(place: &str, text: &str) -> String {
    format!("{}{text}", seal(place, text))
}

fn opened<'a>(place: &str, stored: &'a str) -> Option<&'a str> {
    let (found, text) = stored.split_at_checked(2 * SEAL_BYTES)?;
    (found == seal(place, text)).then_some(text)
}

fn seal(place: &str, text: &str) -> String {
    let hash = Sha256::new().chain_update(place).chain_update([0]).chain_update(text);
    hex(&hash.finalize()[..SEAL_BYTES])
}

fn broken(table: &'static str, row: impl std::fmt::Display) -> StoreError {
    StoreError::damaged(table, row, "it cannot be read")
}

//! The one score: BM25 over exactly what a reader may see, so that nobody else's rows change it.

use serde::{Deserialize, Serialize};

/// How soon more of the same word stops to count.
const SATURATION: f64 = 1.2;
/// How much a long text is held back.
const LENGTH_SHARE: f64 = 0.75;

/// What a score comes from: the text itself, and what stands around it.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Parts {
    /// Its own words, or how near its own meaning is.
    pub own: f64,
    /// What its neighbours add.
    pub beside: f64,
    /// What it adds that its conversation is about the query.
    pub conversation: f64,
    /// What it adds that the query names who said it.
    pub speaker: f64,
}

impl Parts {
    /// All of them together.
    pub fn total(self) -> f64 {
        self.own + self.beside + self.conversation + self.speaker
    }
}

/// How much a reader may see.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Stock {
    /// Rows.
    pub(crate) rows: u64,
    /// Their lengths, together.
    pub(crate) length: u64,
}

impl Stock {
    /// How much a word tells that `found` of the rows have.
    pub(crate) fn weight(self, found: u64) -> f64 {
        let missing = float(self.rows.saturating_sub(found));
        (1.0 + (missing + 0.5) / (float(found) + 0.5)).ln()
    }

    /// The share of a word's weight for a row of `length` that has it `count` times.
    pub(crate) fn share(self, count: u32, length: u32) -> f64 {
        let count = f64::from(count);
        let relative =
            if self.length == 0 { 1.0 } else { f64::from(length) * float(self.rows) / float(self.length) };
        let norm = SATURATION * (1.0 - LENGTH_SHARE + LENGTH_SHARE * relative);
        count * (SATURATION + 1.0) / (count + norm)
    }
}

/// The nearest float.
fn float(number: u64) -> f64 {
    let [high, low] =
        [number >> 32, number & u64::from(u32::MAX)].map(|half| u32::try_from(half).unwrap_or(u32::MAX));
    f64::from(high) * 4_294_967_296.0 + f64::from(low)
}

#[cfg(test)]
mod tests;

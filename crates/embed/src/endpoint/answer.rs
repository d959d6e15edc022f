//! The answer of an endpoint, read with tolerance: providers agree on its meaning, not on its form.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;

use crate::vectors::narrow;

/// What came of a request.
#[derive(Debug, PartialEq)]
pub(super) enum Answer {
    /// One vector for each text, in their order; their numbers are not looked at yet.
    Vectors(Vec<Vec<f32>>),
    /// The texts are refused together; fewer of them may not be.
    Refused(Cow<'static, str>),
}

#[derive(Deserialize)]
struct Body {
    data: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    index: Option<usize>,
    embedding: Option<Embedding>,
}

/// Numbers, of which a `null` is what some servers make of a NaN; or base64 of little-endian f32.
#[derive(Deserialize)]
#[serde(untagged)]
enum Embedding {
    Numbers(Vec<Option<f64>>),
    Base64(String),
}

/// Reads the answer to `count` texts; nothing where it is no answer of an endpoint at all.
pub(super) fn read(body: &[u8], count: usize) -> Option<Answer> {
    let Body { data } = serde_json::from_slice(body).ok()?;
    if data.len() != count {
        return Some(Answer::Refused(format!("{count} texts got {} vectors", data.len()).into()));
    }
    let places: Vec<usize> = data.iter().enumerate().map(|(at, item)| item.index.unwrap_or(at)).collect();
    let mut vectors: Vec<Option<Vec<f32>>> = vec![None; count];
    for (place, item) in places.into_iter().zip(data) {
        match vectors.get_mut(place) {
            Some(vector @ None) => *vector = Some(item.embedding.map(numbers).unwrap_or_default()),
            Some(Some(_)) | None => return Some(Answer::Refused("its index is another's".into())),
        }
    }
    Some(Answer::Vectors(vectors.into_iter().flatten().collect()))
}

/// What is no number becomes a NaN, which no vector may hold.
fn numbers(embedding: Embedding) -> Vec<f32> {
    match embedding {
        Embedding::Numbers(numbers) => {
            numbers.into_iter().map(|number| number.map_or(f32::NAN, narrow)).collect()
        }
        Embedding::Base64(text) => decoded(&text).unwrap_or_else(|| vec![f32::NAN]),
    }
}

fn decoded(text: &str) -> Option<Vec<f32>> {
    let bytes = STANDARD.decode(text).ok()?;
    let (numbers, rest) = bytes.as_chunks::<4>();
    rest.is_empty().then(|| numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
}

#[cfg(test)]
mod tests;

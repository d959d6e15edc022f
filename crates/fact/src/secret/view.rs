//! A text as it reads once what hides in it is taken away, with the place where each byte stood.

use super::Found;
use crate::is_invisible;

/// A reading of a text.
pub(super) struct View {
    text: String,
    /// Where each byte of it begins in the text as given, and where that ends.
    from: Vec<usize>,
}

impl View {
    /// The text without characters that nobody sees.
    pub(super) fn of(given: &str) -> Self {
        let mut text = String::with_capacity(given.len());
        let mut from = Vec::with_capacity(given.len() + 1);
        for (place, c) in given.char_indices().filter(|(_, c)| !is_invisible(*c)) {
            text.push(c);
            from.extend(place..place + c.len_utf8());
        }
        from.push(given.len());
        Self { text, from }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The text with one layer of percent-encoding taken away; none where there is none.
    pub(super) fn decoded(&self) -> Option<Self> {
        let given = self.text.as_bytes();
        let (mut bytes, mut from) = (Vec::with_capacity(given.len()), Vec::with_capacity(given.len() + 1));
        let mut place = 0;
        while let Some(&byte) = given.get(place) {
            from.push(self.from[place]);
            let coded = (byte == b'%').then(|| coded(given.get(place + 1..place + 3)?)).flatten();
            bytes.push(coded.unwrap_or(byte));
            place += if coded.is_some() { 3 } else { 1 };
        }
        if bytes.len() == given.len() {
            return None;
        }
        from.push(self.from[given.len()]);
        Some(Self { text: readable(&bytes), from })
    }

    /// The same place in the text as given.
    pub(super) fn origin(&self, found: Found) -> Found {
        Found { start: self.from[found.start], end: self.from[found.end], ..found }
    }
}

fn coded(digits: &[u8]) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    match digits {
        [high, low] => Some(digit(*high)? * 16 + digit(*low)?),
        _ => None,
    }
}

/// The bytes as text of the same length: a byte that is no character becomes one that means nothing.
fn readable(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|_| text.push('?'));
    }
    text
}

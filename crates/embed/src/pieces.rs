//! Long text in pieces that a model takes whole: cut where people pause, with nothing lost.

/// What a cut before a unit would break, from the worst place to the best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Border {
    Inside,
    Word,
    Space,
    Sentence,
}

/// What a model counts: a token, or a character.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Unit {
    /// Where it starts in the text, in bytes, at a character's border.
    pub(crate) start: usize,
    /// What lies before it.
    pub(crate) border: Border,
}

/// Ends of sentences; those of Chinese and Japanese need no space after them.
const ENDS: [char; 4] = ['.', '!', '?', '…'];
const WIDE_ENDS: [char; 3] = ['。', '！', '？'];

/// The text in pieces of at most `max` characters.
pub(crate) fn by_characters(text: &str, max: usize) -> Vec<String> {
    let units = text.char_indices().map(|(start, character)| {
        let within = text[..start].chars().next_back().is_some_and(char::is_alphanumeric);
        let is_word = !(within && character.is_alphanumeric());
        Unit { start, border: border(text, start, is_word) }
    });
    cut(text, &units.collect::<Vec<_>>(), max)
}

/// What a cut at `start` would break, where a word starts there or none does.
pub(crate) fn border(text: &str, start: usize, is_word: bool) -> Border {
    if !is_word || text[start..].starts_with(char::is_whitespace) {
        return Border::Inside;
    }
    let seen = text[..start].trim_end();
    let gap = &text[seen.len()..start];
    if gap.contains('\n') || seen.ends_with(WIDE_ENDS) || !gap.is_empty() && seen.ends_with(ENDS) {
        Border::Sentence
    } else if gap.is_empty() {
        Border::Word
    } else {
        Border::Space
    }
}

/// The text in pieces of at most `max` of the units, which are in order.
pub(crate) fn cut(text: &str, units: &[Unit], max: usize) -> Vec<String> {
    let mut pieces = Vec::new();
    let (mut first, mut start) = (0, 0);
    while units.len() - first > max.max(1) {
        first = next(units, first, max.max(1));
        pieces.push(text[start..units[first].start].to_owned());
        start = units[first].start;
    }
    if start < text.len() {
        pieces.push(text[start..].to_owned());
    }
    pieces
}

/// The unit that the next piece begins with: the best place in the second half of what fits, else any word's
/// beginning, else wherever the piece is full.
fn next(units: &[Unit], first: usize, max: usize) -> usize {
    let (last, half) = (first + max, first + max.div_ceil(2));
    let find = |from: usize, wanted: Border| (from..=last).rev().find(|at| units[*at].border >= wanted);
    find(half, Border::Sentence)
        .or_else(|| find(half, Border::Space))
        .or_else(|| find(half, Border::Word))
        .or_else(|| find(first + 1, Border::Word))
        .unwrap_or(last)
}

#[cfg(test)]
mod tests;

//! Cuts a text into parts that fit into one fact each: between paragraphs, else sentences, else words.

use truthkeeper::limits;

/// What `{"text":""}` takes of a fact's bytes.
const FRAME_BYTES: usize = 11;

/// The parts of `text`, in order, none empty; together they are the text. A character is never cut.
pub(super) fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (part, after) = rest.split_at(first_part(rest));
        parts.push(part);
        rest = after;
    }
    parts
}

/// Where the first part ends. A paragraph or a sentence that would leave it half empty is cut all the same.
fn first_part(text: &str) -> usize {
    let room = room(text);
    if room == text.len() {
        return room;
    }
    let window = &text[..room];
    let full_enough = |end: &usize| *end > room / 2;
    let paragraph = window.rfind("\n\n").map(|at| at + 2).filter(full_enough);
    let sentence = || last_end(window, ends_sentence).filter(full_enough);
    let word = || last_end(window, |c, _| c.is_whitespace());
    paragraph.or_else(sentence).or_else(word).unwrap_or(room)
}

/// How many bytes of `text` fit into one fact.
fn room(text: &str) -> usize {
    let mut bytes = FRAME_BYTES;
    for (count, (at, c)) in text.char_indices().enumerate() {
        bytes += written_bytes(c);
        if count == limits::CONTENT_CHARS_MAX || bytes > limits::CONTENT_BYTES_MAX {
            return at;
        }
    }
    text.len()
}

/// What a character takes in canonical JSON (RFC 8785, section 3.2.2.2).
fn written_bytes(c: char) -> usize {
    match c {
        '"' | '\\' | '\u{8}' | '\u{9}' | '\u{a}' | '\u{c}' | '\u{d}' => 2,
        '\0'..='\u{1f}' => 6,
        _ => c.len_utf8(),
    }
}

/// The end of the last character that `ends` accepts, given the one after it.
fn last_end(window: &str, ends: impl Fn(char, Option<char>) -> bool) -> Option<usize> {
    let mut after = None;
    for (at, c) in window.char_indices().rev() {
        if ends(c, after) {
            return Some(at + c.len_utf8());
        }
        after = Some(c);
    }
    None
}

fn ends_sentence(c: char, after: Option<char>) -> bool {
    match c {
        '\n' | '。' | '！' | '？' => true,
        '.' | '!' | '?' => after.is_some_and(char::is_whitespace),
        _ => false,
    }
}

//! Private keys as blocks of text.

use super::{Detector, Found};

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";
const DASHES: &str = "-----";
/// What the first line of a block is called, in characters.
const LABEL_CHARS_MAX: usize = 64;
const PUTTY: &str = "PuTTY-User-Key-File-";

pub(super) fn find(text: &str) -> Vec<Found> {
    let mut all: Vec<Found> = text.match_indices(BEGIN).filter_map(|(start, _)| block(text, start)).collect();
    let putty = |(start, _): (usize, &str)| Found { start, end: text.len(), detector: Detector::PrivateKey };
    all.extend(text.match_indices(PUTTY).map(putty));
    all
}

/// To its last line; to the end of the text where that is missing.
fn block(text: &str, start: usize) -> Option<Found> {
    let rest = &text[start + BEGIN.len()..];
    let label = rest.split_once(DASHES)?.0;
    if label.len() > LABEL_CHARS_MAX || !label.contains("PRIVATE KEY") {
        return None;
    }
    let body = start + BEGIN.len() + label.len() + DASHES.len();
    let end = text[body..].find(END).map_or(text.len(), |place| {
        let last = body + place + END.len();
        text[last..].find(DASHES).map_or(text.len(), |dashes| last + dashes + DASHES.len())
    });
    Some(Found { start, end, detector: Detector::PrivateKey })
}

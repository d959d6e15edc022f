//! Files of lines, one JSON object each: read line by line, however long a line is.

use std::fs::File;
use std::io::{BufRead, BufReader, Read as _};
use std::path::Path;

use fact::BadInput;
use serde_json::{Map, Value};

use crate::{SourceError, json};

/// One line, in bytes: an entity of a graph has all its observations on one. What is longer is not kept.
const LINE_BYTES_MAX: usize = 16 << 20;

/// What a line holds.
pub(crate) enum Line {
    Blank,
    Object(Map<String, Value>),
    Bad(BadInput),
}

/// Gives each line with its number, from 1.
pub(crate) fn each<E: From<SourceError>>(
    path: &Path,
    take: &mut dyn FnMut(usize, Line) -> Result<(), E>,
) -> Result<(), E> {
    let file = File::open(path).map_err(|error| SourceError::unreadable(path, error))?;
    let mut reader = BufReader::new(file);
    let mut number = 0;
    loop {
        let mut bytes = Vec::new();
        let is_whole =
            next_line(&mut reader, &mut bytes).map_err(|error| SourceError::unreadable(path, error))?;
        if bytes.is_empty() {
            return Ok(());
        }
        number += 1;
        take(number, if is_whole { parsed(&bytes, number) } else { too_long() })?;
    }
}

/// Reads up to the end of the line; says whether the line was kept whole.
fn next_line(reader: &mut impl BufRead, bytes: &mut Vec<u8>) -> std::io::Result<bool> {
    let most = u64::try_from(LINE_BYTES_MAX).unwrap_or(u64::MAX);
    reader.by_ref().take(most + 1).read_until(b'\n', bytes)?;
    let is_whole = bytes.len() <= LINE_BYTES_MAX || bytes.ends_with(b"\n");
    if !is_whole {
        reader.skip_until(b'\n')?;
    }
    Ok(is_whole)
}

fn parsed(bytes: &[u8], number: usize) -> Line {
    let mark: &[u8] = if number == 1 { "\u{feff}".as_bytes() } else { b"" };
    let Ok(text) = std::str::from_utf8(bytes.strip_prefix(mark).unwrap_or(bytes)) else {
        return Line::Bad(BadInput::new("line", "is not UTF-8"));
    };
    if fact::is_blank(text) {
        return Line::Blank;
    }
    match json::parsed(text) {
        Some(Value::Object(object)) => Line::Object(object),
        Some(_) | None => Line::Bad(BadInput::new("line", "must be one JSON object")),
    }
}

fn too_long() -> Line {
    Line::Bad(BadInput::new("line", format!("has more than {LINE_BYTES_MAX} bytes")))
}

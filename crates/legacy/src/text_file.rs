//! Text files: read whole within a limit, without a byte order mark, and with the damage known.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use crate::{Skip, SourceError};

/// One text file, in bytes.
pub(crate) const FILE_BYTES_MAX: u64 = 16 << 20;
const FILE_LIMIT: &str = "16 MiB of text";
/// What stands for bytes that are no UTF-8.
const REPLACEMENT: char = char::REPLACEMENT_CHARACTER;

/// The text of a file.
pub(crate) struct TextFile {
    pub(crate) text: String,
    is_damaged: bool,
}

impl TextFile {
    /// Text that another file held, whole and sound.
    pub(crate) fn whole(text: &str) -> Self {
        Self { text: text.to_owned(), is_damaged: false }
    }

    /// Whether bytes of these words were no UTF-8.
    pub(crate) fn is_damaged(&self, words: &str) -> bool {
        self.is_damaged && words.contains(REPLACEMENT)
    }
}

/// Text, or why a file has none.
pub(crate) enum Opened {
    Text(TextFile),
    Not(Skip),
}

/// Reads a text file whole.
pub(crate) fn read(path: &Path) -> Result<Opened, SourceError> {
    let bytes = bytes(path, FILE_BYTES_MAX, FILE_LIMIT)?;
    Ok(decoded(bytes))
}

/// Reads a file whole, up to a limit.
pub(crate) fn bytes(path: &Path, bytes_max: u64, limit: &'static str) -> Result<Vec<u8>, SourceError> {
    let unreadable = |error: io::Error| SourceError::unreadable(path, error);
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(bytes_max + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length <= bytes_max) {
        return Ok(bytes);
    }
    Err(SourceError::too_large(path, limit))
}

/// Bytes that are neither UTF-8 nor free of NUL are no text: a picture, an archive, UTF-16.
fn decoded(bytes: Vec<u8>) -> Opened {
    match String::from_utf8(bytes) {
        Ok(text) => Opened::Text(TextFile { text: without_mark(text), is_damaged: false }),
        Err(error) if error.as_bytes().contains(&0) => Opened::Not(Skip::NotText),
        Err(error) => {
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            Opened::Text(TextFile { text: without_mark(text), is_damaged: true })
        }
    }
}

/// The text without the byte order mark that some editors put before it.
fn without_mark(text: String) -> String {
    match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    }
}

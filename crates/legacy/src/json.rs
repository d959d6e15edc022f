//! Files that hold one JSON value, also where a program wrote what is not quite JSON.

use std::path::Path;

use serde_json::{Map, Value};

use crate::{SourceError, text_file};

mod mend;

/// One export, in bytes.
const EXPORT_BYTES_MAX: u64 = 256 << 20;
const EXPORT_LIMIT: &str = "256 MiB of JSON";

/// The value of a file, or nothing where it is no JSON. A damaged string in it is no string any more, so that only
/// its own row is refused.
pub(crate) fn read(path: &Path) -> Result<Option<Value>, SourceError> {
    let bytes = text_file::bytes(path, EXPORT_BYTES_MAX, EXPORT_LIMIT)?;
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
    Ok(match std::str::from_utf8(bytes) {
        Ok(text) => parsed(text),
        Err(_) => parsed(&String::from_utf8_lossy(bytes)).map(without_damage),
    })
}

/// The list or object of a file that may also hold text; nothing where it is text. A file that is called JSON and is
/// none was damaged, and its pieces are no lines of text.
pub(crate) fn or_text(path: &Path, expected: &'static str) -> Result<Option<Value>, SourceError> {
    let value = read(path)?.filter(|value| value.is_array() || value.is_object());
    match value {
        None if path.extension().is_some_and(|ending| ending == "json") => {
            Err(SourceError::other(path, expected))
        }
        value => Ok(value),
    }
}

/// The value of a text, mended where it has to be.
pub(crate) fn parsed(text: &str) -> Option<Value> {
    let parsed = serde_json::from_str(text).ok();
    let is_json = text.trim_start().starts_with(['{', '[']);
    parsed.or_else(|| {
        let mended = is_json.then(|| serde_json::from_str(&mend::mended(text)).ok())?;
        mended.map(without_damage)
    })
}

/// The value with something that is no string for each string that lost a character.
fn without_damage(value: Value) -> Value {
    match value {
        Value::String(words) if words.contains(char::REPLACEMENT_CHARACTER) => Value::Object(Map::new()),
        Value::Array(items) => Value::Array(items.into_iter().map(without_damage).collect()),
        Value::Object(fields) => {
            Value::Object(fields.into_iter().map(|(name, value)| (name, without_damage(value))).collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value,
    }
}

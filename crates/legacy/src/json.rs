//! Files that hold one JSON value.

use std::path::Path;

use serde_json::Value;

use crate::{SourceError, text_file};

/// One export, in bytes.
const EXPORT_BYTES_MAX: u64 = 256 << 20;
const EXPORT_LIMIT: &str = "256 MiB of JSON";

/// The value of a file, or nothing where it is no JSON.
pub(crate) fn read(path: &Path) -> Result<Option<Value>, SourceError> {
    let bytes = text_file::bytes(path, EXPORT_BYTES_MAX, EXPORT_LIMIT)?;
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
    Ok(serde_json::from_slice(text).ok())
}

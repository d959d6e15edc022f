//! What is kept outside the database: the defaults, and the end of each tenant's chain of events, which no chain alone
//! can prove not to have been cut.

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use fact::{Id, Position, Timestamp};
use ledger::Setting;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tempfile::NamedTempFile;

use crate::finding::SnapshotFault;

/// By which the file is known.
const FORMAT: &str = "truthkeeper qualification";
/// The form that this version writes, and the last that it reads.
pub(crate) const FORM: u64 = 1;

/// What a later run is compared with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Snapshot {
    format: String,
    form: u64,
    /// When it was taken.
    pub recorded_at: String,
    /// The defaults that are compared.
    pub settings: Vec<Kept>,
    /// The end of each tenant's chain.
    pub chains: Vec<End>,
}

/// A default, and whose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// The tenant.
    pub tenant: Id,
    /// The default.
    #[serde(flatten)]
    pub setting: Setting,
}

/// The end of a tenant's chain of events.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    /// The tenant.
    pub tenant: Id,
    /// The position of its last event.
    pub position: Position,
    /// The digest of that event.
    pub digest: String,
}

impl Snapshot {
    /// Takes one.
    pub(crate) fn taken(at: Timestamp, settings: Vec<Kept>, chains: Vec<End>) -> Self {
        Self { format: FORMAT.to_owned(), form: FORM, recorded_at: at.exact(), settings, chains }
    }

    /// Reads the one at a path; none where there is no file.
    pub fn read(path: &Path) -> Result<Option<Self>, SnapshotFault> {
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(SnapshotFault::Unreachable(error.to_string())),
        };
        let value: Value = serde_json::from_slice(&bytes).map_err(|_| SnapshotFault::Damaged)?;
        if value.get("format").and_then(Value::as_str) != Some(FORMAT) {
            return Err(SnapshotFault::Foreign);
        }
        match value.get("form").and_then(Value::as_u64) {
            Some(newer) if newer > FORM => Err(SnapshotFault::Newer(newer)),
            Some(_) => serde_json::from_value(value).map(Some).map_err(|_| SnapshotFault::Damaged),
            None => Err(SnapshotFault::Damaged),
        }
    }

    /// Puts it at a path, whole or not at all.
    pub(crate) fn write(&self, path: &Path) -> Result<(), SnapshotFault> {
        let failed = |error: &dyn std::fmt::Display| SnapshotFault::Unreachable(error.to_string());
        let text = serde_json::to_string_pretty(self).map_err(|error| failed(&error))?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let mut file =
            NamedTempFile::new_in(folder.unwrap_or(Path::new("."))).map_err(|error| failed(&error))?;
        writeln!(file, "{text}").map_err(|error| failed(&error))?;
        file.as_file().sync_all().map_err(|error| failed(&error))?;
        file.persist(path).map_err(|error| failed(&error.error))?;
        Ok(())
    }
}

//! Qdrant's local mode, as its Python client keeps it: a folder with `meta.json`, and for each collection a SQLite
//! file of points. A point's payload is read as mem0 writes it; its vectors are not looked at.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::Path;

use fact::{BadInput, LegacyOrigin};
use rusqlite::Row;
use serde_json::{Map, Value};

use crate::out::{Halt, Out, Walk};
use crate::tree::{self, Kind};
use crate::{Skip, SourceError, payload, pickle, place, sqlite};

const POINTS: &str = include_str!("qdrant/sql/points.sql");
const EXPECTED: &str =
    "a folder with meta.json and collection/NAME/storage.sqlite, each with a table `points` (id, point)";
const STORAGE: &str = "storage.sqlite";

pub(crate) fn read(path: &Path, out: &mut Out<'_>) -> Walk {
    let collections = path.join("collection");
    if !path.join("meta.json").is_file() || !collections.is_dir() {
        return Err(SourceError::other(path, EXPECTED).into());
    }
    // Held to the end, so that no client begins to write in between.
    let _held = held(path)?;
    for entry in tree::list(&collections, &|_| false)? {
        let name = place::relative(&entry.relative);
        let at = place::place(&name);
        let storage = collections.join(&entry.relative).join(STORAGE);
        match entry.kind {
            Kind::ClosedFolder if storage.is_symlink() => out.skip(at, Skip::SymbolicLink)?,
            Kind::ClosedFolder if storage.is_file() => collection(&name, &storage, out)?,
            Kind::ClosedFolder => out.refuse(at, BadInput::new("collection", "has no storage.sqlite"))?,
            Kind::SymbolicLink => out.skip(at, Skip::SymbolicLink)?,
            Kind::File | Kind::Special | Kind::Unreadable | Kind::TooDeep => out.skip(at, Skip::OtherFile)?,
        }
    }
    Ok(())
}

/// The lock that a client holds while it uses the folder, taken beside other readers. Dropped, it is free again.
fn held(path: &Path) -> Result<Option<File>, SourceError> {
    let lock = path.join(".lock");
    if !lock.exists() {
        return Ok(None);
    }
    let file = File::open(&lock).map_err(|error| SourceError::unreadable(&lock, error))?;
    match file.try_lock_shared() {
        Ok(()) => Ok(Some(file)),
        Err(std::fs::TryLockError::WouldBlock) => Err(SourceError::Locked { path: path.to_owned() }),
        Err(std::fs::TryLockError::Error(error)) => Err(SourceError::unreadable(&lock, error)),
    }
}

/// A collection that cannot be read is refused, and the next ones go on; one that is in use stops all.
fn collection(name: &str, storage: &Path, out: &mut Out<'_>) -> Walk {
    match points(name, storage, out) {
        Err(Halt::Failed(SourceError::Database { .. } | SourceError::NotOfThisSource { .. })) => {
            out.refuse(place::place(name), BadInput::new(STORAGE, "cannot be read as a table of points"))
        }
        walked => walked,
    }
}

fn points(name: &str, storage: &Path, out: &mut Out<'_>) -> Walk {
    let failed = |error| Halt::from(sqlite::failed(storage, error));
    let connection = sqlite::open(storage, EXPECTED)?;
    let mut statement = sqlite::prepared(&connection, POINTS, storage, EXPECTED)?;
    let mut rows = statement.query([]).map_err(failed)?;
    let mut seen = BTreeSet::new();
    while let Some(row) = rows.next().map_err(failed)? {
        point(name, row, &mut seen, out)?;
    }
    Ok(())
}

/// One point. The client keeps the newest of several rows of one id, and so does this.
fn point(name: &str, row: &Row<'_>, seen: &mut BTreeSet<String>, out: &mut Out<'_>) -> Walk {
    let key = row.get::<_, String>("id").unwrap_or_default();
    let kept = format!("{name}/{key}");
    let Ok(pickled) = row.get_ref("point").and_then(|value| value.as_blob().map_err(Into::into)) else {
        return out.refuse(place::place(&kept), BadInput::new("point", "must be a pickle"));
    };
    let mut fields = match pickle::fields(pickled, &["id", "payload"]) {
        Ok(fields) => fields,
        Err(why) => return out.refuse(place::place(&kept), why),
    };
    let Some(id) = fields.get("id").and_then(payload::id) else {
        return out.refuse(place::place(&kept), BadInput::new("id", "must be a number or a UUID"));
    };
    let at = place::place(&format!("{name}/{id}"));
    if !seen.insert(normal(&id)) {
        return out.skip(at, Skip::Earlier);
    }
    match fields.remove("payload") {
        Some(Value::Object(payload)) => payload::give(at, &payload, LegacyOrigin::Unknown, out),
        None | Some(Value::Null) => payload::give(at, &Map::new(), LegacyOrigin::Unknown, out),
        Some(Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_)) => {
            out.refuse(at, BadInput::new("payload", "must be an object"))
        }
    }
}

/// An id however its UUID was spelled.
fn normal(id: &str) -> String {
    let id = id.to_lowercase();
    let bare: String = id.trim_start_matches("urn:uuid:").chars().filter(|c| !"{}-".contains(*c)).collect();
    let is_uuid = bare.len() == 32 && bare.chars().all(|c| c.is_ascii_hexdigit());
    if is_uuid { bare } else { id }
}

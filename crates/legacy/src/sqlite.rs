//! SQLite files of other programs: opened to be read, and never so that anything beside them is made.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, ErrorCode, OpenFlags, Statement};

use crate::SourceError;

/// What such a file begins with.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";
/// Where the header says whether the file has a write-ahead log, and the number that says yes.
const LOG_FORMAT_AT: usize = 18;
const LOG_FORMAT: u8 = 2;

/// Whether the file is one of SQLite's.
pub(crate) fn is_database(path: &Path) -> Result<bool, SourceError> {
    Ok(header(path)?.is_some())
}

/// Opens a file to be read. While a write of its program is unfinished it counts as locked.
///
/// A file that uses a write-ahead log is opened as one that does not change, since SQLite would else make the log's
/// files beside it; that is sound where no log is there.
pub(crate) fn open(path: &Path, expected: &'static str) -> Result<Connection, SourceError> {
    let Some(header) = header(path)? else {
        return Err(SourceError::other(path, expected));
    };
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let has_log = header[LOG_FORMAT_AT] == LOG_FORMAT;
    if has_log && is_unfinished(&beside(path, "-wal")) {
        return Err(SourceError::Locked { path: path.to_owned() });
    }
    let opened = match has_log {
        true => Connection::open_with_flags(unchanging(path), flags | OpenFlags::SQLITE_OPEN_URI),
        false => Connection::open_with_flags(path, flags),
    };
    let connection = opened.map_err(|error| failed(path, error))?;
    // Sorting must not make files either.
    connection.pragma_update(None, "temp_store", "MEMORY").map_err(|error| failed(path, error))?;
    Ok(connection)
}

/// Prepares a query. A database without its table or its columns is of something else.
pub(crate) fn prepared<'a>(
    connection: &'a Connection,
    query: &str,
    path: &Path,
    expected: &'static str,
) -> Result<Statement<'a>, SourceError> {
    connection.prepare(query).map_err(|error| {
        if matches!(error, rusqlite::Error::SqlInputError { .. }) {
            return SourceError::other(path, expected);
        }
        failed(path, error)
    })
}

/// What an error of the engine means for the source.
pub(crate) fn failed(path: &Path, source: rusqlite::Error) -> SourceError {
    match source.sqlite_error_code() {
        // A rollback journal that only its program may play back makes it "read-only".
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::ReadOnly) => {
            SourceError::Locked { path: path.to_owned() }
        }
        _ => SourceError::Database { path: path.to_owned(), source },
    }
}

fn header(path: &Path) -> Result<Option<Vec<u8>>, SourceError> {
    let mut header = Vec::new();
    let file = File::open(path).map_err(|error| SourceError::unreadable(path, error))?;
    file.take(100).read_to_end(&mut header).map_err(|error| SourceError::unreadable(path, error))?;
    Ok((header.len() == 100 && header.starts_with(MAGIC)).then_some(header))
}

fn is_unfinished(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|metadata| metadata.len() > 0)
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

fn unchanging(path: &Path) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-".contains(byte);
    let bytes = path.as_os_str().as_encoded_bytes().iter();
    let path: String = bytes
        .map(|byte| if plain(byte) { char::from(*byte).to_string() } else { format!("%{byte:02X}") })
        .collect();
    format!("file:{path}?immutable=1")
}

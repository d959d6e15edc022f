//! What the doctor looks at beside the store: files, room, and what the command is told.

use std::path::{Path, PathBuf};

use truthkeeper::{Address, BadInput, Finding, MemoryError, machine};

use crate::embedder::Choice;
use crate::error::CliError;
use crate::store;

/// The files of a store that lies on this machine: ledger and index. What the engine puts beside each has its permissions.
fn files(address: &str) -> Vec<PathBuf> {
    let Address::File(ledger) = Address::parse(address) else { return Vec::new() };
    let index = ledger.with_extension("index.db");
    [ledger, index].into_iter().filter(|file| file.exists()).collect()
}

/// Where a file lies.
fn folder(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether others may open the store's files.
#[cfg(unix)]
pub(super) fn permissions(address: &str) -> Result<Vec<Finding>, CliError> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = |path: &Path| match path.metadata() {
        Ok(found) => Ok(found.permissions().mode()),
        Err(error) => Err(CliError::file(path, error)),
    };
    let mut findings = Vec::new();
    for file in files(address) {
        findings.extend(machine::permissions(&file.to_string_lossy(), mode(&file)?, mode(folder(&file))?));
    }
    Ok(findings)
}

/// Whether others may open the store's files: what this platform says of that is not read.
#[cfg(not(unix))]
pub(super) fn permissions(_address: &str) -> Result<Vec<Finding>, CliError> {
    Ok(Vec::new())
}

/// Whether there is room where the store lies.
#[cfg(unix)]
pub(super) fn space(address: &str) -> Result<Vec<Finding>, CliError> {
    let Address::File(path) = Address::parse(address) else { return Ok(Vec::new()) };
    let folder = folder(&path);
    let found = rustix::fs::statvfs(folder).map_err(|error| CliError::file(folder, error.into()))?;
    let free = found.f_bavail.saturating_mul(found.f_frsize);
    Ok(machine::room(&folder.to_string_lossy(), free).into_iter().collect())
}

/// Whether there is room where the store lies: what this platform says of that is not read.
#[cfg(not(unix))]
pub(super) fn space(_address: &str) -> Result<Vec<Finding>, CliError> {
    Ok(Vec::new())
}

/// What the environment and the data folder say.
pub(super) fn configuration() -> Vec<Finding> {
    let told = [Choice::made().err(), Choice::former().err(), store::busy_wait().err().map(CliError::from)];
    told.into_iter().flatten().map(misconfigured).collect()
}

fn misconfigured(error: CliError) -> Finding {
    if let CliError::Memory(MemoryError::BadInput(BadInput { field, problem })) = error {
        return Finding::Misconfigured { name: field.into_owned(), problem: problem.into_owned() };
    }
    Finding::Misconfigured { name: "data folder".to_owned(), problem: error.to_string() }
}

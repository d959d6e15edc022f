//! What the doctor looks at beside the store: files, room, and what the command is told.

use std::path::{Path, PathBuf};

use truthkeeper::{Address, BadInput, Finding, MemoryError, machine};

use crate::config::Config;
use crate::embedder::{self, Choice};
use crate::error::CliError;

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

/// What the environment, its file and the data folder say.
pub(super) fn configuration(config: &Config) -> Vec<Finding> {
    let told = config.problems();
    // Where what is told makes no sense by itself, nothing follows from it.
    let chosen = [Choice::made(config).err(), Choice::former(config).err()];
    let chosen = chosen.into_iter().flatten().filter(|_| told.is_empty()).map(misconfigured);
    told.iter().map(found).chain(chosen).collect()
}

fn misconfigured(error: CliError) -> Finding {
    if let CliError::Memory(MemoryError::BadInput(bad)) = error {
        return found(&bad);
    }
    Finding::Misconfigured { name: "data folder".to_owned(), problem: error.to_string(), mend: None }
}

fn found(bad: &BadInput) -> Finding {
    let mend = if bad.field.starts_with("MEMORY_") {
        Some(format!("unset {}", bad.field))
    } else if embedder::is_ours(&bad.field) {
        Some("memory models use auto".to_owned())
    } else {
        None
    };
    Finding::Misconfigured { name: bad.field.to_string(), problem: bad.problem.to_string(), mend }
}

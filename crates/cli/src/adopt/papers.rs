//! The papers of a review: audits and sealed reviews that nobody changes, and the review that a person edits between them.
//!
//! They hold what was remembered: the folder is their owner's alone, and never part of a source tree, where they would be
//! published with it.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Component, Path, PathBuf};

use tempfile::NamedTempFile;
use truthkeeper::{LegacyAudit, Review, Sealed};

use crate::error::CliError;
use crate::store;

/// What shows that a folder is published with a source tree.
const TREES: [&str; 4] = [".git", ".hg", ".jj", ".svn"];
/// Digits of a digest in the name of a file.
const NAME_DIGITS: usize = 12;
const KEPT: u32 = 0o400;
const EDITED: u32 = 0o600;

/// A folder for the papers of reviews.
pub(super) struct Papers {
    folder: PathBuf,
}

impl Papers {
    /// In the folder that is named, or among the person's data.
    pub(super) fn open(folder: Option<&str>) -> Result<Self, CliError> {
        let folder = match folder {
            Some(folder) => PathBuf::from(folder),
            None => store::own_folder().ok_or(CliError::NoDataFolder)?.join("adoption"),
        };
        check_tree(&folder)?;
        store::create_private(&folder).map_err(|error| CliError::file(&folder, error))?;
        check_private(&folder)?;
        Ok(Self { folder })
    }

    /// Keeps an audit, and a review of it to be edited; gives the path of that.
    pub(super) fn keep_audit(&self, audit: &LegacyAudit, review: &Review) -> Result<PathBuf, CliError> {
        let digest = audit.digest();
        let text = serde_json::to_string(audit).map_err(io::Error::from)?;
        self.keep(&audit_name(&digest), &format!("{text}\n"), KEPT)?;
        self.keep(&format!("review-{}.toml", name(&digest)), &review.render(), EDITED)
    }

    /// Keeps a sealed review.
    pub(super) fn keep_sealed(&self, sealed: &Sealed) -> Result<PathBuf, CliError> {
        self.keep(&format!("sealed-{}.json", name(sealed.digest())), &sealed.render(), KEPT)
    }

    /// Writes a new file, whole or not at all; what is there is never written over.
    fn keep(&self, name: &str, text: &str, mode: u32) -> Result<PathBuf, CliError> {
        let path = self.folder.join(name);
        let failed = |error| CliError::file(&path, error);
        let written = written(&self.folder, text, mode).map_err(failed)?;
        written.persist_noclobber(&path).map_err(|error| failed(error.error))?;
        Ok(path)
    }
}

/// A review with the audit beside it.
pub(super) fn read_review(path: &str) -> Result<(LegacyAudit, Review), CliError> {
    let (review, beside) = review_at(path)?;
    let audit = serde_json::from_str(&read(&beside)?)
        .map_err(|_| CliError::file(&beside, io::Error::other("it is no audit, or was changed")))?;
    review.check(&audit).map_err(CliError::Review)?;
    Ok((audit, review))
}

/// Keeps others from deciding about a review until it is dropped: they wait. The audit beside it is what is locked, for a
/// review is replaced.
pub(super) fn lock(path: &str) -> Result<File, CliError> {
    let (_, beside) = review_at(path)?;
    let failed = |error| CliError::file(&beside, error);
    let file = File::open(&beside).map_err(failed)?;
    file.lock().map_err(failed)?;
    Ok(file)
}

/// Puts a review in the place of the one that was read.
pub(super) fn replace_review(path: &str, review: &Review) -> Result<(), CliError> {
    let path = Path::new(path);
    let failed = |error| CliError::file(path, error);
    let written = written(around(path), &review.render(), EDITED).map_err(failed)?;
    written.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// The folder in which a paper lies.
pub(super) fn folder_of(path: &str) -> Result<Papers, CliError> {
    Papers::open(Some(&around(Path::new(path)).to_string_lossy()))
}

/// A sealed review, unless any byte of it was changed.
pub(super) fn read_sealed(path: &str) -> Result<Sealed, CliError> {
    Sealed::parse(&read(Path::new(path))?).map_err(CliError::Seal)
}

/// A review, and where the audit lies that it is of.
fn review_at(path: &str) -> Result<(Review, PathBuf), CliError> {
    let path = Path::new(path);
    let review = Review::parse(&read(path)?).map_err(CliError::Review)?;
    let beside = path.with_file_name(audit_name(&review.audit));
    Ok((review, beside))
}

/// The folder of a file, also where its path names none.
fn around(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn read(path: &Path) -> Result<String, CliError> {
    fs::read_to_string(path).map_err(|error| CliError::file(path, error))
}

fn name(digest: &str) -> &str {
    digest.get(..NAME_DIGITS).unwrap_or(digest)
}

fn audit_name(digest: &str) -> String {
    format!("audit-{}.json", name(digest))
}

fn written(folder: &Path, text: &str, mode: u32) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    Ok(file)
}

/// Refuses a folder that is part of a source tree.
fn check_tree(folder: &Path) -> Result<(), CliError> {
    let absolute = std::path::absolute(folder).map_err(|error| CliError::file(folder, error))?;
    let is_tree = |above: &Path| TREES.iter().any(|tree| above.join(tree).exists());
    // As it leads now, and as it will once the folders on its way are made: `..` then leads out of them.
    for path in [&absolute, &straight(&absolute)] {
        let there = path.ancestors().find_map(|above| above.canonicalize().ok());
        let there = there.unwrap_or_else(|| path.clone());
        if let Some(tree) = there.ancestors().find(|above| is_tree(above)) {
            return Err(CliError::InSourceTree { folder: tree.display().to_string() });
        }
    }
    Ok(())
}

/// A path without `..`, as it reads.
fn straight(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut straight, part| {
        if part == Component::ParentDir {
            straight.pop();
        } else {
            straight.push(part);
        }
        straight
    })
}

/// Refuses a folder into which others can look.
#[cfg(unix)]
fn check_private(folder: &Path) -> Result<(), CliError> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = fs::metadata(folder).map_err(|error| CliError::file(folder, error))?.permissions().mode();
    if mode & 0o077 == 0 {
        return Ok(());
    }
    Err(CliError::NotPrivate { folder: folder.display().to_string() })
}
#[cfg(not(unix))]
fn check_private(_: &Path) -> Result<(), CliError> {
    Ok(())
}

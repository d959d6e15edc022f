//! The files below a folder, in the order of their paths. Links are never followed.

use std::fs::{self, FileType};
use std::io;
use std::path::{Path, PathBuf};

use crate::SourceError;

/// Files and folders below one folder.
const ENTRIES_MAX: usize = 200_000;
const ENTRIES_LIMIT: &str = "200,000 files and folders";
/// Folders within folders.
const DEPTH_MAX: usize = 64;

/// One thing below the folder.
pub(crate) struct Entry {
    /// Its path below the folder that was given.
    pub(crate) relative: PathBuf,
    pub(crate) kind: Kind,
}

/// What it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    SymbolicLink,
    /// A folder that is not entered.
    ClosedFolder,
    /// A folder that cannot be listed.
    Unreadable,
    /// A folder below too many others.
    TooDeep,
    /// A socket, a pipe, a device: never opened.
    Special,
}

/// Lists what is below `root`, entering the folders that `enters` names.
pub(crate) fn list(root: &Path, enters: &dyn Fn(&str) -> bool) -> Result<Vec<Entry>, SourceError> {
    let mut entries = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        match children(&root.join(&folder)) {
            Ok(children) => {
                for (name, file_type) in children {
                    let relative = folder.join(name);
                    match place_of(&relative, file_type, enters) {
                        Some(kind) => entries.push(Entry { relative, kind }),
                        None => folders.push(relative),
                    }
                }
            }
            Err(error) if folder.as_os_str().is_empty() => return Err(SourceError::unreadable(root, error)),
            Err(_) => entries.push(Entry { relative: folder, kind: Kind::Unreadable }),
        }
        if entries.len() + folders.len() > ENTRIES_MAX {
            return Err(SourceError::too_large(root, ENTRIES_LIMIT));
        }
    }
    entries.sort_by(|one, other| one.relative.cmp(&other.relative));
    Ok(entries)
}

fn children(folder: &Path) -> io::Result<Vec<(PathBuf, FileType)>> {
    let mut children = Vec::new();
    for child in fs::read_dir(folder)? {
        let child = child?;
        children.push((PathBuf::from(child.file_name()), child.file_type()?));
    }
    Ok(children)
}

/// What to list it as, or nothing for a folder to enter.
fn place_of(relative: &Path, file_type: FileType, enters: &dyn Fn(&str) -> bool) -> Option<Kind> {
    if file_type.is_symlink() {
        return Some(Kind::SymbolicLink);
    }
    if file_type.is_file() {
        return Some(Kind::File);
    }
    if !file_type.is_dir() {
        return Some(Kind::Special);
    }
    let name = relative.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if !enters(&name) {
        return Some(Kind::ClosedFolder);
    }
    (relative.iter().count() >= DEPTH_MAX).then_some(Kind::TooDeep)
}

//! The three files of the local model: which they are, where they lie, and that they are the ones.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::BadModel;

/// The local model's name on the hub.
pub const LOCAL_MODEL: &str = "sentence-transformers/all-MiniLM-L6-v2";
/// The commit of it that the digests are of.
pub(crate) const REVISION: &str = "1110a243fdf4706b3f48f1d95db1a4f5529b4d41";
/// Where the hub's own programs keep it, below their cache.
const IN_HUB_CACHE: &str = "models--sentence-transformers--all-MiniLM-L6-v2/snapshots";
/// Where we keep it, below a data folder.
const IN_DATA_FOLDER: &str = "models/all-MiniLM-L6-v2";

/// A file as it was published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Published {
    pub(crate) name: &'static str,
    pub(crate) bytes: u64,
    /// SHA-256 in hexadecimal digits.
    pub(crate) digest: &'static str,
}

pub(crate) const CONFIG: Published = Published {
    name: "config.json",
    bytes: 612,
    digest: "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
};
pub(crate) const TOKENIZER: Published = Published {
    name: "tokenizer.json",
    bytes: 466_247,
    digest: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
};
pub(crate) const WEIGHTS: Published = Published {
    name: "model.safetensors",
    bytes: 90_868_376,
    digest: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
};
/// The small ones first: what is wrong altogether shows early.
pub(crate) const FILES: [Published; 3] = [CONFIG, TOKENIZER, WEIGHTS];

/// A folder that holds all files of the local model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelFiles {
    folder: PathBuf,
}

impl ModelFiles {
    /// The first of the folders that holds all three files. Whether they are the right ones, [`check`](Self::check)
    /// says, and loading the model does; a later folder never stands in for a bad one.
    pub fn find(folders: &[PathBuf]) -> Result<Self, BadModel> {
        let whole = folders.iter().find(|folder| FILES.iter().all(|file| folder.join(file.name).is_file()));
        whole.map(|folder| Self { folder: folder.clone() }).ok_or_else(|| BadModel::Missing {
            files: FILES.map(|file| file.name).join(", "),
            searched: folders
                .iter()
                .map(|folder| folder.display().to_string())
                .collect::<Vec<_>>()
                .join(", "),
        })
    }

    /// Where the model may lie below a folder of data.
    pub fn in_data_folder(data: &Path) -> PathBuf {
        data.join(IN_DATA_FOLDER)
    }

    /// Where the model may lie below the cache of the hub's own programs, its `hub` folder.
    pub fn in_hub_cache(cache: &Path) -> PathBuf {
        cache.join(IN_HUB_CACHE).join(REVISION)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether each file is the one that was published. Reads all of them, some 91 MB.
    pub fn check(&self) -> Result<(), BadModel> {
        FILES.iter().try_for_each(|file| self.read(file).map(drop))
    }

    /// The file's bytes, which are the published ones.
    pub(crate) fn read(&self, file: &Published) -> Result<Vec<u8>, BadModel> {
        read(&self.folder, file)
    }
}

/// The bytes of the file in the folder, which are the published ones.
pub(crate) fn read(folder: &Path, file: &Published) -> Result<Vec<u8>, BadModel> {
    let path = folder.join(file.name);
    let unreadable = |kind| BadModel::Unreadable { file: path.display().to_string(), kind };
    let bytes = read_at_most(&path, file.bytes + 1).map_err(unreadable)?;
    let found = hexadecimal(Sha256::digest(&bytes));
    if found == file.digest {
        return Ok(bytes);
    }
    Err(BadModel::Digest { file: path.display().to_string(), expected: file.digest.to_owned(), found })
}

/// One byte more than was published is enough to have another digest.
fn read_at_most(path: &Path, bytes: u64) -> Result<Vec<u8>, ErrorKind> {
    let mut read = Vec::new();
    let mut file = File::open(path).map_err(|error| error.kind())?.take(bytes);
    file.read_to_end(&mut read).map_err(|error| error.kind())?;
    Ok(read)
}

/// The digest in lower-case hexadecimal digits.
pub(crate) fn hexadecimal(digest: impl AsRef<[u8]>) -> String {
    digest.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests;

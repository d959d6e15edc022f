//! Where the memory is, and opening it.

use std::env;
use std::path::{Path, PathBuf};
use std::time::Duration;

use truthkeeper::{Address, BadInput, Memory, Options};

use crate::args::Global;
use crate::config::{BUSY_SECONDS, Config, DB};
use crate::embedder::Choice;
use crate::error::CliError;
use crate::secrets;

/// What to do where there is no memory yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Missing {
    /// Begin one.
    Create,
    /// Say so: an empty answer would look as if nothing was known.
    Refuse,
}

/// Opens the memory at an address.
pub(crate) async fn open_at(config: &Config, address: &str) -> Result<Memory, CliError> {
    let busy_wait = Some(Duration::from_secs(config.number(&BUSY_SECONDS)?));
    let embedder = Choice::made(config)?.embedder(config)?;
    let former = Choice::former_embedder(config)?;
    let (secrets, secret_values) = secrets::settings(config)?;
    let options = Options { busy_wait, embedder, former, secrets, secret_values, ..Options::default() };
    Ok(Memory::open_with(address, options).await?)
}

/// Where the memory is that the command line names.
pub(crate) fn address(global: &Global, missing: Missing) -> Result<String, CliError> {
    let address = match &global.db {
        Some(named) if named.trim().is_empty() => {
            return Err(BadInput::new("db", "must not be empty").into());
        }
        Some(named) => named.clone(),
        None => match global.config.text(&DB)? {
            Some(named) => named,
            None => default_path(missing)?,
        },
    };
    match Address::parse(&address) {
        Address::File(path) if missing == Missing::Refuse && !path.exists() => {
            Err(CliError::NoStore { path })
        }
        Address::File(_) | Address::Postgres(_) => Ok(address),
    }
}

fn default_path(missing: Missing) -> Result<String, CliError> {
    let folder = match missing {
        Missing::Create => make_own_folder()?,
        Missing::Refuse => own_folder().ok_or(CliError::NoDataFolder)?,
    };
    in_folder(&folder).ok_or(CliError::NoDataFolder)
}

/// Where the memory is when nobody says.
pub(crate) fn usual() -> Option<String> {
    in_folder(&own_folder()?)
}

fn in_folder(folder: &Path) -> Option<String> {
    folder.join("memory.db").into_os_string().into_string().ok()
}

/// Our folder among a person's data.
pub(crate) fn own_folder() -> Option<PathBuf> {
    data_folder().map(|folder| folder.join("truthkeeper"))
}

/// The same, made where it is missing.
pub(crate) fn make_own_folder() -> Result<PathBuf, CliError> {
    let folder = own_folder().ok_or(CliError::NoDataFolder)?;
    create_private(&folder).map_err(|error| CliError::file(&folder, error))?;
    Ok(folder)
}

/// The folder in which this platform keeps a person's data.
fn data_folder() -> Option<PathBuf> {
    let folder = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    if cfg!(target_os = "windows") {
        return folder("LOCALAPPDATA");
    }
    let home = folder("HOME");
    if cfg!(target_os = "macos") {
        return home.map(|home| home.join("Library").join("Application Support"));
    }
    folder("XDG_DATA_HOME").or_else(|| home.map(|home| home.join(".local").join("share")))
}

/// Makes a folder that only its owner may look into.
pub(crate) fn create_private(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

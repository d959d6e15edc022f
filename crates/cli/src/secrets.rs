//! What becomes of secrets in what is said, as it is told.

use std::fs;
use std::path::Path;

use truthkeeper::{SecretPolicy, SecretValues};

use crate::config::{Config, SECRET_VALUES, SECRETS};
use crate::error::CliError;

/// The policy, and the list in the file that is named. A list that cannot be read is an error: what it names would be kept.
pub(crate) fn settings(config: &Config) -> Result<(SecretPolicy, SecretValues), CliError> {
    let policy = config.text(&SECRETS)?.and_then(|name| SecretPolicy::parse(&name)).unwrap_or_default();
    let Some(path) = config.text(&SECRET_VALUES)? else {
        return Ok((policy, SecretValues::default()));
    };
    let path = Path::new(&path);
    let list = fs::read_to_string(path).map_err(|error| CliError::file(path, error))?;
    Ok((policy, SecretValues::parse(&list)?))
}

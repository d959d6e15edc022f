//! The files from a hub, by plain GET.

use std::path::Path;
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode, Url};

use super::incoming::Incoming;
use super::{OnProgress, PullError};
use crate::files::{LOCAL_MODEL, Published, REVISION};
use crate::http;

/// How long the hub may say nothing. The whole may take as long as the line is slow.
const SILENCE: Duration = Duration::from_secs(30);
/// Hubs keep large files elsewhere. What comes is checked by its digest, wherever it lies.
const REDIRECTS_MAX: usize = 5;

/// Fetches one file after the other.
pub(super) async fn fetch(
    base: &str,
    files: &[Published],
    into: &Path,
    progress: &OnProgress,
) -> Result<(), PullError> {
    let Some(first) = files.first() else { return Ok(()) };
    let unusable = |reason: &'static str| PullError::NotThere { file: first.name, reason: reason.into() };
    let base = http::base(base).map_err(unusable)?;
    let client = http::client(&base, Policy::limited(REDIRECTS_MAX), SILENCE).map_err(unusable)?;
    for file in files {
        let mut response = get(&client, &base, file).await?;
        let mut incoming = Incoming::new(*file, into, progress)?;
        while let Some(bytes) = response.chunk().await.map_err(|error| unreachable(file, &error))? {
            incoming.take(&bytes)?;
        }
        incoming.keep()?;
    }
    Ok(())
}

async fn get(client: &Client, base: &Url, file: &Published) -> Result<Response, PullError> {
    let base = base.as_str().trim_end_matches('/');
    let address = format!("{base}/{LOCAL_MODEL}/resolve/{REVISION}/{}", file.name);
    let response = client.get(address).send().await.map_err(|error| unreachable(file, &error))?;
    let status = response.status();
    let (file, reason) = (file.name, format!("status {}", status.as_u16()).into());
    match status {
        StatusCode::OK => Ok(response),
        StatusCode::TOO_MANY_REQUESTS => Err(PullError::Unreachable { file, reason }),
        _ if status.is_server_error() => Err(PullError::Unreachable { file, reason }),
        _ => Err(PullError::NotThere { file, reason }),
    }
}

fn unreachable(file: &Published, error: &reqwest::Error) -> PullError {
    PullError::Unreachable { file: file.name, reason: http::reason(error).into() }
}

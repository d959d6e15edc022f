//! `facts digest`.

use serde::Serialize;

use crate::args::Global;
use crate::error::CliError;
use crate::session::Session;

#[derive(Debug, Serialize)]
struct Digest {
    digest: String,
}

pub(crate) async fn run(global: &Global) -> Result<(), CliError> {
    let session = Session::open(global).await?;
    let digest = session.memory.truth_digest(&session.caller).await?;
    session.answer(&Digest { digest: digest.clone() }, || digest)
}

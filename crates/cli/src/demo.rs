//! `memory demo`: the story of a few facts, told by the command's own verbs on a store that goes away afterwards.

use tempfile::TempDir;
use truthkeeper::{Caller, Filter, Id, Memory, Seen, Times};

use crate::error::CliError;
use crate::run::{parse, run};
use crate::{out, show};

/// How far ahead the fact that begins later begins.
const AHEAD_DAYS: u32 = 30;
const SCOPE: &str = "project:desk/participant:ana";

/// A store of its own.
struct Stage {
    folder: TempDir,
    caller: Caller,
}

pub(crate) async fn run_demo() -> Result<(), CliError> {
    let stage = Stage::set()?;
    out::text("What an agent believes about Ana, in a store of its own that is removed afterwards.")?;
    let drink = stage.corrected().await?;
    stage.later().await?;
    stage.doubted().await?;
    stage.forgotten().await?;
    stage.remembered(&drink).await
}

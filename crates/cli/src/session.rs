//! A memory that is open, for one caller, and how to answer.

use serde::Serialize;
use truthkeeper::{Caller, Memory};

use crate::args::Global;
use crate::error::CliError;
use crate::store::Missing;
use crate::{out, store, who};

/// A memory that is open, for one caller, and how to answer.
pub(crate) struct Session {
    pub(crate) memory: Memory,
    pub(crate) caller: Caller,
    pub(crate) json: bool,
}

impl Session {
    /// Opens the memory that is there.
    pub(crate) async fn open(global: &Global) -> Result<Self, CliError> {
        Self::with(global, Missing::Refuse).await
    }

    /// Opens the memory, and begins one where there is none.
    pub(crate) async fn begin(global: &Global) -> Result<Self, CliError> {
        Self::with(global, Missing::Create).await
    }

    async fn with(global: &Global, missing: Missing) -> Result<Self, CliError> {
        Self::at(global, &store::address(global, missing)?).await
    }

    /// Opens the memory at an address, whatever the command line names.
    pub(crate) async fn at(global: &Global, address: &str) -> Result<Self, CliError> {
        let caller = who::caller(global)?;
        let memory = store::open_at(&global.config, address).await?;
        Ok(Self { memory, caller, json: global.json })
    }

    /// Prints the answer, as JSON or as text.
    pub(crate) fn answer(
        &self,
        json: &impl Serialize,
        text: impl FnOnce() -> String,
    ) -> Result<(), CliError> {
        if self.json { out::json(json) } else { out::text(&text()) }
    }
}

//! Readers of what other programs kept: each row of a source comes out once, taken, skipped or refused.
//!
//! A source is read and never written. Nothing here reads a clock, chance or the environment, and the order of what
//! comes out depends on the source alone. `docs/import.md` says what the path of each source is.

mod chatgpt;
mod claude;
mod claude_code;
mod codex;
mod dated;
mod error;
mod fields;
mod front;
mod item;
mod json;
mod jsonl;
mod markdown;
mod mcp_memory;
mod mem0;
mod ndjson;
mod note;
mod out;
mod payload;
mod pickle;
mod place;
mod qdrant;
mod split;
mod sqlite;
mod text_file;
mod tree;

use std::ops::ControlFlow;
use std::path::Path;

use fact::LegacySource;

pub use error::SourceError;
pub use item::{Item, Skip};

use crate::out::{Halt, Out};

/// Reads the source at `path` and gives each of its rows to `each`, in an order that the source alone decides, until
/// `each` breaks off. One bad row never stops the rest; an error says why the source could not be read as a whole.
pub fn read(
    source: LegacySource,
    path: &Path,
    each: &mut dyn FnMut(Item) -> ControlFlow<()>,
) -> Result<(), SourceError> {
    error::check_kind(path)?;
    let mut out = Out::new(source, each);
    let read = match source {
        LegacySource::Markdown => markdown::read(path, &mut out),
        LegacySource::Mem0 => mem0::read(path, &mut out),
        LegacySource::McpMemory => mcp_memory::read(path, &mut out),
        LegacySource::ClaudeCode => claude_code::read(path, &mut out),
        LegacySource::Codex => codex::read(path, &mut out),
        LegacySource::Chatgpt => chatgpt::read(path, &mut out),
        LegacySource::Claude => claude::read(path, &mut out),
        LegacySource::Ndjson => ndjson::read(path, &mut out),
        LegacySource::QdrantLocal => qdrant::read(path, &mut out),
    };
    match read {
        Ok(()) | Err(Halt::Stopped) => Ok(()),
        Err(Halt::Failed(error)) => Err(error),
    }
}

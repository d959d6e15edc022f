//! ChatGPT: its saved memories, as they were copied from it, one a line.
//!
//! A line may be an item of a list, and may begin with a date in brackets, as in `[2025-04-05]. The user drinks tea.`
//! Headings are tags. A JSON list of memories with `content`, or an object that has one under `memories`, is read as
//! well: this is what the page itself gets.

use std::path::Path;

use fact::LegacyOrigin;

use crate::dated::{self, Copied};
use crate::out::{Out, Walk};
use crate::text_file::{self, Opened};
use crate::{SourceError, json, mem0, payload, place};

const EXPECTED: &str = "a text with one memory a line, or a JSON list of memories with `content`";

pub(crate) fn read(path: &Path, out: &mut Out<'_>) -> Walk {
    if let Some(export) = json::or_text(path, EXPECTED)? {
        let Some(list) = mem0::memories(&export) else {
            return Err(SourceError::other(path, EXPECTED).into());
        };
        return payload::list(list, LegacyOrigin::Extracted, out);
    }
    let Opened::Text(text) = text_file::read(path)? else {
        return Err(SourceError::other(path, EXPECTED).into());
    };
    let name = path.file_name().map(|name| place::relative(Path::new(name))).unwrap_or_default();
    dated::give(&Copied { name: &name, owner: None, project: None, by_line: true }, &text, out)
}

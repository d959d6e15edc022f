//! Markdown: one file of many facts, or a folder with a fact in each file.
//!
//! In a file without a head, each paragraph, list item and table row is a row; the headings above it are its tags.
//! A file with a head between `---` fences is one row, its body the words: `type` or `category` is its kind, `name`
//! or `key` its key, `updated` before `created` when it was written, and so on by [`note::NAMES`]. Files called
//! `MEMORY.md`, `CLAUDE.md` or `AGENTS.md` hold many facts even with a head.

use std::path::Path;

use fact::LegacyOrigin;

use crate::note::{self, Folder, Manner};
use crate::out::{Out, Walk};

const FOLDER: Folder = Folder {
    expected: "a Markdown file (.md, .markdown, .txt), or a folder that holds some",
    enters: |name| !name.starts_with('.'),
    manner,
};

/// Files that hold many facts, by custom.
const COLLECTIONS: [&str; 3] = ["memory.md", "claude.md", "agents.md"];

pub(crate) fn read(path: &Path, out: &mut Out<'_>) -> Walk {
    note::read(path, &FOLDER, out)
}

fn manner(path: &str) -> Option<Manner> {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let is_text = [".md", ".markdown", ".txt"].iter().any(|ending| name.ends_with(ending));
    let is_shown = !name.starts_with('.');
    let is_collection = COLLECTIONS.contains(&name.as_str());
    (is_text && is_shown).then(|| Manner::new(LegacyOrigin::Explicit, is_collection))
}

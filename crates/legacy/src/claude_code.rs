//! Claude Code: the files that it reads instructions from, and the memory that it keeps for a project.
//!
//! The path is a project, its `.claude` folder, `~/.claude`, or one `memory` folder. Read are `CLAUDE.md` and
//! `CLAUDE.local.md`, the Markdown files in a `rules` folder, and those in a `memory` or `agent-memory` folder: a
//! `MEMORY.md` with the notes that it lists, each with a head of `name`, `description` and `type`.

use std::path::Path;

use fact::LegacyOrigin;

use crate::note::{self, Folder, Manner};
use crate::out::{Out, Walk};

const FOLDER: Folder = Folder {
    expected: "a folder that holds CLAUDE.md, MEMORY.md, or Markdown files in memory/ or rules/",
    enters: |name| !name.starts_with('.') && name != "node_modules" || name == ".claude",
    manner,
};

/// The same inside a memory folder, where each Markdown file is a note.
const MEMORY: Folder = Folder { enters: |name| !name.starts_with('.'), manner: memory, ..FOLDER };

pub(crate) fn read(path: &Path, out: &mut Out<'_>) -> Walk {
    let is_memory = path.join("MEMORY.md").is_file() || path.ends_with("memory");
    note::read(path, if is_memory { &MEMORY } else { &FOLDER }, out)
}

fn manner(path: &str) -> Option<Manner> {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    if matches!(name, "CLAUDE.md" | "CLAUDE.local.md") {
        return Some(Manner::new(LegacyOrigin::Explicit, true));
    }
    if !name.ends_with(".md") {
        return None;
    }
    let folders: Vec<&str> = folders.split('/').collect();
    if name == "MEMORY.md" || folders.contains(&"memory") || folders.contains(&"agent-memory") {
        let project = folders.iter().position(|folder| *folder == "projects");
        let project = project.and_then(|at| folders.get(at + 1)).map(|name| (*name).to_owned());
        return Some(Manner { project, ..Manner::new(LegacyOrigin::Extracted, name == "MEMORY.md") });
    }
    folders.contains(&"rules").then(|| Manner::new(LegacyOrigin::Explicit, true))
}

fn memory(path: &str) -> Option<Manner> {
    match manner(path) {
        Some(manner) => Some(manner),
        None => path.ends_with(".md").then(|| Manner::new(LegacyOrigin::Extracted, false)),
    }
}

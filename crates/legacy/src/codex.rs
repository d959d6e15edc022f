//! Codex: its instructions, and the memories that it makes of its sessions.
//!
//! The path is a project, `~/.codex`, or its `memories` folder. Read are `AGENTS.md` and `AGENTS.override.md`, the
//! files `MEMORY.md`, `memory_summary.md` and `raw_memories.md`, other Markdown files of the `memories` folder itself,
//! and the notes under its `extensions`. Rollout summaries, skills and the JSONL history are what these were made of,
//! and no memories.

use std::path::Path;

use fact::LegacyOrigin;

use crate::Skip;
use crate::note::{self, Folder, Manner};
use crate::out::{Out, Walk};

const FOLDER: Folder = Folder {
    expected: "a folder that holds AGENTS.md, MEMORY.md, or Markdown files in memories/",
    enters: |name| {
        let is_other = matches!(name, "node_modules" | "rollout_summaries" | "skills" | "sessions");
        !is_other && !name.starts_with('.') || name == ".codex"
    },
    manner,
};

/// The same inside the folder of memories.
const MEMORIES: Folder = Folder { manner: memory, ..FOLDER };

/// Lists under these headings name sessions and search words.
const ASIDE: [&str; 2] = ["rollout_summary_files", "keywords"];

/// Lines by which Codex finds the session that a memory came from.
const BOOKKEEPING: [&str; 15] = [
    "applies_to",
    "created_at",
    "cwd",
    "description",
    "keywords",
    "rollout_path",
    "rollout_slug",
    "rollout_summary",
    "rollout_summary_file",
    "scope",
    "task",
    "task_group",
    "task_outcome",
    "thread_id",
    "updated_at",
];

/// How the file of raw memories begins.
const PREFACES: [&str; 2] = ["Merged stage-1 raw memories", "No raw memories yet"];

pub(crate) fn read(path: &Path, out: &mut Out<'_>) -> Walk {
    let made = ["raw_memories.md", "memory_summary.md"];
    let is_memories = path.ends_with("memories") || made.iter().any(|name| path.join(name).is_file());
    note::read(path, if is_memories { &MEMORIES } else { &FOLDER }, out)
}

fn manner(path: &str) -> Option<Manner> {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    if matches!(name, "AGENTS.md" | "AGENTS.override.md") {
        return Some(Manner::new(LegacyOrigin::Explicit, true));
    }
    if matches!(name, "MEMORY.md" | "memory_summary.md" | "raw_memories.md") {
        return Some(made(true));
    }
    let is_note = folders.ends_with("memories") || folders.split('/').any(|folder| folder == "extensions");
    (name.ends_with(".md") && is_note).then(|| made(false))
}

fn memory(path: &str) -> Option<Manner> {
    let is_note = path.ends_with(".md") && !path.contains('/');
    manner(path).or_else(|| is_note.then(|| made(false)))
}

/// A file that Codex made of its sessions.
fn made(is_collection: bool) -> Manner {
    Manner { aside, ..Manner::new(LegacyOrigin::Extracted, is_collection) }
}

fn aside(headings: &[String], words: &str) -> Option<Skip> {
    let is_aside = headings.last().is_some_and(|heading| ASIDE.contains(&heading.as_str()));
    let is_kept =
        |line: &str| line.split_once(':').is_some_and(|(name, _)| BOOKKEEPING.contains(&name.trim()));
    let is_preface = PREFACES.iter().any(|preface| words.starts_with(preface));
    (is_aside || is_preface || words.lines().all(is_kept)).then_some(Skip::Bookkeeping)
}

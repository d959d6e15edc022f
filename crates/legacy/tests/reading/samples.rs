//! What real programs wrote: every row of it is accounted for, and not a byte of it changes.

use std::fs;
use std::path::{Path, PathBuf};

use fact::LegacySource;

use crate::shown::{check_path, items};

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples").join(name)
}

#[test]
fn mem0_export() {
    check_path(
        LegacySource::Mem0,
        &sample("mem0-export.json"),
        r##"
        45152e69-6855-4a37-8965-83b7d9c935ce | Mia has a blue bicycle | extracted | owner=mia | written=2026-11-30T15:20:35.838Z
        94e8c3d0-8d97-42c6-ac90-d5fdf8b4caec | Mia was at the fair of 2019 | migration | owner=mia | project=atlas | written=2026-11-30T15:20:35.836Z | malformed=confidence
        95a693db-b24f-45ed-b097-272b8965c964 | Mia lives in Porto | explicit | owner=mia | written=2026-11-30T15:20:35.833Z | until=2027-01-01T00:00:00.000Z
        e29f8419-890b-465c-81e4-bb0af9be971f | Mia drinks coffee in the morning | extracted | tags=drink,morning | owner=mia | confidence=0.92 | written=2026-11-30T15:20:35.844Z
    "##,
    );
}

#[test]
fn mem0_history() {
    check_path(
        LegacySource::Mem0,
        &sample("mem0-history.db"),
        r##"
        skipped f71d3e86-0d0d-4e36-97b9-44c60b735349: a later state of the same memory is there
        95a693db-b24f-45ed-b097-272b8965c964 | Mia lives in Porto | extracted | written=2026-11-30T15:20:35.833Z
        94e8c3d0-8d97-42c6-ac90-d5fdf8b4caec | Mia was at the fair of 2019 | extracted | written=2026-11-30T15:20:35.836Z
        45152e69-6855-4a37-8965-83b7d9c935ce | Mia has a blue bicycle | extracted | written=2026-11-30T15:20:35.838Z
        skipped b258b504-0d66-4076-87fb-398439526c88: a later state of the same memory is there
        43f8f96a-5423-4046-b6ba-f44a4338700b | The desk agent answers in Portuguese | extracted | written=2026-11-30T15:20:35.842Z
        e29f8419-890b-465c-81e4-bb0af9be971f | Mia drinks coffee in the morning | extracted | written=2026-11-30T15:20:35.844Z
        skipped 325cadaf-b0d6-4f7b-965c-8f036efde1bf: it was deleted in its source
    "##,
    );
}

#[test]
fn mcp_memory() {
    check_path(
        LegacySource::McpMemory,
        &sample("mcp-memory.jsonl"),
        r##"
        Mia#1 | Mia: drinks tea | extracted | tags=person
        Mia#2 | Mia: lives in Porto | extracted | tags=person
        Mia#3 | Mia: has a blue bicycle | extracted | tags=person
        skipped Atlas: an entity of which nothing was observed
        Desk "Nº 1"#1 | Desk "Nº 1": answers in\nPortuguese | extracted | tags=agent
        Mia/works on/Atlas | Mia works on Atlas | extracted
        skipped Mia/knows/Nobody: a relation of an entity that is not there
        Desk "Nº 1"/helps/Mia | Desk "Nº 1" helps Mia | extracted
    "##,
    );
}

#[test]
fn qdrant_local() {
    check_path(
        LegacySource::QdrantLocal,
        &sample("qdrant-local"),
        r##"
        refused memories/9: text: is not there: expected data, memory, text or content
        memories/8 | Goal: Plant a tree | episode | owner=mia
        memories/7 | Mia once played chess | unknown | owner=mia
        memories/3f0b7a54-8c1d-4c8e-9d7a-111111111111 | Goal: Mend the bicycle\nContext: In the garden\nApproach: New tyre\nOutcome: It rides again\nOutcome quality: good\nLessons: Carry a pump\nActors: mia | episode | tags=bicycle | owner=mia | written=2026-05-01T10:00:00.000Z
        memories/e29f8419-890b-465c-81e4-bb0af9be971f | Mia drinks coffee in the morning | extracted | tags=drink,morning | owner=mia | confidence=0.92 | written=2026-11-30T15:20:35.844Z
        memories/43f8f96a-5423-4046-b6ba-f44a4338700b | The desk agent answers in Portuguese | unknown | owner=desk | written=2026-11-30T15:20:35.842Z
        memories/45152e69-6855-4a37-8965-83b7d9c935ce | Mia has a blue bicycle | unknown | owner=mia | written=2026-11-30T15:20:35.838Z
        memories/94e8c3d0-8d97-42c6-ac90-d5fdf8b4caec | Mia was at the fair of 2019 | migration | owner=mia | project=atlas | written=2026-11-30T15:20:35.836Z | malformed=confidence
        memories/95a693db-b24f-45ed-b097-272b8965c964 | Mia lives in Porto | explicit | owner=mia | written=2026-11-30T15:20:35.833Z | until=2027-01-01T00:00:00.000Z
    "##,
    );
}

#[test]
fn claude_code() {
    check_path(
        LegacySource::ClaudeCode,
        &sample("claude-code"),
        r##"
        .claude/rules/tests.md#Tests:7 | Each test names what it proves | explicit | tags=Tests
        skipped CLAUDE.md#Atlas:3: it only names where the words are
        CLAUDE.md#Atlas/Commands:7 | `make check` runs every test | explicit | tags=Atlas,Commands
        CLAUDE.md#Atlas/Commands:8 | Lint before a commit | explicit | tags=Atlas,Commands
        CLAUDE.md#Atlas/Layout:14 | folder: src; holds: the program | explicit | tags=Atlas,Layout
        CLAUDE.md#Atlas/Layout:15 | folder: docs; holds: pages | explicit | tags=Atlas,Layout
        skipped README.md: a file or folder that holds no memories of this program
        skipped memory/MEMORY.md#Memory index:3: it only names where the words are
        memory/MEMORY.md#Memory index:4 | [Gone](gone.md) — a note that is no longer there | extracted | tags=Memory index
        memory/MEMORY.md#Memory index:5 | Mia is in Lisbon's time zone | extracted | tags=Memory index
        memory/feedback_reviews.md | Keep a review under ten lines.\n\n**Why:** Mia reads them on the train. | extracted | kind=feedback | key=feedback-reviews | written=2026-05-01T10:00:00.000Z
    "##,
    );
}

#[test]
fn codex() {
    check_path(
        LegacySource::Codex,
        &sample("codex"),
        r##"
        AGENTS.md:1 | Run the tests before you answer | explicit
        skipped history.jsonl: a file or folder that holds no memories of this program
        skipped memories/MEMORY.md#Task Group: atlas:3: data that the program keeps for itself
        skipped memories/MEMORY.md#Task Group: atlas/Task 1: Importer/rollout_summary_files:9: data that the program keeps for itself
        skipped memories/MEMORY.md#Task Group: atlas/Task 1: Importer/keywords:13: data that the program keeps for itself
        memories/MEMORY.md#Task Group: atlas/Task 1: Importer/learnings:17 | The importer takes semicolons, not commas | extracted | tags=Task Group: atlas,Task 1: Importer,learnings
        memories/extensions/ad_hoc/notes/lazy.md:1 | Images below the fold load late | extracted
        skipped memories/raw_memories.md#Raw Memories:3: data that the program keeps for itself
        skipped memories/raw_memories.md#Raw Memories/Thread `019c6e27`:6: data that the program keeps for itself
        skipped memories/raw_memories.md#Raw Memories/Thread `019c6e27`:11: data that the program keeps for itself
        memories/raw_memories.md#Raw Memories/Thread `019c6e27`/Reusable knowledge:16 | The importer takes semicolons, not commas | extracted | tags=Raw Memories,Thread `019c6e27`,Reusable knowledge
        skipped memories/rollout_summaries: a file or folder that holds no memories of this program
    "##,
    );
}

#[test]
fn notes() {
    check_path(
        LegacySource::Markdown,
        &sample("notes"),
        r##"
        skipped MEMORY.md:1: it only names where the words are
        skipped MEMORY.md:2: it only names where the words are
        facts/deploy.md | Atlas is deployed from the main branch. | explicit | kind=project-fact | project=atlas | written=2026-05-01T10:00:00.000Z
        facts/reviews.md | Mia wants short reviews. | explicit | kind=preference | tags=reviews,a, b | owner=mia | malformed=valid_until
    "##,
    );
}

#[test]
fn chatgpt() {
    check_path(
        LegacySource::Chatgpt,
        &sample("chatgpt.txt"),
        r##"
        chatgpt.txt#Here is what I remember:3 | Mia drinks tea. | extracted | tags=Here is what I remember | malformed=date
        chatgpt.txt#Here is what I remember:4 | Mia lives in Porto. | extracted | tags=Here is what I remember | written=2026-05-01T10:00:00.000Z
        chatgpt.txt#Here is what I remember:5 | Mia has a cat. | extracted | tags=Here is what I remember
        chatgpt.txt#Work:8 | Mia builds an importer. | extracted | tags=Work
        chatgpt.txt#Work:9 | Mia rides a bicycle. | extracted | tags=Work
    "##,
    );
}

#[test]
fn claude() {
    check_path(
        LegacySource::Claude,
        &sample("claude.md"),
        r##"
        claude.md#Work context:3 | Mia builds an importer\nfor a library. | extracted | tags=Work context
        skipped claude.md:8: a comment or a mark, no words of the memory
        claude.md#Personal context:9 | drinks tea | extracted | tags=Personal context | malformed=date
        claude.md#Personal context:10 | has a cat | extracted | tags=Personal context
        skipped claude.md:11: a comment or a mark, no words of the memory
    "##,
    );
}

#[test]
fn claude_export() {
    check_path(
        LegacySource::Claude,
        &sample("memories.json"),
        r##"
        conversations_memory#Work context:3 | Mia builds an importer. | extracted | tags=Work context | owner=99999999-2222-3333-4444-555555555555
        conversations_memory#Top of mind:7 | A journey to Porto. | extracted | tags=Top of mind | owner=99999999-2222-3333-4444-555555555555
        project_memories/11111111-2222-3333-4444-555555555555:1 | Atlas is written in Rust. | extracted | owner=99999999-2222-3333-4444-555555555555 | project=11111111-2222-3333-4444-555555555555
        skipped project_memories/empty: it says nothing
        memory_files/profile.md:1 | Mia has a cat | extracted | owner=99999999-2222-3333-4444-555555555555
        refused memory_files/odd.md: text: must be a string
    "##,
    );
}

/// Every file below a folder, with its bytes.
fn bytes(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push((path.clone(), fs::read(&path).unwrap()));
            }
        }
    }
    files.sort();
    files
}

#[test]
fn not_a_byte_of_a_source_changes() {
    let before = bytes(&sample(""));
    for (source, name) in [
        (LegacySource::Mem0, "mem0-history.db"),
        (LegacySource::QdrantLocal, "qdrant-local"),
        (LegacySource::ClaudeCode, "claude-code"),
        (LegacySource::McpMemory, "mcp-memory.jsonl"),
    ] {
        assert!(!items(source, &sample(name)).unwrap().is_empty());
    }
    assert!(bytes(&sample("")) == before, "a file was changed, made or removed");
}

//! What was copied from a chat, and what a chat program exports.

use fact::LegacySource;

use crate::shown::check;

#[test]
fn chatgpt_lines() {
    check(
        LegacySource::Chatgpt,
        "memory.txt",
        "```\n[2025-04-05] - Mia drinks tea\n[April 5, 2025]: Mia reads\n[no date] Mia sings\n[2026-05-01T10:00:00+01:00] \n[site](https://example.org) is hers\n[note] no date\n- item\n  - nested\n• bullet\nplain\n\n## Home\n\nPorto\n```\n".as_bytes(),
        r#"
            skipped memory.txt:1: a comment or a mark, no words of the memory
            memory.txt:2 | Mia drinks tea | extracted | malformed=date
            memory.txt:3 | Mia reads | extracted | malformed=date
            memory.txt:4 | Mia sings | extracted
            skipped memory.txt:5: it says nothing
            memory.txt:6 | [site](https://example.org) is hers | extracted
            memory.txt:7 | [note] no date | extracted
            memory.txt:8 | item\n- nested | extracted
            memory.txt:10 | bullet | extracted
            memory.txt:11 | plain | extracted
            memory.txt#Home:15 | Porto | extracted | tags=Home
            skipped memory.txt:16: a comment or a mark, no words of the memory
        "#,
    );
}

#[test]
fn chatgpt_json() {
    check(
        LegacySource::Chatgpt,
        "memories.json",
        br#"{"memories": [{"id": "1", "content": "Mia drinks tea", "updated_at": "2026-05-01T10:00:00Z"}, "Mia reads", 7, " ", {"id": "1", "content": "again"}]}"#,
        "
            1 | Mia drinks tea | extracted | written=2026-05-01T10:00:00.000Z
            :2 | Mia reads | extracted
            refused :3: memory: must be an object
            skipped :4: it says nothing
            skipped 1: the same row stands in the source before
        ",
    );
    check(LegacySource::Chatgpt, "conversations.json", b"{\"mapping\": {}}", "
            PATH is not of this source: expected a text with one memory a line, or a JSON list of memories with `content`
        ");
}

#[test]
fn claude_text() {
    check(
        LegacySource::Claude,
        "memory.md",
        b"**Work**\n\n**Never on Fridays.**\n\nMia builds\nan importer.\n\n**[2025-04-05]** - tea\n[2025-04-06] - coffee\n\n**Empty**\n",
        r#"
            memory.md#Work:3 | **Never on Fridays.** | extracted | tags=Work
            memory.md#Work:5 | Mia builds\nan importer. | extracted | tags=Work
            memory.md#Work:8 | tea | extracted | tags=Work | malformed=date
            memory.md#Work:9 | coffee | extracted | tags=Work | malformed=date
            skipped memory.md#Empty:11: a heading with nothing under it
        "#,
    );
}

#[test]
fn claude_export() {
    check(
        LegacySource::Claude,
        "memories.json",
        b"[{\"conversations_memory\": \"a\"}, {\"conversations_memory\": \"\", \"project_memories\": 7}]",
        "
            1/conversations_memory:1 | a | extracted
            skipped 2/conversations_memory: it says nothing
            refused 2/project_memories: memories: must be named texts
        ",
    );
    check(
        LegacySource::Claude,
        "memories.json",
        b"[{\"conversations_memory\": 5}]",
        "
            refused conversations_memory: text: must be a string
        ",
    );
    check(LegacySource::Claude, "users.json", b"[{\"uuid\": \"1\"}]", "
            PATH is not of this source: expected a text, or memories.json with `conversations_memory`, `project_memories` or `memory_files`
        ");
    check(LegacySource::Claude, "memories.json", b"[1]", "
            PATH is not of this source: expected a text, or memories.json with `conversations_memory`, `project_memories` or `memory_files`
        ");
}

#[test]
fn json_by_its_name_is_no_text() {
    let other = "PATH is not of this source: expected a text with one memory a line, or a JSON list of memories with `content`";
    check(LegacySource::Chatgpt, "memories.json", b"{\"memories\": [{\"content\": \"a", other);
    check(LegacySource::Chatgpt, "a.txt", b"\"Mia drinks tea\"", "a.txt:1 | \"Mia drinks tea\" | extracted");
    check(LegacySource::Chatgpt, "a.txt", b"[Mia drinks tea]", "a.txt:1 | [Mia drinks tea] | extracted");
}

#[test]
fn no_text() {
    check(
        LegacySource::Chatgpt,
        "a.txt",
        b"",
        "
            skipped a.txt: it says nothing
        ",
    );
    check(
        LegacySource::Claude,
        "a.txt",
        b"\n\n",
        "
            skipped a.txt: it says nothing
        ",
    );
    check(LegacySource::Chatgpt, "a.bin", b"\xff\0", "
            PATH is not of this source: expected a text with one memory a line, or a JSON list of memories with `content`
        ");
    check(
        LegacySource::Chatgpt,
        "a.txt",
        b"good\nb\xffd\n",
        "
            a.txt:1 | good | extracted
            refused a.txt:2: text: is not UTF-8
        ",
    );
}

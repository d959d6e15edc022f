//! Markdown: how a text is split, what a head is, and what a folder holds.

use fact::LegacySource;
use legacy::Item;

use crate::shown::{check, check_folder, items};

#[track_caller]
fn check_text(content: &str, expected: &str) {
    check(LegacySource::Markdown, "MEMORY.md", content.as_bytes(), expected);
}

#[track_caller]
fn check_note(content: &str, expected: &str) {
    check(LegacySource::Markdown, "note.md", content.as_bytes(), expected);
}

#[test]
fn paragraphs_and_items_are_rows_under_their_headings() {
    check_text(
        "# Mia\n\nDrinks tea\nin the morning.\n\n## Home ##\n- Porto\n* [x] a cat\n  named Zé\n\n  still the cat\n1. first\n2) second\n",
        r#"
            MEMORY.md#Mia:3 | Drinks tea\nin the morning. | explicit | tags=Mia
            MEMORY.md#Mia/Home:7 | Porto | explicit | tags=Mia,Home
            MEMORY.md#Mia/Home:8 | a cat\nnamed Zé\n\nstill the cat | explicit | tags=Mia,Home
            MEMORY.md#Mia/Home:12 | first | explicit | tags=Mia,Home
            MEMORY.md#Mia/Home:13 | second | explicit | tags=Mia,Home
        "#,
    );
}

#[test]
fn nested_items_belong_to_their_item() {
    check_text(
        "- Drinks:\n  - [ ] tea\n    - green\n  - coffee\n- Reads\n\t- books\n",
        r#"
            MEMORY.md:1 | Drinks:\n- tea\n  - green\n- coffee | explicit
            MEMORY.md:5 | Reads\n- books | explicit
        "#,
    );
}

#[test]
fn a_long_item_gives_each_nested_one_a_row() {
    let long = "x".repeat(1_500);
    let content = format!("- Drinks\n  - {long}\n  - {long}\n");
    check_text(
        &content,
        &format!(
            "MEMORY.md:1 | Drinks | explicit\nMEMORY.md:2 | {long} | explicit\nMEMORY.md:3 | {long} | explicit"
        ),
    );
}

#[test]
fn code_stays_with_its_words() {
    check_text(
        "Run this:\n\n```sh\n# no heading\n- no item\n\nmake\n```\n\nNext.\n\n# Alone\n~~~\ncode\n",
        r#"
            MEMORY.md:1 | Run this:\n\n```sh\n# no heading\n- no item\n\nmake\n``` | explicit
            MEMORY.md:10 | Next. | explicit
            MEMORY.md#Alone:13 | ~~~\ncode | explicit | tags=Alone
        "#,
    );
}

#[test]
fn a_table_is_read_row_by_row() {
    check_text(
        "| Drink | When |\n|---|:--|\n| tea | morning |\n| a \\| b | |\n| | |\n\n| bare | row |\n",
        "
            MEMORY.md:3 | Drink: tea; When: morning | explicit
            MEMORY.md:4 | Drink: a | b | explicit
            skipped MEMORY.md:5: it says nothing
            MEMORY.md:7 | bare; row | explicit
        ",
    );
}

#[test]
fn headings_without_text_are_skipped() {
    check_text(
        "# A\n## B\n## C\ntext\n# D\n\nTitle\n===\n\n| a |\n|---|\n\n#\n#nothing\n",
        "
            skipped MEMORY.md#A/B:2: a heading with nothing under it
            MEMORY.md#A/C:4 | text | explicit | tags=A,C
            skipped MEMORY.md#D:5: a heading with nothing under it
            skipped MEMORY.md#Title:10: a heading with nothing under it
            MEMORY.md:14 | #nothing | explicit
        ",
    );
}

#[test]
fn rules_comments_quotations_and_labels() {
    check_text(
        "a\n---\nb\n***\n<!-- one -->\n<!-- two\nlines --> after\n> quoted\n> twice\n\n**Tools:**\n- hammer\n\nfree\n",
        r#"
            MEMORY.md:1 | a | explicit
            MEMORY.md:3 | b | explicit
            skipped MEMORY.md:5: a comment or a mark, no words of the memory
            skipped MEMORY.md:6: a comment or a mark, no words of the memory
            MEMORY.md:7 | after\nquoted\ntwice | explicit
            MEMORY.md#Tools:12 | hammer | explicit | tags=Tools
            MEMORY.md:14 | free | explicit
        "#,
    );
}

#[test]
fn blank_items_and_bare_links_are_skipped() {
    check_text(
        "-\n- [ ]\n- [Note](other.md)\n- [[other]]\n- [Site](https://example.org)\n- @docs/a.md\n- \u{200b}\n",
        "
            skipped MEMORY.md:1: it says nothing
            skipped MEMORY.md:2: it says nothing
            skipped MEMORY.md:3: it only names where the words are
            skipped MEMORY.md:4: it only names where the words are
            MEMORY.md:5 | [Site](https://example.org) | explicit
            skipped MEMORY.md:6: it only names where the words are
            skipped MEMORY.md:7: it says nothing
        ",
    );
}

#[test]
fn line_ends_and_marks_of_other_systems() {
    check_text(
        "\u{feff}# A\r\n\r\n- one\r\n- two\r\nlast",
        r#"
            MEMORY.md#A:3 | one | explicit | tags=A
            MEMORY.md#A:4 | two\nlast | explicit | tags=A
        "#,
    );
}

#[test]
fn nothing_at_all() {
    check_text("", "skipped MEMORY.md: it says nothing");
    check_text(" \n\t\n\u{200b}\n", "skipped MEMORY.md: it says nothing");
    check_text("---\n***\n", "skipped MEMORY.md: it says nothing");
}

#[test]
fn words_beyond_the_limit_are_refused_and_the_next_go_on() {
    let content = format!("{}\n\n{}\n\nnext", "x".repeat(16_384), "x".repeat(16_385));
    let most = "x".repeat(16_384);
    check_text(
        &content,
        &format!(
            "MEMORY.md:1 | {most} | explicit\nrefused MEMORY.md:3: text: has 16385 characters; at most 16384\nMEMORY.md:5 | next | explicit"
        ),
    );
}

#[test]
fn a_head_without_its_end_or_with_other_lines_is_text() {
    check_note(
        "---\ncategory: session\nno end",
        r#"
            note.md:2 | category: session\nno end | explicit
        "#,
    );
    check_note(
        "---\nwords without a field\n---\nbody",
        "
            note.md:2 | words without a field | explicit
            note.md:4 | body | explicit
        ",
    );
    check_note(
        "category: session\nbody",
        r#"
            note.md:1 | category: session\nbody | explicit
        "#,
    );
    check_note(
        " ---\ncategory: session\n---\nbody",
        "
            note.md:2 | category: session | explicit
            note.md:4 | body | explicit
        ",
    );
}

#[test]
fn a_head_is_read_however_it_was_written() {
    check_note(
        "\u{feff}---\r\n\tcategory: session\r\n---\r\nbody\r\n",
        "
            note.md | body | explicit | kind=session
        ",
    );
    check_note(
        "---\nkey: \"a: b\"\ntags: [x, \"y, z\", 'it''s']\nowner: 'mia'\n---\nbody",
        "
            note.md | body | explicit | key=a: b | tags=x,y, z,it's | owner=mia
        ",
    );
    check_note(
        "---\nname: Governance: Core (Split: A)\ncategory: two words\ntags:\n- a\n- b\n---\nbody",
        "
            note.md | body | explicit | key=Governance: Core (Split: A) | tags=two words,a,b
        ",
    );
    check_note(
        "---\n# a comment\ntitle: yes\n\ncreated: 2026-05-01\nconfidence: 0.9\n...\nbody",
        "
            note.md | body | explicit | confidence=0.9 | malformed=created
        ",
    );
    check_note(
        "---\ndescription: >\n  Mia drinks\n  tea\nmetadata:\n  type: user\n  originSessionId: 1\n---\n\n",
        "
            note.md | Mia drinks tea | explicit | kind=user
        ",
    );
    check_note(
        "---\ntype: a b\nvalid_from: 2026-05-01T10:00:00+02:00\nvalid_until: soon\nworkspace: global\n---\nbody",
        "
            note.md | body | explicit | from=2026-05-01T08:00:00.000Z | malformed=type,valid_until
        ",
    );
}

#[test]
fn a_value_reads_back_as_it_was_meant() {
    let values = [
        (r#""Governance: Core (Split: A)""#, "Governance: Core (Split: A)"),
        ("*Italic*", "*Italic*"),
        ("[[x]] y", "[[x]] y"),
        ("[[x]]", "[[x]]"),
        (r"C:\agent", r"C:\agent"),
        (r#""C:\agent""#, r"C:\agent"),
        (r#""C:\\agent""#, r"C:\agent"),
        ("yes", "yes"),
        ("1e3", "1e3"),
        ("\"# x\"", "# x"),
        ("'it''s'", "it's"),
        ("\"", "\""),
        ("a #1", "a #1"),
        ("@at", "@at"),
        ("{a: b}", "{a: b}"),
        ("- dash", "- dash"),
    ];
    for (written, meant) in values {
        check_note(
            &format!("---\nkey: {written}\n---\nbody"),
            &format!("note.md | body | explicit | key={meant}"),
        );
    }
}

#[test]
fn a_head_of_many_lines() {
    check_note(
        "---\ndescription: Mia drinks\n  tea: \n  every day\nname: \"a\n  b\"\n---\n",
        "
            note.md | Mia drinks | explicit | key=a b
        ",
    );
    check_note(
        "---\nid: 1\ndate created: 2026\nhooks:\n  - matcher: x\n    run: y\n  odd\ntags:\n\n  - a\n---\nbody",
        "
            note.md | body | explicit | tags=a
        ",
    );
    check_note(
        "---\ntype: user # or not\ntags: a, b\nowner: ~\nproject: null\nkey:\n---\nbody",
        "
            note.md | body | explicit | tags=a,b | malformed=type
        ",
    );
}

#[test]
fn words_between_two_rules_are_no_head() {
    check_note(
        "---\nMia: drinks tea\nAna: coffee\n---\nbody",
        r#"
            note.md:2 | Mia: drinks tea\nAna: coffee | explicit
            note.md:5 | body | explicit
        "#,
    );
}

#[test]
fn a_note_with_nothing_but_a_head_is_skipped() {
    check_note("---\ncategory: session\n---\n", "skipped note.md: it says nothing");
}

#[test]
fn a_collection_shares_its_head_but_no_key() {
    check_text(
        "---\nname: index\ncategory: session\n---\n- one\n- two\n",
        "
            MEMORY.md:5 | one | explicit | kind=session
            MEMORY.md:6 | two | explicit | kind=session
        ",
    );
}

#[test]
fn a_note_longer_than_a_row_is_split() {
    let half = "x".repeat(9_000);
    let content = format!("---\nkey: k\n---\n{half}\n\n{half}");
    check_note(&content, &format!("note.md:4 | {half} | explicit\nnote.md:6 | {half} | explicit"));
}

#[test]
fn too_many_tags_are_named() {
    let tags: Vec<String> = (0..33).map(|tag| format!("t{tag}")).collect();
    let kept = tags[..32].join(",");
    let content = format!("---\ntags: {}\n---\nbody", tags.join(", "));
    check_note(&content, &format!("note.md | body | explicit | tags={kept} | malformed=tags"));
    let content = format!("---\ntags: [{}, ok]\n---\nbody", "x".repeat(129));
    check_note(&content, "note.md | body | explicit | tags=ok | malformed=tags");
}

#[test]
fn a_file_that_is_too_large_is_refused_and_the_next_go_on() {
    let large = vec![b'a'; (16 << 20) + 1];
    check_folder(
        LegacySource::Markdown,
        &[("a.md", &large), ("b.md", b"b")],
        "refused a.md: file: is too large
         b.md:1 | b | explicit",
    );
    check(LegacySource::Markdown, "a.md", &large, "PATH has more than 16 MiB of text");
}

#[test]
fn damaged_bytes_are_refused_where_they_are() {
    check(
        LegacySource::Markdown,
        "MEMORY.md",
        b"one\n\nt\xffo\n\nn\0l",
        "PATH is not of this source: expected a Markdown file (.md, .markdown, .txt), or a folder that holds some",
    );
    check(
        LegacySource::Markdown,
        "MEMORY.md",
        b"one\n\nt\xffo\n\nthree",
        "
            MEMORY.md:1 | one | explicit
            refused MEMORY.md:3: text: is not UTF-8
            MEMORY.md:5 | three | explicit
        ",
    );
    check(
        LegacySource::Markdown,
        "MEMORY.md",
        b"one\n\nn\0l",
        "
            MEMORY.md:1 | one | explicit
            refused MEMORY.md:3: text: must not contain a NUL character
        ",
    );
}

#[test]
fn a_folder_in_the_order_of_its_paths() {
    check_folder(
        LegacySource::Markdown,
        &[
            ("b.md", b"- b"),
            ("a/z.txt", b"z"),
            ("a/y.md", b"---\nkey: y\n---\nyes"),
            ("a.md", b"\xff\0"),
            ("photo.png", b"x"),
            (".git/x.md", b"x"),
            ("empty.md", b""),
            (
                "INDEX.md",
                b"# Notes\n- [Y](a/y.md) - yes\n- `a/z.txt` is no note\n- a/y.md: yes\n- [[a/y|why]] what\n",
            ),
        ],
        "
            skipped .git: a file or folder that holds no memories of this program
            skipped INDEX.md#Notes:2: it only names where the words are
            INDEX.md#Notes:3 | `a/z.txt` is no note | explicit | tags=Notes
            skipped INDEX.md#Notes:4: it only names where the words are
            skipped INDEX.md#Notes:5: it only names where the words are
            a/y.md | yes | explicit | key=y
            a/z.txt:1 | z | explicit
            skipped a.md: a file whose content is no text
            b.md:1 | b | explicit
            skipped empty.md: it says nothing
            skipped photo.png: a file or folder that holds no memories of this program
        ",
    );
}

#[test]
fn a_folder_without_notes_is_of_another_source() {
    check_folder(LegacySource::Markdown, &[("photo.png", b"x")], "
            PATH is not of this source: expected a Markdown file (.md, .markdown, .txt), or a folder that holds some
        ");
    check_folder(LegacySource::ClaudeCode, &[("README.md", b"x")], "
            PATH is not of this source: expected a folder that holds CLAUDE.md, MEMORY.md, or Markdown files in memory/ or rules/
        ");
    check_folder(LegacySource::Codex, &[("README.md", b"x"), ("skills/a/SKILL.md", b"x")], "
            PATH is not of this source: expected a folder that holds AGENTS.md, MEMORY.md, or Markdown files in memories/
        ");
}

#[test]
fn codex_reads_its_folder_of_memories_from_inside_and_outside() {
    let files: [(&str, &[u8]); 4] = [
        ("memories/memory_summary.md", b"- tea"),
        ("memories/own.md", b"- own"),
        ("memories/skills/a/SKILL.md", b"- skill"),
        ("notes.md", b"- not a memory"),
    ];
    check_folder(
        LegacySource::Codex,
        &files,
        "
            memories/memory_summary.md:1 | tea | extracted
            memories/own.md:1 | own | extracted
            skipped memories/skills: a file or folder that holds no memories of this program
            skipped notes.md: a file or folder that holds no memories of this program
        ",
    );
    let inside: Vec<(&str, &[u8])> = files
        .iter()
        .filter_map(|(name, content)| Some((name.strip_prefix("memories/")?, *content)))
        .collect();
    check_folder(
        LegacySource::Codex,
        &inside,
        "
            memory_summary.md:1 | tea | extracted
            own.md:1 | own | extracted
            skipped skills: a file or folder that holds no memories of this program
        ",
    );
}

#[test]
fn a_file_of_another_kind_is_of_another_source() {
    check(
        LegacySource::Codex,
        "history.jsonl",
        b"{}",
        "PATH is not of this source: expected a folder that holds AGENTS.md, MEMORY.md, or Markdown files in memories/",
    );
    check(LegacySource::Codex, "anything.md", b"- a", "anything.md:1 | a | explicit");
    check(LegacySource::Markdown, "NOTES", b"- a", "NOTES:1 | a | explicit");
}

#[test]
fn claude_code_knows_the_project_of_a_memory() {
    check_folder(
        LegacySource::ClaudeCode,
        &[
            ("CLAUDE.local.md", b"- mine"),
            ("projects/-home-atlas/memory/MEMORY.md", b"- [Tea](tea.md)\n- free"),
            ("projects/-home-atlas/memory/tea.md", b"---\nname: tea\ntype: user\n---\nMia drinks tea"),
            ("projects/-home-atlas/1.jsonl", b"{}"),
            ("node_modules/x/CLAUDE.md", b"x"),
        ],
        "
            CLAUDE.local.md:1 | mine | explicit
            skipped node_modules: a file or folder that holds no memories of this program
            skipped projects/-home-atlas/1.jsonl: a file or folder that holds no memories of this program
            skipped projects/-home-atlas/memory/MEMORY.md:1: it only names where the words are
            projects/-home-atlas/memory/MEMORY.md:2 | free | extracted | project=-home-atlas
            projects/-home-atlas/memory/tea.md | Mia drinks tea | extracted | kind=user | key=tea | project=-home-atlas
        ",
    );
}

#[cfg(unix)]
#[test]
fn links_are_not_followed_and_what_cannot_be_read_is_refused() {
    use std::os::unix::fs::symlink;

    let folder = tempfile::tempdir().unwrap();
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("secret.md"), "secret").unwrap();
    std::fs::write(folder.path().join("a.md"), "a").unwrap();
    symlink(outside.path(), folder.path().join("folder")).unwrap();
    symlink(outside.path().join("secret.md"), folder.path().join("file.md")).unwrap();
    symlink("a.md", folder.path().join("inside.md")).unwrap();
    symlink("nowhere", folder.path().join("dangling.md")).unwrap();
    let deep: std::path::PathBuf = (0..70).map(|_| "d").collect();
    std::fs::create_dir_all(folder.path().join(&deep)).unwrap();
    std::fs::write(folder.path().join(&deep).join("deep.md"), "deep").unwrap();
    let at = (0..64).map(|_| "d").collect::<Vec<_>>().join("/");
    crate::shown::check_path(
        LegacySource::Markdown,
        folder.path(),
        &format!(
            "a.md:1 | a | explicit
            refused {at}: folder: is below too many others
            skipped dangling.md: a symbolic link, which is not followed
            skipped file.md: a symbolic link, which is not followed
            skipped folder: a symbolic link, which is not followed
            skipped inside.md: a symbolic link, which is not followed"
        ),
    );
}

// What no reader of Unicode can name is told apart by a digest, and by its ending what it is
#[cfg(unix)]
#[test]
fn a_file_whose_name_is_no_unicode_is_read() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let folder = tempfile::tempdir().unwrap();
    for (name, text) in
        [(&b"bad\xff.md"[..], "lost one"), (b"bad\xfe.txt", "lost two"), (b"pic\xfd.png", "no")]
    {
        std::fs::write(folder.path().join(OsStr::from_bytes(name)), text).unwrap();
    }
    let rows = |path: &std::path::Path| -> Vec<String> {
        let items = items(LegacySource::Markdown, path).unwrap();
        let text = |item: &Item| match item {
            Item::Row(row) => Some(row.text.as_str().to_owned()),
            Item::Skipped { .. } | Item::Refused { .. } => None,
        };
        let mut rows: Vec<String> = items.iter().filter_map(text).collect();
        rows.sort();
        rows
    };
    assert_eq!(rows(folder.path()), ["lost one", "lost two"]);
    let one = folder.path().join(OsStr::from_bytes(b"bad\xff.md"));
    assert_eq!(rows(&one), ["lost one"]);
}

#[test]
fn the_name_of_another_file_is_no_part_of_what_stands_beside_it() {
    check(
        LegacySource::ClaudeCode,
        "CLAUDE.md",
        b"# Rules\n- Use tabs\n@docs/x.md\n- Be kind\n\nWe ship\n@~/more.md\non Fridays\n",
        "CLAUDE.md#Rules:2 | Use tabs | explicit | tags=Rules
         skipped CLAUDE.md#Rules:3: it only names where the words are
         CLAUDE.md#Rules:4 | Be kind | explicit | tags=Rules
         CLAUDE.md#Rules:6 | We ship | explicit | tags=Rules
         skipped CLAUDE.md#Rules:7: it only names where the words are
         CLAUDE.md#Rules:8 | on Fridays | explicit | tags=Rules",
    );
}

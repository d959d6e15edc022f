//! Whatever a file holds, nothing panics, and no row is lost.

use std::fs;
use std::ops::ControlFlow;

use fact::LegacySource;
use legacy::Item;
use proptest::prelude::*;
use serde_json::json;

use crate::shown::items;

/// The rows of a file of that name, or nothing where it is refused as a whole.
fn of_file(source: LegacySource, name: &str, content: &[u8]) -> Option<Vec<Item>> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    let rows = items(source, &path).ok();
    assert_eq!(items(source, &path).ok(), rows, "not the same twice");
    assert_eq!(fs::read(&path).unwrap(), content);
    rows
}

/// Pieces of which odd files are made.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("\n"),
        Just("\n\n"),
        Just("\r\n"),
        Just("- "),
        Just("  - "),
        Just("\t"),
        Just("1. "),
        Just("# "),
        Just("###"),
        Just("---\n"),
        Just("---"),
        Just("```\n"),
        Just("~~~"),
        Just("<!--"),
        Just("-->"),
        Just("| "),
        Just("|---|\n"),
        Just("> "),
        Just("==="),
        Just("[ ] "),
        Just("[2025-04-05] "),
        Just("[a](b.md)"),
        Just("[["),
        Just("]]"),
        Just("**"),
        Just("key: "),
        Just("tags: [a, \"b"),
        Just(":\n"),
        Just("\u{feff}"),
        Just("tea"),
        Just("há chá"),
        Just(" "),
        Just("\0"),
        Just("\""),
        Just("\\"),
        Just("@a/b"),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn no_text_makes_a_reader_panic(text in pieces(), bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for source in LegacySource::ALL {
            for name in ["MEMORY.md", "note.md"] {
                of_file(source, name, text.as_bytes());
                of_file(source, name, &bytes);
            }
        }
    }

    /// Each word of a text is in a row, in a place, or in what was skipped for a reason.
    #[test]
    fn no_word_of_a_list_is_lost(words in prop::collection::vec("[a-z]{1,8}", 1..30), marks in prop::collection::vec(0..5_usize, 30)) {
        let mark = |index: usize| ["- ", "* ", "\n", "1. ", "\n> "][marks[index]];
        let lines: Vec<String> = words.iter().enumerate().map(|(index, word)| format!("{}{word}", mark(index))).collect();
        let rows = of_file(LegacySource::Markdown, "MEMORY.md", lines.join("\n").as_bytes()).unwrap();
        let mut found: Vec<String> = Vec::new();
        for row in rows {
            let Item::Row(row) = row else { panic!("{row:?}") };
            found.extend(row.text.as_str().split_whitespace().map(str::to_owned));
        }
        prop_assert_eq!(found, words);
    }

    #[test]
    fn each_line_of_ours_is_one_item(lines in prop::collection::vec(line(), 1..20)) {
        let content = format!("{{\"text\": \"first\"}}\n{}", lines.join("\n"));
        let content = content.trim_end_matches('\n');
        let rows = of_file(LegacySource::Ndjson, "rows.ndjson", content.as_bytes()).unwrap();
        prop_assert_eq!(rows.len(), content.split('\n').count());
    }

    #[test]
    fn each_memory_of_a_list_is_one_item(values in prop::collection::vec(value(), 0..20)) {
        let content = json!({"results": values}).to_string();
        let rows = of_file(LegacySource::Mem0, "export.json", content.as_bytes()).unwrap();
        prop_assert_eq!(rows.len(), values.len());
    }
}

fn line() -> impl Strategy<Value = String> {
    prop_oneof![value().prop_map(|value| value.to_string()), "[^\n]{0,20}", Just(String::new())]
}

fn value() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(|value| json!(value)),
        any::<f64>().prop_map(|value| json!(value)),
        any::<i64>().prop_map(|value| json!(value)),
        ".{0,12}".prop_map(|value| json!(value)),
        Just(json!("2026-05-01T10:00:00Z")),
        Just(json!("episode")),
    ];
    leaf.prop_recursive(3, 24, 6, |inner| {
        let name = prop::sample::select(vec![
            "id",
            "text",
            "memory",
            "data",
            "metadata",
            "source",
            "tags",
            "type",
            "category",
            "confidence",
            "goal",
            "user_id",
            "created_at",
            "valid_until",
            "owner",
            "key",
        ]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|list| json!(list)),
            prop::collection::vec((name, inner), 0..6).prop_map(|fields| {
                json!(
                    fields
                        .into_iter()
                        .map(|(name, value)| (name.to_owned(), value))
                        .collect::<serde_json::Map<_, _>>()
                )
            }),
        ]
    })
}

#[test]
fn ten_thousand_files_in_order() {
    let folder = tempfile::tempdir().unwrap();
    for number in (0..10_000).rev() {
        fs::write(
            folder.path().join(format!("{number:05}.md")),
            format!("---\nkey: k{number}\n---\nfact {number}"),
        )
        .unwrap();
    }
    let rows = items(LegacySource::Markdown, folder.path()).unwrap();
    assert_eq!(rows.len(), 10_000);
    let places: Vec<&str> = rows.iter().map(place).collect();
    assert!(places.is_sorted());
}

fn place(item: &Item) -> &str {
    match item {
        Item::Row(row) => row.place.as_str(),
        Item::Skipped { place, .. } | Item::Refused { place, .. } => place.as_str(),
    }
}

#[test]
fn whoever_reads_may_break_off() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.ndjson");
    fs::write(&path, "{\"text\": \"a\"}\n{\"text\": \"b\"}\n{\"text\": \"c\"}").unwrap();
    let mut count = 0;
    let read = legacy::read(LegacySource::Ndjson, &path, &mut |_| {
        count += 1;
        if count == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(read.is_ok() && count == 2, "{count}");
}

#[test]
fn content_is_neither_in_an_error_nor_in_debug() {
    let rows = of_file(
        LegacySource::Ndjson,
        "rows.ndjson",
        b"{\"text\": \"secret\", \"confidence\": \"secret\"}\n{\"text\": \"secret\0\"}\nsecret",
    )
    .unwrap();
    assert!(!format!("{rows:?}").contains("secret"));
}

//! Every direct write to the index is on a reviewed list: the copy is made equal to the truth in one place.

use super::tree::{self, File};

/// The methods of `SearchIndex`, by whether they change the copy. A new one must take its place here.
const WRITES: &[&str] = &["mend", "purge", "remake", "replace", "serve"];
const READS: &[&str] = &[
    "close", "damage", "embedded", "entries", "nearest", "rows", "search", "serving", "vectors", "versions",
];

/// File, method, and why there.
const REVIEWED: [(&str, &str, &str); 5] = [
    ("crates/memory/src/maintain.rs", "purge", "an erasure leaves nothing behind in the files of the copy"),
    ("crates/projection/src/check.rs", "mend", "a repair counts rows anew and takes out words without a row"),
    (
        "crates/projection/src/check.rs",
        "serve",
        "the model of today takes over once every row has its vectors",
    ),
    (
        "crates/projection/src/rebuild.rs",
        "remake",
        "an index that cannot be read is made anew from the ledger",
    ),
    ("crates/projection/src/step.rs", "replace", "the projector makes the copy equal to the truth"),
];

/// The crates that can reach the index.
const MAY_REACH: [&str; 3] = ["projection", "recall", "memory"];

#[test]
fn every_method_of_the_index_is_a_read_or_a_write() {
    let text = tree::read("crates/index/src/lib.rs");
    let (_, rest) =
        text.split_once("pub trait SearchIndex").expect("crates/index/src/lib.rs holds the trait");
    let (body, _) = rest.split_once("\n}").unwrap();
    let mut methods: Vec<&str> = body
        .lines()
        .filter_map(|line| line.trim().trim_start_matches("async ").strip_prefix("fn "))
        .filter_map(|line| line.split(['(', '<']).next())
        .collect();
    methods.sort_unstable();
    let mut known = [WRITES, READS].concat();
    known.sort_unstable();
    assert_eq!(methods, known);
}

#[test]
fn the_index_is_written_only_where_it_was_reviewed() {
    let files = tree::files_of("rs");
    let mut writers: Vec<(&str, &str)> = files
        .iter()
        .filter(|file| !file.is_test() && file.crate_name().is_some_and(|name| MAY_REACH.contains(&name)))
        .flat_map(|file| writes(file).into_iter().map(|method| (file.path.as_str(), method)))
        .collect();
    writers.sort_unstable();
    let mut reviewed: Vec<(&str, &str)> = REVIEWED.iter().map(|(path, method, _)| (*path, *method)).collect();
    reviewed.sort_unstable();
    assert_eq!(writers, reviewed, "who writes to the index (left) and who may (right)");
}

/// The writing methods that the file calls. `str::replace` is told apart by its second argument.
fn writes(file: &File) -> Vec<&'static str> {
    let code: String = file.code().map(|(_, line)| line).collect();
    let calls = |method: &str| {
        let call = format!(".{method}(");
        let starts = code.match_indices(&call).map(|(start, _)| start + call.len());
        starts.into_iter().any(|start| arguments(&code[start..]) < 2)
            || code.contains(&format!("SearchIndex::{method}"))
    };
    WRITES.iter().copied().filter(|method| calls(method)).collect()
}

/// How many arguments there are up to the bracket that closes the call.
fn arguments(rest: &str) -> usize {
    let mut depth = 0;
    let mut commas = 0;
    let mut last = '(';
    for character in rest.chars() {
        match character {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth > 0 => depth -= 1,
            ')' => break,
            ',' if depth == 0 => commas += 1,
            _ => {}
        }
        last = character;
    }
    if last == ',' { commas } else { commas + 1 }
}

#[test]
fn a_write_is_told_from_a_replaced_string() {
    for (text, methods) in [
        ("copy\n    .replace(&[Write::Remove(key, source)])\n    .await", ["replace"].as_slice()),
        ("SearchIndex::replace(index, &rows)", &["replace"]),
        ("index.purge().await", &["purge"]),
        ("text.replace('a', \"b\")", &[]),
        ("text.replace(\n    one,\n    other,\n)", &[]),
        ("// index.purge()", &[]),
    ] {
        let file = File { path: "crates/recall/src/x.rs".to_owned(), text: text.to_owned() };
        assert_eq!(writes(&file), methods, "{text}");
    }
}

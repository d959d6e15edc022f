//! Every direct write to the index is on a reviewed list: the copy is made equal to the truth in one place.

use super::tree::{self, File};

/// The methods of `SearchIndex`, by whether they change the copy. A new one must take its place here.
const WRITES: [&str; 2] = ["purge", "replace"];
const READS: [&str; 2] = ["rows", "search"];

/// Who may change the copy, and why there.
const REVIEWED: [(&str, &str); 0] = [];

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
    let mut writers: Vec<String> = tree::files_of("rs")
        .iter()
        .filter(|file| !file.is_test() && file.crate_name().is_some_and(|name| MAY_REACH.contains(&name)))
        .filter(|file| writes(file))
        .map(|file| file.path.clone())
        .collect();
    writers.sort_unstable();
    let mut reviewed: Vec<&str> = REVIEWED.iter().map(|(path, _)| *path).collect();
    reviewed.sort_unstable();
    assert_eq!(writers, reviewed, "who writes to the index (left) and who may (right)");
}

/// Whether the file calls a writing method. `str::replace` is told apart by its second argument.
fn writes(file: &File) -> bool {
    let code: String = file.code().map(|(_, line)| line).collect();
    WRITES.iter().any(|method| {
        let calls = [format!(".{method}("), format!("SearchIndex::{method}")];
        calls.iter().any(|call| {
            code.match_indices(call.as_str()).any(|(start, _)| {
                let rest = &code[start + call.len()..];
                call.starts_with("SearchIndex") || arguments(rest) < 2
            })
        })
    })
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
    let file = |text: &str| File { path: "crates/recall/src/x.rs".to_owned(), text: text.to_owned() };
    assert!(writes(&file("copy\n    .replace(&[Write::Remove(key, source)])\n    .await")));
    assert!(writes(&file("index.purge().await")) && writes(&file("SearchIndex::replace(index, &rows)")));
    assert!(!writes(&file("text.replace('a', \"b\")")) && !writes(&file("// index.purge()")));
    assert!(!writes(&file("text.replace(\n    one,\n    other,\n)")));
}

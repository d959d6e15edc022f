//! What comes from around a program (time, chance, environment) enters at the top and is an argument below.

use super::tree::{self, File, mentions};

const NO_AMBIENT: [&str; 9] =
    ["fact", "reconcile", "recall", "projection", "index", "ledger", "legacy", "embed", "qualify"];

const AMBIENT: [&str; 13] = [
    "SystemTime::now",
    "Instant::now",
    "Utc::now",
    "Local::now",
    "Uuid::now_v7",
    "Uuid::new_v4",
    "thread_rng",
    "rand::",
    "getrandom",
    "fastrand",
    "OsRng",
    "RandomState",
    "env::",
];

/// File, what it uses, why that decides nothing about a fact.
const REVIEWED: [(&str, &str, &str); 4] = [
    ("crates/qualify/src/main.rs", "SystemTime::now", "a front end: it tells the library the time"),
    (
        "crates/ledger/src/writer.rs",
        "Instant::now",
        "how long to wait for another process, and when to leave it a gap",
    ),
    ("crates/ledger/src/crash.rs", "env::", "where a test's process ends itself; compiled for tests only"),
    ("crates/embed/src/endpoint/retry.rs", "getrandom", "how long to wait before an endpoint is asked again"),
];

fn reviewed(file: &File, piece: &str) -> bool {
    REVIEWED.iter().any(|(path, used, _)| *path == file.path && *used == piece)
}

fn is_below(file: &File) -> bool {
    file.crate_name().is_some_and(|name| NO_AMBIENT.contains(&name)) && !file.is_test()
}

#[test]
fn time_chance_and_environment_come_in_from_the_top() {
    let mut findings = Vec::new();
    for file in tree::files_of("rs").iter().filter(|file| is_below(file)) {
        for (number, line) in file.code() {
            for piece in AMBIENT.iter().filter(|piece| mentions(line, piece) && !reviewed(file, piece)) {
                findings.push(format!("{}: {piece}", file.at(number)));
            }
            if line.starts_with("use std::") && mentions(line, "env") {
                findings.push(format!("{}: std::env", file.at(number)));
            }
        }
    }
    tree::none("take it as an argument", &findings);
}

#[test]
fn the_reviewed_list_holds_nothing_that_is_gone() {
    let files = tree::files_of("rs");
    let gone: Vec<String> = REVIEWED
        .iter()
        .filter(|(path, piece, _)| {
            let file = files.iter().find(|file| file.path == *path);
            !file.is_some_and(|file| file.code().any(|(_, line)| mentions(line, piece)))
        })
        .map(|(path, piece, _)| format!("{path}: {piece}"))
        .collect();
    tree::none("take the line out of REVIEWED", &gone);
}

//! The shape of files: how long they are, that each says what it is for, and that each is compiled.

use std::collections::BTreeSet;
use std::path::Path;

use super::tree::{self, File};

const FILE_LINES_MAX: usize = 500;
const TEST_FILE_LINES_MAX: usize = 800;
/// Nine files in ten hold no more than this.
const USUAL_FILE_LINES_MAX: usize = 250;

#[test]
fn no_file_is_too_long() {
    let mut findings = Vec::new();
    for file in tree::files_of("rs") {
        let lines = file.code().count();
        let limit = if file.is_test() { TEST_FILE_LINES_MAX } else { FILE_LINES_MAX };
        if lines > limit {
            findings.push(format!("{}: {lines} of {limit} code lines", file.path));
        }
    }
    tree::none("split the file by what it is about", &findings);
}

#[test]
fn most_files_are_short() {
    let mut sizes: Vec<(usize, String)> = tree::files_of("rs")
        .into_iter()
        .filter(|file| !file.is_test())
        .map(|file| (file.code().count(), file.path))
        .collect();
    sizes.sort();
    let (lines, _) = sizes[sizes.len() * 9 / 10];
    let longest: Vec<&(usize, String)> = sizes.iter().rev().take(10).collect();
    assert!(lines <= USUAL_FILE_LINES_MAX, "90th percentile: {lines} code lines; the longest: {longest:#?}");
}

#[test]
fn every_file_says_what_it_is_for() {
    let silent: Vec<String> = tree::files_of("rs")
        .into_iter()
        .filter(|file| !file.text.lines().any(|line| line.starts_with("//! ")))
        .map(|file| file.path)
        .collect();
    tree::none("begin the file with a //! line", &silent);
}

#[test]
fn no_lint_is_allowed_silently() {
    let patterns = [concat!("#[", "allow("), concat!("#![", "allow("), concat!(", ", "allow(clippy")];
    let mut findings = Vec::new();
    for file in tree::files_of("rs") {
        for (number, line) in file.code() {
            if patterns.iter().any(|pattern| line.contains(pattern)) {
                findings.push(file.at(number));
            }
        }
    }
    tree::none("write #[expect(…, reason = \"…\")]", &findings);
}

#[test]
fn every_rust_file_is_compiled() {
    let files = tree::files_of("rs");
    let mut compiled = BTreeSet::new();
    let mut waiting: Vec<(String, bool)> = targets().into_iter().map(|path| (path, true)).collect();
    while let Some((path, is_root)) = waiting.pop() {
        let Some(file) = files.iter().find(|file| file.path == path) else {
            continue;
        };
        if compiled.insert(path.clone()) {
            let folder = module_folder(&path, is_root);
            for name in modules(file) {
                waiting.push((format!("{folder}/{name}.rs"), false));
                waiting.push((format!("{folder}/{name}/mod.rs"), false));
            }
        }
    }
    let forgotten: Vec<String> =
        files.into_iter().map(|file| file.path).filter(|path| !compiled.contains(path)).collect();
    tree::none("no `mod` line leads to this file", &forgotten);
}

/// The root file of everything that cargo compiles.
fn targets() -> Vec<String> {
    let root = tree::root();
    let metadata = tree::metadata(&["--no-deps"]);
    let packages = metadata["packages"].as_array().unwrap();
    let targets = packages.iter().flat_map(|package| package["targets"].as_array().unwrap());
    targets
        .map(|target| Path::new(target["src_path"].as_str().unwrap()))
        .map(|path| path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned())
        .collect()
}

fn module_folder(path: &str, is_root: bool) -> String {
    let (folder, name) = path.rsplit_once('/').unwrap();
    if is_root || name == "mod.rs" {
        return folder.to_owned();
    }
    path.trim_end_matches(".rs").to_owned()
}

/// The names in the file's `mod name;` lines.
fn modules(file: &File) -> Vec<&str> {
    let names = file.code().filter_map(|(_, line)| {
        let (before, rest) = line.split_once("mod ")?;
        let visibility = before.trim();
        let name = rest.strip_suffix(';')?;
        (visibility.is_empty() || visibility.starts_with("pub") || visibility.ends_with(']')).then_some(name)
    });
    names.collect()
}

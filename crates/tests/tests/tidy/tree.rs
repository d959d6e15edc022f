//! The tree as the tidy tests read it: files with their text, Rust lines without comments, cargo's own view.

use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// A text file; its path is relative to the root, with `/` between the parts.
pub(super) struct File {
    pub(super) path: String,
    pub(super) text: String,
}

/// The folder of the workspace: the one that cargo runs in, since a shared target folder may hold another's binary.
pub(super) fn root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&package).join("../..").canonicalize().unwrap()
}

/// Every text file, in order of path, but for what git and cargo keep for themselves.
pub(super) fn files() -> Vec<File> {
    let root = root();
    let mut files = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_symlink()
                || [".git", "node_modules", "target"].map(OsStr::new).contains(&path.file_name().unwrap())
            {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if let Some(text) = text(&path) {
                let relative = path.strip_prefix(&root).unwrap().to_str().unwrap();
                files.push(File { path: relative.replace('\\', "/"), text });
            }
        }
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    files
}

fn text(path: &Path) -> Option<String> {
    match fs::read_to_string(path) {
        Ok(text) => Some(text),
        // Binary, or an editor's file that is gone by now.
        Err(error) if matches!(error.kind(), ErrorKind::InvalidData | ErrorKind::NotFound) => None,
        Err(error) => panic!("{}: {error}", path.display()),
    }
}

/// Every file with that ending.
pub(super) fn files_of(extension: &str) -> Vec<File> {
    let mut files = files();
    files.retain(|file| Path::new(&file.path).extension() == Some(OsStr::new(extension)));
    files
}

/// The text of a file that must be there.
pub(super) fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

impl File {
    /// The folder of the crate that it belongs to (`ledger` for `crates/ledger/src/…`), or nothing.
    pub(super) fn crate_name(&self) -> Option<&str> {
        self.path.strip_prefix("crates/")?.split_once('/').map(|(name, _)| name)
    }

    /// Whether it holds tests only: the tests crate, a `tests` folder, `tests.rs` or `…_tests.rs` beside its subject.
    pub(super) fn is_test(&self) -> bool {
        let stem = self.path.trim_end_matches(".rs");
        let is_named = ["/tests", "_tests"].iter().any(|ending| stem.ends_with(ending));
        is_named || self.path.contains("/tests/")
    }

    /// Its lines that are neither blank nor comments, with their numbers.
    pub(super) fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.text.lines().map(str::trim).enumerate();
        lines
            .map(|(index, line)| (index + 1, line))
            .filter(|(_, line)| !line.is_empty() && !line.starts_with("//"))
    }

    /// `path:line`, for a finding.
    pub(super) fn at(&self, line: usize) -> String {
        format!("{}:{line}", self.path)
    }
}

/// Whether the line holds the piece and no longer word that ends or goes on in it.
pub(super) fn mentions(line: &str, piece: &str) -> bool {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    line.match_indices(piece).any(|(start, _)| {
        let before = line[..start].chars().next_back();
        let after = line[start + piece.len()..].chars().next();
        let goes_back = before.is_some_and(is_word) && piece.starts_with(is_word);
        let goes_on = after.is_some_and(is_word) && piece.ends_with(is_word);
        !goes_back && !goes_on
    })
}

/// What `cargo metadata` says of the workspace.
pub(super) fn metadata(options: &[&str]) -> Value {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--locked", "--format-version", "1"])
        .args(options)
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Fails with every finding under the rule that it breaks.
#[track_caller]
pub(super) fn none(rule: &str, findings: &[String]) {
    assert!(findings.is_empty(), "{rule}:\n  {}\n", findings.join("\n  "));
}

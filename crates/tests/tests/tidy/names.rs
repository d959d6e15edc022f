//! Names: a type is called after what it is in the domain, never after a job title.

use super::tree;

const JOB_TITLES: [&str; 7] = ["Manager", "Helper", "Util", "Service", "Common", "Handler", "Processor"];

#[test]
fn no_type_is_a_doer() {
    let mut findings = Vec::new();
    for file in tree::files_of("rs") {
        for (number, line) in file.code() {
            if let Some(name) = declared(line).filter(|name| is_job(name)) {
                findings.push(format!("{}: {name}", file.at(number)));
            }
        }
    }
    tree::none("call it after what it is, or make it a function", &findings);
}

#[test]
fn no_file_is_a_drawer() {
    let mut findings: Vec<String> = tree::files()
        .into_iter()
        .map(|file| file.path)
        .filter(|path| path.split('/').any(is_drawer))
        .collect();
    findings.dedup();
    tree::none("put each thing where it belongs", &findings);
}

/// The name that a line gives to a struct, enum, trait, union or alias.
fn declared(line: &str) -> Option<&str> {
    let mut words = line.split(|character: char| !(character.is_alphanumeric() || character == '_'));
    words.find(|word| ["struct", "enum", "trait", "union", "type"].contains(word))?;
    words.next().filter(|name| name.starts_with(char::is_uppercase))
}

fn is_job(name: &str) -> bool {
    let name = name.strip_suffix('s').unwrap_or(name);
    JOB_TITLES.iter().any(|title| name.ends_with(title))
}

fn is_drawer(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or_default();
    let word = stem.rsplit(['_', '-']).next().unwrap_or_default().to_lowercase();
    let word = word.strip_suffix('s').unwrap_or(&word);
    JOB_TITLES.iter().any(|title| title.to_lowercase() == word)
}

#[test]
fn doers_and_drawers_are_recognised() {
    assert_eq!(declared("pub(crate) struct FactLedger {"), Some("FactLedger"));
    assert_eq!(declared("    type Error = StoreError;"), Some("Error"));
    assert_eq!(declared("let kind = \"struct\";"), None);
    assert!(is_job("FactManager") && is_job("TextUtils") && !is_job("Servicing"));
    assert!(is_drawer("utils.rs") && is_drawer("text_helpers") && !is_drawer("helpful.rs"));
}

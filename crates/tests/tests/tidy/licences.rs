//! What comes in from outside: its licences, and the one version that data depends on.

use serde_json::Value;

use super::{spdx, tree};

fn outside() -> Vec<Value> {
    let metadata = tree::metadata(&["--filter-platform", "x86_64-unknown-linux-gnu"]);
    let packages = metadata["packages"].as_array().unwrap();
    packages.iter().filter(|package| !package["source"].is_null()).cloned().collect()
}

/// The `allow` list of the licences in `deny.toml`, so that there is one list.
fn accepted() -> Vec<String> {
    let text = tree::read("deny.toml");
    let (_, licences) = text.split_once("[licenses]").unwrap();
    let (_, list) = licences.split_once("allow = [").unwrap();
    let (list, _) = list.split_once(']').unwrap();
    list.split(',')
        .map(|name| name.trim().trim_matches('"').to_owned())
        .filter(|name| !name.is_empty())
        .collect()
}

#[test]
fn every_dependency_has_a_licence_that_we_accept() {
    let accepted = accepted();
    assert!(accepted.iter().any(|name| name == "MIT"), "deny.toml: {accepted:?}");
    let mut findings = Vec::new();
    for package in outside() {
        let licence = package["license"].as_str().unwrap_or("no licence named");
        if !spdx::is_met(licence, &accepted) {
            findings.push(format!("{} {}: {licence}", package["name"], package["version"]));
        }
    }
    tree::none("a licence that deny.toml does not accept", &findings);
}

/// Earlier ones carry a fault of the write-ahead log that corrupts files.
#[test]
fn sqlite_is_the_version_that_was_chosen() {
    let versions: Vec<String> = outside()
        .iter()
        .filter(|package| package["name"] == "libsqlite3-sys")
        .map(|package| package["version"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(versions.len(), 1, "{versions:?}");
    assert!(versions[0].starts_with("0.37."), "{versions:?}");
}

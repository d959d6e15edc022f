//! The edges between crates: what each may use, and who may speak SQL.

use serde_json::Value;

use super::tree;

/// Each package with all that it may use of ours. A new line or a new edge is a decision of the design.
const MAY_USE: [(&str, &[&str]); 14] = [
    ("truthkeeper-fact", &[]),
    ("truthkeeper-ledger", &["truthkeeper-fact"]),
    ("truthkeeper-index", &["truthkeeper-fact"]),
    ("truthkeeper-embed", &[]),
    ("truthkeeper-legacy", &["truthkeeper-fact"]),
    (
        "truthkeeper-projection",
        &["truthkeeper-embed", "truthkeeper-fact", "truthkeeper-ledger", "truthkeeper-index"],
    ),
    ("truthkeeper-reconcile", &["truthkeeper-fact", "truthkeeper-ledger"]),
    ("truthkeeper-recall", &["truthkeeper-fact", "truthkeeper-ledger", "truthkeeper-index"]),
    ("truthkeeper-qualify", &["truthkeeper-fact", "truthkeeper-ledger"]),
    (
        "truthkeeper",
        &[
            "truthkeeper-fact",
            "truthkeeper-ledger",
            "truthkeeper-index",
            "truthkeeper-embed",
            "truthkeeper-legacy",
            "truthkeeper-projection",
            "truthkeeper-reconcile",
            "truthkeeper-recall",
            "truthkeeper-qualify",
        ],
    ),
    ("truthkeeper-server", &["truthkeeper"]),
    // It starts the service, and prints facts as the service does.
    ("truthkeeper-cli", &["truthkeeper", "truthkeeper-server"]),
    ("truthkeeper-benches", &[]),
    ("truthkeeper-tests", &[]),
];

const TESTS: &str = "truthkeeper-tests";
/// They use everything, like the tests, and stand beside the crates.
const BENCHES: &str = "truthkeeper-benches";

/// What holds a connection to a database, and who may use it.
const DATABASE_CRATES: [&str; 3] = ["sqlx", "libsqlite3-sys", "rusqlite"];
/// `legacy` opens the files of other programs, to be read and nothing else; it never sees a store.
const MAY_HOLD_SQL: [&str; 5] =
    ["truthkeeper-ledger", "truthkeeper-index", "truthkeeper-legacy", TESTS, BENCHES];

/// What can call another machine of its own accord, and who may.
const HTTP_CLIENTS: [&str; 2] = ["reqwest", "ureq"];
/// What is a client by its features alone: the server is built on the rest of them.
const HTTP_PARTS: [&str; 2] = ["hyper", "hyper-util"];
const MAY_CALL: [&str; 2] = ["truthkeeper-embed", TESTS];

/// What brings input, output or a runtime along; the words of a fact and the rules do without.
const IMPURE_CRATES: [&str; 5] = ["tokio", "reqwest", "axum", "rand", "getrandom"];
const PURE: [&str; 2] = ["truthkeeper-fact", "truthkeeper-reconcile"];

/// The feature of the ledger that lets a test end its process in the middle of a write.
const CRASH_POINTS: &str = "crash-points";

struct Edge {
    from: String,
    to: String,
    dev: bool,
    features: Vec<Value>,
}

fn packages() -> Vec<Value> {
    tree::metadata(&["--no-deps"])["packages"].as_array().unwrap().clone()
}

fn edges() -> Vec<Edge> {
    let mut edges = Vec::new();
    for package in packages() {
        for dependency in package["dependencies"].as_array().unwrap() {
            edges.push(Edge {
                from: package["name"].as_str().unwrap().to_owned(),
                to: dependency["name"].as_str().unwrap().to_owned(),
                dev: dependency["kind"].as_str() == Some("dev"),
                features: dependency["features"].as_array().unwrap().clone(),
            });
        }
    }
    edges
}

fn may_use(package: &str) -> Option<&'static [&'static str]> {
    MAY_USE.iter().find(|(name, _)| *name == package).map(|(_, used)| *used)
}

#[test]
fn every_crate_is_in_the_table() {
    let names: Vec<String> =
        packages().iter().map(|package| package["name"].as_str().unwrap().to_owned()).collect();
    let unknown: Vec<String> = names.iter().filter(|name| may_use(name).is_none()).cloned().collect();
    tree::none("give each crate its line in MAY_USE", &unknown);
    let gone: Vec<String> =
        MAY_USE.iter().map(|(name, _)| (*name).to_owned()).filter(|name| !names.contains(name)).collect();
    tree::none("no such crate", &gone);
}

#[test]
fn crates_use_only_what_the_table_allows() {
    let forbidden: Vec<String> = edges()
        .iter()
        .filter(|edge| !edge.dev && ![TESTS, BENCHES].contains(&edge.from.as_str()))
        .filter(|edge| may_use(&edge.to).is_some())
        .filter(|edge| !may_use(&edge.from).unwrap_or_default().contains(&edge.to.as_str()))
        .map(|edge| format!("{} uses {}", edge.from, edge.to))
        .collect();
    tree::none("an edge that the design does not have", &forbidden);
}

/// What carries the words of a fact, or could be asked for them.
const CARRIES_CONTENT: [&str; 9] =
    ["Content", "Words", "Text", "Revision", "Seen", "Head", "HeldBack", "OpenConflict", "Draft"];

#[test]
fn a_qualification_has_no_type_that_holds_content() {
    let mut findings = Vec::new();
    for file in tree::files_of("rs").iter().filter(|file| file.path.starts_with("crates/qualify/src/")) {
        for (number, line) in file.code() {
            let named = CARRIES_CONTENT.iter().filter(|name| tree::mentions(line, name));
            findings.extend(named.map(|name| format!("{}: {name}", file.at(number))));
        }
    }
    tree::none("status, doctor and qualification print ids, counts and times", &findings);
}

#[test]
fn nobody_depends_on_the_tests() {
    let users: Vec<String> = edges()
        .into_iter()
        .filter(|edge| [TESTS, BENCHES].contains(&edge.to.as_str()))
        .map(|edge| edge.from)
        .collect();
    tree::none("the tests use all and are used by none", &users);
}

#[test]
fn only_the_ledger_and_the_index_hold_a_database() {
    let holders: Vec<String> = edges()
        .iter()
        .filter(|edge| DATABASE_CRATES.contains(&edge.to.as_str()))
        .filter(|edge| !edge.dev && !MAY_HOLD_SQL.contains(&edge.from.as_str()))
        .map(|edge| format!("{} uses {}", edge.from, edge.to))
        .collect();
    tree::none("SQL belongs to the ledger and the index, and to what reads foreign files", &holders);
}

#[test]
fn only_the_embedders_hold_an_http_client() {
    let is_client = |edge: &&Edge| {
        let asks = |feature: &Value| {
            feature.as_str().is_some_and(|name| name.starts_with("client") || name == "full")
        };
        HTTP_CLIENTS.contains(&edge.to.as_str())
            || HTTP_PARTS.contains(&edge.to.as_str()) && edge.features.iter().any(asks)
    };
    let callers: Vec<String> = edges()
        .iter()
        .filter(|edge| !edge.dev && is_client(edge))
        .filter(|edge| !MAY_CALL.contains(&edge.from.as_str()))
        .map(|edge| format!("{} uses {}", edge.from, edge.to))
        .collect();
    tree::none("nothing else calls another machine", &callers);
}

#[test]
fn the_words_and_the_rules_are_pure() {
    let impure: Vec<String> = edges()
        .iter()
        .filter(|edge| !edge.dev && PURE.contains(&edge.from.as_str()))
        .filter(|edge| IMPURE_CRATES.contains(&edge.to.as_str()))
        .map(|edge| format!("{} uses {}", edge.from, edge.to))
        .collect();
    tree::none("neither input, output nor chance", &impure);
}

#[test]
fn only_tests_can_make_a_process_crash() {
    let crashing: Vec<String> = edges()
        .into_iter()
        .filter(|edge| !edge.dev && edge.from != TESTS)
        .filter(|edge| edge.features.iter().any(|feature| feature == CRASH_POINTS))
        .map(|edge| edge.from)
        .collect();
    tree::none("crash points are for tests", &crashing);
}

#[test]
fn a_crate_has_at_most_one_test_binary() {
    let mut findings = Vec::new();
    for package in packages() {
        let targets = package["targets"].as_array().unwrap();
        let tests = targets.iter().filter(|target| target["kind"][0] == "test").count();
        if tests > 1 {
            findings.push(format!("{} has {tests}", package["name"].as_str().unwrap()));
        }
    }
    tree::none("one test binary a crate, with every suite a module of it", &findings);
}

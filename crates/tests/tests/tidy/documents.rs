//! Documents that state what the code does are compared with it.

use std::collections::BTreeMap;

use super::tree::{self, File};

const EXIT_CODES: &str = "crates/cli/src/exit.rs";

/// Each exit code of the command line, with the first line of its documentation.
/// Read from `pub const NAME: u8 = N;` lines or from an enum's `Name = N,` lines.
fn exit_codes() -> BTreeMap<u8, String> {
    let text = tree::read(EXIT_CODES);
    let mut codes = BTreeMap::new();
    let mut meaning = String::new();
    for line in text.lines().map(str::trim) {
        if let Some(more) = line.strip_prefix("///") {
            meaning = format!("{meaning} {}", more.trim()).trim().to_owned();
        } else if let Some(code) = exit_code(line) {
            let earlier = codes.insert(code, plain(&meaning));
            assert_eq!(earlier, None, "{EXIT_CODES}: {code} twice");
            meaning.clear();
        } else if !line.starts_with("#[") {
            meaning.clear();
        }
    }
    codes
}

fn exit_code(line: &str) -> Option<u8> {
    let (name, number) = line.trim_end_matches([',', ';']).split_once(" = ")?;
    let is_variant = name.chars().all(char::is_alphanumeric) && name.starts_with(char::is_uppercase);
    (is_variant || name.contains("const ")).then(|| number.parse().ok()).flatten()
}

/// The rows `| code | meaning |` under the README's heading of exit codes.
fn exit_table() -> BTreeMap<u8, String> {
    let readme = tree::read("README.md");
    let section = readme
        .split("\n#")
        .find(|section| {
            section.lines().next().is_some_and(|title| title.to_lowercase().contains("exit code"))
        })
        .expect("README.md has a heading with the words \"exit codes\"");
    let rows = section.lines().filter_map(|line| {
        let mut cells = line.trim().strip_prefix('|')?.split('|').map(str::trim);
        let code = cells.next()?.trim_matches('`').parse().ok()?;
        Some((code, plain(cells.next()?)))
    });
    rows.collect()
}

fn plain(text: &str) -> String {
    text.replace('`', "").trim_end_matches('.').to_owned()
}

#[test]
fn exit_codes_are_those_of_the_readme() {
    let codes = exit_codes();
    assert!(codes.contains_key(&0), "{EXIT_CODES}: {codes:?}");
    assert_eq!(exit_table(), codes, "README.md (left) and the documentation in {EXIT_CODES} (right)");
}

/// A numbered statement of ARCHITECTURE.md.
struct Statement {
    number: usize,
    text: String,
}

fn statements() -> Vec<Statement> {
    let mut statements: Vec<Statement> = Vec::new();
    let mut open = false;
    for line in tree::read("ARCHITECTURE.md").lines() {
        if let Some((number, text)) = numbered(line) {
            statements.push(Statement { number, text: text.to_owned() });
            open = true;
        } else if line.trim().is_empty() || line.starts_with('#') {
            open = false;
        } else if let Some(last) = statements.last_mut().filter(|_| open) {
            last.text = format!("{} {}", last.text, line.trim());
        }
    }
    statements
}

fn numbered(line: &str) -> Option<(usize, &str)> {
    let (number, text) = line.split_once(". ")?;
    Some((number.parse().ok()?, text.trim()))
}

/// The `path::name` of a statement that ends with "(test: `path::name`)", one or several with commas.
fn named_tests(statement: &Statement) -> Vec<&str> {
    let text = statement.text.trim_end_matches('.');
    let list = text.rsplit_once("(test: ").and_then(|(_, rest)| rest.strip_suffix(')'));
    list.into_iter().flat_map(|list| list.split(',')).map(|name| name.trim().trim_matches('`')).collect()
}

#[test]
fn every_statement_of_the_architecture_has_its_test() {
    let files = tree::files_of("rs");
    let statements = statements();
    assert!(!statements.is_empty(), "ARCHITECTURE.md states nothing");
    let mut findings = Vec::new();
    for (index, statement) in statements.iter().enumerate() {
        if statement.number != index + 1 {
            findings.push(format!("number {} stands at place {}", statement.number, index + 1));
        }
        let tests = named_tests(statement);
        if tests.is_empty() {
            findings.push(format!("{} does not end with (test: `path::name`)", statement.number));
        }
        for test in tests.into_iter().filter(|test| !files.iter().any(|file| holds_test(file, test))) {
            findings.push(format!("{} names {test}, which is no test", statement.number));
        }
    }
    tree::none("ARCHITECTURE.md", &findings);
}

/// Whether the file is the module of the path and has a test of that name.
fn holds_test(file: &File, path: &str) -> bool {
    let (module, name) = path.rsplit_once("::").unwrap_or(("", path));
    let own = format!("::{}", module_path(&file.path));
    let is_module = module.is_empty() || own.ends_with(&format!("::{module}"));
    is_module && defines_test(&file.text, name)
}

/// `crates/ledger/src/writer/tests.rs` is `ledger::writer::tests`; in the tests crate, `tidy/sql.rs` is `tidy::sql`.
fn module_path(path: &str) -> String {
    let path = path.trim_start_matches("crates/").trim_end_matches(".rs").trim_end_matches("/mod");
    let parts: Vec<&str> = path.split('/').filter(|part| !["src", "lib", "main"].contains(part)).collect();
    parts.join("::")
}

fn defines_test(text: &str, name: &str) -> bool {
    let lines: Vec<&str> = text.lines().collect();
    let starts = [format!("fn {name}("), format!("async fn {name}(")];
    lines.iter().enumerate().any(|(index, line)| {
        starts.iter().any(|start| line.trim().starts_with(start.as_str())) && is_test_at(&lines[..index])
    })
}

/// Whether the attributes just above make a test, or the function stands in a macro that makes tests.
fn is_test_at(above: &[&str]) -> bool {
    let mut attributes =
        above.iter().rev().map(|line| line.trim()).take_while(|line| line.starts_with(['#', '/']));
    let is_marked = attributes.any(|line| line.starts_with("#[test]") || line.contains("::test"));
    let outermost = above.iter().rev().find(|line| !line.is_empty() && !line.starts_with(' '));
    is_marked || outermost.is_some_and(|line| ["on_both_engines! {", "proptest! {"].contains(line))
}

#[test]
fn a_named_test_is_found_where_it_is_said_to_be() {
    let text = "on_both_engines! {\n    /// Why.\n    async fn both(store: Store) {}\n}\n".to_owned();
    let file = File { path: "crates/tests/tests/ledger/append.rs".to_owned(), text };
    assert!(holds_test(&file, "ledger::append::both"));
    assert!(!holds_test(&file, "index::append::both") && !holds_test(&file, "ledger::append::other"));
    let text = "fn helper() {}\n\n#[test]\n#[ignore]\nfn alone() {}\n".to_owned();
    let file = File { path: "crates/fact/src/head/tests.rs".to_owned(), text };
    assert!(holds_test(&file, "fact::head::tests::alone") && !holds_test(&file, "helper"));
}

//! SQL: each statement lies in a file beside the one that runs it, and the two sets of migrations make one schema.

use std::collections::BTreeMap;

use super::schema::{self, Table};
use super::tree::{self, File};

/// `legacy` has the two queries of the files that other programs wrote.
const MAY_HOLD_SQL: [&str; 3] = ["ledger", "index", "legacy"];
const ENGINES: [&str; 2] = ["sqlite", "postgres"];

/// A `.sql` file that a Rust file names.
struct Mention {
    user: String,
    literal: String,
    path: String,
}

fn mentions() -> Vec<Mention> {
    let mut mentions = Vec::new();
    for file in tree::files_of("rs").iter().filter(|file| !file.is_test()) {
        let (folder, _) = file.path.rsplit_once('/').unwrap();
        for (_, line) in file.code() {
            let literals = line.split('"').skip(1).step_by(2).filter(|literal| literal.ends_with(".sql"));
            mentions.extend(literals.map(|literal| Mention {
                user: file.path.clone(),
                literal: literal.to_owned(),
                path: resolved(folder, literal),
            }));
        }
    }
    mentions
}

fn resolved(folder: &str, literal: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').collect();
    for part in literal.split('/') {
        if part == ".." {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    parts.join("/")
}

fn is_migration(path: &str) -> bool {
    path.split('/').any(|part| part == "migrations")
}

/// The baseline of a bench runs the very statements that it is the baseline of.
fn is_bench(user: &str) -> bool {
    user.starts_with("benches/")
}

#[test]
fn every_statement_is_used() {
    let mentions = mentions();
    let unused: Vec<String> = tree::files_of("sql")
        .into_iter()
        .map(|file| file.path)
        .filter(|path| !mentions.iter().any(|mention| mention.path == *path))
        .collect();
    tree::none("no include_str! names this file", &unused);
}

/// In the user's folder or below it; one that several folders use may lie one folder up.
#[test]
fn every_statement_lies_beside_its_user() {
    let mentions = mentions();
    let folder = |mention: &Mention| mention.user.rsplit_once('/').unwrap().0.to_owned();
    let is_shared =
        |one: &Mention| mentions.iter().any(|other| other.path == one.path && folder(other) != folder(one));
    let far: Vec<String> = mentions
        .iter()
        .filter(|mention| !is_migration(&mention.path) && !is_bench(&mention.user))
        .filter(|mention| match mention.literal.matches("../").count() {
            0 => false,
            1 => !is_shared(mention),
            _ => true,
        })
        .map(|mention| format!("{} takes {}", mention.user, mention.literal))
        .collect();
    tree::none("move the statement beside the function that runs it", &far);
}

#[test]
fn statements_belong_to_the_ledger_and_the_index() {
    let strangers: Vec<String> = tree::files_of("sql")
        .into_iter()
        .filter(|file| file.crate_name().is_some_and(|name| !MAY_HOLD_SQL.contains(&name)))
        .map(|file| file.path)
        .collect();
    tree::none("no other crate speaks SQL", &strangers);
}

#[test]
fn statements_are_the_same_bytes_on_every_machine() {
    let attributes = tree::read(".gitattributes");
    assert!(attributes.lines().any(|line| line.trim() == "*.sql text eol=lf"), "{attributes}");
    let changed: Vec<String> = tree::files_of("sql")
        .into_iter()
        .filter(|file| file.text.contains('\r'))
        .map(|file| file.path)
        .collect();
    tree::none("a carriage return changes the digest of a migration", &changed);
}

/// The migrations of one engine under each `migrations` folder, by name, in order.
fn migrations(engine: &str) -> BTreeMap<String, Vec<File>> {
    let mut sets: BTreeMap<String, Vec<File>> = BTreeMap::new();
    for file in tree::files_of("sql") {
        let (folder, _) = file.path.rsplit_once('/').unwrap();
        if let Some(set) = folder.strip_suffix(engine).filter(|set| is_migration(set)) {
            sets.entry(set.to_owned()).or_default().push(file);
        }
    }
    sets
}

fn name(file: &File) -> &str {
    file.path.rsplit_once('/').unwrap().1
}

#[test]
fn migrations_come_in_pairs() {
    let [sqlite, postgres] = ENGINES.map(migrations);
    assert!(sqlite.contains_key("migrations/"), "migrations/sqlite holds the ledger's: {:?}", sqlite.keys());
    assert_eq!(sqlite.keys().collect::<Vec<_>>(), postgres.keys().collect::<Vec<_>>());
    for (set, files) in &sqlite {
        let names: Vec<&str> = files.iter().map(name).collect();
        let others: Vec<&str> = postgres[set].iter().map(name).collect();
        assert_eq!(names, others, "{set}: sqlite and postgres");
    }
}

#[test]
fn migrations_are_numbered_without_a_gap() {
    let mut findings = Vec::new();
    for (set, files) in migrations("sqlite") {
        for (index, file) in files.iter().enumerate() {
            if !name(file).starts_with(&format!("{:04}_", index + 1)) {
                findings.push(format!("{set}: {} is number {}", name(file), index + 1));
            }
        }
    }
    tree::none("0001_name.sql, 0002_name.sql and so on", &findings);
}

/// The ledger's tables are one schema, in what two engines call its types.
#[test]
fn both_engines_have_the_same_tables() {
    let [sqlite, postgres] = ENGINES.map(migrations);
    for (ours, theirs) in sqlite["migrations/"].iter().zip(&postgres["migrations/"]) {
        let tables = schema::tables(&ours.text);
        assert!(!tables.is_empty() || !ours.text.contains("TABLE"), "{}: no table was read", ours.path);
        assert_eq!(described(&tables), described(&schema::tables(&theirs.text)), "{}", ours.path);
    }
}

fn described(tables: &[Table]) -> Vec<String> {
    tables.iter().map(|table| format!("{} ({})", table.name, table.columns.join(", "))).collect()
}

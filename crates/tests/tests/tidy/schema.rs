//! The tables and columns that a migration makes, read roughly: enough to compare two engines' texts.

/// A table, with its columns as `name TYPE` or `name TYPE NOT NULL`, in order.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) name: String,
    pub(super) columns: Vec<String>,
}

const CONSTRAINTS: [&str; 6] = ["PRIMARY", "FOREIGN", "UNIQUE", "CHECK", "CONSTRAINT", "EXCLUDE"];

/// The tables that the text creates or adds columns to, in order.
pub(super) fn tables(sql: &str) -> Vec<Table> {
    let text = without_comments(sql);
    text.split(';').filter_map(table).collect()
}

fn without_comments(sql: &str) -> String {
    let lines: Vec<&str> = sql.lines().map(|line| line.split("--").next().unwrap_or_default()).collect();
    lines.join(" ")
}

fn table(statement: &str) -> Option<Table> {
    let words: Vec<&str> = statement.split_whitespace().collect();
    match words.as_slice() {
        ["CREATE", "TABLE", "IF", "NOT", "EXISTS", name, ..] | ["CREATE", "TABLE", name, ..] => {
            let name = name.split('(').next().unwrap_or(name);
            let (_, body) = statement.split_once('(')?;
            Some(Table {
                name: name.to_owned(),
                columns: parts(body).iter().filter_map(|part| column(part)).collect(),
            })
        }
        ["ALTER", "TABLE", name, "ADD", "COLUMN", rest @ ..] => {
            let columns = column(&rest.join(" ")).into_iter().collect();
            Some(Table { name: (*name).to_owned(), columns })
        }
        _ => None,
    }
}

/// What lies between the commas of the outermost brackets, whose first one is already read.
fn parts(body: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 1;
    for character in body.chars() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            break;
        }
        if depth == 1 && character == ',' {
            parts.push(String::new());
        } else if let Some(part) = parts.last_mut() {
            part.push(character);
        }
    }
    parts
}

fn column(part: &str) -> Option<String> {
    let mut words = part.split_whitespace();
    let name = words.next()?;
    if CONSTRAINTS.iter().any(|constraint| name.starts_with(constraint)) {
        return None;
    }
    let kind = words.next().unwrap_or_default().replace("BYTEA", "BLOB");
    let required = if part.contains("NOT NULL") { " NOT NULL" } else { "" };
    Some(format!("{name} {kind}{required}"))
}

#[test]
fn a_migration_is_read() {
    let read = tables(
        "CREATE TABLE facts (\n  id TEXT NOT NULL, -- whose, why\n  digest BYTEA CHECK (length(digest) IN (0, 32)),\n\
           PRIMARY KEY (id, digest)\n) WITHOUT ROWID;\nCREATE INDEX x ON facts (id);\n\
           ALTER TABLE facts ADD COLUMN anchor BIGINT;",
    );
    let columns = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(
        read,
        [
            Table { name: "facts".to_owned(), columns: columns(&["id TEXT NOT NULL", "digest BLOB"]) },
            Table { name: "facts".to_owned(), columns: columns(&["anchor BIGINT"]) },
        ]
    );
}

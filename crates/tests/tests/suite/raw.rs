//! The database behind the ledger's back: what is really stored, and what an intruder can do to it.

use std::collections::BTreeMap;

use sqlx::any::{AnyRow, install_default_drivers};
use sqlx::{
    AnyConnection, AssertSqlSafe, Column as _, Connection as _, Row as _, TypeInfo as _, ValueRef as _,
};
use truthkeeper::FactId;
use truthkeeper_tests::{Engine, Store};

/// The tables that follow from the events.
pub(super) const DERIVED: [&str; 7] =
    ["access", "conflicts", "erasures", "facts", "reviews", "revisions", "truths"];

/// Every table of the ledger.
pub(super) const TABLES: [&str; 13] = [
    "access",
    "audits",
    "conflicts",
    "contents",
    "erasures",
    "events",
    "facts",
    "operations",
    "requests",
    "reviews",
    "revisions",
    "tenants",
    "truths",
];

pub(super) async fn connect(store: &Store) -> AnyConnection {
    install_default_drivers();
    let address = match store.engine() {
        Engine::Sqlite => format!("sqlite://{}", store.address),
        Engine::Postgres => store.address.clone(),
    };
    AnyConnection::connect(&address).await.unwrap()
}

/// Runs statements; gives how many rows the last one touched, or why the database refused.
pub(super) async fn attempt(store: &Store, sql: &str) -> Result<u64, sqlx::Error> {
    let mut connection = connect(store).await;
    let done = sqlx::query(AssertSqlSafe(sql.to_owned())).execute(&mut connection).await?;
    connection.close().await?;
    Ok(done.rows_affected())
}

/// Runs a statement that touches something.
pub(super) async fn run(store: &Store, sql: &str) {
    let touched = attempt(store, sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
    assert!(touched > 0, "no row: {sql}");
}

/// Takes away what protects the events and their words.
pub(super) async fn disarm(store: &Store) {
    let triggers: &[(&str, &str)] = match store.engine() {
        Engine::Sqlite => &[
            ("events_never_change", ""),
            ("events_never_go", ""),
            ("contents_never_change", ""),
            ("contents_go_by_erasure", ""),
        ],
        Engine::Postgres => &[
            ("events_never_change", "ON events"),
            ("events_never_go", "ON events"),
            ("contents_never_change", "ON contents"),
            ("contents_go_by_erasure", "ON contents"),
        ],
    };
    for (name, table) in triggers {
        attempt(store, &format!("DROP TRIGGER {name} {table}")).await.unwrap();
    }
}

/// Every row of a query, each column as text.
pub(super) async fn select(store: &Store, sql: &str) -> Vec<Vec<String>> {
    let mut connection = connect(store).await;
    let rows = sqlx::query(AssertSqlSafe(sql.to_owned())).fetch_all(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    rows.iter().map(|row| (0..row.len()).map(|at| column(row, at)).collect()).collect()
}

/// The one value that a query gives.
pub(super) async fn value(store: &Store, sql: &str) -> String {
    select(store, sql).await[0][0].clone()
}

fn column(row: &AnyRow, at: usize) -> String {
    if row.try_get_raw(at).unwrap().is_null() {
        return "NULL".to_owned();
    }
    if let Ok(number) = row.try_get::<i64, _>(at) {
        return number.to_string();
    }
    row.try_get::<String, _>(at).unwrap_or_else(|_| format!("{:02x?}", row.get::<Vec<u8>, _>(at)))
}

/// The rows of some tables, in an order of their own.
pub(super) async fn image(
    store: &Store,
    tables: &[&'static str],
) -> BTreeMap<&'static str, Vec<Vec<String>>> {
    let mut image = BTreeMap::new();
    for table in tables {
        let mut rows = select(store, &format!("SELECT * FROM {table}")).await;
        rows.sort();
        image.insert(*table, rows);
    }
    image
}

/// The names of a table's columns, and whether each is a number.
pub(super) async fn columns(store: &Store, table: &str) -> Vec<(String, bool)> {
    let mut connection = connect(store).await;
    let row =
        sqlx::query(AssertSqlSafe(format!("SELECT * FROM {table} LIMIT 1"))).fetch_one(&mut connection).await;
    let row = row.unwrap_or_else(|error| panic!("{table} has no row: {error}"));
    connection.close().await.unwrap();
    let is_number = |name: &str| matches!(name, "BIGINT" | "INTEGER");
    row.columns()
        .iter()
        .map(|column| (column.name().to_owned(), is_number(column.type_info().name())))
        .collect()
}

/// What is kept of the words of a fact.
pub(super) async fn words_of(store: &Store, fact: FactId) -> Vec<Vec<String>> {
    let words = "SELECT c.* FROM contents c JOIN events e ON e.tenant = c.tenant AND e.position = c.position";
    select(store, &format!("{words} WHERE e.fact = '{fact}' ORDER BY c.position")).await
}

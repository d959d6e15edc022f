//! The rows of a ledger's file as they lie there, read without the ledger.

use std::path::Path;

use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Connection as _, Row as _, ValueRef as _};

/// The tables that hold the truth: what happened, its words, and what follows. The others (requests, operations,
/// audits, receipts, reports) say who asked, who read and what is to do.
const TABLES: [&str; 10] = [
    "access",
    "conflicts",
    "contents",
    "erasures",
    "events",
    "facts",
    "reviews",
    "revisions",
    "tenants",
    "truths",
];

/// Every row, each column with its type.
#[derive(Debug, PartialEq, Eq, Default)]
pub(super) struct Rows(Vec<Vec<String>>);

impl Rows {
    pub(super) async fn of(ledger: &Path) -> Result<Self, sqlx::Error> {
        let mut connection = connect(ledger.to_str().unwrap()).await?;
        let mut rows = Vec::new();
        for table in TABLES {
            let select = format!("SELECT * FROM {table}");
            for row in sqlx::query(AssertSqlSafe(select)).fetch_all(&mut connection).await? {
                rows.push((0..row.len()).map(|at| column(&row, at)).collect::<Result<_, _>>()?);
            }
        }
        connection.close().await?;
        Ok(Self(rows))
    }
}

/// Puts all that a file holds, its log included, into a new one.
pub(super) async fn copy(file: &str, to: &Path) {
    let mut connection = connect(file).await.unwrap();
    let vacuum = format!("VACUUM INTO '{}'", to.display());
    sqlx::query(AssertSqlSafe(vacuum)).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

async fn connect(file: &str) -> Result<AnyConnection, sqlx::Error> {
    sqlx::any::install_default_drivers();
    AnyConnection::connect(&format!("sqlite://{file}")).await
}

fn column(row: &AnyRow, at: usize) -> Result<String, sqlx::Error> {
    if row.try_get_raw(at)?.is_null() {
        return Ok("NULL".to_owned());
    }
    if let Ok(number) = row.try_get::<i64, _>(at) {
        return Ok(number.to_string());
    }
    if let Ok(text) = row.try_get::<String, _>(at) {
        return Ok(text);
    }
    Ok(format!("{:02x?}", row.try_get::<Vec<u8>, _>(at)?))
}

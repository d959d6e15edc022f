//! Rows that are written together: in one round trip on SQLite, where each costs a change of threads.

use sqlx::any::Any;
use sqlx::{AnyConnection, AssertSqlSafe};

use crate::crash;
use crate::error::StoreError;

/// Where a test may end the process between two rows.
const BETWEEN_ROWS: &str = "append.row";

/// A value of a column.
pub(crate) enum Bind {
    Text(Option<String>),
    Number(Option<i64>),
    Bytes(Option<Vec<u8>>),
}

/// A statement that writes one row, with its values for `$1`, `$2`, ….
struct Write {
    table: &'static str,
    sql: &'static str,
    binds: Vec<Bind>,
}

/// Statements in order, each of which must touch one row.
#[derive(Default)]
pub(crate) struct Batch(Vec<Write>);

type Query<'q> = sqlx::query::Query<'q, Any, <Any as sqlx::Database>::Arguments>;

impl Batch {
    pub(crate) fn add(&mut self, table: &'static str, sql: &'static str, binds: Vec<Bind>) {
        self.0.push(Write { table, sql, binds });
    }

    /// Runs the statements. Where one touched no row or several, the transaction must not be committed.
    pub(crate) async fn run(self, connection: &mut AnyConnection) -> Result<(), StoreError> {
        let together = connection.backend_name() == "SQLite" && !crash::is_asked_for(BETWEEN_ROWS);
        match (self.0.as_slice(), together) {
            ([], _) => Ok(()),
            (_, true) => self.run_together(connection).await,
            (_, false) => self.run_each(connection).await,
        }
    }

    /// PostgreSQL prepares one statement at a time.
    async fn run_each(self, connection: &mut AnyConnection) -> Result<(), StoreError> {
        for Write { table, sql, binds } in self.0 {
            let query = binds.into_iter().fold(sqlx::query(sql), bound);
            check(table, query.execute(&mut *connection).await?.rows_affected(), 1)?;
            crash::point(BETWEEN_ROWS);
        }
        Ok(())
    }

    /// SQLite takes several statements as one text, and counts what all of them touched. Each
    /// names one row by its key and can touch no more, so the sum tells whether one of them touched none.
    async fn run_together(self, connection: &mut AnyConnection) -> Result<(), StoreError> {
        let meant = self.0.len().try_into().unwrap_or(u64::MAX);
        let tables: Vec<&str> = self.0.iter().map(|write| write.table).collect();
        let (text, binds) = joined(self.0.into_iter().map(|write| (write.sql, write.binds)));
        let query = binds.into_iter().fold(sqlx::query(AssertSqlSafe(text)), bound);
        check(&tables.join(", "), query.execute(connection).await?.rows_affected(), meant)
    }
}

/// Several statements as one text, with one list of values.
fn joined(statements: impl Iterator<Item = (&'static str, Vec<Bind>)>) -> (String, Vec<Bind>) {
    let (mut text, mut all) = (String::new(), Vec::new());
    for (sql, binds) in statements {
        text.push_str(&renumbered(sql, all.len()));
        text.push_str(";\n");
        all.extend(binds);
    }
    (text, all)
}

fn check(tables: &str, touched: u64, meant: u64) -> Result<(), StoreError> {
    if touched == meant {
        return Ok(());
    }
    Err(StoreError::damaged("rows of", tables, format!("{touched} were touched where {meant} were meant")))
}

fn bound(query: Query<'_>, bind: Bind) -> Query<'_> {
    match bind {
        Bind::Text(text) => query.bind(text),
        Bind::Number(number) => query.bind(number),
        Bind::Bytes(bytes) => query.bind(bytes),
    }
}

/// The statement with each `$n` raised by `by`. Our statements have no other dollar sign.
fn renumbered(sql: &str, by: usize) -> String {
    let mut parts = sql.trim_end().split('$');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        let number: usize = part[..end].parse().unwrap_or_default();
        text.push('$');
        text.push_str(&(number + by).to_string());
        text.push_str(&part[end..]);
    }
    text
}

impl From<&str> for Bind {
    fn from(text: &str) -> Self {
        Self::Text(Some(text.to_owned()))
    }
}

impl From<String> for Bind {
    fn from(text: String) -> Self {
        Self::Text(Some(text))
    }
}

impl From<Option<String>> for Bind {
    fn from(text: Option<String>) -> Self {
        Self::Text(text)
    }
}

impl From<i64> for Bind {
    fn from(number: i64) -> Self {
        Self::Number(Some(number))
    }
}

impl From<Option<i64>> for Bind {
    fn from(number: Option<i64>) -> Self {
        Self::Number(number)
    }
}

impl From<&[u8]> for Bind {
    fn from(bytes: &[u8]) -> Self {
        Self::Bytes(Some(bytes.to_vec()))
    }
}

impl From<Option<&[u8]>> for Bind {
    fn from(bytes: Option<&[u8]>) -> Self {
        Self::Bytes(bytes.map(<[u8]>::to_vec))
    }
}

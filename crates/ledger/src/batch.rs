//! Rows that are written together: in one round trip on SQLite, where each costs a change of threads.

use sqlx::any::Any;
use sqlx::{AnyConnection, AssertSqlSafe};

use crate::error::StoreError;

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
        if connection.backend_name() == "SQLite" {
            self.run_together(connection).await
        } else {
            self.run_each(connection).await
        }
    }

    /// PostgreSQL prepares one statement at a time.
    async fn run_each(self, connection: &mut AnyConnection) -> Result<(), StoreError> {
        for Write { table, sql, binds } in self.0 {
            let query = binds.into_iter().fold(sqlx::query(sql), bound);
            check(table, query.execute(&mut *connection).await?.rows_affected(), 1)?;
        }
        Ok(())
    }

    /// SQLite takes several statements as one text, with one list of values, and counts what all of them touched. Each
    /// names one row by its key and can touch no more, so the sum tells whether one of them touched none.
    async fn run_together(self, connection: &mut AnyConnection) -> Result<(), StoreError> {
        let (mut text, mut binds, mut meant, mut tables) = (String::new(), Vec::new(), 0, Vec::new());
        for write in self.0 {
            text.push_str(&renumbered(write.sql, binds.len()));
            text.push_str(";\n");
            binds.extend(write.binds);
            meant += 1;
            tables.push(write.table);
        }
        let query = binds.into_iter().fold(sqlx::query(AssertSqlSafe(text)), bound);
        check(&tables.join(", "), query.execute(connection).await?.rows_affected(), meant)
    }
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

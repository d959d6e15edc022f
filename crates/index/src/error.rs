//! What can go wrong with the index, told apart by what is to be done. Never holds what was stored or asked.

use std::borrow::Cow;

use sqlx::error::DatabaseError;
use sqlx::postgres::PgDatabaseError;
use sqlx::sqlite::SqliteError;

/// Why the index did not do what was asked. Its texts are codes and our own words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IndexError {
    /// It cannot be reached or is busy: nobody's fault, to be tried again later.
    #[error("index cannot be reached: {0}")]
    Unreachable(Cow<'static, str>),
    /// It takes others, but not this.
    #[error("index refused the item: {0}")]
    Refused(Cow<'static, str>),
    /// What is stored cannot be right: the index is to be rebuilt.
    #[error("index is damaged: {0}")]
    Corrupt(Cow<'static, str>),
    /// Another version of the program made it, or it is no index at all.
    #[error("index has form {found}, not {}: rebuild it, or use the program that made it", crate::FORM)]
    OtherForm {
        /// The form that was found; 0 where none is stated.
        found: i64,
    },
}

impl From<sqlx::Error> for IndexError {
    fn from(error: sqlx::Error) -> Self {
        match error {
            sqlx::Error::Database(error) => of_engine(error.as_ref()),
            sqlx::Error::Io(error) => Self::Unreachable(format!("i/o: {}", error.kind()).into()),
            sqlx::Error::Configuration(_) => Self::Unreachable("its address cannot be used".into()),
            sqlx::Error::Tls(_) => Self::Unreachable("tls failed".into()),
            sqlx::Error::Protocol(_) => Self::Unreachable("the server broke the protocol".into()),
            sqlx::Error::PoolTimedOut => Self::Unreachable("every connection is in use".into()),
            sqlx::Error::PoolClosed => Self::Unreachable("it was closed".into()),
            sqlx::Error::WorkerCrashed => Self::Unreachable("a connection's thread ended".into()),
            sqlx::Error::BeginFailed => Self::Unreachable("no transaction could be begun".into()),
            sqlx::Error::ColumnDecode { index, .. } => {
                Self::Corrupt(format!("column {index} has another type").into())
            }
            sqlx::Error::RowNotFound
            | sqlx::Error::TypeNotFound { .. }
            | sqlx::Error::ColumnIndexOutOfBounds { .. }
            | sqlx::Error::ColumnNotFound(_)
            | sqlx::Error::Decode(_) => Self::Corrupt("a table has another shape".into()),
            sqlx::Error::Encode(_) | sqlx::Error::InvalidArgument(_) => {
                Self::Refused("a value has no stored form".into())
            }
            sqlx::Error::AnyDriverError(_)
            | sqlx::Error::Migrate(_)
            | sqlx::Error::InvalidSavePointStatement
            | _ => Self::Unreachable("the driver failed".into()),
        }
    }
}

fn of_engine(error: &dyn DatabaseError) -> IndexError {
    let code = error.code().unwrap_or_default();
    if error.try_downcast_ref::<PgDatabaseError>().is_some() {
        of_postgres(&code)
    } else if error.try_downcast_ref::<SqliteError>().is_some() {
        of_sqlite(&code)
    } else {
        IndexError::Unreachable("the driver failed".into())
    }
}

/// By SQLite's primary result code (sqlite.org/rescode.html), the low byte of the extended one.
fn of_sqlite(code: &str) -> IndexError {
    let reason = format!("sqlite code {code}").into();
    match code.parse::<u32>().map(|code| code & 0xff) {
        // error (no such table), corrupt, format, not a database
        Ok(1 | 11 | 24 | 26) => IndexError::Corrupt(reason),
        // too big, constraint, mismatch, misuse, range
        Ok(18..=21 | 25) => IndexError::Refused(reason),
        Ok(_) | Err(_) => IndexError::Unreachable(reason),
    }
}

/// By SQLSTATE (PostgreSQL manual, appendix A).
fn of_postgres(code: &str) -> IndexError {
    let reason = format!("sqlstate {code}").into();
    match (code, code.get(..2).unwrap_or_default()) {
        // no rights is the operator's to mend, as is a server that cannot be reached
        ("42501", _) => IndexError::Unreachable(reason),
        // damaged data or index, unknown tables, a broken promise of the schema
        ("XX001" | "XX002", _) | (_, "42" | "3F") => IndexError::Corrupt(reason),
        // bad data, integrity, limits, and what nobody foresaw: others may still go on
        (_, "22" | "23" | "54" | "XX") => IndexError::Refused(reason),
        _ => IndexError::Unreachable(reason),
    }
}

#[cfg(test)]
mod tests;

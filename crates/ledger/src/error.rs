//! What can go wrong between the ledger and its database.

/// The database did not do what was asked. Never holds content.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Another process holds the store; nothing was written.
    #[error("the store is in use by another process")]
    Busy,
    /// No space is left; nothing was written.
    #[error("storage full: free some space, then try again")]
    Full,
    /// The database cannot be reached or opened.
    #[error("the store cannot be reached: {0}")]
    Unreachable(String),
    /// The connection broke while committing: the change may have been recorded. Ask again with the same key.
    #[error("the store did not confirm the commit: {0}; ask again with the same idempotency key")]
    Unconfirmed(String),
    /// What is stored does not add up.
    #[error("the store is damaged: {table} {row}: {problem}")]
    Damaged {
        /// The table.
        table: &'static str,
        /// The row, by its ids.
        row: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The database refused a statement.
    #[error("the store refused: {0}")]
    Refused(String),
    /// The ledger was closed while the request was on its way; nothing was written.
    #[error("the ledger is closed")]
    Closed,
}

const SQLITE_BUSY: &str = "5";
const SQLITE_LOCKED: &str = "6";
const SQLITE_IOERR: i32 = 10;
const SQLITE_CORRUPT: i32 = 11;
const SQLITE_FULL: i32 = 13;
const SQLITE_CANTOPEN: i32 = 14;
const SQLITE_NOTADB: i32 = 26;
/// SQLite says "full" only where the system says ENOSPC. A quota (EDQUOT) and a limit on the size of a file (EFBIG)
/// come as a page that could not be written, or a file that could not be made longer.
const SQLITE_IOERR_WRITE: i32 = SQLITE_IOERR | (3 << 8);
const SQLITE_IOERR_SHMSIZE: i32 = SQLITE_IOERR | (19 << 8);
const SQLITE_PRIMARY_CODE: i32 = 0xff;
const POSTGRES_DISK_FULL: &str = "53100";
const POSTGRES_LOCK_NOT_AVAILABLE: &str = "55P03";
/// Two processes waited for each other, and PostgreSQL chose this one to give way.
const POSTGRES_DEADLOCK: &str = "40P01";

#[expect(clippy::wildcard_enum_match_arm, reason = "the driver's errors are open-ended")]
impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        match &error {
            sqlx::Error::Database(fault) => {
                let code = fault.code().unwrap_or_default().into_owned();
                from_code(&code, fault.message())
            }
            sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::WorkerCrashed => Self::Unreachable(error.to_string()),
            sqlx::Error::PoolClosed => Self::Closed,
            _ => Self::Refused(error.to_string()),
        }
    }
}

/// SQLite's codes are numbers; PostgreSQL's are five characters.
fn from_code(code: &str, message: &str) -> StoreError {
    if code.len() == 5 {
        return match code {
            POSTGRES_DISK_FULL => StoreError::Full,
            POSTGRES_LOCK_NOT_AVAILABLE | POSTGRES_DEADLOCK => StoreError::Busy,
            _ => StoreError::Refused(format!("{message} ({code})")),
        };
    }
    if is_busy_code(code) {
        return StoreError::Busy;
    }
    let extended = code.parse::<i32>();
    if let Ok(SQLITE_IOERR_WRITE | SQLITE_IOERR_SHMSIZE) = extended {
        return StoreError::Full;
    }
    match extended.map(|code| code & SQLITE_PRIMARY_CODE) {
        Ok(SQLITE_FULL) => StoreError::Full,
        Ok(SQLITE_IOERR | SQLITE_CANTOPEN) => StoreError::Unreachable(format!("{message} ({code})")),
        Ok(SQLITE_CORRUPT | SQLITE_NOTADB) => StoreError::Damaged {
            table: "database",
            row: "file".to_owned(),
            problem: format!("{message} ({code})"),
        },
        Ok(_) | Err(_) => StoreError::Refused(format!("{message} ({code})")),
    }
}

fn is_busy_code(code: &str) -> bool {
    let primary = code.parse::<i32>().map(|code| (code & SQLITE_PRIMARY_CODE).to_string());
    primary.is_ok_and(|primary| primary == SQLITE_BUSY || primary == SQLITE_LOCKED)
}

impl StoreError {
    pub(crate) fn damaged(
        table: &'static str,
        row: impl std::fmt::Display,
        problem: impl std::fmt::Display,
    ) -> Self {
        Self::Damaged { table, row: row.to_string(), problem: problem.to_string() }
    }
}

//! Where a ledger lives: a file, or a PostgreSQL database.

use std::fmt;
use std::path::{Path, PathBuf};

/// Where a ledger lives.
#[derive(Clone, PartialEq, Eq)]
pub enum Address {
    /// One SQLite file.
    File(PathBuf),
    /// A PostgreSQL database, as a `postgres://` address.
    Postgres(String),
}

/// The two engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Engine {
    Sqlite,
    Postgres,
}

impl Address {
    /// Reads a `postgres://` or `postgresql://` address; anything else is a path.
    pub fn parse(text: &str) -> Self {
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return Self::Postgres(text.to_owned());
        }
        Self::File(PathBuf::from(text))
    }

    pub(crate) fn engine(&self) -> Engine {
        match self {
            Self::File(_) => Engine::Sqlite,
            Self::Postgres(_) => Engine::Postgres,
        }
    }

    /// What the driver connects by, to write, and to make the file where it is missing.
    pub(crate) fn url(&self) -> String {
        self.url_in("rwc")
    }

    /// The same, to read what is there.
    pub(crate) fn url_to_read(&self) -> String {
        self.url_in("ro")
    }

    fn url_in(&self, mode: &str) -> String {
        match self {
            Self::File(path) => format!("sqlite://{}?mode={mode}", escaped(path)),
            Self::Postgres(url) => url.clone(),
        }
    }
}

/// Percent-encodes what would end the path in an address.
fn escaped(path: &Path) -> String {
    path.to_string_lossy().chars().fold(String::new(), |mut out, c| {
        match c {
            '%' => out.push_str("%25"),
            '?' => out.push_str("%3F"),
            '#' => out.push_str("%23"),
            ' ' => out.push_str("%20"),
            _ => out.push(c),
        }
        out
    })
}

impl fmt::Display for Address {
    /// A path, or a PostgreSQL address without its user and password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Postgres(url) => {
                let rest = url.split_once("://").map_or(url.as_str(), |(_, rest)| rest);
                let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
                write!(f, "postgres://{}", host.split('?').next().unwrap_or_default())
            }
        }
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

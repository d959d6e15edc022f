//! Where the store of a service lies: a file of its own, or a database of its own on the server that
//! `TRUTHKEEPER_POSTGRES` names, where `TRUTHKEEPER_HTTP_ON` is `postgres`. One run is on one engine.

use std::env;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _};
use tempfile::TempDir;

/// A store that goes away with this value.
pub(crate) enum Place {
    File(TempDir),
    Database { server: Box<PgConnectOptions>, name: String },
}

impl Place {
    pub(crate) async fn new() -> Self {
        match env::var("TRUTHKEEPER_HTTP_ON").as_deref() {
            Ok("postgres") => {
                let address = env::var("TRUTHKEEPER_POSTGRES").expect("TRUTHKEEPER_POSTGRES names a server");
                let server: Box<PgConnectOptions> = Box::new(address.parse().unwrap());
                static MADE: AtomicU64 = AtomicU64::new(0);
                let name =
                    format!("truthkeeper_http_{}_{}", process::id(), MADE.fetch_add(1, Ordering::Relaxed));
                run(&server, format!("CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'")).await;
                Self::Database { server, name }
            }
            Ok("sqlite") | Err(_) => {
                Self::File(tempfile::Builder::new().prefix("truthkeeper-server.").tempdir().unwrap())
            }
            Ok(other) => panic!("TRUTHKEEPER_HTTP_ON is {other}: neither sqlite nor postgres"),
        }
    }

    pub(crate) fn address(&self) -> String {
        match self {
            Self::File(folder) => file_in(folder.path()).to_str().unwrap().to_owned(),
            Self::Database { server, name } => server.as_ref().clone().database(name).to_url_lossy().into(),
        }
    }

    /// Its file, on SQLite.
    pub(crate) fn file(&self) -> Option<PathBuf> {
        match self {
            Self::File(folder) => Some(file_in(folder.path())),
            Self::Database { .. } => None,
        }
    }

    /// Whoever is still connected.
    pub(crate) async fn remove(&self) {
        if let Self::Database { server, name } = self {
            run(server, format!("DROP DATABASE {name} WITH (FORCE)")).await;
        }
    }
}

fn file_in(folder: &Path) -> PathBuf {
    folder.join("memory.db")
}

async fn run(server: &PgConnectOptions, statement: String) {
    let mut connection = PgConnection::connect_with(server).await.unwrap();
    sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

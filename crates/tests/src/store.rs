//! A store that one test has to itself and that goes away with it.

use std::path::Path;

use sqlx::{AnyConnection, Connection as _};
use tempfile::TempDir;

use crate::postgres::{self, Database};

/// What a store lies on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// A file in a temporary folder.
    Sqlite,
    /// A database of its own on the server that `TRUTHKEEPER_POSTGRES` names.
    Postgres,
}

/// The engines to run on: both, or SQLite alone (which is said) when no server is named and none is required.
pub fn engines() -> Vec<Engine> {
    let mut engines = vec![Engine::Sqlite];
    if postgres::server().is_some() {
        engines.push(Engine::Postgres);
    }
    engines
}

/// An empty store. Dropping it removes the file or the database, whoever is still connected.
#[derive(Debug)]
pub struct Store {
    /// What the ledger is opened with: a path, or a `postgres://` URL.
    pub address: String,
    place: Place,
    folder: TempDir,
}

#[derive(Debug)]
enum Place {
    File,
    Database(#[expect(dead_code, reason = "held for its drop")] Box<Database>),
}

impl Store {
    /// A store in a file that does not exist yet.
    pub fn sqlite() -> Self {
        let folder = new_folder();
        let address = path_text(&folder.path().join("memory.db"));
        Self { address, place: Place::File, folder }
    }

    /// A store in a new, empty database; nothing (which is said) when no server is named and none is required.
    pub fn postgres() -> Option<Self> {
        let database = Database::create(postgres::server()?);
        let address = database.address();
        Some(Self { address, place: Place::Database(Box::new(database)), folder: new_folder() })
    }

    /// A store on one of [`engines`].
    pub fn on(engine: Engine) -> Self {
        match engine {
            Engine::Sqlite => Self::sqlite(),
            Engine::Postgres => {
                Self::postgres().expect("engines() lists PostgreSQL only when there is a server")
            }
        }
    }

    /// What the store lies on.
    pub fn engine(&self) -> Engine {
        match self.place {
            Place::File => Engine::Sqlite,
            Place::Database(_) => Engine::Postgres,
        }
    }

    /// What the façade opens the index with: a file beside the ledger's, or the same database.
    pub fn index_address(&self) -> String {
        match self.place {
            Place::File => path_text(&self.folder.path().join("memory.index.db")),
            Place::Database(_) => self.address.clone(),
        }
    }

    /// A connection to the ledger, for what no reader is told.
    pub async fn connect(&self) -> AnyConnection {
        sqlx::any::install_default_drivers();
        let address = match self.place {
            Place::File => format!("sqlite://{}", self.address),
            Place::Database(_) => self.address.clone(),
        };
        AnyConnection::connect(&address).await.expect("the store was made")
    }

    /// A connection to the index, for what is done to it behind everybody's back.
    pub async fn connect_to_index(&self) -> AnyConnection {
        sqlx::any::install_default_drivers();
        let address = match self.place {
            Place::File => format!("sqlite://{}", self.index_address()),
            Place::Database(_) => self.index_address(),
        };
        AnyConnection::connect(&address).await.expect("the index was made")
    }

    /// Runs the statement of the store's engine on the index.
    pub async fn in_index(&self, sqlite: &'static str, postgres: &'static str) {
        let statement = match self.engine() {
            Engine::Sqlite => sqlite,
            Engine::Postgres => postgres,
        };
        let mut connection = self.connect_to_index().await;
        let done = sqlx::query(statement).execute(&mut connection).await;
        done.unwrap_or_else(|error| panic!("{statement}: {error}"));
        connection.close().await.expect("the connection to the index can be closed");
    }

    /// A temporary folder of the store, on either engine, for whatever else a test writes.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }
}

fn new_folder() -> TempDir {
    tempfile::Builder::new().prefix("truthkeeper-test.").tempdir().expect("a temporary folder can be made")
}

fn path_text(path: &Path) -> String {
    path.to_str().expect("the temporary folder has a UTF-8 name").to_owned()
}

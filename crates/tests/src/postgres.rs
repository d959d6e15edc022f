//! Databases that tests make and drop on a PostgreSQL server that somebody else runs.

use std::env;
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::SystemTime;

use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};

/// The server of `TRUTHKEEPER_POSTGRES`. Without it nothing, said in a line, or a panic
/// when `TRUTHKEEPER_REQUIRE_POSTGRES=1` asks for one.
#[expect(clippy::print_stderr, reason = "a skipped test says so where the test runner shows it")]
pub(crate) fn server() -> Option<PgConnectOptions> {
    let address = env::var("TRUTHKEEPER_POSTGRES").unwrap_or_default();
    if !address.is_empty() {
        return Some(address.parse().expect("TRUTHKEEPER_POSTGRES is the address of a PostgreSQL server"));
    }
    let required = env::var("TRUTHKEEPER_REQUIRE_POSTGRES").is_ok_and(|value| value == "1");
    assert!(!required, "TRUTHKEEPER_REQUIRE_POSTGRES is set, but TRUTHKEEPER_POSTGRES names no server");
    eprintln!("skipped on PostgreSQL: TRUTHKEEPER_POSTGRES names no server");
    None
}

/// A database with a name that nobody else uses, dropped with this value; on a server of our own it is emptied, for the
/// next one.
#[derive(Debug)]
pub(crate) struct Database {
    server: PgConnectOptions,
    name: String,
}

/// Databases of this process that are empty again. Making one costs more than emptying one.
static EMPTY: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Everything that a test made in a database, and everybody who is still connected, goes.
const EMPTYING: &str = "
    SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid();
    DO $$
    DECLARE made name;
    BEGIN
        FOR made IN SELECT nspname FROM pg_namespace WHERE nspname !~ '^(pg_|information_schema)' LOOP
            EXECUTE format('DROP SCHEMA %I CASCADE', made);
        END LOOP;
        EXECUTE format('ALTER DATABASE %I RESET ALL', current_database());
    END $$;
    CREATE SCHEMA public;
    GRANT USAGE ON SCHEMA public TO PUBLIC;
";

/// Whether the server goes away with this run, and what lies on it.
fn is_ours() -> bool {
    env::var("TRUTHKEEPER_POSTGRES_OURS").is_ok_and(|ours| ours == "1")
}

impl Database {
    pub(crate) fn create(server: PgConnectOptions) -> Self {
        let empty = EMPTY.lock().unwrap_or_else(PoisonError::into_inner).pop();
        if let Some(name) = empty {
            return Self { server, name };
        }
        let name = new_name();
        run(&server, format!("CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'"))
            .expect("the server of TRUTHKEEPER_POSTGRES lets its user make a database");
        Self { server, name }
    }

    pub(crate) fn address(&self) -> String {
        self.server.clone().database(&self.name).to_url_lossy().into()
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let here = self.server.clone().database(&self.name);
        if is_ours() && !thread::panicking() && run(&here, EMPTYING.to_owned()).is_ok() {
            EMPTY.lock().unwrap_or_else(PoisonError::into_inner).push(self.name.clone());
            return;
        }
        let dropped = run(&self.server, format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name));
        if !thread::panicking() {
            dropped.expect("the test's own database can be dropped");
        }
    }
}

fn new_name() -> String {
    static MADE: AtomicU64 = AtomicU64::new(0);
    let since_epoch = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("it is after 1970");
    let count = MADE.fetch_add(1, Ordering::Relaxed);
    format!("truthkeeper_test_{}_{}_{count}", process::id(), since_epoch.as_nanos())
}

/// Runs one statement on a thread and a runtime of its own, so that a drop inside a test's runtime may wait for it.
fn run(server: &PgConnectOptions, statement: String) -> Result<(), sqlx::Error> {
    let work = async {
        let mut connection = PgConnection::connect_with(server).await?;
        sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut connection).await?;
        connection.close().await
    };
    thread::scope(|scope| {
        let worker = scope.spawn(|| {
            tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .expect("a runtime can be made")
                .block_on(work)
        });
        worker.join().expect("the statement's thread does not panic")
    })
}

//! The file of a SQLite store, and what SQLite finds wrong with it: a row whose index entry leads elsewhere is found one
//! way and missed another, and no comparison with the events sees which way a reader will take.

use std::fs::OpenOptions;
use std::path::Path;

use sqlx::{AnyConnection, Row as _};

use crate::address::Engine;
use crate::error::StoreError;

const INTEGRITY: &str = "PRAGMA integrity_check";
const SOUND: &str = "ok";

/// What is wrong with the file, in the engine's own words: names of tables and numbers of rows, never what they hold.
pub(crate) async fn damages(
    connection: &mut AnyConnection,
    engine: Engine,
) -> Result<Vec<String>, StoreError> {
    match engine {
        // PostgreSQL verifies its pages as it reads them.
        Engine::Postgres => Ok(Vec::new()),
        Engine::Sqlite => {
            let rows = sqlx::query(INTEGRITY).fetch_all(connection).await?;
            let said =
                rows.iter().map(|row| Ok(row.try_get(0)?)).collect::<Result<Vec<String>, StoreError>>()?;
            Ok(said.into_iter().filter(|line| line != SOUND).collect())
        }
    }
}

/// Makes the file for its owner alone, where it is missing; what the engine puts beside it has the same permissions.
/// Where that fails, opening it says why.
pub(crate) fn make_private(path: &Path) {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    drop(options.open(path));
}

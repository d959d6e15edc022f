//! The rows of the search index made anew from the ledger, beside the same texts put into a bare FTS5 table.

use std::path::Path;
use std::time::Instant;

use ledger::{Address, Ledger};
use truthkeeper::Memory;

use crate::Outcome;
use crate::store::{self, Fault, fill, tenant, time};
use crate::timing::rate;

/// Rows of one transaction, as the projector takes them.
const BATCH_ROWS: usize = 128;
const TABLE: &str = "CREATE VIRTUAL TABLE words USING fts5 (terms)";

pub(crate) async fn run(facts: usize) -> Outcome {
    let folder = tempfile::tempdir_in(".")?;
    let path = folder.path().join("memory.db");
    fill(&Ledger::open(Address::File(path.clone())).await?, 0, facts, 256).await?;

    let memory = Memory::open(&path.to_string_lossy()).await?;
    let start = Instant::now();
    memory.project_all(time(facts)).await?;
    let first = rate(facts, start);
    let again = rebuild(&memory, facts).await?;
    drop(memory);
    for end in ["", "-wal", "-shm"] {
        let file = folder.path().join(format!("memory.index.db{end}"));
        if file.exists() {
            std::fs::remove_file(file)?;
        }
    }
    let lost = rebuild(&Memory::open(&path.to_string_lossy()).await?, facts).await?;

    let base = baseline(&folder.path().join("base.db"), facts)?;
    println!("{facts} facts, {BATCH_ROWS} rows a transaction");
    println!("bare FTS5 table, the same texts:  {base:8.0} rows/s  1.00");
    println!("rebuild, the index lost:          {lost:8.0} rows/s  {:.2}", lost / base);
    println!("rebuild, every row in place:      {again:8.0} rows/s  {:.2}", again / base);
    println!("first projection of what waits:   {first:8.0} rows/s  {:.2}", first / base);
    Ok(())
}

/// Rows made anew in a second, the check at the end included.
async fn rebuild(memory: &Memory, facts: usize) -> Result<f64, Fault> {
    let start = Instant::now();
    let rebuilt = memory.rebuild_index(&tenant(), |_| {}).await?;
    let rate = rate(facts, start);
    if rebuilt.left > 0 || rebuilt.made != u64::try_from(facts)? {
        return Err(format!("{} rows were made and {} were left", rebuilt.made, rebuilt.left).into());
    }
    Ok(rate)
}

fn baseline(path: &Path, facts: usize) -> Result<f64, Fault> {
    let texts: Vec<String> = (0..facts).map(store::text).collect();
    let mut connection = rusqlite::Connection::open(path)?;
    connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;")?;
    connection.execute_batch(TABLE)?;
    let start = Instant::now();
    for texts in texts.chunks(BATCH_ROWS) {
        let transaction = connection.transaction()?;
        let mut insert = transaction.prepare_cached("INSERT INTO words (terms) VALUES (?1)")?;
        for text in texts {
            insert.execute([text])?;
        }
        drop(insert);
        transaction.commit()?;
    }
    Ok(rate(facts, start))
}

//! Appends a second: one a commit and with many callers, beside the same rows written by rusqlite.

use std::path::Path;
use std::time::Instant;

use ledger::{Address, Ledger};
use rusqlite::types::Value;
use truthkeeper::{Caller, Id, Memory};

use crate::store::{self, Fault, fill};
use crate::{Outcome, disk, timing};

/// Tables of one append, with the statement that writes a row and the columns it takes, in the order in which the
/// statement first names them.
const WRITES: [(&str, &str, &str); 7] = [
    (
        "events",
        include_str!("../../crates/ledger/src/sql/event_add.sql"),
        "tenant, position, fact, revision, version, body, actor, recorded_at, request, commitment, previous, digest",
    ),
    (
        "contents",
        include_str!("../../crates/ledger/src/sql/content_add.sql"),
        "tenant, position, doc, body, name, tags, salt",
    ),
    (
        "facts",
        include_str!("../../crates/ledger/src/sql/fact_add.sql"),
        "tenant, fact, kind, scope, slot, created, version, head",
    ),
    ("access", include_str!("../../crates/ledger/src/sql/access_add.sql"), "tenant, token, fact"),
    (
        "revisions",
        include_str!("../../crates/ledger/src/sql/revision_add.sql"),
        "tenant, fact, revision, position, recorded_at, state, turned_at, ended_at, settled_at, valid_from, valid_until, statement",
    ),
    (
        "truths",
        include_str!("../../crates/ledger/src/sql/truth_add.sql"),
        "tenant, fact, recorded_at, position, truth",
    ),
    (
        "operations",
        include_str!("../../crates/ledger/src/sql/operation_want.sql"),
        "tenant, copy, fact, wanted, holder, due_at",
    ),
];

pub(crate) async fn run(events: usize) -> Outcome {
    let folder = tempfile::tempdir_in(".")?;
    let syncs = disk::syncs_a_second(folder.path())?;
    println!("disk: {syncs:.0} fdatasync/s (a page each)");

    let path = folder.path().join("one.db");
    let ledger = Ledger::open(Address::File(path.clone())).await?;
    let start = Instant::now();
    fill(&ledger, 0, events, 1).await?;
    let one = timing::rate(events, start);

    let base = tokio::task::spawn_blocking({
        let (from, to) = (path, folder.path().join("base.db"));
        move || baseline(&from, &to)
    })
    .await??;
    println!("rusqlite, the same rows, one a commit:  {base:8.0}/s  1.00");
    println!("ledger, one a commit:                   {one:8.0}/s  {:.2}", one / base);

    let ledger = Ledger::open(Address::File(folder.path().join("many.db"))).await?;
    let start = Instant::now();
    fill(&ledger, 0, events, 64).await?;
    let many = timing::rate(events, start);
    let groups = ledger.groups();
    println!("ledger, 64 callers:                     {many:8.0}/s  {:.2}  ({groups} commits)", many / base);

    for callers in [1, 64] {
        let path = folder.path().join(format!("facade{callers}.db"));
        let memory = Memory::open(&path.to_string_lossy()).await?;
        let start = Instant::now();
        remember(&memory, events / 4, callers).await?;
        let rate = timing::rate(events / 4, start);
        println!("façade with projection, {callers:2} callers:     {rate:8.0}/s  {:.2}", rate / base);
    }
    Ok(())
}

async fn remember(memory: &Memory, facts: usize, callers: usize) -> Result<(), Fault> {
    let caller = Caller::operator(store::tenant(), Id::parse("operator", "bench")?);
    let mut running = tokio::task::JoinSet::new();
    for number in 0..facts {
        if running.len() == callers
            && let Some(done) = running.join_next().await
        {
            done??;
        }
        let (memory, caller) = (memory.clone(), caller.clone());
        running.spawn(async move { memory.remember(&caller, None, store::draft(number)).await });
    }
    while let Some(done) = running.join_next().await {
        done??;
    }
    Ok(())
}

/// Copies the rows of a filled ledger into a fresh one, one append a transaction, by the same statements.
fn baseline(from: &Path, to: &Path) -> Result<f64, Fault> {
    let source = rusqlite::Connection::open(from)?;
    let schema: String = include_str!("../../migrations/sqlite/0001_ledger.sql").to_owned();
    let target = rusqlite::Connection::open(to)?;
    target.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA cell_size_check = ON;")?;
    target.execute_batch(&schema)?;
    target.execute("INSERT INTO tenants VALUES ('bench', 0, x'00', 0, x'00')", [])?;
    let mut tables = Vec::new();
    for (table, statement, columns) in WRITES {
        tables.push((target.prepare(statement)?, rows(&source, table, columns)?));
    }
    let mut advance = target.prepare(include_str!("../../crates/ledger/src/sql/tenant_advance.sql"))?;
    let count = tables.first().map_or(0, |(_, rows)| rows.len());
    let start = Instant::now();
    for number in 0..count {
        target.execute_batch("BEGIN IMMEDIATE")?;
        for (statement, rows) in &mut tables {
            statement.execute(rusqlite::params_from_iter(&rows[number]))?;
        }
        advance.execute(rusqlite::params!["bench", i64::try_from(number)?, &[7_u8; 32][..], 0_i64])?;
        target.execute_batch("COMMIT")?;
    }
    Ok(timing::rate(count, start))
}

fn rows(source: &rusqlite::Connection, table: &str, columns: &str) -> Result<Vec<Vec<Value>>, Fault> {
    let mut read = source
        .prepare(&format!("SELECT {columns} FROM {table} ORDER BY fact"))
        .or_else(|_| source.prepare(&format!("SELECT {columns} FROM {table} ORDER BY position")))?;
    let width = read.column_count();
    let rows =
        read.query_map([], |row| (0..width).map(|at| row.get(at)).collect::<Result<Vec<Value>, _>>())?;
    Ok(rows.collect::<Result<_, _>>()?)
}

//! Reads as the ledger grows: a head, a revision as of a time, a check of everything, a load.

use std::io::Write as _;
use std::time::Instant;

use fact::{FactId, Reader, Sight, Timestamp};
use ledger::{Address, Instant as At, Ledger};

use crate::Outcome;
use crate::store::{Fault, fill, tenant, time};
use crate::timing::{self, Times};

const READS: usize = 20_000;

pub(crate) async fn run(events_max: usize) -> Outcome {
    let folder = tempfile::tempdir_in(".")?;
    let ledger = Ledger::open(Address::File(folder.path().join("reads.db"))).await?;
    let mut ids = Vec::new();
    let mut first = None;
    for events in [10_000, 100_000, 1_000_000].into_iter().filter(|events| *events <= events_max) {
        let have = ids.len();
        ids.extend(fill(&ledger, have, events, 256).await?);
        let now = time(events + 1);
        let (mut heads, mut past) =
            (measure(&ledger, &ids, now).await?, measure(&ledger, &ids, time(events / 2)).await?);
        let (head, as_of) = (heads.micros(500), past.micros(500));
        let (head_base, as_of_base) = *first.get_or_insert((head, as_of));
        println!("{events} events");
        println!("  read, current: {}   {:.2} of 10,000", heads.shown(), head / head_base);
        println!("  read, as of:   {}   {:.2} of 10,000", past.shown(), as_of / as_of_base);
        let start = Instant::now();
        let report = ledger.check(|_| {}).await?;
        println!("  check:         {:8.0} events/s, {} problems", timing::rate(events, start), report.found);
        transfer(&ledger, events, folder.path()).await?;
    }
    Ok(())
}

async fn measure(ledger: &Ledger, ids: &[FactId], known: Timestamp) -> Result<Times, Fault> {
    let reader = Reader { tenant: tenant(), sight: Sight::Admin };
    let mut times = Times::default();
    let mut place = 0_usize;
    for round in 0..READS + READS / 10 {
        place = (place + 7_919) % ids.len();
        let start = Instant::now();
        let seen = ledger.get(&reader, ids[place], At::now(known)).await?;
        if round >= READS / 10 {
            times.add(start);
        }
        std::hint::black_box(seen);
    }
    Ok(times)
}

async fn transfer(ledger: &Ledger, events: usize, folder: &std::path::Path) -> Result<(), Fault> {
    let file = folder.join("dump.ndjson");
    let mut out = std::io::BufWriter::new(std::fs::File::create(&file)?);
    let start = Instant::now();
    ledger.dump(|line| writeln!(out, "{line}"), |_| {}).await?;
    out.flush()?;
    println!("  dump:          {:8.0} events/s", timing::rate(events, start));
    let into = Ledger::open(Address::File(folder.join(format!("load{events}.db")))).await?;
    let lines = std::io::BufRead::lines(std::io::BufReader::new(std::fs::File::open(&file)?));
    let start = Instant::now();
    into.load(lines, |_| {}).await?;
    println!("  load:          {:8.0} events/s", timing::rate(events, start));
    Ok(())
}

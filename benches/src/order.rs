//! What one owner finds, and in which order, while other owners fill the index.

use std::time::Instant;

use fact::{Access, Id, Reader, Sight, Text};
use index::{Candidate, Query, SearchIndex, Write};

use crate::Outcome;
use crate::store::{self, Fault, tenant};
use crate::timing::Times;

const OWN_ROWS: usize = 1_000;
const BATCH_ROWS: usize = 2_000;
const WORDS: [&str; 16] = [
    "pump", "valve", "hall", "service", "bar", "leak", "order", "tea", "coffee", "garden", "train", "night",
    "letter", "river", "stone", "lamp",
];

pub(crate) async fn run(rows: usize) -> Outcome {
    let folder = tempfile::tempdir_in(".")?;
    let index = index::open(&folder.path().join("order.db").to_string_lossy());
    let own: Vec<Write> = (0..OWN_ROWS).map(|number| row("own", number)).collect::<Result<_, _>>()?;
    index.replace(&own).await?;
    let (before, mut quiet) = ask(index.as_ref()).await?;
    let start = Instant::now();
    for batch in 0..rows / BATCH_ROWS {
        let from = batch * BATCH_ROWS;
        let writes: Vec<Write> = (from..from + BATCH_ROWS)
            .map(|number| row(&format!("other{}", number % 10_000), number))
            .collect::<Result<_, _>>()?;
        index.replace(&writes).await?;
    }
    println!("{rows} rows of others: {:.0} rows/s", crate::timing::rate(rows, start));
    let (after, mut busy) = ask(index.as_ref()).await?;
    println!("  search among {OWN_ROWS} of one's own, before: {}", quiet.shown());
    println!("  search among {OWN_ROWS} of one's own, after:  {}", busy.shown());
    println!("  order and scores the same: {}", before == after);
    if before == after { Ok(()) } else { Err("others' rows changed one's own order".into()) }
}

async fn ask(index: &dyn SearchIndex) -> Result<(Vec<Vec<Candidate>>, Times), Fault> {
    let access = Access { users: [Id::parse("user", "own")?].into(), ..Access::default() };
    let reader = Reader { tenant: tenant(), sight: Sight::Within(access) };
    let (mut found, mut times) = (Vec::new(), Times::default());
    for number in 0..200 {
        let text = Text::stored(format!("{} {}", WORDS[number % 16], WORDS[number * 7 % 16]));
        let start = Instant::now();
        found.push(index.search(&reader, &Query { text, kinds: Vec::new(), limit: 50 }).await?.candidates);
        times.add(start);
    }
    Ok((found, times))
}

fn row(owner: &str, number: usize) -> Result<Write, Fault> {
    let mut mixed = number;
    let words: Vec<&str> = (0..8)
        .map(|_| {
            mixed = mixed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            WORDS[mixed >> 32 & 15]
        })
        .collect();
    store::row(owner, number, words.join(" "), None)
}

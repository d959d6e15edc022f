//! Searching by words, by meaning and by both, for readers of all, a hundredth and a ten-thousandth of the rows, beside
//! a plain scan of the same vectors in memory.

use std::time::{Duration, Instant};

use fact::{Access, Id, Reader, Sight, Text};
use index::{Nearest, Query, SearchIndex, Vectors};

use crate::Outcome;
use crate::seed::Seed;
use crate::store::{self, Fault, tenant};
use crate::timing::{Times, rate};

const SIZE: usize = 384;
const MODEL: &str = "bench";
const BATCH_ROWS: usize = 1_000;
const QUERIES: u64 = 200;
/// Where a query is so slow that they would take longer than this, fewer are asked.
const MEASURED_FOR: Duration = Duration::from_secs(60);
const FOUND: usize = 10;
const FIRST_SEED: u64 = 0x9e37_79b9_7f4a_7c15;

pub(crate) async fn run(rows: usize) -> Outcome {
    let folder = tempfile::tempdir_in(".")?;
    let index = index::open(&folder.path().join("search.db").to_string_lossy());
    let (mut seed, mut plain) = (Seed::new(FIRST_SEED), Vec::with_capacity(rows));
    let start = Instant::now();
    for batch in 0..rows.div_ceil(BATCH_ROWS) {
        let numbers = batch * BATCH_ROWS..((batch + 1) * BATCH_ROWS).min(rows);
        let mut writes = Vec::with_capacity(BATCH_ROWS);
        for number in numbers {
            let vector = seed.vector(SIZE);
            let vectors = Vectors { model: MODEL.to_owned(), pieces: vec![vector.clone()] };
            writes.push(store::row(&owner(number), number, seed.words(12), Some(vectors))?);
            plain.push((owner(number), vector));
        }
        index.replace(&writes).await?;
    }
    println!("{rows} rows with vectors of {SIZE}: {:.0} rows/s written", rate(rows, start));
    let user = |name: &str| -> Result<Reader, Fault> {
        let access = Access { users: [Id::parse("user", name)?].into(), ..Access::default() };
        Ok(Reader { tenant: tenant(), sight: Sight::Within(access) })
    };
    let everybody = Reader { tenant: tenant(), sight: Sight::Admin };
    for (share, reader, name) in [
        ("100 %", everybody, None),
        ("1 %", user("one")?, Some("one")),
        ("0.01 %", user("few")?, Some("few")),
    ] {
        let of_reader: Vec<f32> = plain
            .iter()
            .filter(|(owner, _)| name.is_none_or(|name| owner == name))
            .flat_map(|(_, vector)| vector.iter().copied())
            .collect();
        measure(index.as_ref(), &reader, &of_reader, share).await?;
    }
    Ok(())
}

/// Whose the row is: one in ten thousand is for the few, one in a hundred for one, the others for a hundred more.
fn owner(number: usize) -> String {
    match number {
        number if number % 10_000 == 7 => "few".to_owned(),
        number if number % 100 == 3 => "one".to_owned(),
        number => format!("other{}", number % 97),
    }
}

async fn measure(index: &dyn SearchIndex, reader: &Reader, plain: &[f32], share: &str) -> Outcome {
    let mut seed = Seed::new(FIRST_SEED + 1);
    let [mut words, mut meaning, mut both, mut scan] = [(); 4].map(|()| Times::default());
    let (begun, mut asked) = (Instant::now(), 0);
    for number in 0..QUERIES + QUERIES / 10 {
        if asked > 0 && begun.elapsed() > MEASURED_FOR {
            break;
        }
        let (text, vector) = (Text::stored(seed.words(4)), seed.vector(SIZE));
        let start = Instant::now();
        let found =
            index.search(reader, &Query { text: text.clone(), kinds: Vec::new(), limit: FOUND }).await?;
        // The first finds nothing in memory; where each one takes seconds, the others are no warmer than the second.
        let warm = number >= QUERIES / 10 || number > 0 && begun.elapsed() > MEASURED_FOR / 4;
        asked += u64::from(warm);
        let took = |times: &mut Times, start| {
            if warm {
                times.add(start)
            }
        };
        took(&mut words, start);
        let near = Nearest {
            text: text.clone(),
            model: MODEL.to_owned(),
            vector: vector.clone(),
            kinds: Vec::new(),
            limit: FOUND,
        };
        let start = Instant::now();
        let nearest = index.nearest(reader, &near).await?;
        took(&mut meaning, start);
        let start = Instant::now();
        index.search(reader, &Query { text, kinds: Vec::new(), limit: FOUND }).await?;
        index.nearest(reader, &near).await?;
        took(&mut both, start);
        let start = Instant::now();
        let best = scanned(plain, &vector);
        took(&mut scan, start);
        let exact = nearest.candidates.first().map(|one| (one.score * 1e4).round())
            == best.map(|best| (f64::from(best) * 1e4).round());
        if !exact {
            return Err("the nearest is not the nearest of the scan".into());
        }
        std::hint::black_box(found);
    }
    println!("reader of {share} ({} rows), {asked} queries", plain.len() / SIZE);
    println!("  keyword:    {}", words.shown());
    println!("  semantic:   {}   {:.2} of the scan", meaning.shown(), meaning.micros(500) / scan.micros(500));
    println!("  both:       {}", both.shown());
    println!("  plain scan: {}", scan.shown());
    Ok(())
}

/// The product of the nearest, by a plain loop.
fn scanned(vectors: &[f32], query: &[f32]) -> Option<f32> {
    let product = |vector: &[f32]| {
        let mut lanes = [0.0_f32; 16];
        for (ones, others) in vector.chunks_exact(16).zip(query.chunks_exact(16)) {
            for (lane, (a, b)) in lanes.iter_mut().zip(ones.iter().zip(others)) {
                *lane += a * b;
            }
        }
        lanes.iter().sum::<f32>()
    };
    vectors.chunks_exact(SIZE).map(product).max_by(f32::total_cmp)
}

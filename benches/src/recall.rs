//! Recalling through the whole path (search, gate, receipt) as the memory grows: one owner with all of it, and ten
//! thousand who share it; the embedding of the query is shown apart.

use std::sync::Arc;
use std::time::Instant;

use serde_json::json;
use tokio::task::JoinSet;
use truthkeeper::{
    Actor, Caller, Draft, EmbedError, Embedder, Id, Memory, Mode, ModelId, Options, Prefixes, Recall, Role,
    Scope,
};

use crate::Outcome;
use crate::seed::Seed;
use crate::store::{Fault, tenant};
use crate::timing::{Times, rate};

const SIZE: usize = 384;
const SIZES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];
const OWNERS: usize = 10_000;
const WRITERS: usize = 64;
const QUERIES: u64 = 200;
const WORDS_PER_FACT: usize = 12;
const WORDS_PER_QUERY: usize = 4;

/// Vectors that follow from the text alone.
struct Synthetic;

#[async_trait::async_trait]
impl Embedder for Synthetic {
    async fn model(&self) -> Result<ModelId, EmbedError> {
        let (provider, model, revision) = ("bench".to_owned(), "synthetic".to_owned(), "1".to_owned());
        Ok(ModelId { provider, model, revision, size: SIZE, prefixes: Prefixes::default() })
    }

    async fn embed(&self, _: Role, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let seed = |text: &String| {
            text.bytes().fold(7_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)))
        };
        Ok(texts.iter().map(|text| Seed::new(seed(text)).vector(SIZE)).collect())
    }

    fn pieces(&self, text: &str) -> Vec<String> {
        vec![text.to_owned()]
    }
}

pub(crate) async fn run(facts_max: usize) -> Outcome {
    for owners in [1, OWNERS] {
        let folder = tempfile::tempdir_in(".")?;
        let options = Options { embedder: Some(Arc::new(Synthetic)), ..Options::default() };
        let memory = Memory::open_with(&folder.path().join("recall.db").to_string_lossy(), options).await?;
        let (mut have, mut first) = (0, None);
        for facts in SIZES.into_iter().filter(|facts| *facts <= facts_max) {
            let start = Instant::now();
            write(&memory, have..facts, owners).await?;
            println!("{facts} facts of {owners} owners ({:.0} facts/s written)", rate(facts - have, start));
            have = facts;
            let caller = owner(0)?;
            for mode in [Mode::Keyword, Mode::Both] {
                let mut times = measure(&memory, &caller, mode).await?;
                let median = times.micros(500);
                let base = *first.get_or_insert(median);
                let (name, tail) = (mode.name(), times.micros(950));
                println!(
                    "  {name:8} {}, p95 {tail:8.1} µs   {:.2} of the first",
                    times.shown(),
                    median / base
                );
            }
        }
    }
    let mut embedding = Times::default();
    for number in 0..QUERIES {
        let text = Seed::new(number).words(WORDS_PER_QUERY);
        let start = Instant::now();
        std::hint::black_box(Synthetic.embed(Role::Query, &[text]).await?);
        embedding.add(start);
    }
    println!("embedding of a query, in the figures of both: {}", embedding.shown());
    Ok(())
}

fn owner(number: usize) -> Result<Caller, Fault> {
    let name = format!("owner{number}");
    let scope = Scope::parse_path("scope", &tenant(), &format!("user:{name}"))?;
    Ok(Caller::within(&scope, Actor::User { id: Id::parse("user", &name)? })?)
}

async fn write(memory: &Memory, numbers: std::ops::Range<usize>, owners: usize) -> Outcome {
    let mut writers = JoinSet::new();
    for writer in 0..WRITERS {
        let (memory, numbers) = (memory.clone(), numbers.clone());
        writers.spawn(async move {
            for number in numbers.skip(writer).step_by(WRITERS) {
                let caller = owner(number % owners)?;
                let scope = Scope::parse_path("scope", &tenant(), &format!("user:owner{}", number % owners))?;
                let words = Seed::new(u64::try_from(number)?).words(WORDS_PER_FACT);
                let draft = Draft {
                    kind: Some("bench.fact".to_owned()),
                    scope: Some(scope),
                    content: Some(json!({ "text": format!("{words} n{number}") })),
                    ..Draft::default()
                };
                memory.remember(&caller, None, draft).await?;
            }
            Ok::<(), Fault>(())
        });
    }
    while let Some(done) = writers.join_next().await {
        done??;
    }
    Ok(())
}

/// The first tenth warms up.
async fn measure(memory: &Memory, caller: &Caller, mode: Mode) -> Result<Times, Fault> {
    let (mut seed, mut times) = (Seed::new(11), Times::default());
    for number in 0..QUERIES + QUERIES / 10 {
        let recall = Recall::query(seed.words(WORDS_PER_QUERY)).mode(mode);
        let start = Instant::now();
        let recalled = memory.recall(caller, &recall).await?;
        if number >= QUERIES / 10 {
            times.add(start);
        }
        std::hint::black_box(recalled);
    }
    Ok(times)
}

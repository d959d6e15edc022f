//! One bit of the database file is wrong: nothing altered is given to anybody as if it were right, and the check of the
//! ledger names what was hit.

mod answers;
mod life;
mod rows;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use tokio::task::JoinSet;
use truthkeeper::{Clock, FactId, Memory, MemoryError, Options, Timestamp};
use truthkeeper_tests::soak_time;

use crate::faults::seed::Seed;

use answers::Answers;
use rows::Rows;

/// Flips in the normal run.
const FLIPS: u64 = 1_000;
/// Flips that a soak makes at least.
const SOAK_FLIPS: u64 = 20_000;
/// Of the flips that change a row, how many in a hundred the check must name.
const NAMED_PERCENT: usize = 99;
/// Copies that are looked at side by side.
const WORKERS: u64 = 4;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flipped_bit_is_given_to_nobody_and_named_by_the_check() {
    let mut tally = Tally::default();
    tally.flip(FLIPS, 1).await;
    tally.assert_named();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "soak"]
async fn soak_flipped_bits() {
    let (began, time) = (Instant::now(), soak_time());
    let mut tally = Tally::default();
    while tally.flips < SOAK_FLIPS || began.elapsed() < time {
        tally.flip(FLIPS, 2 + tally.flips).await;
    }
    tally.assert_named();
    println!("{tally:?} in {:.1?}", began.elapsed());
}

/// What came of the flips so far.
#[derive(Debug, Default)]
struct Tally {
    flips: u64,
    /// Those after which a row of the ledger is not what it was, or cannot be read.
    landed: usize,
    /// The bits of those that the check did not name, each with its seed.
    unnamed: Vec<(u64, u64)>,
}

/// A store as it was before anything happened to it, and what it says.
struct Whole {
    ledger: Vec<u8>,
    index: Vec<u8>,
    facts: Vec<FactId>,
    now: Timestamp,
    before: Timestamp,
    answers: Answers,
    rows: Rows,
}

/// What became of one flip.
#[derive(Default)]
struct Outcome {
    /// Whether a row of the ledger is not what it was, or cannot be read.
    is_landed: bool,
    /// Whether the check found something.
    is_named: bool,
    /// What was answered and is wrong.
    wrong: Vec<String>,
}

impl Tally {
    /// Flips that many single bits, each in a copy of its own. No answer about one of them may be wrong.
    async fn flip(&mut self, flips: u64, seed: u64) {
        let whole = Arc::new(Whole::make().await);
        let mut workers = JoinSet::new();
        for worker in 0..WORKERS {
            let (whole, mut seed) = (Arc::clone(&whole), Seed::new(seed * WORKERS + worker));
            workers.spawn(async move {
                let mut outcomes = Vec::new();
                for _ in 0..flips / WORKERS {
                    let bit = seed.below(u64::try_from(whole.ledger.len()).unwrap() * 8);
                    outcomes.push((bit, whole.flipped(bit).await));
                }
                outcomes
            });
        }
        let mut wrong = Vec::new();
        for (bit, Outcome { is_landed, is_named, wrong: told }) in
            workers.join_all().await.into_iter().flatten()
        {
            self.flips += 1;
            self.landed += usize::from(is_landed);
            self.unnamed.extend((is_landed && !is_named).then_some((seed, bit)));
            wrong.extend(told.into_iter().map(|told| format!("byte {}, bit {}: {told}", bit / 8, bit % 8)));
        }
        println!("seed {seed}: {self:?}");
        assert!(wrong.is_empty(), "seed {seed}:\n{}", wrong.join("\n"));
    }

    fn assert_named(&self) {
        let most = self.landed * (100 - NAMED_PERCENT) / 100;
        assert!(self.unnamed.len() <= most, "{self:?}");
    }
}

impl Whole {
    async fn make() -> Self {
        let (scene, before) = life::eventful().await;
        let folder = scene.store.folder().join("whole");
        fs::create_dir(&folder).unwrap();
        let (ledger, index) = (folder.join("memory.db"), folder.join("memory.index.db"));
        rows::copy(&scene.store.address, &ledger).await;
        rows::copy(&scene.store.index_address(), &index).await;
        let (ledger, index) = (fs::read(ledger).unwrap(), fs::read(index).unwrap());
        let mut facts: Vec<FactId> = life::facts(&scene).await;
        facts.sort_unstable();
        let now = scene.now();
        let (answers, rows) = (Answers::default(), Rows::default());
        let whole = Self { ledger, index, facts, now, before, answers, rows };
        let copy = whole.copied(None);
        let rows = Rows::of(&copy.ledger).await.unwrap();
        let memory = whole.open(&copy.ledger).await.unwrap();
        assert_eq!(memory.check(|_| {}).await.unwrap().problems, []);
        let answers = Answers::of(&memory, &whole.facts, whole.before).await;
        answers.assert_full();
        Self { answers, rows, ..whole }
    }

    async fn open(&self, ledger: &Path) -> Result<Memory, MemoryError> {
        let now = self.now;
        let clock = Clock::of(move || now);
        let options = Options { clock, receipt_days: None, ..Options::default() };
        Memory::open_with(ledger.to_str().unwrap(), options).await
    }

    /// What a copy with one other bit says.
    async fn flipped(&self, bit: u64) -> Outcome {
        let copy = self.copied(Some(bit));
        let is_landed = Rows::of(&copy.ledger).await.ok().as_ref() != Some(&self.rows);
        let Ok(memory) = self.open(&copy.ledger).await else {
            return Outcome { is_landed, is_named: true, wrong: Vec::new() };
        };
        let is_named = memory.check(|_| {}).await.map_or(true, |report| report.found > 0);
        let answers = Answers::of(&memory, &self.facts, self.before).await;
        Outcome { is_landed, is_named, wrong: answers.wrong(&self.answers) }
    }

    fn copied(&self, bit: Option<u64>) -> Copied {
        let folder = tempfile::Builder::new().prefix("truthkeeper-test.").tempdir().unwrap();
        let ledger = folder.path().join("memory.db");
        let mut bytes = self.ledger.clone();
        if let Some(bit) = bit {
            bytes[usize::try_from(bit / 8).unwrap()] ^= 1 << (bit % 8);
        }
        fs::write(&ledger, bytes).unwrap();
        fs::write(folder.path().join("memory.index.db"), &self.index).unwrap();
        Copied { ledger, _folder: folder }
    }
}

/// A copy that goes away when it is dropped.
struct Copied {
    ledger: PathBuf,
    _folder: tempfile::TempDir,
}

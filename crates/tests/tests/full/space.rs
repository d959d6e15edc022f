//! What a memory does when space runs out, and when it is there again.

use std::path::Path;
use std::time::Duration;

use sqlx::Connection as _;
use sqlx::sqlite::SqliteConnection;
use truthkeeper::{FactId, Memory, Recall, Times};
use truthkeeper_tests::{Store, script, soak_time};

use super::room::{Filling, SmallDisk};
use crate::crash::after;

const WRITES_MAX: u32 = 2_000;
const MIB: u64 = 1 << 20;
/// Facts written at once: one that finds no space must not take its neighbours with it.
const AT_ONCE: u32 = 6;
/// How often it is looked whether the copy goes on, and the pause between two looks.
const LOOKS_MAX: u32 = 300;
const LOOK: Duration = Duration::from_millis(200);
const FULL: &str = "failed the ledger failed: storage full: free some space, then try again";
const OPENING_FULL: &str = "cannot open the store: storage full: free some space, then try again";

/// A fact that was acknowledged: its key, and whether it was searchable at once.
struct Written {
    key: String,
    fact: FactId,
    searchable: bool,
}

fn written(key: &str, answer: &str) -> Option<Written> {
    let words: Vec<&str> = answer.split(' ').collect();
    match words.as_slice() {
        ["ok", fact, searchable] => Some(Written {
            key: key.to_owned(),
            fact: FactId::parse(fact).unwrap(),
            searchable: *searchable == "true",
        }),
        _ => None,
    }
}

/// Writes until something fails; gives what was acknowledged.
fn fill(filling: &mut Filling) -> Vec<Written> {
    let mut all = Vec::new();
    for round in 0..WRITES_MAX / AT_ONCE {
        let keys: Vec<String> =
            (0..AT_ONCE).map(|number| format!("key{}", round * AT_ONCE + number)).collect();
        let answers = filling.write_at_once(&keys);
        let ok: Vec<Written> =
            keys.iter().zip(&answers).filter_map(|(key, answer)| written(key, answer)).collect();
        let is_full = ok.len() < keys.len();
        answers.iter().filter(|answer| !answer.starts_with("ok")).for_each(|answer| assert_eq!(answer, FULL));
        all.extend(ok);
        if is_full {
            return all;
        }
    }
    panic!("space did not run out");
}

/// A few more, one by one: a fact may still find room that others left, and most do not.
fn while_full(filling: &mut Filling) -> Vec<Written> {
    let keys = (0..5).map(|number| format!("full{number}"));
    let more = keys.filter_map(|key| {
        let answer = filling.write(&key);
        let one = written(&key, &answer);
        assert!(one.is_some() || answer == FULL, "{answer}");
        one
    });
    more.collect()
}

/// The same process writes again, and everything that was acknowledged is there, whole, and found once.
async fn goes_on(store: &Store, address: &Path, mut filling: Filling, mut all: Vec<Written>) {
    for number in 0.. {
        let key = format!("later{number}");
        let answer = filling.write(&key);
        let one = written(&key, &answer).unwrap_or_else(|| panic!("there is space, and it says {answer}"));
        let searchable = one.searchable;
        all.push(one);
        if searchable && number >= 2 {
            break;
        }
        // An index that could not be reached is left alone for a while.
        assert!(number < LOOKS_MAX, "the copy goes on too");
        tokio::time::sleep(LOOK).await;
    }
    filling.end();
    let memory = Memory::open(address.to_str().unwrap()).await.unwrap();
    let report = memory.check(|_| {}).await.unwrap();
    assert_eq!(report.problems, []);
    assert_eq!(report.events, u64::try_from(all.len()).unwrap(), "what failed left nothing");
    after::every_operation_has_its_event(store).await;
    let caller = script::caller().unwrap();
    memory.project_all(truthkeeper_tests::after_leases()).await.unwrap();
    for one in &all {
        let seen = memory.get(&caller, one.fact, Times::default()).await.unwrap();
        let text = seen.revision.content().unwrap().text();
        assert!(text.as_str().starts_with(&format!("{} number ", one.key)));
        let found = memory.recall(&caller, &Recall::query(one.key.clone())).await.unwrap();
        let found: Vec<FactId> = found.facts.iter().map(|fact| fact.case.head.fact).collect();
        assert_eq!(found, [one.fact], "{}", one.key);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_is_one_clear_error_and_nothing_half_written() {
    let mut store = Store::sqlite();
    let Some(disk) = SmallDisk::mount(store.folder().join("small"), 6 * MIB, 2 * MIB) else { return };
    let address = disk.folder.join("memory.db");
    store.address = address.to_str().unwrap().to_owned();
    let mut filling = Filling::start(&address);
    let mut all = fill(&mut filling);
    assert!(!all.is_empty());
    all.extend(while_full(&mut filling));
    let another = Memory::open(disk.folder.join("another.db").to_str().unwrap()).await.err().unwrap();
    assert_eq!(another.to_string(), OPENING_FULL);
    disk.free();
    goes_on(&store, &address, filling, all).await;
}

/// Facts of the largest size, so many at once that their transaction is written before it is committed: space runs out
/// in the middle of it, where SQLite rolls back by itself.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disk_that_is_full_in_the_middle_of_a_transaction_takes_no_part_of_it() {
    let mut store = Store::sqlite();
    let Some(disk) = SmallDisk::mount(store.folder().join("small"), 16 * MIB, 9 * MIB) else { return };
    let address = disk.folder.join("memory.db");
    store.address = address.to_str().unwrap().to_owned();
    let mut filling = Filling::start_with(&address, 64_000);
    let keys: Vec<String> = (0..240).map(|number| format!("key{number}")).collect();
    // Somebody keeps the file for a while, so that all of them wait and then share a transaction.
    let mut keeper = SqliteConnection::connect(&format!("sqlite://{}", store.address)).await.unwrap();
    sqlx::query("BEGIN IMMEDIATE").execute(&mut keeper).await.unwrap();
    filling.begin(&keys);
    tokio::time::sleep(Duration::from_secs(2)).await;
    keeper.close().await.unwrap();
    let answers = filling.answers(&keys);
    let all: Vec<Written> =
        keys.iter().zip(&answers).filter_map(|(key, answer)| written(key, answer)).collect();
    assert!(!all.is_empty() && all.len() < keys.len(), "{} of {}", all.len(), keys.len());
    answers.iter().filter(|answer| !answer.starts_with("ok")).for_each(|answer| assert_eq!(answer, FULL));
    disk.free();
    goes_on(&store, &address, filling, all).await;
}

/// Blocks of 512 bytes after which a file may not grow: each stops the writer at another place.
const BLOCKS: std::ops::Range<u32> = 3_000..4_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_may_not_grow_is_the_same_error() {
    for blocks in BLOCKS.step_by(333) {
        may_not_grow(blocks).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "soak"]
async fn soak_full() {
    let (began, time) = (std::time::Instant::now(), soak_time());
    let mut times = 0;
    // Every thirteenth limit, so that all of them come up.
    for blocks in BLOCKS.cycle().step_by(13).take_while(|_| began.elapsed() < time) {
        may_not_grow(blocks).await;
        times += 1;
    }
    println!("space ran out {times} times in {:.1?}", began.elapsed());
}

async fn may_not_grow(blocks: u32) {
    let store = Store::sqlite();
    let address = Path::new(&store.address).to_owned();
    let mut filling = Filling::start_limited(&address, blocks);
    let mut all = fill(&mut filling);
    assert!(!all.is_empty());
    all.extend(while_full(&mut filling));
    if filling.unlimit() {
        goes_on(&store, &address, filling, all).await;
    }
}

/// The ledger has space, its copy has none: what is written is recorded, and found once there is space again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_index_keeps_nobody_from_writing() {
    let store = Store::sqlite();
    let Some(disk) = SmallDisk::mount(store.folder().join("small"), 3 * MIB, MIB) else { return };
    let address = Path::new(&store.address).to_owned();
    let index = address.with_file_name("memory.index.db");
    std::os::unix::fs::symlink(disk.folder.join("index.db"), index).unwrap();
    let mut filling = Filling::start(&address);
    let mut all = Vec::new();
    let mut unsearchable = 0;
    for number in 0..WRITES_MAX {
        let key = format!("key{number}");
        let answer = filling.write(&key);
        let one =
            written(&key, &answer).unwrap_or_else(|| panic!("the ledger has space, and it says {answer}"));
        unsearchable += u32::from(!one.searchable);
        all.push(one);
        if unsearchable == 10 {
            break;
        }
    }
    assert_eq!(unsearchable, 10, "the index did not run out of space");
    disk.free();
    goes_on(&store, &address, filling, all).await;
}

//! Where the writer dies.

use std::fs;
use std::io::Write as _;
use std::time::{Duration, Instant};

use truthkeeper::Memory;
use truthkeeper_tests::script::Script;
use truthkeeper_tests::{Engine, Store, engines, on_both_engines, soak_time};

use super::{after, writer};

/// Every named place that the script meets.
const PLACES: [&str; 16] = [
    "open.migrated",
    "append.taken",
    "append.planned",
    "append.row",
    "append.worked",
    "append.before-commit",
    "append.committed",
    "project.planned",
    "project.written",
    "project.concluding",
    "project.concluded",
    "erase.event",
    "erase.words",
    "erase.log",
    "rebuild.emptied",
    "rebuild.step",
];
const PLACES_OF_A_LOAD: [&str; 3] = ["load.event", "load.event:7", "load.before-commit"];
const TIMES: u32 = 2;
const SOAK_TIMES: u32 = 250;

/// The so-manieth time that the place is met: the first, and later ones that the script reaches.
fn time(place: &str, run: u32) -> u32 {
    let step = match place.split_once('.').unwrap().0 {
        "open" => 0,
        "rebuild" | "erase" => 1,
        _ => 11,
    };
    // A script has 600 acts, and 40 erasures.
    1 + (run * step) % (30 * step.max(1))
}

async fn die_everywhere(engine: Engine, run: u32) {
    for place in PLACES {
        let store = Store::on(engine);
        let acknowledged = writer::dies_at(&store.address, place, time(place, run));
        after::all_is_there(&store, acknowledged).await;
    }
}

on_both_engines! {
    async fn a_writer_that_dies_at_a_named_place_leaves_all_or_nothing(store: Store) {
        for run in 0..TIMES {
            die_everywhere(store.engine(), run).await;
        }
    }

    async fn a_writer_that_is_killed_at_any_moment_leaves_all_or_nothing(store: Store) {
        for millis in [20, 90, 250, 600] {
            let store = Store::on(store.engine());
            let acknowledged = writer::is_killed(&store.address, Duration::from_millis(millis));
            after::all_is_there(&store, acknowledged).await;
        }
    }

    async fn a_load_that_dies_leaves_an_empty_ledger(store: Store) {
        let full = Store::on(store.engine());
        let path = store.folder().join("dump");
        let events = dump(&full, &path).await;
        for place in PLACES_OF_A_LOAD {
            writer::dies_working(&["load", &store.address, path.to_str().unwrap()], place);
            let memory = Memory::open(&store.address).await.unwrap();
            assert_eq!(memory.events().await.unwrap(), 0, "{place}");
        }
        let memory = Memory::open(&store.address).await.unwrap();
        let lines = fs::read_to_string(&path).unwrap();
        let loaded = memory.load(lines.lines().map(|line| Ok(line.to_owned())), |_| {}).await.unwrap();
        assert_eq!(loaded, events);
        assert_eq!(memory.check(|_| {}).await.unwrap().problems, []);
    }
}

async fn dump(store: &Store, path: &std::path::Path) -> u64 {
    let memory = Memory::open(&store.address).await.unwrap();
    let mut script = Script { memory, facts: std::collections::BTreeMap::new() };
    for act in 0..12 {
        script.follow(act).await.unwrap();
    }
    let mut file = fs::File::create(path).unwrap();
    script.memory.dump(|line| writeln!(file, "{line}"), |_| {}).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "soak"]
async fn soak_crash() {
    let (began, time) = (Instant::now(), soak_time());
    let mut runs = 0;
    while runs < SOAK_TIMES && began.elapsed() < time {
        for engine in engines() {
            die_everywhere(engine, runs).await;
            killed_once(engine, runs).await;
        }
        runs += 1;
    }
    let engines = engines().len();
    let places = PLACES.len();
    println!(
        "{runs} times at each of {places} places and killed on {engines} engines in {:.1?}",
        began.elapsed()
    );
}

async fn killed_once(engine: Engine, run: u32) {
    let store = Store::on(engine);
    let millis = u64::from(run * 37 % 900);
    let acknowledged = writer::is_killed(&store.address, Duration::from_millis(millis));
    after::all_is_there(&store, acknowledged).await;
}

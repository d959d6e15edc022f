//! The adoption of a folder of notes, dying in each of its steps: whoever comes next ends where one ends that never died.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use tempfile::TempDir;
use truthkeeper::{FactId, Filter, LegacyDecision, LegacyPage, Memory, Recall, Sealed, State, Times};
use truthkeeper_tests::{Engine, Store, after_leases, engines, notes, on_both_engines, soak_time};

use super::writer;

const FEW: usize = 20;
const THOUSAND: usize = 1_000;
const TIMES: u32 = 2;
const SOAK_TIMES: u32 = 20;

/// Where the work dies, and how often it comes by at least.
const PLACES: [(&str, &str, u32); 13] = [
    ("import", "import.row", 10),
    ("import", "append.committed", 1),
    ("adopt", "adopt.begun", 1),
    ("adopt", "append.row", 8),
    ("adopt", "project.written", 8),
    ("adopt", "adopt.recorded", 8),
    ("adopt", "adopt.step", 8),
    ("adopt", "append.before-commit", 8),
    ("adopt", "adopt.carried-out", 1),
    ("back", "adopt.recorded", 8),
    ("back", "adopt.step", 8),
    ("roll-back", "rollback.recorded", 8),
    ("roll-back", "rollback.step", 8),
];

/// The so-manieth time that a place is met: the first, and another one in each run.
fn time(least: u32, run: u32) -> u32 {
    1 + run * 7 % least
}

/// A folder of notes, and stores that take them.
struct Folder {
    folder: TempDir,
}

/// How everything stands in the end, without the ids that each store gives.
#[derive(Debug, PartialEq, Eq)]
struct Stand {
    /// What is current, with how many rows it rests on.
    facts: Vec<(String, usize)>,
    /// What is over.
    forgotten: Vec<String>,
    /// What was decided about each row.
    rows: Vec<(String, Option<LegacyDecision>)>,
    /// How many facts and memories a recall gives.
    recalled: (usize, usize),
}

impl Folder {
    fn of(count: usize) -> Self {
        let folder = TempDir::new().unwrap();
        notes::write(folder.path(), count).unwrap();
        Self { folder }
    }

    fn path(&self) -> &str {
        self.folder.path().to_str().unwrap()
    }

    /// A sealed review of everything in it, as a file beside the store.
    async fn sealed(memory: &Memory, name: &str) -> (Sealed, PathBuf) {
        let sealed = notes::reviewed(memory).await.unwrap();
        let path = std::env::temp_dir().join(format!("truthkeeper-sealed-{name}-{}.json", sealed.digest()));
        std::fs::write(&path, sealed.render()).unwrap();
        (sealed, path)
    }
}

async fn stand(memory: &Memory) -> Stand {
    let caller = notes::ann().unwrap();
    memory.project_all(after_leases()).await.unwrap();
    let list = async |state| {
        let (mut all, mut after) = (Vec::new(), None);
        loop {
            let filter = Filter { state, ..Filter::current() };
            let page = memory.list(&caller, &filter, Times::default(), after.as_ref(), 100).await.unwrap();
            all.extend(page.items.into_iter().map(|seen| {
                let text = seen.revision.content().unwrap().text().as_str().to_owned();
                (text, seen.revision.evidence().count())
            }));
            after = page.next;
            if after.is_none() {
                all.sort();
                return all;
            }
        }
    };
    let (mut rows, mut after) = (Vec::new(), None::<FactId>);
    loop {
        let LegacyPage { rows: page, next, .. } =
            memory.legacy_rows(&caller, None, after, 500).await.unwrap();
        rows.extend(
            page.into_iter()
                .map(|kept| (kept.row.legacy.text.as_str().to_owned(), kept.row.standing.decision)),
        );
        after = next;
        if after.is_none() {
            break;
        }
    }
    rows.sort();
    let recalled = memory.recall(&caller, &Recall::query("errand port service").limit(100)).await.unwrap();
    assert_eq!(recalled.not_searchable_yet, 0);
    assert_eq!(memory.check(|_| {}).await.unwrap().problems, []);
    let checked = memory.check_index(caller.tenant(), None, |_| {}).await.unwrap();
    assert!(checked.is_clean(), "{checked:?}");
    Stand {
        facts: list(State::Active).await,
        forgotten: list(State::Retracted).await.into_iter().map(|(text, _)| text).collect(),
        rows,
        recalled: (recalled.facts.len(), recalled.legacy.len()),
    }
}

/// How it stands after import, apply and rollback where nothing dies.
async fn undisturbed(folder: &Folder, engine: Engine) -> BTreeMap<&'static str, Stand> {
    let store = Store::on(engine);
    let memory = Memory::open(&store.address).await.unwrap();
    let caller = notes::ann().unwrap();
    let mut stands = BTreeMap::new();
    let account = notes::bring(&memory, folder.folder.path()).await.unwrap();
    let passed: u64 = account.skipped.values().sum();
    assert_eq!(account.rows, account.taken + account.known + passed + account.refused, "{account:?}");
    assert!(account.taken > 0 && account.refused > 0 && passed > 0, "{account:?}");
    assert_eq!(notes::bring(&memory, folder.folder.path()).await.unwrap().taken, 0);
    stands.insert("import", stand(&memory).await);
    let sealed = notes::reviewed(&memory).await.unwrap();
    let applied = memory.apply_review(&caller, &sealed, |_| {}).await.unwrap();
    assert!(applied.steps.iter().all(|(_, why)| why.is_none()), "{applied:?}");
    stands.insert("adopt", stand(&memory).await);
    memory.roll_back(&caller, applied.adoption, |_| {}).await.unwrap();
    stands.insert("roll-back", stand(&memory).await);
    assert!(!stands["adopt"].facts.is_empty());
    assert_eq!((stands["roll-back"].facts.len(), stands["import"].recalled.0), (0, 0));
    stands
}

/// Dies once, and is done again.
async fn dies(folder: &Folder, engine: Engine, (work, place, time): (&str, &str, u32)) -> Stand {
    let store = Store::on(engine);
    let (caller, at) = (notes::ann().unwrap(), format!("{place}:{time}"));
    if work == "import" {
        writer::dies_working(&["import", &store.address, folder.path()], &at);
        let memory = Memory::open(&store.address).await.unwrap();
        notes::bring(&memory, folder.folder.path()).await.unwrap();
        return stand(&memory).await;
    }
    let memory = Memory::open(&store.address).await.unwrap();
    notes::bring(&memory, folder.folder.path()).await.unwrap();
    let (sealed, path) = Folder::sealed(&memory, &format!("{}-{place}", store.address.len())).await;
    if work == "back" {
        writer::dies_working(&["adopt", &store.address, path.to_str().unwrap()], &at);
        let adoption = memory.adoptions(&caller).await.unwrap()[0].adoption;
        memory.roll_back(&caller, adoption, |_| {}).await.unwrap();
        std::fs::remove_file(&path).unwrap();
        return stand(&memory).await;
    }
    if work == "adopt" {
        writer::dies_working(&["adopt", &store.address, path.to_str().unwrap()], &at);
    }
    let applied = memory.apply_review(&caller, &sealed, |_| {}).await.unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(applied.steps.iter().all(|(_, why)| why.is_none()), "{applied:?}");
    assert!(memory.apply_review(&caller, &sealed, |_| {}).await.unwrap().was_applied);
    if work == "roll-back" {
        writer::dies_working(&["roll-back", &store.address], &at);
        memory.roll_back(&caller, applied.adoption, |_| {}).await.unwrap();
    }
    stand(&memory).await
}

async fn die_everywhere(folder: &Folder, engine: Engine, run: u32) {
    let wanted = undisturbed(folder, engine).await;
    for (work, place, least) in PLACES {
        let found = dies(folder, engine, (work, place, time(least, run))).await;
        if work == "back" {
            // What was not adopted yet cannot be forgotten: everything else is as after a whole one.
            let wanted = &wanted["roll-back"];
            assert_eq!(
                (&found.facts, &found.rows, found.recalled),
                (&wanted.facts, &wanted.rows, wanted.recalled)
            );
            continue;
        }
        assert_eq!(found, wanted[work], "{work} that died at {place}");
    }
}

on_both_engines! {
    async fn an_adoption_that_dies_goes_on_where_it_was(store: Store) {
        let folder = Folder::of(FEW);
        for run in 0..TIMES {
            die_everywhere(&folder, store.engine(), run).await;
        }
    }

    async fn a_thousand_mixed_notes_are_adopted(store: Store) {
        undisturbed(&Folder::of(THOUSAND), store.engine()).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "soak"]
async fn soak_crash_of_adoption() {
    let (began, time) = (Instant::now(), soak_time());
    let folder = Folder::of(FEW);
    let mut runs = 0;
    while runs == 0 || runs < SOAK_TIMES && began.elapsed() < time {
        for engine in engines() {
            die_everywhere(&folder, engine, runs).await;
        }
        runs += 1;
    }
    println!("{runs} times at each of {} places in {:.1?}", PLACES.len(), began.elapsed());
}

//! The repair and the rebuild of the search index, dying in each of their steps: whoever comes next makes it whole.

use std::collections::BTreeMap;
use std::time::Instant;

use truthkeeper::{Clock, Memory, Rebuilt, Which};
use truthkeeper_tests::script::{self, Script};
use truthkeeper_tests::{Engine, Store, after_leases, engines, many, on_both_engines, soak_time};

use super::writer::Acknowledged;
use super::{after, writer};

/// Acts of the script before the first death: every kind of act, and revisions in every state.
const ACTS: u32 = 15;
/// Facts beside those of the script.
const FEW: u32 = 60;
/// More than a rebuild orders at a time, and more than twice what a repair looks at.
const MANY: u32 = 600;
const TIMES: u32 = 2;
const SOAK_TIMES: u32 = 100;

/// What dies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Work {
    Rebuild,
    Repair,
}

/// Once, however many facts there are.
const ONCE: u32 = u32::MAX;
/// A repair makes no fewer rows than one for so many facts.
const LOST: u32 = 5;
/// Where it dies, and after how many facts, at most, it comes by again.
const PLACES: [(Work, &str, u32); 20] = [
    (Work::Rebuild, "rebuild-index.remade", ONCE),
    (Work::Rebuild, "repair.ordered", 1),
    (Work::Rebuild, "rebuild-index.ordered", 512),
    (Work::Rebuild, "project.claimed", 128),
    (Work::Rebuild, "project.planned", 128),
    (Work::Rebuild, "project.embedded", 128),
    (Work::Rebuild, "project.written", 128),
    (Work::Rebuild, "project.concluding", 1),
    (Work::Rebuild, "project.concluded", 128),
    (Work::Rebuild, "rebuild-index.page", 512),
    (Work::Rebuild, "rebuild-index.made", ONCE),
    (Work::Repair, "repair-index.mended", ONCE),
    (Work::Repair, "repair.ordered", LOST),
    (Work::Repair, "repair-index.ordered", 256),
    (Work::Repair, "project.claimed", 256),
    (Work::Repair, "project.planned", 256),
    (Work::Repair, "project.written", 256),
    (Work::Repair, "project.concluding", LOST),
    (Work::Repair, "project.concluded", 256),
    (Work::Repair, "repair-index.span", 256),
];

/// The so-manieth time that a place is met which comes by again after so many facts: another one in each run.
fn time(facts: u32, again: u32, run: u32) -> u32 {
    1 + run * 37 % facts.div_ceil(again)
}

/// A store whose index is whole.
struct Kept {
    store: Store,
    acknowledged: Acknowledged,
    /// Facts beside those of the script.
    facts: u32,
    /// Facts that have a row.
    copied: u64,
}

impl Kept {
    async fn on(engine: Engine, facts: u32) -> Self {
        let store = Store::on(engine);
        let memory = Memory::open(&store.address).await.unwrap();
        let mut script = Script { memory, facts: BTreeMap::new() };
        for act in 0..=ACTS {
            script.follow(act).await.unwrap();
        }
        let acknowledged = Acknowledged { acts: ACTS, facts: script.facts };
        let (memory, caller) = (script.memory, script::caller().unwrap());
        many::write(&memory, &caller, usize::try_from(facts).unwrap(), many::numbered).await;
        memory.project_all(after_leases()).await.unwrap();
        let copied = memory.check_index(caller.tenant(), None, |_| {}).await.unwrap().total.facts;
        let kept = Self { store, acknowledged, facts, copied };
        kept.is_whole(&memory).await;
        kept
    }

    /// Takes more than half of the rows away, in all parts of the index, and what counts them is wrong from then on.
    async fn lose_rows(&self) {
        self.store
            .in_index(
                "DELETE FROM entries WHERE substr(fact, 36) < '9'",
                "DELETE FROM truthkeeper_index.entries WHERE substr(fact, 36) < '9'",
            )
            .await;
    }

    /// As another process opens it, when nobody holds anything any more.
    async fn opened_later(&self) -> Memory {
        Memory::open_with(&self.store.address, Clock::of(after_leases)).await.unwrap()
    }

    async fn dies(&self, work: Work, place: &str) {
        let name = match work {
            Work::Rebuild => "rebuild-index",
            Work::Repair => {
                self.lose_rows().await;
                "repair-index"
            }
        };
        writer::dies_working(&[name, &self.store.address], place);
    }

    /// The same work again.
    async fn again(&self, memory: &Memory, work: Work) {
        let tenant = script::caller().unwrap().tenant().clone();
        match work {
            Work::Rebuild => {
                let Rebuilt { made, left } = memory.rebuild_index(&tenant, |_| {}).await.unwrap();
                assert!(made >= self.copied, "{made} of {}", self.copied);
                assert_eq!(left, 0);
            }
            Work::Repair => {
                memory.repair_index(&tenant, None, |_| {}).await.unwrap();
            }
        }
    }

    /// Only what was ordered already, as anybody does who uses the store; then what a repair had no time to order.
    async fn carries_on(&self, memory: &Memory, work: Work) {
        let tenant = script::caller().unwrap().tenant().clone();
        memory.retry(&Which::default()).await.unwrap();
        memory.project_all(after_leases()).await.unwrap();
        if work == Work::Repair {
            memory.repair_index(&tenant, None, |_| {}).await.unwrap();
        }
    }

    /// Nothing waits, every fact has its row and no other, and every acknowledged act is there.
    async fn is_whole(&self, memory: &Memory) {
        let tenant = script::caller().unwrap().tenant().clone();
        let outbox = memory.outbox(&Which::default()).await.unwrap();
        assert_eq!((outbox.waiting, outbox.failed, outbox.blocked), (0, 0, 0));
        let checked = memory.check_index(&tenant, None, |_| {}).await.unwrap();
        assert!(checked.is_clean(), "{checked:?}");
        assert_eq!((checked.total.facts, checked.total.rows), (self.copied, self.copied));
        after::all_is_there(&self.store, self.acknowledged.clone()).await;
    }
}

async fn die_everywhere(kept: &Kept, run: u32) {
    for (number, (work, place, again)) in (0..).zip(PLACES) {
        let place = format!("{place}:{}", time(kept.facts, again, run));
        kept.dies(work, &place).await;
        let memory = kept.opened_later().await;
        // Each place meets both ways to go on, in one run or the next.
        if (run + number).is_multiple_of(2) {
            kept.again(&memory, work).await;
        } else {
            kept.carries_on(&memory, work).await;
        }
        kept.is_whole(&memory).await;
    }
}

on_both_engines! {
    async fn an_index_whose_repair_or_rebuild_dies_is_made_whole(store: Store) {
        let kept = Kept::on(store.engine(), FEW).await;
        for run in 0..TIMES {
            die_everywhere(&kept, run).await;
        }
    }

    async fn a_rebuild_takes_over_at_once_what_a_dead_one_holds(store: Store) {
        let kept = Kept::on(store.engine(), FEW).await;
        kept.dies(Work::Rebuild, "project.planned").await;
        let memory = Memory::open(&kept.store.address).await.unwrap();
        kept.again(&memory, Work::Rebuild).await;
        kept.is_whole(&memory).await;
    }

    async fn an_index_that_was_emptied_by_a_rebuild_that_died_is_filled_by_the_next(store: Store) {
        let kept = Kept::on(store.engine(), FEW).await;
        let (sqlite, postgres) = ("PRAGMA user_version = 99", "UPDATE truthkeeper_index.form SET form = 99");
        kept.store.in_index(sqlite, postgres).await;
        kept.dies(Work::Rebuild, "rebuild-index.remade").await;
        let memory = kept.opened_later().await;
        let tenant = script::caller().unwrap().tenant().clone();
        let checked = memory.check_index(&tenant, None, |_| {}).await.unwrap();
        assert_eq!((checked.total.facts, checked.total.rows), (kept.copied, 0), "it was emptied");
        kept.again(&memory, Work::Rebuild).await;
        kept.is_whole(&memory).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "soak"]
async fn soak_crash_of_the_index() {
    let (began, time) = (Instant::now(), soak_time());
    let (mut few, mut many) = (Vec::new(), Vec::new());
    for engine in engines() {
        few.push(Kept::on(engine, FEW).await);
        many.push(Kept::on(engine, MANY).await);
    }
    let mut runs = 0;
    while runs == 0 || runs < SOAK_TIMES && began.elapsed() < time {
        // Many facts take long: as often as is left for them.
        for kept in if runs % 10 == 9 { &many } else { &few } {
            die_everywhere(kept, runs).await;
        }
        runs += 1;
    }
    let (places, engines) = (PLACES.len(), few.len());
    println!("{runs} times at each of {places} places on {engines} engines in {:.1?}", began.elapsed());
}

//! Recalls while others write, doubt, settle, forget and bring back, and while the copy fails: each version that is
//! recalled was the settled truth of its fact at some instant of the recall.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use fact::{RevisionNumber, Timestamp, Truth};
use serde_json::json;
use sqlx::{AnyConnection, Row as _};
use tokio::task::JoinSet;
use truthkeeper::{
    Actor, Caller, Draft, FactId, Id, Memory, Mode, Options, Recall, Ruling, Scope, SearchIndex,
};
use truthkeeper_tests::{Engine, Store, on_both_engines, soak_time};

use crate::faults::index::{Faults, Faulty};
use crate::faults::seed::Seed;

const RECALLS: u32 = 1_000;
const SOAK_RECALLS: u32 = 100_000;
const REVISIONS: u32 = 500;
const SOAK_REVISIONS: u32 = 50_000;
const READERS: u32 = 4;
const WRITERS: u64 = 2;
const WORDS: [&str; 6] = ["tea", "coffee", "milk", "cup", "morning", "cold"];

fn id(text: &str) -> Id {
    Id::parse("id", text).unwrap()
}

fn caller(actor: Actor) -> Caller {
    let scope = Scope::parse_path("scope", &id("orchard"), "user:ann").unwrap();
    Caller::within(&scope, actor).unwrap()
}

fn ann() -> Caller {
    caller(Actor::User { id: id("ann") })
}

fn agent() -> Caller {
    caller(Actor::Agent { id: id("helper"), version: None })
}

fn word(seed: &mut Seed) -> &'static str {
    WORDS[usize::try_from(seed.below(6)).unwrap()]
}

fn said(seed: &mut Seed, fact: Option<FactId>) -> Draft {
    let text = format!("{} {} {}", word(seed), word(seed), seed.below(1_000));
    let place = match fact {
        Some(fact) => json!({"fact": fact, "content": {"text": text}}),
        None => json!({"type": "acme.note", "scope": {"userId": "ann"}, "content": {"text": text}}),
    };
    Draft::from_json(place, &id("orchard")).unwrap()
}

/// Writes and changes until there are so many revisions, and then on until it is told to stop.
async fn write(memory: Memory, number: u64, until: Arc<AtomicU32>, stop: Arc<AtomicBool>) {
    let mut seed = Seed::new(number);
    let mut facts: Vec<FactId> = Vec::new();
    while !stop.load(Ordering::Relaxed) {
        let known = usize::try_from(seed.below(u64::try_from(facts.len().max(1)).unwrap())).unwrap();
        let known = facts.get(known).copied();
        let many = until.load(Ordering::Relaxed) == 0;
        match (seed.below(9), known) {
            (0..4, _) | (_, None) if !many || facts.is_empty() => {
                facts.push(memory.remember(&ann(), None, said(&mut seed, None)).await.unwrap().fact);
            }
            (4 | 5, Some(fact)) => drop(memory.remember(&ann(), None, said(&mut seed, Some(fact))).await),
            (6, Some(fact)) => drop(memory.remember(&agent(), None, said(&mut seed, Some(fact))).await),
            (7, Some(fact)) => drop(memory.forget(&ann(), None, fact, None, None).await),
            (8, Some(fact)) => drop(memory.restore(&ann(), None, fact, None).await),
            (_, _) => {
                if let Some(open) = memory.conflicts(&ann(), 1).await.unwrap().0.first() {
                    let keep = Ruling::Keep(RevisionNumber::FIRST);
                    let seen = (open.conflict, open.version);
                    drop(memory.settle(&ann(), None, seen, keep, None).await);
                }
            }
        }
        let left = until.load(Ordering::Relaxed);
        until.store(left.saturating_sub(1), Ordering::Relaxed);
    }
}

/// The truths that a fact had, with the time of each.
async fn truths(connection: &mut AnyConnection, fact: FactId) -> Vec<(Timestamp, Truth)> {
    let rows = sqlx::query("SELECT recorded_at, truth FROM truths WHERE fact = $1 ORDER BY recorded_at")
        .bind(fact.to_string())
        .fetch_all(connection)
        .await
        .unwrap();
    // Behind the 16 digits of a seal stand the event before it and the truth.
    let truth = |row: &sqlx::any::AnyRow| -> Truth {
        let (_, truth): (i64, Truth) = serde_json::from_str(&row.get::<String, _>(1)[16..]).unwrap();
        truth
    };
    rows.iter().map(|row| (Timestamp::from_micros(row.get(0)), truth(row))).collect()
}

/// Whether that version was settled at some instant between the two.
fn was_settled(
    truths: &[(Timestamp, Truth)],
    revision: RevisionNumber,
    (began, ended): (Timestamp, Timestamp),
) -> bool {
    truths.iter().enumerate().any(|(place, (from, truth))| {
        let until = truths.get(place + 1).map_or(ended, |(next, _)| *next);
        let (from, until) = ((*from).max(began), until.min(ended));
        from <= until && (truth.settled(from) == Some(revision) || truth.settled(until) == Some(revision))
    })
}

async fn read(
    store: Arc<Store>,
    memory: Memory,
    number: u32,
    left: Arc<AtomicU32>,
    time: (Instant, Duration),
) -> BTreeMap<&'static str, u32> {
    let mut seed = Seed::new(1_000 + u64::from(number));
    let mut met: BTreeMap<&'static str, u32> = BTreeMap::new();
    let mut connection = store.connect().await;
    let takes = |left: u32| left.checked_sub(1);
    while left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, takes).is_ok() && time.0.elapsed() < time.1
    {
        let recall = match seed.once_in(5) {
            true => Recall::newest(),
            false => Recall::query(format!("{} {}", word(&mut seed), word(&mut seed))).mode(Mode::Keyword),
        };
        // An event has the time at which it was decided, and is there a little later: the last one that is there counts.
        let last = async || memory.ledger().recorded_at(&id("orchard")).await.unwrap().unwrap();
        let began = last().await;
        let recalled = memory.recall(&ann(), &recall).await.unwrap();
        let ended = last().await;
        *met.entry("recalls").or_default() += 1;
        for fact in &recalled.facts {
            *met.entry("facts").or_default() += 1;
            let (id, revision) = (fact.case.head.fact, fact.revision.number);
            let truths = truths(&mut connection, id).await;
            assert!(was_settled(&truths, revision, (began, ended)), "{id} {revision}: {truths:?}");
        }
        for (reason, count) in recalled.withheld {
            *met.entry(reason.name()).or_default() += u32::try_from(count).unwrap();
        }
    }
    met
}

/// Recalls as often while others change what is true; gives what was met.
async fn run(store: Store, recalls: u32, revisions: u32, time: Duration) -> BTreeMap<&'static str, u32> {
    let store = Arc::new(store);
    let faulty = Arc::new(Faulty::over(index::open(&store.index_address()), 7));
    let index: Arc<dyn SearchIndex> = faulty.clone();
    let writer = Options { index: Some(index), ..Options::default() };
    let writer = Memory::open_with(&store.address, writer).await.unwrap();
    let reader = Options { receipt_days: None, ..Options::default() };
    let reader = Memory::open_with(&store.address, reader).await.unwrap();
    let (until, stop) = (Arc::new(AtomicU32::new(revisions)), Arc::new(AtomicBool::new(false)));
    let mut writers = JoinSet::new();
    for number in 0..WRITERS {
        writers.spawn(write(writer.clone(), number, Arc::clone(&until), Arc::clone(&stop)));
    }
    let began = Instant::now();
    while until.load(Ordering::Relaxed) > 0 && began.elapsed() < time / 2 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    faulty.plant(Faults::Outages);
    let left = Arc::new(AtomicU32::new(recalls));
    let mut readers = JoinSet::new();
    for number in 0..READERS {
        let time = (began, time);
        readers.spawn(read(Arc::clone(&store), reader.clone(), number, Arc::clone(&left), time));
    }
    let mut met: BTreeMap<&'static str, u32> = BTreeMap::new();
    while let Some(one) = readers.join_next().await {
        one.unwrap().into_iter().for_each(|(what, count)| *met.entry(what).or_default() += count);
    }
    stop.store(true, Ordering::Relaxed);
    while let Some(done) = writers.join_next().await {
        done.unwrap();
    }
    assert_eq!(reader.check(|_| {}).await.unwrap().problems, []);
    met
}

on_both_engines! {
    async fn nothing_is_recalled_that_was_not_true_meanwhile(store: Store) {
        let recalls = if store.engine() == Engine::Sqlite { RECALLS } else { RECALLS / 4 };
        let met = run(store, recalls, REVISIONS, Duration::MAX).await;
        assert!(met["recalls"] == recalls && met["facts"] > recalls, "{met:?}");
    }

    #[ignore = "soak"]
    async fn soak_recalling(store: Store) {
        let (began, engine) = (Instant::now(), store.engine());
        let met = run(store, SOAK_RECALLS, SOAK_REVISIONS, soak_time() / 2).await;
        println!("{engine:?} in {:.1?}: {met:?}", began.elapsed());
    }
}

#[test]
fn a_version_is_settled_from_its_event_to_the_next() {
    let at = Timestamp::from_micros;
    let span = |revision: u32, from: i64| fact::Span {
        revision: RevisionNumber::new(revision).unwrap(),
        from: at(from),
        until: None,
        erased: false,
    };
    let settled = |revision, from| Truth::Settled(fact::Reign::of(span(revision, from)));
    let truths = [(at(10), settled(1, 10)), (at(20), settled(2, 20))];
    let is = |revision: u32, began, ended| {
        was_settled(&truths, RevisionNumber::new(revision).unwrap(), (at(began), at(ended)))
    };
    assert!(is(1, 12, 15) && is(1, 15, 25) && is(2, 15, 25) && is(2, 30, 31));
    assert!(!is(1, 21, 25) && !is(2, 12, 15) && !is(1, 1, 5));
}

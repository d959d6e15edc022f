//! What must be there after a crash, or after anything else that stops a write in the middle.

use std::collections::BTreeSet;

use sqlx::{AnyConnection, Connection as _, Row as _};
use truthkeeper::{Caller, FactId, Memory, MemoryError, Recall, State, Times};
use truthkeeper_tests::script::{self, ACTS_OF_A_GROUP, Act, Script};
use truthkeeper_tests::{Engine, Store};

use super::writer::Acknowledged;

/// Every acknowledged act is whole. The one in doubt is done or not, and asking again does it once.
pub(super) async fn all_is_there(store: &Store, acknowledged: Acknowledged) {
    let Acknowledged { acts, facts } = acknowledged;
    let memory = Memory::open(&store.address).await.unwrap();
    assert_eq!(memory.check(|_| {}).await.unwrap().problems, []);
    every_operation_has_its_event(store).await;
    every_event_is_copied_or_ordered(store, &memory).await;
    let mut script = Script { memory, facts };
    match script.follow(acts).await {
        Ok(_) => {}
        Err(MemoryError::Erase(error)) if script::act(acts).1 == Act::Erase => {
            assert_eq!(error.to_string(), "there is nothing to erase");
        }
        Err(error) => panic!("act {acts} again: {error}"),
    }
    script.memory.project_all(truthkeeper_tests::after_leases()).await.unwrap();
    for group in 0..=acts / ACTS_OF_A_GROUP {
        let done = (acts + 1 - group * ACTS_OF_A_GROUP).min(ACTS_OF_A_GROUP);
        let first = group * ACTS_OF_A_GROUP;
        let done: Vec<Act> = (first..first + done).map(|number| script::act(number).1).collect();
        group_is_there(&script, group, &done).await;
    }
    assert_eq!(script.memory.check(|_| {}).await.unwrap().problems, []);
}

/// The revisions of the group's keyed fact as `(words, state)`, oldest first.
fn expected(group: u32, done: &[Act]) -> Vec<(Option<String>, State)> {
    let mut revisions: Vec<(Option<String>, State)> = Vec::new();
    for act in done {
        match act {
            Act::Create | Act::Supersede | Act::Verify => {
                revisions.iter_mut().for_each(|(_, state)| *state = State::Superseded);
                revisions.push((Some(script::words(group, *act)), State::Active));
            }
            Act::Forget => {
                revisions.last_mut().unwrap().1 = State::Retracted;
            }
            Act::Erase => revisions[0].0 = None,
            Act::Contradict => {
                revisions.last_mut().unwrap().1 = State::Conflicted;
                revisions.push((Some(script::words(group, *act)), State::Conflicted));
            }
            Act::CreateUnkeyed | Act::Rebuild => {}
        }
    }
    revisions
}

async fn group_is_there(script: &Script, group: u32, done: &[Act]) {
    let caller = script::caller().unwrap();
    let fact = script.facts[&group];
    let mut seen = script.memory.revisions(&caller, fact, None, 100).await.unwrap();
    seen.reverse();
    let found: Vec<(Option<String>, State)> = seen
        .iter()
        .map(|seen| (seen.revision.content().map(|content| content.text().as_str().to_owned()), seen.state))
        .collect();
    let expected = expected(group, done);
    assert_eq!(found, expected, "group {group}");
    let mut says: BTreeSet<String> = expected
        .into_iter()
        .filter(|(_, state)| *state == State::Active)
        .filter_map(|(words, _)| words)
        .collect();
    if done.contains(&Act::CreateUnkeyed) {
        says.insert(script::words(group, Act::CreateUnkeyed));
    }
    let found = recalled(&script.memory, &caller, &script::word(group)).await;
    assert_eq!(found, says.into_iter().collect::<Vec<_>>(), "what is recalled of group {group}");
}

async fn recalled(memory: &Memory, caller: &Caller, word: &str) -> Vec<String> {
    let recalled = memory.recall(caller, &Recall::query(word)).await.unwrap();
    assert_eq!(recalled.not_searchable_yet, 0);
    let texts = recalled.facts.iter().map(|fact| fact.revision.content().unwrap().text());
    let mut texts: Vec<String> = texts.map(|text| text.as_str().to_owned()).collect();
    texts.sort();
    texts
}

async fn raw(store: &Store) -> AnyConnection {
    sqlx::any::install_default_drivers();
    let address = match store.engine() {
        Engine::Sqlite => format!("sqlite://{}", store.address),
        Engine::Postgres => store.address.clone(),
    };
    AnyConnection::connect(&address).await.unwrap()
}

/// A work order names the last event of its fact.
pub(crate) async fn every_operation_has_its_event(store: &Store) {
    let mut connection = raw(store).await;
    let row = sqlx::query(
        "SELECT COUNT(*) FROM operations o WHERE o.wanted <> \
         (SELECT COALESCE(MAX(e.position), 0) FROM events e WHERE e.tenant = o.tenant AND e.fact = o.fact)",
    )
    .fetch_one(&mut connection)
    .await
    .unwrap();
    assert_eq!(row.get::<i64, _>(0), 0, "work orders without their event");
}

/// A fact that no work order is about is in the index as it is now.
async fn every_event_is_copied_or_ordered(store: &Store, memory: &Memory) {
    let mut connection = raw(store).await;
    let rows = sqlx::query(
        "SELECT f.fact FROM facts f WHERE NOT EXISTS \
         (SELECT 1 FROM operations o WHERE o.tenant = f.tenant AND o.fact = f.fact)",
    )
    .fetch_all(&mut connection)
    .await
    .unwrap();
    let index = match store.engine() {
        Engine::Sqlite => store.folder().join("memory.index.db").to_str().unwrap().to_owned(),
        Engine::Postgres => store.address.clone(),
    };
    let index = index::open(&index);
    let caller = script::caller().unwrap();
    for row in rows {
        let fact = FactId::parse(row.get::<&str, _>(0)).unwrap();
        let copied: Vec<_> =
            index.rows(caller.tenant(), fact).await.unwrap().iter().map(|row| row.revision).collect();
        let settled = memory.get(&caller, fact, Times::default()).await;
        let settled: Vec<_> = settled.into_iter().map(|seen| seen.revision.number).collect();
        assert_eq!(copied, settled, "the copy of a fact without a work order");
    }
}

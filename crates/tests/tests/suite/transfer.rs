//! Dump and load: the whole history moves from one engine to the other and back, and nothing of it changes.

use std::io;

use serde_json::{Value, json};
use truthkeeper::{Caller, FactId, MemoryError, State, Times, Timestamp, TransferError};
use truthkeeper_tests::{Engine, Store, engines, on_both_engines};

use super::raw;
use super::scene::{DAY, Scene, agent, ann, as_of, draft, evidence, id, import, key, refused, says};

fn tea(key: &str) -> Value {
    json!({"key": key, "tags": [key], "content": {"text": format!("tea {key}")}, "evidence": evidence("m1"),
        "reason": "asked"})
}

/// A history with something of everything, in three tenants.
async fn lived(scene: &Scene) -> Vec<FactId> {
    let mut facts = Vec::new();
    for tag in ["a", "B", "c"] {
        facts.push(scene.memory.remember(&ann(), Some(key(tag)), draft(tea(tag))).await.unwrap().fact);
        scene.pass(DAY);
    }
    scene.change(facts[0], "coffee").await;
    scene.memory.verify(&ann(), None, facts[0], None).await.unwrap();
    facts.push(scene.contested().await);
    scene.memory.forget(&ann(), Some(key("forget")), facts[1], None, Some("moved on")).await.unwrap();
    let again = json!({"fact": facts[1], "content": {"text": "tea B"}, "evidence": evidence("m2")});
    scene.wrote(&agent(), again).await;
    facts.push(scene.wrote(&import(), says("imported")).await.fact);
    facts.push(
        scene
            .wrote(&ann(), json!({"content": {"text": "later"}, "validFrom": "2026-12-24T00:00:00Z"}))
            .await
            .fact,
    );
    facts.push(
        scene.wrote(&ann(), json!({"content": {"text": "wine"}, "retention": {"keepDays": 1}})).await.fact,
    );
    scene.memory.erase(&ann(), None, facts[2], None).await.unwrap();
    for (tenant, unchanged) in [("Zoo", ["z", "A"]), ("apple", ["B", "a"])] {
        let there = Caller::operator(id(tenant), id("olga"));
        let fields = json!({"scope": {"tenantId": tenant}, "content": {"text": "theirs"}});
        scene.wrote(&there, fields.clone()).await;
        for name in unchanged {
            scene.memory.remember(&there, Some(key(name)), draft(fields.clone())).await.unwrap();
        }
    }
    facts
}

async fn dump(scene: &Scene) -> Vec<String> {
    let mut lines = Vec::new();
    let take = |line: &str| {
        lines.push(line.to_owned());
        Ok(())
    };
    scene.memory.dump(take, |_| {}).await.unwrap();
    lines
}

async fn load(scene: &Scene, lines: &[String]) -> Result<u64, MemoryError> {
    let lines: Vec<io::Result<String>> = lines.iter().cloned().map(Ok).collect();
    scene.memory.load(lines.into_iter(), |_| {}).await
}

/// Everything that can be read, at every instant at which something was recorded and now.
async fn readings(scene: &Scene, facts: &[FactId]) -> Vec<String> {
    let mut instants = vec![Times::default()];
    for row in
        raw::select(&scene.store, "SELECT recorded_at FROM events WHERE tenant = 'local' ORDER BY position")
            .await
    {
        let at = Timestamp::from_micros(row[0].parse().unwrap());
        instants.extend([as_of(at), Times { as_of: None, valid_at: Some(at) }]);
    }
    let mut all = Vec::new();
    for times in instants {
        for fact in facts {
            all.push(format!(
                "{:?}",
                scene.memory.get(&ann(), *fact, times).await.map_err(|error| error.to_string())
            ));
        }
        for state in State::ALL {
            all.push(format!("{:?}", scene.list_at(&ann(), state, times).await));
        }
    }
    for fact in facts {
        all.push(format!("{:?}", scene.memory.revisions(&ann(), *fact, None, 100).await));
    }
    all.push(format!("{:?}", scene.memory.conflicts(&ann(), 10).await));
    all.push(format!("{:?}", scene.memory.held_back(&ann()).await));
    all.push(format!("{:?}", scene.memory.counts(&ann()).await));
    for query in ["tea", "coffee", "imported", "later wine"] {
        // Receipts are of a recall, and generations of a copy: no two are the same.
        let recalled = truthkeeper::Recalled { receipt: None, generation: None, ..scene.recall(query).await };
        all.push(format!("{recalled:?}"));
    }
    all
}

async fn loaded(from: &Scene, engine: Engine) -> Scene {
    let scene = Scene::on(Store::on(engine)).await;
    scene.set(from.now());
    let events = load(&scene, &dump(from).await).await.unwrap();
    assert_eq!(events, scene.events().await);
    scene.check().await;
    scene
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_history_is_the_same_on_either_engine_and_back() {
    let first = Scene::on(Store::sqlite()).await;
    let facts = lived(&first).await;
    let (text, read) = (dump(&first).await, readings(&first, &facts).await);
    assert!(
        read.iter().any(|one| one.contains("Settled")) && read.iter().any(|one| one.contains("Contested"))
    );
    let other = *engines().last().unwrap();
    let second = loaded(&first, other).await;
    let third = loaded(&second, Engine::Sqlite).await;
    for scene in [&second, &third] {
        assert_eq!(dump(scene).await, text);
        let read_there = readings(scene, &facts).await;
        for (there, here) in read_there.iter().zip(&read) {
            assert_eq!(there, here);
        }
        assert_eq!(read_there.len(), read.len());
        assert_eq!(
            raw::image(&scene.store, &raw::DERIVED).await,
            raw::image(&first.store, &raw::DERIVED).await
        );
    }
}

on_both_engines! {
    async fn a_request_that_was_answered_before_the_move_is_answered_after_it(store: Store) {
        let scene = Scene::on(store).await;
        let facts = lived(&scene).await;
        let moved = loaded(&scene, scene.store.engine()).await;
        let again = moved.memory.remember(&ann(), Some(key("a")), draft(tea("a"))).await.unwrap();
        assert_eq!((again.fact, again.replayed), (facts[0], true));
        refused!(
            moved.memory.remember(&ann(), Some(key("a")), draft(says("other"))).await,
            MemoryError::KeyReused
        );
        let forgot =
            moved.memory.forget(&ann(), Some(key("forget")), facts[1], None, Some("moved on")).await.unwrap();
        assert!(forgot.replayed);
    }

    // the tenant's secret moves with it
    async fn slots_and_statements_are_found_after_the_move(store: Store) {
        let scene = Scene::on(store).await;
        let facts = lived(&scene).await;
        let statement = scene.say("a plain statement").await;
        let moved = loaded(&scene, scene.store.engine()).await;
        assert_eq!(moved.wrote(&ann(), says("a plain  statement")).await.fact, statement);
        assert_eq!(
            moved.wrote(&ann(), json!({"key": "a", "content": {"text": "water"}})).await.fact,
            facts[0]
        );
        moved.check().await;
    }

    async fn the_lines_of_a_dump_do_not_depend_on_how_a_database_sorts(store: Store) {
        let scene = Scene::on(store).await;
        lived(&scene).await;
        let lines: Vec<Value> =
            dump(&scene).await.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
        let names = |kind: &str, field: &str| {
            lines
                .iter()
                .filter(|line| line["line"] == kind)
                .map(|line| line[field].as_str().unwrap().to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(names("tenant", "tenant"), ["Zoo", "apple", "local"]);
        let requests: Vec<String> =
            names("request", "request").into_iter().filter(|name| name.len() == 1).collect();
        assert_eq!(requests, ["A", "z", "B", "a", "a", "B", "c"]);
    }

    async fn a_ledger_that_is_not_empty_takes_no_dump(store: Store) {
        let scene = Scene::on(store).await;
        lived(&scene).await;
        let lines = dump(&scene).await;
        let before = raw::image(&scene.store, &raw::TABLES).await;
        refused!(load(&scene, &lines).await, MemoryError::Transfer(TransferError::NotEmpty));
        assert_eq!(raw::image(&scene.store, &raw::TABLES).await, before);
    }

    async fn a_dump_that_is_cut_or_lacks_any_line_loads_nothing(store: Store) {
        let scene = Scene::on(store).await;
        lived(&scene).await;
        let lines = dump(&scene).await;
        let empty = Scene::on(Store::on(scene.store.engine())).await;
        for place in 0..lines.len() {
            assert!(load(&empty, &lines[..place]).await.is_err(), "cut before line {place}");
            let without = [&lines[..place], &lines[place + 1..]].concat();
            assert!(load(&empty, &without).await.is_err(), "without line {place}: {}", lines[place]);
        }
        assert!(
            raw::image(&empty.store, &raw::TABLES).await.values().all(Vec::is_empty),
            "nothing at all is left"
        );
        load(&empty, &lines).await.unwrap();
        empty.check().await;
    }

    async fn a_dump_out_of_order_or_with_more_loads_nothing(store: Store) {
        let scene = Scene::on(store).await;
        lived(&scene).await;
        let lines = dump(&scene).await;
        let empty = Scene::on(Store::on(scene.store.engine())).await;
        let is_event = |line: &String| line.contains("\"line\":\"event\"");
        for place in (1..lines.len()).filter(|place| is_event(&lines[*place]) && is_event(&lines[place - 1]))
        {
            let mut swapped = lines.clone();
            swapped.swap(place - 1, place);
            assert!(load(&empty, &swapped).await.is_err(), "line {place} first");
        }
        for place in 0..lines.len() {
            let twice = [&lines[..=place], &lines[place..]].concat();
            assert!(load(&empty, &twice).await.is_err(), "line {place} twice");
        }
        assert!(load(&empty, &[lines.clone(), lines].concat()).await.is_err(), "all of it twice");
        assert_eq!(empty.events().await, 0);
    }

    async fn a_dump_with_one_letter_changed_loads_nothing(store: Store) {
        let scene = Scene::on(store).await;
        lived(&scene).await;
        let lines = dump(&scene).await;
        let empty = Scene::on(Store::on(scene.store.engine())).await;
        let said = lines.iter().position(|line| line.contains("tea a")).unwrap();
        for (from, to) in [
            ("tea a", "rum a"),
            ("\"actor\":\"{", "\"actor\":\" {"),
            ("asked", "told!"),
            ("\"position\":1,", "\"position\":2,"),
            ("asserted", "verified"),
        ] {
            assert!(lines[said].contains(from), "{from}: {}", lines[said]);
            let mut changed = lines.clone();
            changed[said] = changed[said].replace(from, to);
            assert!(load(&empty, &changed).await.is_err(), "{from} to {to}");
            assert_eq!(empty.events().await, 0);
        }
        let tables: Vec<&'static str> = raw::TABLES.to_vec();
        assert!(
            raw::image(&empty.store, &tables).await.values().all(Vec::is_empty),
            "nothing at all is left"
        );
    }

    async fn words_left_out_of_a_dump_are_missed(store: Store) {
        let scene = Scene::on(store).await;
        scene.say("tea").await;
        let lines = dump(&scene).await;
        let stripped: Vec<String> = lines
            .iter()
            .map(|line| {
                let mut line: Value = serde_json::from_str(line).unwrap();
                if line["line"] == "event" {
                    line["doc"] = Value::Null;
                    line["salt"] = Value::Null;
                }
                line.to_string()
            })
            .collect();
        let empty = Scene::on(Store::on(scene.store.engine())).await;
        assert!(
            load(&empty, &stripped).await.is_err(),
            "an event without its words and without their erasure"
        );
        assert_eq!(empty.events().await, 0);
    }

    async fn a_write_that_fails_ends_the_dump(store: Store) {
        let scene = Scene::on(store).await;
        scene.say("tea").await;
        let full = |_: &str| Err(io::Error::new(io::ErrorKind::StorageFull, "no space"));
        refused!(scene.memory.dump(full, |_| {}).await, MemoryError::Transfer(TransferError::Io(_)));
    }

    async fn a_dump_of_an_empty_ledger_loads(store: Store) {
        let scene = Scene::on(store).await;
        let lines = dump(&scene).await;
        let other = Scene::on(Store::on(scene.store.engine())).await;
        assert_eq!(load(&other, &lines).await.unwrap(), 0);
        other.say("tea").await;
        other.check().await;
    }
}

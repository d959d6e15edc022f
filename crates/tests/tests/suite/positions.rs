//! The ledger itself: positions without a gap, events that the database guards, changes that are whole or not at all.

use fact::{Change, Entry, Ground, Happening, NewEvent, Words};
use ledger::{Record, RecordError};
use serde_json::json;
use truthkeeper::{FactId, Id, Position, Saying};
use truthkeeper_tests::{Engine, on_both_engines};
use uuid::Uuid;

use super::raw;
use super::scene::{Scene, agent, ann, draft, id, local, number, says};

/// A change recorded as the façade would, without its rules.
fn record(tenant: Id, grounds: Vec<Ground>, events: Vec<NewEvent>) -> Record {
    Record {
        tenant,
        actor: ann().actor,
        now: super::scene::start(),
        entropy: [7; 32],
        change: Change { grounds, events },
        request: None,
        lease: None,
    }
}

async fn saying(scene: &Scene, fact: FactId) -> (Saying, Words) {
    let revision = scene.get(fact).await.unwrap().revision;
    (revision.saying, revision.words.unwrap())
}

fn revised(fact: FactId, revision: u32, (saying, words): (Saying, Words)) -> NewEvent {
    NewEvent {
        fact,
        happening: Happening::Revised { revision: number(revision), entry: Entry::Settles, saying },
        words,
    }
}

on_both_engines! {
    // 1, rule 12
    async fn many_writers_leave_no_gap_and_time_only_rises(store: Store) {
        let scene = Scene::on(store).await;
        let other = scene.opened_again().await;
        let tasks: Vec<_> = (0..8)
            .map(|writer| {
                let memory = if writer % 2 == 0 { scene.memory.clone() } else { other.clone() };
                tokio::spawn(async move {
                    for n in 0..10 {
                        memory
                            .remember(&ann(), None, draft(says(&format!("writer {writer} says {n}"))))
                            .await
                            .unwrap();
                    }
                })
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
        let rows =
            raw::select(&scene.store, "SELECT position, recorded_at FROM events ORDER BY position").await;
        let column = |at: usize| rows.iter().map(|row| row[at].parse::<i64>().unwrap()).collect::<Vec<_>>();
        assert_eq!(column(0), (1..=80).collect::<Vec<_>>());
        assert!(column(1).windows(2).all(|pair| pair[0] < pair[1]));
        scene.check().await;
    }

    async fn each_tenant_has_positions_of_its_own(store: Store) {
        let scene = Scene::on(store).await;
        scene.say("tea").await;
        let there = truthkeeper::Caller::operator(id("elsewhere"), id("olga"));
        for text in ["one", "two"] {
            scene.wrote(&there, json!({"scope": {"tenantId": "elsewhere"}, "content": {"text": text}})).await;
        }
        let rows = raw::select(&scene.store, "SELECT tenant, position FROM events").await;
        let mut rows: Vec<String> = rows.iter().map(|row| row.join(" ")).collect();
        rows.sort();
        assert_eq!(rows, ["elsewhere 1", "elsewhere 2", "local 1"]);
        assert_eq!(scene.memory.check(|_| {}).await.unwrap().tenants, 2);
    }

    // rule 1
    async fn the_database_itself_refuses_to_change_or_delete_what_happened(store: Store) {
        let scene = Scene::on(store).await;
        scene.say("tea").await;
        let before = raw::image(&scene.store, &["events", "contents"]).await;
        let mut attempts = Vec::new();
        for table in ["events", "contents"] {
            attempts.push(format!("DELETE FROM {table}"));
            attempts.push(format!("DELETE FROM {table} WHERE position = 1"));
            for (column, is_number) in raw::columns(&scene.store, table).await {
                let other = if is_number { format!("{column} + 1") } else { "'x'".to_owned() };
                attempts.push(format!("UPDATE {table} SET {column} = {other}"));
            }
            if scene.store.engine() == Engine::Postgres {
                attempts.push(format!("TRUNCATE {table}"));
            }
        }
        for attempt in attempts {
            raw::attempt(&scene.store, &attempt).await.expect_err(&attempt);
        }
        assert_eq!(raw::image(&scene.store, &["events", "contents"]).await, before);
    }

    // rule 1: an insert that replaces is a change too
    async fn what_happened_cannot_be_replaced(store: Store) {
        let scene = Scene::on(store).await;
        scene.say("tea").await;
        let before = raw::image(&scene.store, &["events", "contents"]).await;
        for (table, column) in [("events", "body"), ("contents", "doc")] {
            let columns: Vec<String> =
                raw::columns(&scene.store, table).await.into_iter().map(|(name, _)| name).collect();
            let values = columns.join(", ").replace(column, &format!("'x' AS {column}"));
            let replace = match scene.store.engine() {
                Engine::Sqlite => format!("INSERT OR REPLACE INTO {table} SELECT {values} FROM {table}"),
                Engine::Postgres => format!(
                    "INSERT INTO {table} SELECT {values} FROM {table}
                        ON CONFLICT (tenant, position) DO UPDATE SET {column} = 'x'"
                ),
            };
            raw::attempt(&scene.store, &replace).await.expect_err(&replace);
        }
        assert_eq!(raw::image(&scene.store, &["events", "contents"]).await, before);
    }

    // REC-09, rule 2
    async fn a_change_decided_on_what_has_moved_appends_nothing(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        let decided = saying(&scene, fact).await;
        let version = scene.get(fact).await.unwrap().head.version;
        scene.change(fact, "coffee").await;
        let before = raw::image(&scene.store, &raw::TABLES).await;
        let stale = record(local(), vec![Ground::Head { fact, version }], vec![revised(fact, 3, decided)]);
        assert_eq!(scene.memory.ledger().record(stale).await, Err(RecordError::Stale));
        assert_eq!(raw::image(&scene.store, &raw::TABLES).await, before);
        assert_eq!(scene.text(fact).await, "coffee");
    }

    // REC-12, rule 2
    async fn a_change_of_several_facts_is_recorded_whole_or_not_at_all(store: Store) {
        let scene = Scene::on(store).await;
        let (one, two) = (scene.say("tea").await, scene.say("coffee").await);
        let ground = async |fact| Ground::Head { fact, version: scene.get(fact).await.unwrap().head.version };
        let stale = Ground::Head { fact: two, version: Position::new(99) };
        let (first, second) = (saying(&scene, one).await, saying(&scene, two).await);
        let before = raw::image(&scene.store, &raw::TABLES).await;
        let events = vec![revised(one, 2, first.clone()), revised(two, 2, second.clone())];
        let half = record(local(), vec![ground(one).await, stale], events.clone());
        assert_eq!(scene.memory.ledger().record(half).await, Err(RecordError::Stale));
        let impossible = vec![revised(one, 2, first), revised(two, 7, second)];
        let half = record(local(), vec![ground(one).await, ground(two).await], impossible);
        assert!(matches!(scene.memory.ledger().record(half).await, Err(RecordError::Forbidden(_))));
        assert_eq!(raw::image(&scene.store, &raw::TABLES).await, before);
        let whole = record(local(), vec![ground(one).await, ground(two).await], events);
        scene.memory.ledger().record(whole).await.unwrap();
        assert_eq!((scene.states(one).await.len(), scene.states(two).await.len()), (2, 2));
        scene.check().await;
    }

    // LED-12
    async fn no_event_makes_a_ring_or_a_fork(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        let again = saying(&scene, fact).await;
        let ground = Ground::Head { fact, version: scene.get(fact).await.unwrap().head.version };
        for revision in [1, 3] {
            let event = revised(fact, revision, again.clone());
            let recorded =
                scene.memory.ledger().record(record(local(), vec![ground.clone()], vec![event])).await;
            assert!(matches!(recorded, Err(RecordError::Forbidden(_))), "revision {revision}: {recorded:?}");
        }
        let created = Happening::Created {
            kind: super::scene::kind("acme.preference"),
            scope: super::scene::scope("user:ann"),
            keyed: false,
            held: false,
            saying: again.0.clone(),
        };
        let twice = NewEvent { fact, happening: created, words: again.1 };
        let recorded = scene.memory.ledger().record(record(local(), vec![ground], vec![twice])).await;
        assert!(recorded.is_err(), "{recorded:?}");
        assert_eq!(scene.events().await, 1);
        scene.check().await;
    }

    // rule 3
    async fn a_fact_and_its_work_order_are_written_together(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        let again = saying(&scene, fact).await;
        let ground = Ground::Head { fact, version: scene.get(fact).await.unwrap().head.version };
        assert_eq!(
            scene.memory.ledger().waiting(&local(), scene.now()).await.unwrap(),
            0,
            "the first one is carried out"
        );
        scene
            .memory
            .ledger()
            .record(record(local(), vec![ground], vec![revised(fact, 2, again)]))
            .await
            .unwrap();
        let wanted = raw::select(&scene.store, "SELECT wanted, attempts FROM operations").await;
        assert_eq!(wanted, [["2", "0"]]);
    }

    // a slot and a statement are taken under the same lock as the events
    async fn of_many_who_say_it_first_one_makes_the_fact(store: Store) {
        let scene = Scene::on(store).await;
        let other = scene.opened_again().await;
        for fields in [says("the same statement"), json!({"key": "same", "content": {"text": "x"}})] {
            let tasks: Vec<_> = (0..8)
                .map(|n| {
                    let memory = if n % 2 == 0 { scene.memory.clone() } else { other.clone() };
                    let draft = draft(fields.clone());
                    tokio::spawn(async move { memory.remember(&ann(), None, draft).await.unwrap().fact })
                })
                .collect();
            let mut facts = std::collections::BTreeSet::new();
            for task in tasks {
                facts.insert(task.await.unwrap());
            }
            assert_eq!(facts.len(), 1, "{fields}");
        }
        assert_eq!(scene.events().await, 2);
    }

    // the agents' keys are their own slots, people share theirs
    async fn of_many_with_slots_of_their_own_each_makes_a_fact(store: Store) {
        let scene = Scene::on(store).await;
        for caller in [ann(), agent(), super::scene::agent_named("rival")] {
            scene.wrote(&caller, json!({"key": "pace", "content": {"text": "slow"}})).await;
        }
        assert_eq!(scene.events().await, 3);
    }

    async fn an_unknown_tenant_is_not_made_by_asking_or_erasing(store: Store) {
        let scene = Scene::on(store).await;
        let erase = ledger::Erase {
            tenant: id("elsewhere"),
            fact: FactId::new(Uuid::from_u128(1)),
            revision: None,
            actor: ann().actor,
            now: scene.now(),
            request: None,
        };
        assert_eq!(scene.memory.ledger().erase(erase).await, Err(ledger::EraseError::NotFound));
        scene.recall("tea").await;
        scene.memory.counts(&ann()).await.unwrap();
        assert_eq!(raw::select(&scene.store, "SELECT tenant FROM tenants").await, [[""; 1]; 0]);
    }
}

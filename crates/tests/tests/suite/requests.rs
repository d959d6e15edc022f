//! Idempotency: the same request is answered once, however often and however late it is sent.

use serde_json::{Value, json};
use truthkeeper::{Caller, Memory, MemoryError, Outcome, RequestKey, Times};
use truthkeeper_tests::on_both_engines;

use super::scene::{
    DAY, Scene, agent, ann, as_of, bob, draft, evidence, id, import, key, number, operator, refused, says,
};

/// The draft that the requests below differ from, each in one thing.
fn base() -> Value {
    json!({"key": "drink", "content": {"text": "tea"}, "confidence": 0.95, "evidence": evidence("m1")})
}

fn with(field: &str, value: Value) -> Value {
    let mut fields = base();
    fields[field] = value;
    fields
}

/// Everything that a request can mean besides its key.
fn other_meanings() -> Vec<Value> {
    vec![
        with("content", json!({"text": "coffee"})),
        with("scope", json!({"userId": "ann", "sessionId": "s"})),
        with("type", json!("acme.habit")),
        with("key", json!("drinks")),
        with("confidence", json!(0.96)),
        with("evidence", evidence("m2")),
        with("evidence", json!([{"kind": "message", "id": "m1", "quote": "tea"}])),
        with("tags", json!(["hot"])),
        with("trust", json!("unverified")),
        with("retention", json!({"keepDays": 3})),
        with("retention", json!({"legalHold": true})),
        with("subjects", json!([{"kind": "user", "id": "ann"}])),
        with("validFrom", json!("2026-10-01T00:00:00Z")),
        with("validUntil", json!("2027-01-01T00:00:00Z")),
        with("observedAt", json!("2026-10-31T00:00:00Z")),
        with("reason", json!("she said so")),
        with("generatedBy", json!({"runId": "r1"})),
        with("expectVersion", json!(1)),
    ]
}

on_both_engines! {
    // 1
    async fn a_request_sent_twice_leaves_one_event_one_revision_and_one_row(store: Store) {
        let scene = Scene::on(store).await;
        let first = scene.memory.remember(&ann(), Some(key("k")), draft(base())).await.unwrap();
        let again = scene.memory.remember(&ann(), Some(key("k")), draft(base())).await.unwrap();
        assert!(!first.replayed && again.replayed);
        assert_eq!((again.fact, again.revision, again.outcome), (first.fact, first.revision, first.outcome));
        assert_eq!(scene.events().await, 1);
        assert_eq!(scene.states(first.fact).await.len(), 1);
        assert_eq!(scene.rows(first.fact).await, [1]);
    }

    // 2
    async fn a_key_with_any_other_meaning_is_refused_and_appends_nothing(store: Store) {
        let scene = Scene::on(store).await;
        scene.memory.remember(&ann(), Some(key("k")), draft(base())).await.unwrap();
        for fields in other_meanings() {
            let shown = fields.to_string();
            match scene.memory.remember(&ann(), Some(key("k")), draft(fields)).await {
                Err(MemoryError::KeyReused) => {}
                other => panic!("{shown}: {other:?}"),
            }
        }
        assert_eq!(scene.events().await, 1);
    }

    // 2
    async fn a_key_belongs_to_one_actor_and_one_act(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.memory.remember(&ann(), Some(key("k")), draft(base())).await.unwrap().fact;
        refused!(
            scene.memory.remember(&agent(), Some(key("k")), draft(base())).await,
            MemoryError::KeyReused
        );
        refused!(scene.memory.verify(&ann(), Some(key("k")), fact, None).await, MemoryError::KeyReused);
        refused!(scene.memory.forget(&ann(), Some(key("k")), fact, None, None).await, MemoryError::KeyReused);
        refused!(scene.memory.hold(&ann(), Some(key("k")), fact, true).await, MemoryError::KeyReused);
        assert_eq!(scene.events().await, 1);
    }

    // 2: each part of what an act means
    async fn the_arguments_of_an_act_are_part_of_what_it_means(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        scene.memory.forget(&ann(), Some(key("k")), fact, None, Some("tired of it")).await.unwrap();
        let forget = async |expected, reason| {
            refused!(
                scene.memory.forget(&ann(), Some(key("k")), fact, expected, reason).await,
                MemoryError::KeyReused
            );
        };
        forget(None, None).await;
        forget(None, Some("another")).await;
        forget(Some(number(1)), Some("tired of it")).await;
        scene.memory.restore(&ann(), Some(key("r")), fact, None).await.unwrap();
        refused!(
            scene.memory.restore(&ann(), Some(key("r")), fact, Some(number(1))).await,
            MemoryError::KeyReused
        );
        scene.memory.hold(&ann(), Some(key("h")), fact, true).await.unwrap();
        refused!(scene.memory.hold(&ann(), Some(key("h")), fact, false).await, MemoryError::KeyReused);
    }

    // 3
    async fn every_act_sent_again_later_gives_its_first_answer(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.memory.remember(&import(), Some(key("say")), draft(base())).await.unwrap().fact;
        let mut first = Vec::new();
        for act in ACTS {
            first.push(make(&scene.memory, act, fact).await);
        }
        let events = scene.events().await;
        scene.pass(400 * DAY);
        scene.change(fact, "something else").await;
        for (act, first) in ACTS.iter().zip(first) {
            let again = make(&scene.memory, act, fact).await;
            assert_eq!((again.outcome, again.revision), (first.outcome, first.revision), "{act}");
            assert!(again.replayed && !first.replayed, "{act}");
        }
        assert_eq!(scene.events().await, events + 1);
    }

    // 3: the answer is kept in the store, not in the process
    async fn a_request_is_answered_again_by_another_process(store: Store) {
        let scene = Scene::on(store).await;
        let first = scene.memory.remember(&ann(), Some(key("k")), draft(base())).await.unwrap();
        let other = scene.opened_again().await;
        scene.pass(DAY);
        let again = other.remember(&ann(), Some(key("k")), draft(base())).await.unwrap();
        assert!(again.replayed);
        assert_eq!(again.fact, first.fact);
    }

    async fn a_request_sent_many_times_at_once_is_made_once(store: Store) {
        let scene = Scene::on(store).await;
        let other = scene.opened_again().await;
        let tasks: Vec<_> = (0..8)
            .map(|n| {
                let memory = if n % 2 == 0 { scene.memory.clone() } else { other.clone() };
                tokio::spawn(
                    async move { memory.remember(&ann(), Some(key("k")), draft(base())).await.unwrap() },
                )
            })
            .collect();
        let mut fresh = 0;
        for task in tasks {
            fresh += usize::from(!task.await.unwrap().replayed);
        }
        assert_eq!((fresh, scene.events().await), (1, 1));
    }

    async fn a_refused_request_does_not_use_up_its_key(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        let stale = json!({"fact": fact, "content": {"text": "coffee"}, "expectVersion": 7});
        scene.memory.remember(&ann(), Some(key("k")), draft(stale)).await.unwrap_err();
        let right = json!({"fact": fact, "content": {"text": "coffee"}, "expectVersion": 1});
        let receipt = scene.memory.remember(&ann(), Some(key("k")), draft(right)).await.unwrap();
        assert_eq!((receipt.outcome, receipt.replayed), (Outcome::Superseded, false));
    }

    async fn what_changed_nothing_is_remembered_too(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        let first = scene.memory.remember(&ann(), Some(key("k")), draft(says("tea"))).await.unwrap();
        assert_eq!((first.fact, first.outcome), (fact, Outcome::Unchanged));
        scene.forget(fact).await;
        let again = scene.memory.remember(&ann(), Some(key("k")), draft(says("tea"))).await.unwrap();
        assert_eq!((again.outcome, again.replayed), (Outcome::Unchanged, true));
        refused!(scene.get(fact).await, MemoryError::NotCurrent { state: "retracted" });
    }

    async fn a_key_is_free_in_another_tenant(store: Store) {
        let scene = Scene::on(store).await;
        scene.memory.remember(&operator(), Some(key("k")), draft(says("tea"))).await.unwrap();
        let there = Caller::operator(id("elsewhere"), id("olga"));
        let fields =
            json!({"content": {"text": "coffee"}, "scope": {"tenantId": "elsewhere", "userId": "ann"}});
        let receipt = scene.memory.remember(&there, Some(key("k")), draft(fields)).await.unwrap();
        assert!(!receipt.replayed);
    }

    // 1 with no key: two requests are two, and the second one says nothing new
    async fn without_a_key_the_same_draft_is_another_request(store: Store) {
        let scene = Scene::on(store).await;
        let first = scene.wrote(&ann(), says("tea")).await;
        let again = scene.wrote(&ann(), says("tea")).await;
        assert_eq!((again.fact, again.outcome, again.replayed), (first.fact, Outcome::Unchanged, false));
    }

    async fn nobody_learns_of_a_fact_by_the_key_of_another(store: Store) {
        let scene = Scene::on(store).await;
        scene.memory.remember(&ann(), Some(key("k")), draft(base())).await.unwrap();
        refused!(scene.memory.remember(&bob(), Some(key("k")), draft(base())).await, MemoryError::KeyReused);
    }

    async fn a_replay_does_not_move_the_history(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.memory.remember(&ann(), Some(key("k")), draft(base())).await.unwrap().fact;
        let before = scene.now();
        scene.pass(DAY);
        scene.memory.remember(&ann(), Some(key("k")), draft(base())).await.unwrap();
        let seen = scene.memory.get(&ann(), fact, as_of(before)).await.unwrap();
        assert_eq!(
            seen,
            scene.memory.get(&ann(), fact, Times { valid_at: Some(before), ..as_of(before) }).await.unwrap()
        );
        assert_eq!(scene.get(fact).await.unwrap().revision.recorded_at, before);
    }
}

const ACTS: [&str; 6] = ["admit", "verify", "hold", "lift", "forget", "restore"];

/// One act of an operator on a fact, always under the same key.
async fn make(memory: &Memory, act: &str, fact: truthkeeper::FactId) -> truthkeeper::Receipt {
    let (caller, key): (Caller, Option<RequestKey>) = (operator(), Some(key(act)));
    match act {
        "admit" => memory.admit(&caller, key, fact).await,
        "verify" => memory.verify(&caller, key, fact, None).await,
        "hold" => memory.hold(&caller, key, fact, true).await,
        "lift" => memory.hold(&caller, key, fact, false).await,
        "forget" => memory.forget(&caller, key, fact, None, None).await,
        "restore" => memory.restore(&caller, key, fact, None).await,
        other => panic!("{other} is no act"),
    }
    .unwrap()
}

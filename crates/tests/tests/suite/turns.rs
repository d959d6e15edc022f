//! What a run of an agent reads before a turn, intent by intent.

use serde_json::{Value, json};
use truthkeeper::{
    Access, Actor, Caller, Intent, MemoryError, Outcome, Reach, Reader, Run, Sight, Warning, Writer,
};
use truthkeeper_tests::on_both_engines;

use super::scene::{Scene, id, local, refused, scope, texts};

/// A service that holds project desk for its people, and whose key acts for Zoe.
fn service() -> Caller {
    let sight = Sight::Within(Access {
        people_of: [id("desk")].into(),
        users: [id("zoe")].into(),
        ..Access::default()
    });
    Caller {
        reader: Reader { tenant: local(), sight },
        writer: Writer { tenant: local(), reach: Reach::Admin },
        actor: Actor::User { id: id("zoe") },
    }
}

async fn write(scene: &Scene, path: &str, text: &str) {
    let writer = Caller { reader: Reader { tenant: local(), sight: Sight::Admin }, ..service() };
    let fields = json!({"scope": scope(path), "content": {"text": text}});
    assert_eq!(scene.wrote(&writer, fields).await.outcome, Outcome::Created);
}

async fn peopled(scene: &Scene) {
    for (path, text) in [
        ("tenant", "tea for everybody"),
        ("user:zoe", "tea for zoe"),
        ("project:desk", "tea at the desk"),
        ("project:desk/participant:mia", "tea for mia"),
        ("project:desk/participant:tom", "tea for tom"),
        ("project:desk/participant:mia/thread:t1", "tea in her talk"),
        ("project:desk/participant:mia/thread:t2", "tea in another talk"),
        ("project:shop", "tea in the shop"),
    ] {
        write(scene, path, text).await;
    }
}

fn intents(all: &[Value]) -> Vec<Intent> {
    all.iter().cloned().map(|one| Intent::from_json(one).unwrap()).collect()
}

async fn read(scene: &Scene, run: &str, all: &[Value]) -> (Vec<String>, Vec<Warning>) {
    let run = Run::of(scope(run));
    let recalled = scene.memory.recall_turn(&service(), &run, &intents(all), "tea").await.unwrap();
    let mut found = texts(&recalled);
    found.sort_unstable();
    (found, recalled.warnings)
}

const MIA: &str = "project:desk/participant:mia/thread:t1";

on_both_engines! {
    // 122
    async fn each_intent_reads_what_it_names(store: Store) {
        let scene = Scene::on(store).await;
        peopled(&scene).await;
        for (near, expected) in [
            ("same-conversation", vec!["tea in her talk"]),
            ("same-user", vec!["tea for mia", "tea in her talk"]),
            ("same-project", vec!["tea at the desk", "tea for mia", "tea in her talk"]),
            ("tenant", vec!["tea at the desk", "tea for everybody", "tea for mia", "tea in her talk"]),
        ] {
            for mode in ["keyword", "list", "both"] {
                let (found, warnings) = read(&scene, MIA, &[json!({"scope": near, "mode": mode})]).await;
                assert_eq!((found, warnings), (expected.iter().map(|text| (*text).to_owned()).collect(), vec![]), "{near} {mode}");
            }
        }
    }

    // 122: nor does its key's own user count
    async fn without_an_end_user_nothing_is_read_for_one_and_it_warns(store: Store) {
        let scene = Scene::on(store).await;
        peopled(&scene).await;
        let all = [json!({"scope": "same-user"}), json!({"scope": "tenant"})];
        let (found, warnings) = read(&scene, "project:desk", &all).await;
        assert_eq!(found, ["tea at the desk", "tea for everybody"]);
        assert_eq!(warnings, [Warning::NeedsParticipant]);
        assert_eq!(warnings[0].name(), "memory-needs-participant");
        let (found, warnings) = read(&scene, "tenant", &[json!({"scope": "same-project"}), json!({"scope": "same-conversation"})]).await;
        assert_eq!((found.len(), warnings), (0, vec![Warning::NeedsProject, Warning::NeedsConversation]));
    }

    // 121
    async fn a_limit_is_a_total_of_its_intent_and_a_fact_comes_once(store: Store) {
        let scene = Scene::on(store).await;
        peopled(&scene).await;
        let other = json!({"type": "acme.note", "scope": scope("project:desk/participant:mia"), "content": {"text": "tea, noted"}});
        let writer = Caller { reader: Reader { tenant: local(), sight: Sight::Admin }, ..service() };
        scene.wrote(&writer, other).await;
        let two = json!({"scope": "same-user", "types": ["acme.preference", "acme.note"], "limit": 2});
        assert_eq!(read(&scene, MIA, std::slice::from_ref(&two)).await.0.len(), 2);
        let notes = json!({"scope": "same-user", "types": ["acme.note"]});
        assert_eq!(read(&scene, MIA, std::slice::from_ref(&notes)).await.0, ["tea, noted"]);
        let all = json!({"scope": "same-user"});
        assert_eq!(read(&scene, MIA, &[notes, all]).await.0, ["tea for mia", "tea in her talk", "tea, noted"]);
    }

    // 120
    async fn what_cannot_be_answered_fails_the_turn_and_is_named(store: Store) {
        let scene = Scene::on(store).await;
        peopled(&scene).await;
        let run = Run::of(scope(MIA));
        let semantic = intents(&[json!({"scope": "tenant"}), json!({"scope": "same-user", "mode": "semantic"})]);
        let failed = scene.memory.recall_turn(&service(), &run, &semantic, "tea").await;
        refused!(&failed, MemoryError::Intent { error, .. } if matches!(**error, MemoryError::SemanticUnavailable));
        assert!(failed.unwrap_err().to_string().starts_with("intent 2 (same-user, semantic): "));
        let both = intents(&[json!({"scope": "same-user", "mode": "both"})]);
        let recalled = scene.memory.recall_turn(&service(), &run, &both, "tea").await.unwrap();
        assert_eq!(recalled.degraded.map(truthkeeper::Degraded::name), Some("no-embeddings"));
        refused!(scene.memory.recall_turn(&service(), &run, &[], "tea").await, MemoryError::BadInput(_));
        let elsewhere = Run::of(truthkeeper::Scope::tenant(id("elsewhere")));
        refused!(scene.memory.recall_turn(&service(), &elsewhere, &both, "tea").await, MemoryError::BadInput(_));
    }

    async fn a_conflict_of_somebody_else_is_not_even_mentioned(store: Store) {
        let scene = Scene::on(store).await;
        let writer = Caller { reader: Reader { tenant: local(), sight: Sight::Admin }, ..service() };
        for who in ["mia", "tom"] {
            let at = scope(&format!("project:desk/participant:{who}"));
            let fact = scene.wrote(&writer, json!({"scope": at, "key": "drink", "content": {"text": "tea"}})).await.fact;
            let doubter = Caller { actor: Actor::Agent { id: id("x"), version: None }, ..writer.clone() };
            scene.wrote(&doubter, json!({"fact": fact, "content": {"text": "milk"}})).await;
        }
        let run = Run::of(scope(MIA));
        let all = intents(&[json!({"scope": "tenant"}), json!({"scope": "same-user"})]);
        let recalled = scene.memory.recall_turn(&service(), &run, &all, "tea").await.unwrap();
        assert_eq!((recalled.conflicts.len(), recalled.conflicts_open), (1, 1));
        assert_eq!(recalled.conflicts[0].scope, scope("project:desk/participant:mia"));
    }
}

#[test]
fn an_intent_is_read_strictly() {
    for (bad, field) in [
        (json!({}), "intent"),
        (json!({"scope": "everyone"}), "intent.scope"),
        (json!({"scope": "tenant", "mode": "best"}), "intent.mode"),
        (json!({"scope": "tenant", "source": "dreams"}), "intent.source"),
        (json!({"scope": "tenant", "limits": 3}), "intent"),
        (json!({"scope": "tenant", "types": ["no type"]}), "type"),
    ] {
        assert_eq!(Intent::from_json(bad.clone()).unwrap_err().field, field, "{bad}");
    }
    let none = Intent::from_json(json!({"scope": "tenant", "mode": "none", "source": "facts"})).unwrap();
    assert_eq!(none.mode, truthkeeper::Mode::List);
}

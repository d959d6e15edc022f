//! A ledger with facts of every state, and of every way to get there.

use serde_json::{Value, json};
use truthkeeper::{FactId, Outcome, Ruling, Timestamp};
use truthkeeper_tests::Store;

use super::super::scene::{
    DAY, SECOND, Scene, admin, agent, ann, evidence, import, local, number, operator, says, scope,
};

/// The scene, and a time in the middle of it.
pub(super) async fn eventful() -> (Scene, Timestamp) {
    let scene = Scene::on(Store::sqlite()).await;
    stands(&scene).await;
    ends(&scene).await;
    scene.pass(DAY);
    is_contested(&scene).await;
    let before = scene.recorded().await;
    scene.pass(DAY);
    comes_back(&scene).await;
    is_one_with_others(&scene).await;
    scene.memory.sweep(&local()).await.unwrap();
    wrote(&scene, json!({"content": {"text": "soon over"}, "validUntil": "2026-11-03T12:00:00Z"})).await;
    scene.pass(DAY);
    scene.memory.project_all(scene.now()).await.unwrap();
    scene.check().await;
    (scene, before)
}

/// Every fact that there is.
pub(super) async fn facts(scene: &Scene) -> Vec<FactId> {
    scene.memory.ledger().facts_after(&local(), None, None, 1_000).await.unwrap()
}

async fn wrote(scene: &Scene, fields: Value) -> FactId {
    scene.wrote(&ann(), fields).await.fact
}

/// Facts that hold, or will.
async fn stands(scene: &Scene) {
    let said = |evidence: Value| {
        json!({"key": "beverage", "tags": ["hot", "green"], "content": {"text": "Ann likes green tea"},
            "evidence": evidence, "confidence": 0.9})
    };
    let fact = wrote(scene, said(evidence("m1"))).await;
    scene.wrote(&ann(), said(evidence("m2"))).await;
    scene.memory.hold(&ann(), None, fact, true).await.unwrap();
    let changed = scene.say("Ann lives in the first town").await;
    for town in ["second", "third", "fourth"] {
        scene.pass(SECOND);
        scene.change(changed, &format!("Ann lives in the {town} town")).await;
    }
    wrote(scene, json!({"content": {"text": "Ann sings"}, "validFrom": "2027-03-01T00:00:00Z"})).await;
    scene.wrote(&import(), says("Ann had a cat")).await;
    let imported = scene.wrote(&import(), says("Ann had a dog")).await.fact;
    scene.memory.admit(&operator(), None, imported).await.unwrap();
    let thread = json!({"scope": {"projectId": "p", "threadId": "t"}, "content": {"text": "it is late"}});
    scene.wrote(&operator(), thread).await;
}

/// Facts that hold no more.
async fn ends(scene: &Scene) {
    let cocoa = "Ann drinks cocoa";
    let fact = scene.say(cocoa).await;
    scene.memory.forget(&ann(), None, fact, None, Some("too sweet")).await.unwrap();
    let again = scene.wrote(&agent(), json!({"content": {"text": cocoa}, "evidence": evidence("m3")})).await;
    assert!(matches!(again.outcome, Outcome::HeldBack { .. }), "{again:?}");
    wrote(scene, json!({"content": {"text": "Ann is away"}, "validUntil": "2026-11-01T12:00:00Z"})).await;
    let secret = scene.say("Ann drinks wine").await;
    scene.memory.erase(&ann(), None, secret, None).await.unwrap();
}

/// A conflict that is open, and one that was settled.
async fn is_contested(scene: &Scene) {
    scene.contested().await;
    let fact = wrote(scene, json!({"key": "contact", "content": {"text": "by mail"}})).await;
    let doubt = scene.wrote(&agent(), json!({"fact": fact, "content": {"text": "by phone"}})).await;
    let Outcome::ConflictOpened { conflict } = doubt.outcome else { panic!("{doubt:?}") };
    scene.memory.settle(&ann(), None, (conflict, 1), Ruling::Keep(number(2)), None).await.unwrap();
}

/// A fact that was forgotten and restored.
async fn comes_back(scene: &Scene) {
    let fact = scene.say("Ann runs").await;
    scene.forget(fact).await;
    scene.pass(SECOND);
    scene.memory.restore(&ann(), None, fact, None).await.unwrap();
}

/// Facts that were merged, and one that was moved.
async fn is_one_with_others(scene: &Scene) {
    let one = scene.say("Ann plays the cello").await;
    let other = scene.say("Ann plays a cello").await;
    scene.memory.merge(&ann(), None, (one, None), &[(other, None)]).await.unwrap();
    let moved = scene.say("the meeting is at noon").await;
    scene.memory.move_fact(&admin(), None, (moved, None), &scope("project:p")).await.unwrap();
}

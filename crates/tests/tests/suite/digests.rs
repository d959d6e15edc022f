//! The digest of what is true for a caller.

use serde_json::json;
use truthkeeper::Caller;
use truthkeeper_tests::on_both_engines;

use super::projecting::{cure, poison, poisonous};
use super::scene::{DAY, Scene, agent, ann, bob, operator, says};

async fn digest(scene: &Scene, caller: &Caller) -> String {
    scene.memory.truth_digest(caller).await.unwrap()
}

on_both_engines! {
    // 60
    async fn it_changes_with_the_truth_and_with_nothing_else(store: Store) {
        let scene = Scene::on(store).await;
        let tea = scene.say("tea").await;
        let until = scene.now().plus_days(1);
        scene.wrote(&ann(), json!({"content": {"text": "brief"}, "validUntil": until.exact()})).await;
        let mut seen = vec![digest(&scene, &ann()).await];
        let mut is_new = async |what: &str| {
            let now = digest(&scene, &ann()).await;
            assert!(!seen.contains(&now), "{what} changes it");
            seen.push(now);
        };
        scene.change(tea, "green tea").await;
        is_new("another version").await;
        let contested = scene.contested().await;
        is_new("a conflict").await;
        scene.forget(contested).await;
        is_new("forgetting").await;
        scene.memory.restore(&ann(), None, contested, None).await.unwrap();
        is_new("restoring").await;
        scene.memory.quarantine(&operator(), None, tea).await.unwrap();
        is_new("admission").await;
        scene.pass(2 * DAY);
        is_new("the clock").await;
        scene.wrote(&agent(), says("milk")).await;
        is_new("another fact").await;
        let last = seen.last().unwrap().clone();
        scene.memory.recall(&ann(), &truthkeeper::Recall::query("tea")).await.unwrap();
        scene.wrote(&bob(), json!({"scope": {"userId": "bob"}, "content": {"text": "tea"}})).await;
        assert_eq!(digest(&scene, &ann()).await, last, "nothing of hers changed");
        assert_ne!(digest(&scene, &bob()).await, last);
        let again = scene.opened_again().await;
        assert_eq!(again.truth_digest(&ann()).await.unwrap(), last, "whoever opens it");
        assert_ne!(again.truth_digest(&operator()).await.unwrap(), last);
    }

    // 60: a copy that is owed
    async fn it_says_that_the_copy_is_behind(store: Store) {
        let scene = Scene::on(store).await;
        poison(&scene).await;
        let fact = scene.wrote(&ann(), poisonous("tea")).await.fact;
        let owed = digest(&scene, &ann()).await;
        cure(&scene).await;
        scene.memory.project_all(scene.pass(DAY)).await.unwrap();
        assert_eq!(scene.rows(fact).await, [1]);
        assert_ne!(digest(&scene, &ann()).await, owed);
    }
}

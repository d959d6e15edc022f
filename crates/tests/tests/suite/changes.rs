//! Who follows a memory is told what happened, once and in order, and never a word of it.

use serde_json::json;
use truthkeeper::{Changes, Position};
use truthkeeper_tests::on_both_engines;

use super::scene::{Scene, admin, agent, ann, bob, says, scope};

/// Everything since, page by page.
async fn since(scene: &Scene, after: Position, limit: usize) -> (Vec<(&'static str, Position)>, Position) {
    let (mut all, mut after) = (Vec::new(), after);
    loop {
        let Changes { items, after: next, more } = scene.memory.changes(&ann(), after, limit).await.unwrap();
        assert!(items.len() <= limit);
        all.extend(items.iter().map(|one| (one.event.happening.name(), one.event.position)));
        after = next;
        if !more {
            return (all, after);
        }
    }
}

on_both_engines! {
    async fn what_happens_is_told_once_in_its_order(store: Store) {
        let scene = Scene::on(store).await;
        let tea = scene.say("tea").await;
        scene.wrote(&bob(), json!({"scope": scope("user:bob"), "content": {"text": "not hers"}})).await;
        scene.wrote(&ann(), json!({"fact": tea, "content": {"text": "coffee"}})).await;
        scene.wrote(&agent(), json!({"fact": tea, "content": {"text": "milk?"}})).await;
        let (first, after) = since(&scene, Position::START, 1).await;
        let names: Vec<&str> = first.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["created", "revised", "revised"]);
        assert!(first.is_sorted_by_key(|(_, position)| *position));
        assert_eq!(after, scene.memory.last_position(&ann()).await.unwrap());
        let water = scene.wrote(&ann(), says("water")).await.fact;
        scene.forget(water).await;
        let (second, _) = since(&scene, after, 100).await;
        assert_eq!(second.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["created", "retracted"]);
        let whole = since(&scene, Position::START, 100).await.0;
        assert_eq!(whole, [first, second].concat(), "pages are one whole");
    }

    // What a machine says again, and what a person makes of it, is no change until it is accepted
    async fn what_waits_for_its_owner_is_no_change(store: Store) {
        let scene = Scene::on(store).await;
        let tea = scene.say("tea").await;
        scene.forget(tea).await;
        let (_, after) = since(&scene, Position::START, 100).await;
        scene.wrote(&agent(), says("tea")).await;
        let (waiting, later) = since(&scene, after, 100).await;
        assert!(waiting.is_empty() && later > after, "{waiting:?}");
        let review = scene.memory.held_back(&ann()).await.unwrap()[0].review;
        scene.memory.accept(&ann(), None, review).await.unwrap();
        assert!(!since(&scene, later, 100).await.0.is_empty());
    }

    async fn a_fact_that_went_to_another_owner_is_told_of_there(store: Store) {
        let scene = Scene::on(store).await;
        let tea = scene.say("tea").await;
        scene.memory.move_fact(&admin(), None, (tea, None), &scope("project:p")).await.unwrap();
        assert!(since(&scene, Position::START, 100).await.0.is_empty());
    }
}

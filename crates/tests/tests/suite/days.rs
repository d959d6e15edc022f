//! How facts stood and how often something was recalled, day by day.

use serde_json::json;
use truthkeeper::{Day, Recall, Stand};
use truthkeeper_tests::on_both_engines;

use super::scene::{DAY, Scene, agent, ann, id, local, says};

/// Each day: how many facts were settled on, contested and over at its end, and the recalls.
fn told(days: &[Day]) -> Vec<(u64, u64, u64, u64)> {
    let count = |day: &Day, stand| day.facts.get(&stand).copied().unwrap_or(0);
    let line = |day: &Day| {
        (count(day, Stand::Settled), count(day, Stand::Contested), count(day, Stand::Ended), day.recalls)
    };
    days.iter().map(line).collect()
}

on_both_engines! {
    async fn each_day_ends_as_it_was_recorded(store: Store) {
        let scene = Scene::on(store).await;
        assert_eq!(told(&scene.memory.last_days(&local(), 2).await.unwrap()), [(0, 0, 0, 0); 2]);
        let tea = scene.say("green tea").await;
        scene.say("a bicycle").await;
        scene.change(tea, "black tea").await;
        scene.recall("tea").await;
        scene.pass(DAY);
        scene.contested().await;
        scene.memory.recall(&ann(), &Recall::query("tea")).await.unwrap();
        scene.memory.recall(&ann(), &Recall::query("coffee")).await.unwrap();
        scene.pass(2 * DAY);
        scene.forget(tea).await;
        scene.write(&agent(), says("what an agent saw")).await.unwrap();
        let days = scene.memory.last_days(&local(), 5).await.unwrap();
        let wanted = [(0, 0, 0, 0), (2, 0, 0, 1), (2, 1, 0, 2), (2, 1, 0, 0), (2, 1, 1, 0)];
        assert_eq!(told(&days), wanted);
        assert_eq!(days[1].begins.to_string(), "2026-11-01T00:00:00.000Z");
        // What came before the days that are asked for counts, and is walked over.
        assert_eq!(told(&scene.memory.last_days(&local(), 2).await.unwrap()), wanted[3..]);
    }

    async fn what_turned_more_than_once_in_a_day_is_counted_once(store: Store) {
        let scene = Scene::on(store).await;
        scene.pass(DAY);
        scene.contested().await;
        for text in ["milk", "beer", "cider"] {
            let fact = scene.say(text).await;
            scene.forget(fact).await;
        }
        scene.say("water").await;
        let days = scene.memory.last_days(&local(), 2).await.unwrap();
        assert_eq!(told(&days), [(0, 0, 0, 0), (1, 1, 3, 0)]);
    }

    async fn days_are_a_tenants_own(store: Store) {
        let scene = Scene::on(store).await;
        scene.say("green tea").await;
        let other = id("elsewhere");
        assert_eq!(told(&scene.memory.last_days(&other, 1).await.unwrap()), [(0, 0, 0, 0)]);
        let fact = json!({"key": "drink", "content": {"text": "tea"}});
        scene.wrote(&ann(), fact).await;
        assert_eq!(told(&scene.memory.last_days(&local(), 1).await.unwrap()), [(2, 0, 0, 0)]);
    }
}

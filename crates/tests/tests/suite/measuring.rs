//! What a service can measure: every metric is emitted with the right number, and none says whose, or what.

mod recorder;

use serde_json::json;
use truthkeeper::{Outcome, Recall};
use truthkeeper_tests::{Store, engines};

use super::raw;
use super::scene::{SECOND, Scene, agent, ann, evidence, local};

use recorder::Heard;

/// Every metric that there is; docs/metrics.md says what each means.
const METRICS: [&str; 11] = [
    "truthkeeper_appends_total",
    "truthkeeper_conflict_oldest_seconds",
    "truthkeeper_conflicts_open",
    "truthkeeper_group_works",
    "truthkeeper_index_checked_timestamp_seconds",
    "truthkeeper_index_drift",
    "truthkeeper_operations_blocked",
    "truthkeeper_operations_failed",
    "truthkeeper_recall_seconds",
    "truthkeeper_recall_withheld_total",
    "truthkeeper_versions",
];

/// On one thread, so that the recorder of that thread hears the ledger's writer too.
#[tokio::test]
async fn every_metric_is_emitted_and_none_holds_a_word_or_an_id() {
    for engine in engines() {
        let heard = Heard::default();
        let _listening = metrics::set_default_local_recorder(&heard);
        let scene = Scene::on(Store::on(engine)).await;
        happen(&scene).await;
        scene.memory.measure().await.unwrap();
        assert_eq!(heard.names(), METRICS);
        assert_eq!(heard.described(), METRICS);
        assert_eq!(heard.value("truthkeeper_versions", "active"), 3.0);
        assert_eq!(heard.value("truthkeeper_versions", "superseded"), 1.0);
        assert_eq!(heard.value("truthkeeper_versions", "retracted"), 1.0);
        assert_eq!(heard.value("truthkeeper_versions", "conflicted"), 2.0);
        assert_eq!(heard.value("truthkeeper_versions", "expired"), 0.0);
        assert_eq!(heard.value("truthkeeper_conflicts_open", ""), 1.0);
        let oldest = heard.value("truthkeeper_conflict_oldest_seconds", "");
        assert!((59.0..=60.0).contains(&oldest), "{oldest}");
        assert_eq!(heard.value("truthkeeper_index_drift", "missing"), 1.0);
        assert_eq!(heard.value("truthkeeper_index_drift", "stale"), 0.0);
        let checked = heard.value("truthkeeper_index_checked_timestamp_seconds", "");
        assert!((checked - 1_793_527_260.0).abs() < 2.0, "{checked}");
        assert_eq!(heard.value("truthkeeper_operations_failed", ""), 1.0);
        assert_eq!(heard.value("truthkeeper_operations_blocked", ""), 0.0);
        assert_eq!(heard.value("truthkeeper_appends_total", ""), 8.0);
        assert_eq!(heard.value("truthkeeper_recall_withheld_total", "restated"), 1.0);
        let labels = heard.labels();
        assert!(labels.iter().all(|label| is_ours(label)), "{labels:?}");
    }
}

/// A fact that was corrected, one that was forgotten, one that two said, and an open conflict; a row of the copy that is
/// gone, and one that cannot be made. All that somebody typed says CANARY.
async fn happen(scene: &Scene) {
    let said = |key: &str, text: &str| json!({"key": key, "tags": ["CANARY"], "content": {"text": text}, "evidence": evidence("CANARY")});
    let fact = scene.wrote(&ann(), said("CANARY-1", "CANARY tea")).await.fact;
    scene.change(fact, "CANARY coffee").await;
    let forgotten = scene.say("CANARY cocoa").await;
    scene.memory.forget(&ann(), None, forgotten, None, Some("CANARY reason")).await.unwrap();
    for who in [ann(), agent()] {
        scene.wrote(&who, said("CANARY-2", "CANARY water")).await;
    }
    let contested = scene.wrote(&ann(), said("CANARY-3", "CANARY mail")).await.fact;
    let doubt = json!({"fact": contested, "content": {"text": "CANARY phone"}});
    let doubt = scene.wrote(&agent(), doubt).await;
    assert!(matches!(doubt.outcome, Outcome::ConflictOpened { .. }), "{doubt:?}");
    scene.memory.recall(&ann(), &Recall::query("CANARY")).await.unwrap();
    scene.pass(60 * SECOND);
    scene
        .store
        .in_index(
            "DELETE FROM entries WHERE id = (SELECT MIN(id) FROM entries)",
            "DELETE FROM truthkeeper_index.entries WHERE id = (SELECT MIN(id) FROM truthkeeper_index.entries)",
        )
        .await;
    scene.memory.check_index(&local(), None, |_| {}).await.unwrap();
    let failed =
        "(tenant, copy, fact, wanted, unanswered, attempts, due_at, epoch) VALUES ('local', 'search'";
    let failed = format!("INSERT INTO operations {failed}, '{forgotten}', 1, 1, 99, 0, 0)");
    raw::run(&scene.store, &failed).await;
}

/// A label that the engine's own words make up: a state, a reason, a kind of drift.
fn is_ours(label: &str) -> bool {
    label.len() < 20 && label.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
}

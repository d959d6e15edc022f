//! The copy follows the ledger: made again as often as one likes, and never refused for good.

use serde_json::json;
use truthkeeper::{Mode, Recall};
use truthkeeper_tests::{Store, on_both_engines};

use super::raw;
use super::scene::{DAY, SECOND, Scene, after, ann, local, says, texts};

pub(super) async fn in_index(scene: &Scene, sqlite: &'static str, postgres: &'static str) {
    // An index is made when it is first used.
    index::open(&scene.store.index_address()).replace(&[]).await.unwrap();
    scene.store.in_index(sqlite, postgres).await;
}

/// The index takes everything but facts of type `acme.poison`.
pub(super) async fn poison(scene: &Scene) {
    in_index(
        scene,
        "CREATE TRIGGER poison BEFORE INSERT ON entries WHEN NEW.kind = 'acme.poison'
            BEGIN SELECT RAISE(ABORT, 'no'); END",
        "ALTER TABLE truthkeeper_index.entries ADD CONSTRAINT poison CHECK (kind <> 'acme.poison')",
    )
    .await;
}

pub(super) async fn cure(scene: &Scene) {
    in_index(scene, "DROP TRIGGER poison", "ALTER TABLE truthkeeper_index.entries DROP CONSTRAINT poison")
        .await;
}

/// The index fails on everything.
pub(super) async fn break_index(scene: &Scene) {
    in_index(
        scene,
        "ALTER TABLE entries RENAME TO gone",
        "ALTER TABLE truthkeeper_index.entries RENAME TO gone",
    )
    .await;
}

pub(super) async fn mend_index(scene: &Scene) {
    in_index(
        scene,
        "ALTER TABLE gone RENAME TO entries",
        "ALTER TABLE truthkeeper_index.gone RENAME TO entries",
    )
    .await;
}

pub(super) fn poisonous(text: &str) -> serde_json::Value {
    json!({"type": "acme.poison", "content": {"text": text}})
}

async fn waiting(scene: &Scene) -> usize {
    scene.memory.ledger().waiting(&local(), scene.now()).await.unwrap()
}

on_both_engines! {
    // 33, 35
    async fn a_refused_copy_leaves_the_fact_stored_and_says_that_it_is_not_searchable(store: Store) {
        let scene = Scene::on(store).await;
        poison(&scene).await;
        let receipt = scene.wrote(&ann(), poisonous("bitter tea")).await;
        assert!(!receipt.searchable);
        assert_eq!(scene.text(receipt.fact).await, "bitter tea");
        let recalled = scene.recall("tea").await;
        assert_eq!((texts(&recalled), recalled.not_searchable_yet), (vec![], 1));
        let error = raw::value(&scene.store, "SELECT error FROM operations").await;
        assert_eq!(error, "index-refused", "a class, never the text");
    }

    // 36, PRJ-13
    async fn a_refused_fact_does_not_hold_up_the_others(store: Store) {
        let scene = Scene::on(store).await;
        poison(&scene).await;
        scene.wrote(&ann(), poisonous("bitter tea")).await;
        assert!(scene.wrote(&ann(), says("sweet tea")).await.searchable);
        assert_eq!(texts(&scene.recall("tea").await), ["sweet tea"]);
    }

    // 33, 54
    async fn a_refused_fact_is_searchable_once_the_index_takes_it(store: Store) {
        let scene = Scene::on(store).await;
        poison(&scene).await;
        let fact = scene.wrote(&ann(), poisonous("bitter tea")).await.fact;
        let again = scene.wrote(&ann(), json!({"fact": fact, "content": {"text": "bitter green tea"}})).await;
        assert!(!again.searchable, "the copy waits for another attempt");
        cure(&scene).await;
        let later = scene.pass(DAY);
        assert_eq!(scene.memory.project_all(later).await.unwrap(), 1);
        let recalled = scene.recall("tea").await;
        assert_eq!((texts(&recalled), recalled.not_searchable_yet), (vec!["bitter green tea".to_owned()], 0));
        assert_eq!(scene.rows(fact).await, [2]);
    }

    // 34
    async fn attempts_are_spaced(store: Store) {
        let scene = Scene::on(store).await;
        poison(&scene).await;
        scene.wrote(&ann(), poisonous("bitter tea")).await;
        let attempts = async || {
            raw::value(&scene.store, "SELECT attempts FROM operations").await.parse::<i64>().unwrap()
        };
        let first = attempts().await;
        scene.memory.project_all(scene.now()).await.unwrap();
        assert_eq!(attempts().await, first, "not again at once");
        scene.memory.project_all(after(scene.now(), 10 * SECOND)).await.unwrap();
        assert_eq!(attempts().await, first + 1);
    }

    // PRJ-09: an outage uses up nobody's attempts
    async fn an_outage_is_nobodys_fault(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        break_index(&scene).await;
        assert!(!scene.change(fact, "green tea").await.searchable);
        assert!(!scene.wrote(&ann(), says("coffee")).await.searchable);
        let later = scene.pass(10 * SECOND);
        assert!(scene.memory.project_all(later).await.is_err());
        assert_eq!(raw::select(&scene.store, "SELECT attempts FROM operations").await, [["0"], ["0"]]);
        assert_eq!(waiting(&scene).await, 2);
        mend_index(&scene).await;
        let later = scene.pass(10 * SECOND);
        assert_eq!(scene.memory.project_all(later).await.unwrap(), 2);
        assert_eq!(
            (texts(&scene.recall("green tea").await), waiting(&scene).await),
            (vec!["green tea".to_owned()], 0)
        );
    }

    // 38, 39
    async fn projecting_again_changes_nothing(store: Store) {
        let scene = Scene::on(store).await;
        let (fact, gone) = (scene.say("tea").await, scene.say("coffee").await);
        scene.forget(gone).await;
        assert_eq!(scene.memory.project_all(scene.now()).await.unwrap(), 0);
        raw::run(
            &scene.store,
            "INSERT INTO operations (tenant, copy, fact, wanted, unanswered, attempts, due_at, epoch)
            SELECT tenant, 'search', fact, version, version, 0, 0, 0 FROM facts",
        )
        .await;
        assert_eq!(scene.memory.project_all(scene.now()).await.unwrap(), 2);
        assert_eq!((scene.rows(fact).await, scene.rows(gone).await), (vec![1], vec![]));
        assert_eq!(texts(&scene.recall("tea coffee").await), ["tea"]);
    }

    // 54, 51
    async fn a_rebuild_makes_an_emptied_index_whole(store: Store) {
        let scene = Scene::on(store).await;
        let facts = [scene.say("tea").await, scene.say("green tea").await];
        let index = index::open(&scene.store.index_address());
        for fact in facts {
            index
                .replace(&[index::Write::remove(local(), index::Source::Fact, fact)])
                .await
                .unwrap();
        }
        assert_eq!(texts(&scene.recall("tea").await), [""; 0]);
        scene.memory.rebuild(|_| {}).await.unwrap();
        assert_eq!(scene.recall("tea").await.facts.len(), 2);
    }

    // design 4: what begins later is searchable from then on, whoever looks first
    async fn what_begins_later_is_found_from_its_start_on(store: Store) {
        let scene = Scene::on(store).await;
        let receipt = scene
            .wrote(&ann(), json!({"content": {"text": "tea"}, "validFrom": "2026-11-02T10:00:00Z"}))
            .await;
        assert!(receipt.searchable, "the copy shows what is true now");
        assert_eq!((scene.rows(receipt.fact).await, waiting(&scene).await), (vec![], 0));
        scene.set(super::scene::time("2026-11-02T10:00:00Z"));
        assert_eq!(waiting(&scene).await, 1);
        assert_eq!(texts(&scene.recall("tea").await), ["tea"]);
        assert_eq!(scene.rows(receipt.fact).await, [1]);
    }

    // several processes on one store
    async fn what_one_process_records_another_finds(store: Store) {
        let scene = Scene::on(store).await;
        let other = scene.opened_again().await;
        let fact = scene.say("tea").await;
        let found = async || texts(&other.recall(&ann(), &Recall::query("tea coffee")).await.unwrap());
        assert_eq!(found().await, ["tea"]);
        scene.change(fact, "coffee").await;
        assert_eq!(found().await, ["coffee"]);
        scene.forget(fact).await;
        assert_eq!(found().await, [""; 0]);
        let newest = other.recall(&ann(), &Recall::newest().mode(Mode::List)).await.unwrap();
        assert_eq!(newest.facts.len(), 0);
    }
}

/// LED-22: the number of a row that is gone is not given to another fact.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_number_of_a_row_that_is_gone_is_not_used_again() {
    let scene = Scene::on(Store::sqlite()).await;
    let fact = scene.say("tea").await;
    scene.forget(fact).await;
    scene.say("coffee").await;
    let row = sqlx::query("SELECT id FROM entries")
        .fetch_one(&mut scene.store.connect_to_index().await)
        .await
        .unwrap();
    assert_eq!(sqlx::Row::get::<i64, _>(&row, 0), 2);
}

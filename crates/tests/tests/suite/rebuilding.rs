//! Every row made anew while others write and read, and an index of which nothing can be read.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use truthkeeper::{Drift, Embedder, Memory, Options, Rebuilt, Recall};
use truthkeeper_tests::{Engine, FewWords, Planted, Store, engines, many, on_both_engines, soak_time};

use super::projecting::in_index;
use super::scene::{Scene, ann, draft, local, says, texts};

const WRITTEN_MEANWHILE: usize = 200;
/// Ann writes `count` facts with the word tea.
async fn fill(memory: &Memory, count: usize) {
    many::write(memory, &ann(), count, |number| draft(says(&format!("tea number {number}")))).await;
}

/// Recalls one fact after the other, from all parts of the index, until it is over; gives how often.
async fn read(reader: Memory, count: usize, over: Arc<AtomicBool>) -> usize {
    let mut recalls = 0;
    while !over.load(Ordering::Relaxed) {
        let number = recalls * 37 % count;
        let found = reader.recall(&ann(), &Recall::query(number.to_string())).await.unwrap();
        assert!(texts(&found).contains(&format!("tea number {number}")), "{number} is not there in between");
        recalls += 1;
    }
    recalls
}

async fn write(writer: Memory) {
    for number in 0..WRITTEN_MEANWHILE {
        let text = format!("tea of another number {number}");
        writer.remember(&ann(), None, draft(says(&text))).await.unwrap();
    }
}

/// Every row with its words, without the numbers that an index gives.
async fn rows(store: &Store) -> Vec<String> {
    let statement = match store.engine() {
        Engine::Sqlite => {
            "SELECT e.fact || ' ' || e.revision || ' ' || e.kind || ' ' || s.scope || ' ' || e.digest || ' ' ||
                e.length || ' ' || w.readers || ' ' || w.terms
            FROM entries e JOIN scopes s ON s.id = e.scope LEFT JOIN words w ON w.rowid = e.id ORDER BY e.fact"
        }
        Engine::Postgres => {
            "SELECT e.fact || ' ' || e.revision || ' ' || e.kind || ' ' || s.scope || ' ' || e.digest || ' ' ||
                e.length || ' ' || CAST(e.words AS TEXT) || ' ' || e.terms
            FROM truthkeeper_index.entries e JOIN truthkeeper_index.scopes s ON s.id = e.scope ORDER BY e.fact"
        }
    };
    sqlx::query_scalar(statement).fetch_all(&mut store.connect_to_index().await).await.unwrap()
}

/// The rows of an index that was never written before, of the same facts.
async fn fresh_rows(scene: &Scene) -> Vec<String> {
    let fresh = Store::on(scene.store.engine());
    let index = Some(index::open(&fresh.index_address()));
    let options = Options { clock: scene.clock(), index, ..Options::default() };
    let memory = Memory::open_with(&scene.store.address, options).await.unwrap();
    assert_eq!(memory.rebuild_index(&local(), |_| {}).await.unwrap().left, 0);
    rows(&fresh).await
}

/// Gives how long the rebuild took.
async fn rebuild_while_others_work(store: Store, count: usize) -> Duration {
    let scene = Scene::on(store).await;
    fill(&scene.memory, count).await;
    let over = Arc::new(AtomicBool::new(false));
    let reading = tokio::spawn(read(scene.opened_again().await, count, Arc::clone(&over)));
    let writing = tokio::spawn(write(scene.opened_again().await));
    let began = Instant::now();
    let Rebuilt { made, left } = scene.memory.rebuild_index(&local(), |_| {}).await.unwrap();
    let took = began.elapsed();
    over.store(true, Ordering::Relaxed);
    writing.await.unwrap();
    assert!(reading.await.unwrap() > 0);
    assert!(made >= u64::try_from(count).unwrap(), "{made}");
    assert_eq!(left, 0, "what others took is done as well");
    // Where the index was busy for too long, the writer's own copies wait for another attempt.
    let later = scene.pass(super::scene::DAY);
    scene.memory.project_all(later).await.unwrap();
    let checked = scene.memory.check_index(&local(), None, |_| {}).await.unwrap();
    assert!(checked.is_clean(), "{checked:?}");
    let all = count + WRITTEN_MEANWHILE;
    assert_eq!((checked.total.facts, checked.total.rows), (all.try_into().unwrap(), all.try_into().unwrap()));
    let (rows, fresh) = (rows(&scene.store).await, fresh_rows(&scene).await);
    assert_eq!(rows.len(), all);
    let differing: Vec<_> = rows.iter().zip(&fresh).filter(|(row, fresh)| row != fresh).take(3).collect();
    assert!(differing.is_empty() && rows.len() == fresh.len(), "{differing:#?}");
    took
}

on_both_engines! {
    // PRJ-16
    async fn a_rebuild_keeps_nobody_from_writing_or_reading(store: Store) {
        let count = if store.engine() == Engine::Sqlite { 5_000 } else { 1_000 };
        rebuild_while_others_work(store, count).await;
    }

    async fn an_index_of_another_form_is_made_anew(store: Store) {
        let scene = Scene::on(store).await;
        for text in ["tea", "coffee", "milk"] {
            scene.say(text).await;
        }
        in_index(&scene, "PRAGMA user_version = 99", "UPDATE truthkeeper_index.form SET form = 99").await;
        let scene = Scene { memory: scene.opened_again().await, ..scene };
        assert!(scene.memory.recall(&ann(), &Recall::query("tea")).await.is_err());
        let receipt = scene.wrote(&ann(), says("water")).await;
        assert!(!receipt.searchable, "and stored all the same");
        let rebuilt = scene.memory.rebuild_index(&local(), |_| {}).await.unwrap();
        assert_eq!((rebuilt.made, rebuilt.left), (4, 0));
        assert_eq!(scene.recall("water").await.facts.len(), 1);
    }

    async fn rows_by_other_rules_of_text_are_made_anew_and_found_meanwhile(store: Store) {
        let scene = Scene::on(store).await;
        for text in ["tea", "coffee"] {
            scene.say(text).await;
        }
        in_index(&scene, "UPDATE entries SET rules = 0", "UPDATE truthkeeper_index.entries SET rules = 0").await;
        let checked = scene.memory.check_index(&local(), None, |_| {}).await.unwrap();
        assert_eq!(checked.total.drift, [(Drift::Stale, 2)].into());
        assert_eq!(scene.recall("tea").await.facts.len(), 1);
        assert_eq!(scene.memory.repair_index(&local(), None, |_| {}).await.unwrap(), 2);
        assert!(scene.memory.check_index(&local(), None, |_| {}).await.unwrap().is_clean());
    }

    // PRJ-10
    async fn a_rebuild_that_makes_no_progress_ends(store: Store) {
        let scene = Scene::on(store).await;
        for number in 0..5 {
            scene.say(&format!("tea number {number}")).await;
        }
        let model = Arc::new(FewWords::named("one"));
        model.plant(Planted::Outage);
        let embedder: Arc<dyn Embedder> = model.clone();
        let options = Options { clock: scene.clock(), embedder: Some(embedder), ..Options::default() };
        let memory = Memory::open_with(&scene.store.address, options).await.unwrap();
        assert_eq!(memory.rebuild_index(&local(), |_| {}).await.unwrap(), Rebuilt { made: 0, left: 5 });
        model.plant(Planted::Nothing);
        scene.pass(super::scene::DAY);
        assert_eq!(memory.rebuild_index(&local(), |_| {}).await.unwrap(), Rebuilt { made: 5, left: 0 });
        assert!(memory.check_index(&local(), None, |_| {}).await.unwrap().is_clean());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "soak"]
async fn soak_rebuild() {
    let (began, time) = (Instant::now(), soak_time());
    let mut rebuilds = 0;
    while rebuilds == 0 || began.elapsed() < time {
        for engine in engines() {
            // A row is several round trips to a server.
            let count = if engine == Engine::Sqlite { 100_000 } else { 20_000 };
            let took = rebuild_while_others_work(Store::on(engine), count).await;
            let rows = u128::try_from(count).unwrap() * 1_000 / took.as_millis().max(1);
            println!("{engine:?}: {count} rows in {took:.1?} while others wrote and read, {rows} a second");
        }
        rebuilds += 1;
    }
}

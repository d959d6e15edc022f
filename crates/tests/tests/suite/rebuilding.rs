//! Every row made anew while others write and read, and an index of which nothing can be read.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use truthkeeper::{Embedder, Memory, Options, Rebuilt, Recall};
use truthkeeper_tests::{Engine, FewWords, Planted, many, on_both_engines};

use super::projecting::in_index;
use super::scene::{Scene, ann, draft, local, says};

const WRITTEN_MEANWHILE: usize = 200;
/// Ann writes `count` facts with the word tea.
async fn fill(memory: &Memory, count: usize) {
    many::write(memory, &ann(), count, |number| draft(says(&format!("tea number {number}")))).await;
}

on_both_engines! {
    // PRJ-16
    async fn a_rebuild_keeps_nobody_from_writing_or_reading(store: Store) {
        let count = if store.engine() == Engine::Sqlite { 5_000 } else { 1_000 };
        let scene = Scene::on(store).await;
        fill(&scene.memory, count).await;
        let over = Arc::new(AtomicBool::new(false));
        let (reader, writer) = (scene.opened_again().await, scene.opened_again().await);
        let reading = {
            let over = Arc::clone(&over);
            tokio::spawn(async move {
                let mut recalls = 0;
                while !over.load(Ordering::Relaxed) {
                    let found = reader.recall(&ann(), &Recall::query("tea number 7")).await.unwrap();
                    assert_eq!(found.facts.len(), 10, "no recall comes to less in between");
                    recalls += 1;
                }
                recalls
            })
        };
        let writing = tokio::spawn(async move {
            for number in 0..WRITTEN_MEANWHILE {
                let text = format!("tea of another number {number}");
                writer.remember(&ann(), None, draft(says(&text))).await.unwrap();
            }
        });
        let Rebuilt { made, left } = scene.memory.rebuild_index(&local(), |_| {}).await.unwrap();
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
        assert_eq!(checked.total.rows, u64::try_from(count + WRITTEN_MEANWHILE).unwrap());
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

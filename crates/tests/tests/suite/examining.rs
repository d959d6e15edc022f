//! What the doctor finds about engine, clock and embedder, provoked for real and then mended.

use std::sync::Arc;

use truthkeeper::{Embedder, Finding, Install, Memory, Options, Timestamp};
use truthkeeper_tests::{Engine, FewWords, Planted, on_both_engines};

use super::raw;
use super::scene::{SECOND, Scene, local};

async fn install(scene: &Scene, now: Timestamp) -> Install {
    Install::open(&scene.store.address, now).await.unwrap()
}

/// The same store with a model.
async fn with_model(scene: &Scene, model: &Arc<FewWords>) -> Memory {
    let embedder: Arc<dyn Embedder> = model.clone();
    let options = Options { clock: scene.clock(), embedder: Some(embedder), ..Options::default() };
    Memory::open_with(&scene.store.address, options).await.unwrap()
}

on_both_engines! {
    async fn a_sound_store_has_nothing_to_find(store: Store) {
        let scene = Scene::on(store).await;
        scene.say("tea").await;
        let install = install(&scene, scene.now()).await;
        assert_eq!(install.engine().await.unwrap(), []);
        assert_eq!(install.pages().await.unwrap(), None);
        assert_eq!(install.prove(|_| {}).await.unwrap(), []);
        assert_eq!(install.clock().await.unwrap(), []);
        assert_eq!(scene.memory.examine_index().await.unwrap(), []);
        assert_eq!(scene.memory.examine_embedder().await.unwrap(), []);
    }

    async fn an_engine_that_may_lose_what_it_confirmed_is_found(store: Store) {
        let scene = Scene::on(store).await;
        if scene.store.engine() == Engine::Sqlite {
            return; // `memory doctor` has a test of it, with a store that nobody else has open.
        }
        let name = raw::value(&scene.store, "SELECT CAST(current_database() AS TEXT)").await;
        let set = |how: &str| format!("ALTER DATABASE \"{name}\" {how}");
        raw::attempt(&scene.store, &set("SET synchronous_commit = off")).await.unwrap();
        let found = install(&scene, scene.now()).await.engine().await.unwrap();
        let (setting, wanted) = ("synchronous_commit", "on");
        assert_eq!(found, [Finding::EngineUnsafe { setting, is: "off".to_owned(), wanted }]);
        raw::attempt(&scene.store, &set("RESET synchronous_commit")).await.unwrap();
        assert_eq!(install(&scene, scene.now()).await.engine().await.unwrap(), []);
    }

    async fn a_clock_that_was_set_back_is_found(store: Store) {
        let scene = Scene::on(store).await;
        let before = scene.now();
        scene.pass(60 * SECOND);
        scene.say("tea").await;
        let found = install(&scene, before).await.clock().await.unwrap();
        assert_eq!(found, [Finding::ClockBehind { tenant: local(), seconds: 60 }]);
        assert_eq!(install(&scene, scene.now()).await.clock().await.unwrap(), []);
    }

    async fn an_embedder_that_does_not_answer_as_it_must_is_found(store: Store) {
        let scene = Scene::on(store).await;
        let model = Arc::new(FewWords::named("first"));
        let memory = with_model(&scene, &model).await;
        for (planted, why) in [(Planted::Outage, "planted"), (Planted::BadModel, "5")] {
            model.plant(planted);
            match &memory.examine_embedder().await.unwrap()[..] {
                [Finding::EmbedderFailed { why: said }] => assert!(said.contains(why), "{said}"),
                other => panic!("{other:?}"),
            }
        }
        model.plant(Planted::Nothing);
        assert_eq!(memory.examine_embedder().await.unwrap(), []);
    }

    async fn searches_by_another_model_are_found_until_a_rebuild(store: Store) {
        let scene = Scene::on(store).await;
        let first = with_model(&scene, &Arc::new(FewWords::named("first"))).await;
        let draft = super::scene::draft(super::scene::says("tea"));
        first.remember(&super::scene::ann(), None, draft).await.unwrap();
        let second = with_model(&scene, &Arc::new(FewWords::named("second"))).await;
        let found = second.examine_embedder().await.unwrap();
        assert!(matches!(&found[..], [Finding::ModelOutdated { serving }] if serving.contains("first")), "{found:?}");
        second.rebuild_index(&local(), |_| {}).await.unwrap();
        assert_eq!(second.examine_embedder().await.unwrap(), []);
    }
}

//! Facts are found by what they mean, and nobody waits for a model to be found by words.

use std::sync::Arc;

use truthkeeper::{
    Degraded, Drift, Embedder, Memory, MemoryError, Mode, Options, Recall, Recalled, State, Which,
};
use truthkeeper_tests::{Engine, FewWords, Planted, Store, on_both_engines};

use super::raw;
use super::scene::{SECOND, Scene, ann, bob, local, says, texts};

/// A memory that asks this model.
pub(super) async fn scene(store: Store, model: &Arc<FewWords>) -> Scene {
    let scene = Scene::on(store).await;
    with(scene, model).await
}

/// The same store, opened with this model.
async fn with(scene: Scene, model: &Arc<FewWords>) -> Scene {
    let embedder: Arc<dyn Embedder> = model.clone();
    let options = Options { clock: scene.clock(), embedder: Some(embedder), ..Options::default() };
    let memory = Memory::open_with(&scene.store.address, options).await.unwrap();
    Scene { memory, ..scene }
}

/// The same store, opened with one model after another.
async fn after(scene: Scene, model: &Arc<FewWords>, former: &Arc<FewWords>) -> Scene {
    let (embedder, former): (Arc<dyn Embedder>, Arc<dyn Embedder>) = (model.clone(), former.clone());
    let models = Options { embedder: Some(embedder), former: Some(former), ..Options::default() };
    let memory =
        Memory::open_with(&scene.store.address, Options { clock: scene.clock(), ..models }).await.unwrap();
    Scene { memory, ..scene }
}

async fn recall(scene: &Scene, query: &str, mode: Mode) -> Recalled {
    scene.memory.recall(&ann(), &Recall::query(query).mode(mode)).await.unwrap()
}

/// How many vectors the index holds.
async fn vectors(scene: &Scene) -> i64 {
    let statement = match scene.store.engine() {
        Engine::Sqlite => "SELECT count(*) FROM vectors",
        Engine::Postgres => "SELECT count(*) FROM truthkeeper_index.vectors",
    };
    let row = sqlx::query(statement).fetch_one(&mut scene.store.connect_to_index().await).await.unwrap();
    sqlx::Row::get(&row, 0)
}

async fn found(scene: &Scene, query: &str, mode: Mode) -> Vec<String> {
    texts(&recall(scene, query, mode).await)
}

on_both_engines! {
    // A fact names the model that embedded it, as long as the copy has it
    async fn a_fact_says_which_model_embedded_it(store: Store) {
        let model = Arc::new(FewWords::named("one"));
        let scene = scene(store, &model).await;
        let fact = scene.wrote(&ann(), says("a cup of tea")).await.fact;
        let first = scene.get(fact).await.unwrap().revision;
        let of = async |memory: &Memory| memory.embedded([&first]).await.model_of(&first).map(str::to_owned);
        assert_eq!(of(&scene.memory).await, scene.memory.meaning().await.map(Result::unwrap));
        assert_eq!(of(&scene.opened_again().await).await, None, "without a model nobody says");
        scene.forget(fact).await;
        assert_eq!(of(&scene.memory).await, None, "what is not in the copy is not found by meaning");
    }

    async fn a_fact_is_found_by_what_it_means(store: Store) {
        let model = Arc::new(FewWords::named("one"));
        let scene = scene(store, &model).await;
        for text in ["a cup of tea", "espresso", "cold milk"] {
            assert!(scene.wrote(&ann(), says(text)).await.searchable);
        }
        scene.wrote(&bob(), serde_json::json!({"scope": {"userId": "bob"}, "content": {"text": "brew"}})).await;
        assert_eq!(found(&scene, "brew", Mode::Semantic).await[0], "a cup of tea");
        assert_eq!(found(&scene, "coffee", Mode::Semantic).await[0], "espresso");
        assert_eq!(found(&scene, "brew", Mode::Keyword).await, [""; 0]);
        let both = recall(&scene, "cold brew", Mode::Both).await;
        assert_eq!((both.degraded, both.facts.len()), (None, 3), "and none of Bob's");
        assert_eq!(texts(&both)[0], "cold milk", "found by a word and by meaning");
    }

    // 117
    async fn without_a_model_it_says_so(store: Store) {
        let scene = Scene::on(store).await;
        scene.say("tea").await;
        let semantic = scene.memory.recall(&ann(), &Recall::query("tea").mode(Mode::Semantic)).await;
        assert!(matches!(semantic, Err(MemoryError::SemanticUnavailable)));
        let both = recall(&scene, "tea", Mode::Both).await;
        assert_eq!((texts(&both), both.degraded), (vec!["tea".to_owned()], Some(Degraded::NoEmbeddings)));
    }

    async fn what_changes_means_something_else(store: Store) {
        let model = Arc::new(FewWords::named("one"));
        let scene = scene(store, &model).await;
        let fact = scene.say("tea").await;
        scene.say("water").await;
        scene.change(fact, "coffee").await;
        assert_eq!(found(&scene, "espresso", Mode::Semantic).await[0], "coffee");
        scene.forget(fact).await;
        assert_eq!(found(&scene, "espresso", Mode::Semantic).await, ["water"]);
    }

    // An outage of the embedder keeps nobody from being found by words, and uses up no attempts
    async fn an_outage_of_the_model_leaves_the_words(store: Store) {
        let model = Arc::new(FewWords::named("one"));
        let scene = scene(store, &model).await;
        scene.say("water").await;
        for planted in [Planted::Outage, Planted::BadModel] {
            model.plant(planted);
            let receipt = scene.wrote(&ann(), says(&format!("a brew in {planted:?}"))).await;
            assert!(!receipt.searchable, "not by its meaning");
            let words = recall(&scene, &format!("{planted:?}"), Mode::Keyword).await;
            assert_eq!((words.facts.len(), words.not_searchable_yet), (1, 1));
            let attempts = raw::value(&scene.store, "SELECT attempts FROM operations").await;
            assert_eq!(attempts, "0");
            model.plant(Planted::Nothing);
            let later = scene.pass(100 * SECOND);
            assert_eq!(scene.memory.project_all(later).await.unwrap(), 1);
            assert!(found(&scene, "tea", Mode::Semantic).await[0].starts_with("a brew"));
        }
        model.plant(Planted::Outage);
        let both = recall(&scene, "water", Mode::Both).await;
        assert_eq!((texts(&both).len(), both.degraded), (1, Some(Degraded::EmbedderUnreachable)));
        let semantic = scene.memory.recall(&ann(), &Recall::query("tea").mode(Mode::Semantic)).await;
        assert!(matches!(semantic, Err(MemoryError::Embedder(_))));
    }

    async fn a_slow_model_keeps_nobody(store: Store) {
        let model = Arc::new(FewWords::named("one"));
        let scene = scene(store, &model).await;
        scene.say("water").await;
        model.plant(Planted::Slowness);
        let began = std::time::Instant::now();
        assert!(!scene.wrote(&ann(), says("tea")).await.searchable);
        let words = recall(&scene, "water", Mode::Keyword).await;
        assert_eq!((texts(&words), words.not_searchable_yet), (vec!["water".to_owned()], 1));
        assert!(began.elapsed().as_secs() < 60, "the model still thinks");
    }

    async fn a_text_that_the_model_refuses_fails_alone(store: Store) {
        let model = Arc::new(FewWords::named("one"));
        let scene = scene(store, &model).await;
        model.plant(Planted::Outage);
        for text in ["tea", "poison", "coffee"] {
            scene.wrote(&ann(), says(text)).await;
        }
        model.plant(Planted::Refusals);
        for _ in 0..4 {
            let later = scene.pass(100 * SECOND);
            scene.memory.project_all(later).await.unwrap();
        }
        let all = Which { tenant: Some(local()), ..Which::default() };
        let outbox = scene.memory.outbox(&all).await.unwrap();
        assert_eq!((outbox.waiting, outbox.failed), (0, 1));
        assert_eq!(outbox.failing[0].error, "embedder-refused");
        assert_eq!(found(&scene, "brew", Mode::Semantic).await[0], "tea");
        assert_eq!(found(&scene, "poison", Mode::Keyword).await, ["poison"]);
        model.plant(Planted::Nothing);
        let again = scene.memory.retry(&all).await.unwrap();
        assert_eq!((again.retried, again.succeeded), (1, 1));
    }

    // PRJ-15
    async fn vectors_of_two_models_are_never_compared(store: Store) {
        let one = Arc::new(FewWords::named("one"));
        let scene = scene(store, &one).await;
        scene.say("tea").await;
        let two = Arc::new(FewWords::named("two"));
        let scene = with(scene, &two).await;
        let partly = recall(&scene, "brew", Mode::Semantic).await;
        assert_eq!((texts(&partly).len(), partly.degraded), (0, Some(Degraded::OtherModel)));
        let checked = scene.memory.check_index(&local(), None, |_| {}).await.unwrap();
        assert_eq!(checked.total.drift, [(Drift::Stale, 1)].into(), "to be embedded anew");
        assert_eq!(scene.memory.repair_index(&local(), None, |_| {}).await.unwrap(), 1);
        assert!(scene.memory.check_index(&local(), None, |_| {}).await.unwrap().is_clean());
        let whole = recall(&scene, "brew", Mode::Semantic).await;
        assert_eq!((texts(&whole), whole.degraded), (vec!["tea".to_owned()], None));
        assert_eq!(vectors(&scene).await, 1, "what the first model said is gone");
    }

    async fn the_former_model_serves_until_everything_is_embedded_anew(store: Store) {
        let one = Arc::new(FewWords::named("one"));
        let scene = scene(store, &one).await;
        scene.say("tea").await;
        let two = Arc::new(FewWords::named("two"));
        let scene = after(scene, &two, &one).await;
        two.plant(Planted::Outage);
        scene.say("espresso").await;
        for (query, expected) in [("brew", "tea"), ("coffee", "espresso")] {
            let whole = recall(&scene, query, Mode::Semantic).await;
            assert_eq!((texts(&whole)[0].as_str(), whole.degraded), (expected, None));
        }
        assert_eq!(scene.memory.outdated_model().await, Some(one.model().await.unwrap().to_string()));
        scene.pass(100 * SECOND);
        assert_eq!(scene.memory.rebuild_index(&local(), |_| {}).await.unwrap().left, 2, "nobody embeds");
        assert_eq!(found(&scene, "brew", Mode::Semantic).await[0], "tea", "the former serves on");
        two.plant(Planted::Nothing);
        scene.pass(100 * SECOND);
        assert_eq!(scene.memory.rebuild_index(&local(), |_| {}).await.unwrap().left, 0);
        assert_eq!(scene.memory.outdated_model().await, None);
        assert_eq!(vectors(&scene).await, 2, "those of the former are gone");
        let asked = one.texts();
        assert_eq!(found(&scene, "brew", Mode::Semantic).await[0], "tea");
        scene.say("dairy").await;
        assert_eq!(found(&scene, "milk", Mode::Semantic).await[0], "dairy");
        assert_eq!(one.texts(), asked, "nobody asks the former");
    }

    async fn an_outage_of_the_former_model_stops_nothing(store: Store) {
        let one = Arc::new(FewWords::named("one"));
        let scene = scene(store, &one).await;
        scene.say("tea").await;
        let two = Arc::new(FewWords::named("two"));
        let scene = after(scene, &two, &one).await;
        one.plant(Planted::Outage);
        assert!(scene.wrote(&ann(), says("espresso")).await.searchable);
        let both = recall(&scene, "tea", Mode::Both).await;
        assert_eq!((texts(&both).len(), both.degraded), (1, Some(Degraded::EmbedderUnreachable)));
        assert_eq!(scene.memory.rebuild_index(&local(), |_| {}).await.unwrap().left, 0);
        assert_eq!(found(&scene, "brew", Mode::Semantic).await[0], "tea");
    }

    async fn content_is_embedded_once_and_forgotten_with_its_last_row(store: Store) {
        let model = Arc::new(FewWords::named("one"));
        let scene = scene(store, &model).await;
        let fact = scene.say("tea. And some milk.").await;
        assert_eq!(model.texts(), 2, "in pieces, none of it cut");
        assert_eq!(found(&scene, "dairy", Mode::Semantic).await.len(), 1);
        let asked = model.texts();
        scene.memory.verify(&ann(), None, fact, None).await.unwrap();
        scene.wrote(&ann(), serde_json::json!({"key": "drink", "content": {"text": "tea. And some milk."}})).await;
        assert_eq!(model.texts(), asked, "nobody paid twice");
        assert_eq!(vectors(&scene).await, 2);
        scene.memory.erase(&ann(), None, fact, None).await.unwrap();
        assert_eq!(vectors(&scene).await, 2, "another fact says it too");
        for seen in scene.list(&ann(), State::Active).await {
            scene.forget(seen.head.fact).await;
        }
        assert_eq!(vectors(&scene).await, 0);
    }
}

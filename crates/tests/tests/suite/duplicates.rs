//! Facts that seem to say the same are listed for their owner, and nothing becomes of it.

use std::sync::Arc;

use serde_json::{Value, json};
use truthkeeper::{Caller, Duplicates, Embedder, Filter, Memory, NoMeaning, Options, State};
use truthkeeper_tests::{FewWords, on_both_engines};

use super::scene::{Scene, agent, ann, bob, kind, operator, scope, text, user};

/// Ann says something under a key.
async fn keyed(scene: &Scene, key: &str, text: &str) -> truthkeeper::FactId {
    scene.wrote(&ann(), json!({"key": key, "content": {"text": text}})).await.fact
}

/// The same store, opened with this model.
async fn with(scene: Scene, model: &Arc<FewWords>) -> Scene {
    let embedder: Arc<dyn Embedder> = model.clone();
    let options = Options { clock: scene.clock(), embedder: Some(embedder), ..Options::default() };
    Scene { memory: Memory::open_with(&scene.store.address, options).await.unwrap(), ..scene }
}

/// The same, where the index cannot be reached.
async fn without_index(scene: Scene, model: &Arc<FewWords>) -> Scene {
    let (embedder, index): (Arc<dyn Embedder>, _) = (model.clone(), index::open("/nowhere/at/all/index.db"));
    let reached = Options { clock: scene.clock(), embedder: Some(embedder), ..Options::default() };
    let options = Options { index: Some(index), ..reached };
    Scene { memory: Memory::open_with(&scene.store.address, options).await.unwrap(), ..scene }
}

async fn found(scene: &Scene, caller: &Caller) -> Duplicates {
    scene.memory.duplicates(caller, &Filter::current()).await.unwrap()
}

/// The texts of each pair, the older first.
fn said(found: &Duplicates) -> Vec<[String; 2]> {
    found.pairs.iter().map(|pair| [text(&pair.older), text(&pair.newer)]).collect()
}

async fn pairs(scene: &Scene, caller: &Caller) -> Vec<[String; 2]> {
    said(&found(scene, caller).await)
}

/// The same statement somewhere else, or of another kind.
async fn said_by(scene: &Scene, caller: &Caller, path: &str, fields: Value) {
    let mut said = json!({"scope": scope(path), "key": "k", "content": {"text": "ann likes strong tea"}});
    said.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    scene.wrote(caller, said).await;
}

on_both_engines! {
    async fn what_says_the_same_is_listed_and_stays(store: Store) {
        let scene = Scene::on(store).await;
        let older = keyed(&scene, "drink", "Ann likes strong tea").await;
        scene.say("Ann plays chess").await;
        let newer = keyed(&scene, "beverage", "Likes strong tea: Ann.").await;
        keyed(&scene, "cup", "Ann likes strong coffee").await;
        let events = scene.events().await;
        let found = found(&scene, &ann()).await;
        assert_eq!(said(&found), [["Ann likes strong tea", "Likes strong tea: Ann."]]);
        let facts = (found.pairs[0].older.head.fact, found.pairs[0].newer.head.fact);
        assert_eq!(facts, (older, newer));
        assert_eq!((found.compared, found.facts_left_out, found.pairs_left_out), (4, false, false));
        assert_eq!((found.no_meaning, found.by_words_alone), (Some(NoMeaning::NoEmbeddings), 4));
        assert_eq!(scene.events().await, events);
        assert_eq!(scene.recall("strong tea").await.facts.len(), 3, "nothing is retired by likeness");
        scene.forget(newer).await;
        assert_eq!(pairs(&scene, &ann()).await, [[""; 2]; 0], "what is over is not compared");
    }

    async fn the_older_fact_is_the_older_one_whatever_was_said_of_it_since(store: Store) {
        let scene = Scene::on(store).await;
        let older = keyed(&scene, "drink", "Ann likes milk").await;
        keyed(&scene, "beverage", "Ann likes strong tea").await;
        scene.change(older, "Ann likes the strong tea").await;
        assert_eq!(pairs(&scene, &ann()).await, [["Ann likes the strong tea", "Ann likes strong tea"]]);
    }

    async fn what_denies_the_other_is_none(store: Store) {
        let model = Arc::new(FewWords::named("one"));
        let scene = with(Scene::on(store).await, &model).await;
        keyed(&scene, "one", "Production deployment is allowed").await;
        for (key, text) in [
            ("two", "Production deployment is not allowed"),
            ("three", "Production deployment isn\u{2019}t allowed"),
            ("four", "Production deployment is 2 times allowed"),
        ] {
            let fact = keyed(&scene, key, text).await;
            assert_eq!(pairs(&scene, &ann()).await, [[""; 2]; 0], "{text}");
            scene.forget(fact).await;
        }
    }

    async fn what_its_owner_told_apart_is_none(store: Store) {
        let scene = Scene::on(store).await;
        let older = keyed(&scene, "drink", "Ann likes strong tea").await;
        let newer = keyed(&scene, "beverage", "Ann likes the strong tea").await;
        assert_eq!(pairs(&scene, &ann()).await.len(), 1);
        scene.memory.split(&ann(), None, newer, Some(older)).await.unwrap();
        assert_eq!(pairs(&scene, &ann()).await, [[""; 2]; 0]);
    }

    async fn either_side_of_a_conflict_is_compared(store: Store) {
        let scene = Scene::on(store).await;
        let contested = scene.contested().await;
        keyed(&scene, "one", "Tea!").await;
        keyed(&scene, "two", "Coffee!").await;
        assert_eq!(pairs(&scene, &ann()).await, [["coffee", "Coffee!"], ["tea", "Tea!"]]);
        let found = found(&scene, &ann()).await;
        assert_eq!(found.compared, 3, "a contested fact is one");
        assert!(found.pairs.iter().all(|pair| pair.older.head.fact == contested));
        assert!(found.pairs.iter().all(|pair| pair.older.state == State::Conflicted));
        let other = keyed(&scene, "three", "tea.").await;
        scene.wrote(&agent(), json!({"fact": other, "content": {"text": "coffee."}})).await;
        assert_eq!(pairs(&scene, &ann()).await.len(), 5, "two contested facts are a pair once");
    }

    async fn another_scope_type_or_owner_is_another_matter(store: Store) {
        let scene = Scene::on(store).await;
        said_by(&scene, &ann(), "user:ann", json!({})).await;
        said_by(&scene, &ann(), "user:ann", json!({"type": "acme.note"})).await;
        said_by(&scene, &ann(), "user:ann/session:s", json!({})).await;
        said_by(&scene, &bob(), "user:bob", json!({})).await;
        said_by(&scene, &operator(), "tenant", json!({})).await;
        for caller in [ann(), bob(), operator()] {
            assert_eq!(pairs(&scene, &caller).await, [[""; 2]; 0]);
        }
        said_by(&scene, &operator(), "tenant", json!({"key": "k2"})).await;
        said_by(&scene, &bob(), "user:bob", json!({"key": "k2"})).await;
        assert_eq!(pairs(&scene, &ann()).await, [[""; 2]; 0], "what she may only read is not hers to merge");
        assert_eq!((pairs(&scene, &bob()).await.len(), pairs(&scene, &operator()).await.len()), (1, 2));
        assert_eq!(pairs(&scene, &user("olaf", "org:o")).await, [[""; 2]; 0]);
        let of_bob = Filter { scope: Some(scope("user:bob")), ..Filter::current() };
        assert_eq!(scene.memory.duplicates(&operator(), &of_bob).await.unwrap().pairs.len(), 1);
        let notes = Filter { kind: Some(kind("acme.note")), ..Filter::current() };
        assert_eq!(scene.memory.duplicates(&operator(), &notes).await.unwrap().compared, 1);
    }

    async fn what_means_the_same_is_listed_with_a_model(store: Store) {
        let model = Arc::new(FewWords::named("one"));
        let scene = with(Scene::on(store).await, &model).await;
        keyed(&scene, "one", "loves tea").await;
        keyed(&scene, "two", "loves a brew").await;
        keyed(&scene, "three", "loves espresso").await;
        let by_meaning = found(&scene, &ann()).await;
        assert_eq!(said(&by_meaning), [["loves tea", "loves a brew"]]);
        assert_eq!((by_meaning.no_meaning, by_meaning.by_words_alone), (None, 0));
        let scene = with(scene, &Arc::new(FewWords::named("two"))).await;
        let other = found(&scene, &ann()).await;
        assert_eq!((said(&other), other.no_meaning), (vec![], Some(NoMeaning::OtherModel)));
        let scene = without_index(scene, &model).await;
        keyed(&scene, "four", "Loves espresso!").await;
        let unreachable = found(&scene, &ann()).await;
        assert_eq!(said(&unreachable), [["loves espresso", "Loves espresso!"]]);
        assert_eq!(unreachable.no_meaning, Some(NoMeaning::IndexUnreachable));
    }
}

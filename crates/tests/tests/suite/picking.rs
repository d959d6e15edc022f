//! What is taken of what was found: the floor, the weights of sources, and what a score comes from.

use std::sync::Arc;

use truthkeeper::{FactId, MemoryError, Miss, Mode, Order, Recall, SourceWeights, Times};
use truthkeeper_tests::{FewWords, on_both_engines};

use super::meaning::scene;
use super::scene::{Scene, agent, ann, evidence, refused, says, texts};

/// Ids of what is not shown, with why.
fn near(recalled: &truthkeeper::Recalled) -> Vec<(FactId, Miss)> {
    recalled.near.iter().map(|near| (near.fact, near.why)).collect()
}

on_both_engines! {
    async fn what_is_found_by_meaning_alone_has_to_reach_the_floor(store: Store) {
        let model = Arc::new(FewWords::named("one"));
        let scene = scene(store, &model).await;
        let tea = scene.say("a cup of tea").await;
        let water = scene.say("water").await;
        for mode in [Mode::Semantic, Mode::Both] {
            let all = Recall::query("brew").mode(mode);
            let recalled = scene.memory.recall(&ann(), &all).await.unwrap();
            assert_eq!(texts(&recalled), ["a cup of tea", "water"]);
            let recalled = scene.memory.recall(&ann(), &all.floor(0.3)).await.unwrap();
            assert_eq!((texts(&recalled), near(&recalled)), (vec!["a cup of tea".to_owned()], vec![(water, Miss::BelowFloor)]));
            assert_eq!(recalled.withheld, [].into(), "the gate kept nothing back");
        }
        let said = scene.memory.recall(&ann(), &Recall::query("brew, or water").mode(Mode::Both).floor(1.0)).await.unwrap();
        assert_eq!((said.facts[0].case.head.fact, said.facts.len()), (water, 1), "found by its word, not by meaning alone");
        let then = Times { as_of: Some(scene.recorded().await), ..Times::default() };
        let then = scene.memory.recall(&ann(), &Recall::query("brew").mode(Mode::Both).floor(0.3).times(then)).await.unwrap();
        assert_eq!((texts(&then), near(&then)), (vec!["a cup of tea".to_owned()], vec![(water, Miss::BelowFloor)]));
        assert_eq!(then.facts[0].case.head.fact, tea);
        for floor in [-1.1, 1.1, f64::NAN] {
            refused!(scene.memory.recall(&ann(), &Recall::query("brew").floor(floor)).await, MemoryError::BadInput(_));
        }
    }

    async fn a_source_counts_by_its_weight(store: Store) {
        let scene = Scene::on(store).await;
        let sourced = serde_json::json!({"content": {"text": "green tea"}, "evidence": evidence("m1")});
        let said = scene.wrote(&agent(), sourced).await.fact;
        let own = scene.say("green tea with some milk").await;
        let agents = |agent| SourceWeights { agent, ..SourceWeights::default() };
        let order = async |recall: &Recall| {
            let recalled = scene.memory.recall(&ann(), recall).await.unwrap();
            let facts: Vec<_> = recalled.facts.iter().map(|fact| fact.case.head.fact).collect();
            (facts, near(&recalled))
        };
        let plain = Recall::query("green tea");
        assert_eq!(order(&plain).await.0, [said, own]);
        assert_eq!(order(&plain.clone().sources(agents(0.2))).await.0, [own, said]);
        let first = plain.clone().sources(agents(0.2)).limit(1);
        assert_eq!(order(&first).await, (vec![own], vec![(said, Miss::TooLate)]));
        let then = Times { as_of: Some(scene.recorded().await), ..Times::default() };
        assert_eq!(order(&first.times(then)).await, (vec![own], vec![(said, Miss::TooLate)]));
        assert_eq!(order(&Recall::newest().sources(agents(0.2))).await.0, [own, said], "a list is by time");
        let receipt = scene.memory.recall(&ann(), &plain.clone().sources(agents(0.2))).await.unwrap().receipt.unwrap();
        assert!(scene.memory.replay(&ann(), receipt).await.unwrap().is_same());
        for weight in [0.0, 101.0, f64::NAN] {
            refused!(scene.memory.recall(&ann(), &plain.clone().sources(agents(weight))).await, MemoryError::BadInput(_));
        }
    }

    async fn a_score_is_the_sum_of_what_it_comes_from(store: Store) {
        let model = Arc::new(FewWords::named("one"));
        let scene = scene(store, &model).await;
        for text in ["a cup of tea", "cold milk", "tea with milk"] {
            scene.say(text).await;
        }
        let recalled = scene.memory.recall(&ann(), &Recall::query("cold brew").mode(Mode::Both)).await.unwrap();
        let fact = |text: &str| &recalled.facts[texts(&recalled).iter().position(|one| one == text).unwrap()];
        let orders = |text| fact(text).fits.iter().map(|fit| fit.order).collect::<Vec<_>>();
        assert_eq!(orders("cold milk"), [Order::Words, Order::Meaning]);
        assert_eq!(orders("a cup of tea"), [Order::Meaning]);
        for fact in &recalled.facts {
            let adds: f64 = fact.fits.iter().map(|fit| fit.adds).sum();
            assert!((fact.score.unwrap() - adds).abs() < 1e-9, "{fact:?}");
        }
        let receipt = scene.memory.receipt(&ann(), recalled.receipt.unwrap()).await.unwrap();
        assert_eq!(receipt.given.shown[0].fits, recalled.facts[0].fits);
    }

    async fn the_generation_stands_as_long_as_the_same_is_found(store: Store) {
        let scene = Scene::on(store).await;
        let tea = scene.say("tea").await;
        let generation = async || scene.recall("tea").await.generation.unwrap();
        let first = generation().await;
        scene.wrote(&super::scene::bob(), serde_json::json!({"scope": {"userId": "bob"}, "content": {"text": "tea"}})).await;
        assert_eq!(generation().await, first, "what others write changes nothing of mine");
        scene.change(tea, "more tea").await;
        let second = generation().await;
        assert!(second > first);
        let receipt = scene.recall("tea").await.receipt.unwrap();
        assert_eq!(scene.memory.receipt(&ann(), receipt).await.unwrap().given.generation, Some(second));
        assert_eq!(scene.newest().await.generation, None, "a list is read from the ledger");
        scene.wrote(&ann(), says("milk")).await;
        assert!(generation().await > second);
    }
}

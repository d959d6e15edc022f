//! What the owner's page asks of a memory: what was done about a fact, what waits, and what is kept out of recall.

use serde_json::json;
use truthkeeper::{Ended, MemoryError, Ruling, Truth, Waiting};
use truthkeeper_tests::on_both_engines;

use super::scene::{Scene, agent, ann, bob, number, operator, says};

/// What was done about a fact, the newest first, and why.
async fn done(scene: &Scene, fact: truthkeeper::FactId) -> Vec<(&'static str, Option<String>)> {
    let acts = scene.memory.acts(&ann(), fact, None, 100).await.unwrap();
    let why = |act: &truthkeeper::Act| act.reason.as_ref().map(|reason| reason.as_str().to_owned());
    acts.iter().map(|act| (act.event.happening.name(), why(act))).collect()
}

on_both_engines! {
    async fn what_was_done_about_a_fact_is_told_with_who_and_why(store: Store) {
        let scene = Scene::on(store).await;
        let tea = scene.say("tea").await;
        scene.wrote(&agent(), json!({"fact": tea, "content": {"text": "milk?"}, "confidence": 0.5})).await;
        let Truth::Contested(contest) = scene.memory.revisions(&ann(), tea, None, 1).await.unwrap()[0].head.truth.clone()
        else { panic!("it is contested") };
        let seen = (contest.conflict, contest.version);
        scene.memory.settle(&ann(), None, seen, Ruling::Keep(number(1)), Some("tea, as always")).await.unwrap();
        scene.memory.forget(&ann(), None, tea, None, Some("no more")).await.unwrap();
        let why = |words: &str| Some(words.to_owned());
        let told = [("retracted", why("no more")), ("settled", why("tea, as always"))];
        assert_eq!(done(&scene, tea).await, told);
        let Some(Ended::Forgotten { by, reason, .. }) = scene.memory.ended(&ann(), tea).await.unwrap() else {
            panic!("it is forgotten")
        };
        assert_eq!((by, reason.as_ref().map(|reason| reason.as_str())), (ann().actor, Some("no more")));
        for outcome in [
            scene.memory.acts(&bob(), tea, None, 100).await.map(|_| ()),
            scene.memory.ended(&bob(), tea).await.map(|_| ()),
        ] {
            assert!(matches!(outcome, Err(MemoryError::NotFound)), "{outcome:?}");
        }
        let first = scene.memory.acts(&ann(), tea, None, 1).await.unwrap()[0].event.position;
        let older = scene.memory.acts(&ann(), tea, Some(first), 100).await.unwrap();
        assert_eq!(older.len(), 1, "it goes on from a place");
        scene.memory.erase(&operator(), None, tea, None).await.unwrap();
        assert!(done(&scene, tea).await.iter().all(|(_, why)| why.is_none()), "what was typed is gone");
    }

    async fn what_waits_is_counted_for_whom_it_waits(store: Store) {
        let scene = Scene::on(store).await;
        scene.contested().await;
        let gone = scene.say("water").await;
        scene.forget(gone).await;
        scene.wrote(&agent(), says("water")).await;
        let of = async |caller| scene.memory.waiting(&caller).await.unwrap();
        assert_eq!(of(ann()).await, Waiting { conflicts: 1, reviews: 1, failed: 0 });
        assert_eq!(of(bob()).await, Waiting::default());
        assert_eq!(of(operator()).await, Waiting { conflicts: 1, reviews: 1, failed: 0 });
    }

    async fn what_is_kept_out_of_recall_is_found(store: Store) {
        let scene = Scene::on(store).await;
        let (tea, _) = (scene.say("tea").await, scene.say("water").await);
        scene.memory.quarantine(&operator(), None, tea).await.unwrap();
        let of = async |caller| {
            let (found, more) = scene.memory.quarantined(&caller).await.unwrap();
            assert!(!more);
            found.iter().map(|seen| seen.head.fact).collect::<Vec<_>>()
        };
        assert_eq!(of(ann()).await, [tea]);
        assert!(of(bob()).await.is_empty());
        scene.memory.admit(&operator(), None, tea).await.unwrap();
        assert!(of(ann()).await.is_empty());
    }
}

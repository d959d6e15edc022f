//! What is derived is never trusted further than what it is derived from.

use std::time::Instant;

use serde_json::json;
use truthkeeper::{FactId, MemoryError, Origin, Outcome, Trust};
use truthkeeper_tests::{Engine, Store, engines, on_both_engines, soak_time};

use super::scene::{Scene, agent, agent_named, ann, evidence};
use crate::faults::seed::Seed;

/// How far each of these facts is trusted now; the least of it.
async fn least(scene: &Scene, facts: &[FactId]) -> Trust {
    let mut least = Trust::Verified;
    for fact in facts {
        let case = scene.memory.ledger().case(&ann().reader, &ledger::Sought::Fact(*fact)).await.unwrap();
        for revision in case.unwrap().revisions {
            least = least.least(revision.saying.trust);
        }
    }
    least
}

/// Whether all that the fact's truth names is derived.
async fn is_derived(scene: &Scene, fact: Option<FactId>) -> bool {
    let Some(fact) = fact else { return false };
    let case = scene.memory.ledger().case(&ann().reader, &ledger::Sought::Fact(fact)).await.unwrap();
    case.unwrap().revisions.iter().all(|revision| !revision.saying.provenance.derived_from.is_empty())
}

fn rank(trust: Trust) -> u8 {
    match trust {
        Trust::Unverified => 0,
        Trust::Asserted => 1,
        Trust::Verified => 2,
    }
}

/// Sources that change, and a fact that is derived from them and rewritten, by all sorts of actors.
async fn history(scene: &Scene, seed: u64) {
    let mut seed = Seed::new(seed);
    let name = seed.below(u64::MAX);
    let mut sources = Vec::new();
    for number in 0..1 + seed.below(3) {
        let by = if seed.once_in(2) { ann() } else { agent() };
        let said = json!({"key": format!("{name} {number}"), "content": {"text": "a source"}});
        let source = scene.wrote(&by, said).await.fact;
        if seed.once_in(3) {
            scene.memory.verify(&ann(), None, source, None).await.unwrap();
        }
        sources.push(source);
    }
    let mut derived = None;
    for step in 0..4 {
        let by = [ann(), agent(), agent_named("other")][usize::try_from(seed.below(3)).unwrap()].clone();
        let trust = [json!(null), json!("asserted"), json!("unverified")]
            [usize::try_from(seed.below(3)).unwrap()]
        .clone();
        let from = if step == 0 || seed.once_in(2) { json!(sources) } else { json!([]) };
        let mut said = json!({
            "content": {"text": format!("derived {step}")}, "trust": trust, "evidence": evidence("m1"),
            "generatedBy": {"derivedFrom": from},
        });
        match derived {
            Some(fact) => said["fact"] = json!(fact),
            None => said["key"] = json!(format!("{name} derived")),
        }
        let bound = least(scene, &sources).await;
        let was_derived = is_derived(scene, derived).await;
        let receipt = scene.wrote(&by, said).await;
        derived = Some(receipt.fact);
        let seen = scene.memory.revision(&ann(), receipt.fact, receipt.revision).await.unwrap();
        let said = &seen.revision.saying;
        let is_new = !matches!(receipt.outcome, Outcome::Unchanged | Outcome::EvidenceAdded);
        if is_new && !said.provenance.derived_from.is_empty() && said.origin == Origin::Stated {
            assert!(rank(said.trust) <= rank(bound), "{name}: {:?} above {bound:?}", said.trust);
        }
        if is_new && was_derived && by.actor != ann().actor {
            assert!(
                !said.provenance.derived_from.is_empty(),
                "{name} {:?} {:?}: a machine made it its own",
                receipt.outcome,
                seen.revision.actor
            );
        }
        if seed.once_in(4) {
            match scene.memory.verify(&ann(), None, receipt.fact, None).await {
                Ok(_) | Err(MemoryError::Refused(_)) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }
}

on_both_engines! {
    async fn what_is_derived_is_trusted_no_further_than_its_sources(store: Store) {
        let histories = if store.engine() == Engine::Sqlite { 1_000 } else { 50 };
        let scene = Scene::on(store).await;
        for seed in 0..histories {
            history(&scene, seed).await;
        }
    }

    async fn only_a_person_vouches_for_what_is_derived(store: Store) {
        let scene = Scene::on(store).await;
        let source = scene.wrote(&agent(), json!({"key": "a", "content": {"text": "a source"}})).await.fact;
        let said = |trust: &str, text: &str| {
            json!({
                "key": "b", "content": {"text": text}, "trust": trust, "evidence": evidence("m1"),
                "generatedBy": {"derivedFrom": [source], "toolCallId": "c1"},
            })
        };
        let fact = scene.wrote(&agent(), said("asserted", "derived")).await.fact;
        let trust = async || scene.get(fact).await.unwrap().revision.saying.trust;
        assert_eq!(trust().await, Trust::Unverified);
        let again = scene.wrote(&agent(), said("asserted", "derived")).await;
        assert_eq!(again.outcome, Outcome::Unchanged, "asking for more is not saying more");
        let rewritten = json!({
            "fact": fact, "content": {"text": "rewritten"}, "trust": "asserted", "evidence": evidence("m2"),
            "generatedBy": {"toolCallId": "c2"},
        });
        scene.wrote(&agent(), rewritten).await;
        assert_eq!(trust().await, Trust::Unverified, "a machine that leaves the source out");
        scene.memory.verify(&ann(), None, fact, None).await.unwrap();
        let seen = scene.get(fact).await.unwrap();
        assert_eq!((seen.revision.saying.trust, seen.revision.actor), (Trust::Verified, ann().actor));
        let unknown = json!({
            "key": "c", "content": {"text": "from nowhere"},
            "generatedBy": {"derivedFrom": ["00000000-0000-7000-8000-000000000000"]},
        });
        let fact = scene.wrote(&ann(), unknown).await.fact;
        assert_eq!(scene.get(fact).await.unwrap().revision.saying.trust, Trust::Unverified);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "soak"]
async fn soak_what_is_derived() {
    const HISTORIES: u64 = 100_000;
    let (began, time) = (Instant::now(), soak_time());
    let scenes = engines().into_iter().map(|engine| Scene::on(Store::on(engine)));
    let mut done = 0;
    for scene in scenes.collect::<Vec<_>>() {
        let scene = scene.await;
        let share = time / 2;
        let start = Instant::now();
        for seed in 0..HISTORIES {
            history(&scene, 1_000_000 + seed).await;
            done += 1;
            if start.elapsed() >= share {
                break;
            }
        }
    }
    println!("{done} histories in {:.0?}", began.elapsed());
}

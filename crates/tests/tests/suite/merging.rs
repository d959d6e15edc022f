//! Facts that say the same become one and several again, as their owner says.

use serde_json::json;
use truthkeeper::{FactId, MemoryError, Named, Outcome, Refusal, State};
use truthkeeper_tests::on_both_engines;

use super::scene::{
    SECOND, Scene, agent, ann, as_of, bob, evidence, key, number, operator, refused, says, texts,
};

fn any(fact: FactId) -> Named {
    (fact, None)
}

/// What the current version of a fact rests on.
async fn grounds(scene: &Scene, fact: FactId) -> Vec<String> {
    let seen = scene.get(fact).await.unwrap();
    seen.revision.evidence().map(|one| one.id.to_string()).collect()
}

on_both_engines! {
    async fn one_goes_on_with_the_grounds_of_all(store: Store) {
        let scene = Scene::on(store).await;
        let tea = scene.wrote(&ann(), json!({"content": {"text": "likes green tea"}, "evidence": evidence("m1")})).await.fact;
        let also = scene.wrote(&ann(), json!({"content": {"text": "loves green tea"}, "evidence": evidence("m2")})).await.fact;
        let more = scene.wrote(&ann(), json!({"content": {"text": "green tea, please"}, "evidence": evidence("m3")})).await.fact;
        let before = scene.recorded().await;
        scene.pass(SECOND);
        let receipt = scene.memory.merge(&ann(), Some(key("k")), any(tea), &[any(also), any(more)]).await.unwrap();
        assert_eq!((receipt.fact, receipt.outcome), (tea, Outcome::Merged { facts: 2 }));
        let again = scene.memory.merge(&ann(), Some(key("k")), any(tea), &[any(also), any(more)]).await.unwrap();
        assert!(again.replayed && again.outcome == receipt.outcome, "{again:?}");
        assert_eq!(texts(&scene.recall("green tea").await), ["likes green tea"]);
        let mut found = grounds(&scene, tea).await;
        found.sort_unstable();
        assert_eq!(found, ["m1", "m2", "m3"]);
        refused!(scene.get(also).await, MemoryError::Refused(Refusal::Merged { into }) if into == tea);
        assert_eq!(scene.states(also).await, [(1, State::Superseded)]);
        assert_eq!(scene.rows(also).await, [0_u32; 0]);
        assert_eq!(scene.text_at(also, as_of(before)).await.as_deref(), Some("loves green tea"), "what was known then");
        let forgotten = scene.memory.forgotten(&ann(), &truthkeeper::Filter::current(), None, 100).await.unwrap();
        assert!(forgotten.items.is_empty(), "nothing was forgotten");
        scene.check().await;
        assert!(scene.memory.check_index(&super::scene::local(), None, |_| {}).await.unwrap().is_clean());
    }

    async fn a_split_brings_back_what_was(store: Store) {
        let scene = Scene::on(store).await;
        let tea = scene.wrote(&ann(), json!({"content": {"text": "likes green tea"}, "evidence": evidence("m1")})).await.fact;
        let also = scene.wrote(&ann(), json!({"content": {"text": "loves green tea"}, "evidence": evidence("m2"), "tags": ["warm"]})).await.fact;
        let before = (scene.get(tea).await.unwrap().revision, scene.get(also).await.unwrap().revision);
        scene.memory.merge(&ann(), None, any(tea), &[any(also)]).await.unwrap();
        scene.memory.verify(&ann(), None, tea, None).await.unwrap();
        assert_eq!(grounds(&scene, tea).await.len(), 2, "what is written again rests on it still");
        let receipt = scene.memory.split(&ann(), None, also, None).await.unwrap();
        assert_eq!(receipt.outcome, Outcome::Split { from: tea });
        assert_eq!(scene.get(also).await.unwrap().revision, before.1);
        assert_eq!(grounds(&scene, tea).await, ["m1"]);
        let mut found = texts(&scene.recall("green tea").await);
        found.sort_unstable();
        assert_eq!(found, ["likes green tea", "loves green tea"]);
        assert_eq!(scene.memory.split(&ann(), None, also, Some(tea)).await.unwrap().outcome, Outcome::Unchanged);
        scene.check().await;
        assert!(scene.memory.check_index(&super::scene::local(), None, |_| {}).await.unwrap().is_clean());
    }

    async fn what_was_merged_is_said_again_to_the_one_that_goes_on(store: Store) {
        let scene = Scene::on(store).await;
        let tea = scene.wrote(&ann(), says("likes green tea")).await.fact;
        let also = scene.wrote(&ann(), json!({"key": "drink", "content": {"text": "loves green tea"}})).await.fact;
        let third = scene.wrote(&ann(), says("green tea is her drink")).await.fact;
        scene.memory.merge(&ann(), None, any(also), &[any(third)]).await.unwrap();
        scene.memory.merge(&ann(), None, any(tea), &[any(also)]).await.unwrap();
        // By its statement, through two mergers.
        let again = json!({"content": {"text": "green  tea is her drink"}, "evidence": evidence("m9")});
        let receipt = scene.wrote(&agent(), again).await;
        assert_eq!((receipt.fact, receipt.outcome), (tea, Outcome::EvidenceAdded));
        // By its key.
        let receipt = scene.wrote(&ann(), json!({"key": "drink", "content": {"text": "loves green tea"}})).await;
        assert_eq!((receipt.fact, receipt.outcome), (tea, Outcome::Unchanged));
        // By its id it is not there.
        refused!(
            scene.write(&ann(), json!({"fact": also, "content": {"text": "milk"}})).await,
            MemoryError::Refused(Refusal::Merged { .. })
        );
        // Forgotten with the one that goes on: what says it again is held back.
        scene.forget(tea).await;
        let receipt = scene.wrote(&agent(), says("green tea is her drink")).await;
        assert!(matches!(receipt.outcome, Outcome::HeldBack { .. }), "{receipt:?}");
        scene.memory.restore(&ann(), None, tea, None).await.unwrap();
        let receipt = scene.wrote(&ann(), json!({"key": "drink", "content": {"text": "cocoa now"}})).await;
        assert_eq!((receipt.fact, receipt.outcome), (tea, Outcome::Superseded), "other words by its key");
        assert_eq!(scene.text(tea).await, "cocoa now");
        scene.check().await;
    }

    async fn only_their_owner_merges_and_all_of_it_or_nothing(store: Store) {
        let scene = Scene::on(store).await;
        let tea = scene.say("tea").await;
        let coffee = scene.say("coffee").await;
        let gone = scene.say("gone").await;
        scene.forget(gone).await;
        let contested = scene.contested().await;
        let held = scene.wrote(&ann(), json!({"content": {"text": "kept"}, "retention": {"legalHold": true}})).await.fact;
        let bobs = scene.wrote(&bob(), json!({"scope": {"userId": "bob"}, "content": {"text": "tea"}})).await.fact;
        let everyones = scene.wrote(&operator(), json!({"scope": {}, "content": {"text": "tea for all"}})).await.fact;
        let before = scene.events().await;
        let merge = async |caller: &truthkeeper::Caller, others: &[Named]| {
            scene.memory.merge(caller, None, any(tea), others).await
        };
        refused!(merge(&agent(), &[any(coffee)]).await, MemoryError::Refused(Refusal::NotPermitted { .. }));
        refused!(merge(&operator(), &[any(coffee)]).await, MemoryError::Refused(Refusal::NotPermitted { .. }));
        refused!(merge(&bob(), &[any(coffee)]).await, MemoryError::NotFound);
        refused!(merge(&ann(), &[any(coffee), any(bobs)]).await, MemoryError::NotFound);
        refused!(merge(&ann(), &[any(coffee), any(everyones)]).await, MemoryError::NotPermitted);
        refused!(merge(&ann(), &[any(coffee), any(gone)]).await, MemoryError::Refused(Refusal::NotCurrent));
        refused!(merge(&ann(), &[any(coffee), any(contested)]).await, MemoryError::Refused(Refusal::Contested { .. }));
        refused!(merge(&ann(), &[any(coffee), any(held)]).await, MemoryError::Refused(Refusal::LegalHold));
        refused!(merge(&ann(), &[any(coffee), any(coffee)]).await, MemoryError::BadInput(_));
        refused!(merge(&ann(), &[any(tea)]).await, MemoryError::BadInput(_));
        refused!(merge(&ann(), &[]).await, MemoryError::BadInput(_));
        refused!(merge(&ann(), &[(coffee, Some(number(2)))]).await, MemoryError::Refused(Refusal::Changed { .. }));
        refused!(scene.memory.split(&ann(), None, coffee, None).await, MemoryError::Refused(Refusal::NotMerged));
        refused!(scene.memory.split(&ann(), None, coffee, Some(coffee)).await, MemoryError::BadInput(_));
        assert_eq!(scene.events().await, before, "a refusal appends nothing");
        let many: Vec<Named> = {
            let mut many = Vec::new();
            for one in 0..51 {
                many.push(any(scene.say(&format!("cup {one}")).await));
            }
            many
        };
        refused!(merge(&ann(), &many).await, MemoryError::BadInput(_));
        merge(&ann(), &many[..50]).await.unwrap();
        scene.check().await;
    }

    async fn what_is_told_apart_stays_told_apart(store: Store) {
        let scene = Scene::on(store).await;
        let (tea, also) = (scene.say("likes green tea").await, scene.say("loves green tea").await);
        assert_eq!(scene.memory.split(&ann(), None, also, Some(tea)).await.unwrap().outcome, Outcome::Split { from: tea });
        assert_eq!(scene.memory.split(&ann(), None, tea, Some(also)).await.unwrap().outcome, Outcome::Unchanged);
        assert_eq!(texts(&scene.recall("green tea").await).len(), 2);
        scene.check().await;
    }

    async fn an_erased_fact_speaks_for_nobody(store: Store) {
        let scene = Scene::on(store).await;
        let tea = scene.say("likes green tea").await;
        let also = scene.wrote(&ann(), json!({"key": "drink", "content": {"text": "loves green tea"}, "evidence": evidence("m2")})).await.fact;
        scene.memory.merge(&ann(), None, any(tea), &[any(also)]).await.unwrap();
        scene.memory.erase(&ann(), None, also, None).await.unwrap();
        assert_eq!(grounds(&scene, tea).await, [""; 0], "its grounds are gone with it");
        let receipt = scene.wrote(&agent(), json!({"key": "drink", "content": {"text": "loves green tea"}})).await;
        assert_eq!(receipt.outcome, Outcome::Created);
        let third = scene.say("green tea it is").await;
        scene.memory.merge(&ann(), None, any(tea), &[any(third)]).await.unwrap();
        scene.memory.erase(&ann(), None, tea, None).await.unwrap();
        let receipt = scene.wrote(&ann(), says("green tea it is")).await;
        assert_eq!(receipt.outcome, Outcome::Created, "nobody goes on for it");
        scene.memory.split(&ann(), None, third, None).await.unwrap();
        assert_eq!(scene.text(third).await, "green tea it is");
        scene.check().await;
    }

    async fn each_keeps_its_own_key(store: Store) {
        let scene = Scene::on(store).await;
        let keyed = |key: &str, text: &str| json!({"key": key, "content": {"text": text}});
        let one = scene.wrote(&ann(), keyed("k1", "tea")).await.fact;
        let two = scene.wrote(&ann(), keyed("k2", "green tea")).await.fact;
        let plain = scene.say("tea it is").await;
        scene.memory.merge(&ann(), None, any(two), &[any(one)]).await.unwrap();
        let receipt = scene.wrote(&ann(), keyed("k1", "cocoa")).await;
        assert_eq!((receipt.fact, receipt.outcome), (two, Outcome::Superseded));
        let key = scene.get(two).await.unwrap().revision.words.unwrap().key.unwrap();
        assert_eq!(key.as_str(), "k2");
        assert_eq!(scene.wrote(&ann(), keyed("k2", "cocoa")).await.fact, two);
        scene.memory.merge(&ann(), None, any(plain), &[any(two)]).await.unwrap();
        let receipt = scene.wrote(&ann(), keyed("k2", "milk")).await;
        assert_eq!((receipt.fact, receipt.outcome), (plain, Outcome::Superseded));
        assert_eq!(scene.get(plain).await.unwrap().revision.words.unwrap().key, None, "it has none");
        scene.check().await;
    }

    async fn what_its_survivor_does_not_say_any_more_is_said_by_nobody(store: Store) {
        let scene = Scene::on(store).await;
        let also = scene.say("drinks tea").await;
        let tea = scene.say("enjoys tea").await;
        scene.memory.merge(&ann(), None, any(tea), &[any(also)]).await.unwrap();
        scene.change(tea, "drinks only coffee").await;
        let sure = json!({"content": {"text": "drinks tea"}, "confidence": 0.95, "evidence": evidence("old")});
        let receipt = scene.wrote(&agent(), sure).await;
        assert_eq!(receipt.outcome, Outcome::Created, "the correction stays");
        assert_eq!(scene.text(tea).await, "drinks only coffee");
        // Nor does it stand in the way of a side that is true as well.
        let twin = scene.say("a twin").await;
        let other = scene.say("a survivor").await;
        scene.memory.merge(&ann(), None, any(other), &[any(twin)]).await.unwrap();
        scene.change(other, "other things").await;
        let base = scene.say("base").await;
        let doubt = scene.wrote(&agent(), json!({"fact": base, "content": {"text": "a twin"}})).await;
        let Outcome::ConflictOpened { conflict } = doubt.outcome else { panic!("{doubt:?}") };
        let both = truthkeeper::Ruling::Both { keep: number(1), apart: number(2) };
        let settled = scene.memory.settle(&ann(), None, (conflict, 1), both, None).await.unwrap();
        assert!(matches!(settled.outcome, Outcome::Settled { apart: Some(_), .. }), "{settled:?}");
        assert_eq!(texts(&scene.recall("twin").await), ["a twin"]);
        scene.check().await;
    }

    async fn the_same_words_are_no_other_side_of_a_conflict(store: Store) {
        let scene = Scene::on(store).await;
        let also = scene.say("drinks tea").await;
        let tea = scene.say("enjoys tea").await;
        scene.memory.merge(&ann(), None, any(tea), &[any(also)]).await.unwrap();
        let doubt = scene.wrote(&agent(), json!({"fact": tea, "content": {"text": "hates tea"}})).await;
        let Outcome::ConflictOpened { conflict } = doubt.outcome else { panic!("{doubt:?}") };
        let again = scene.wrote(&ann(), json!({"content": {"text": "drinks tea"}, "evidence": evidence("m9")})).await;
        assert_eq!((again.fact, again.revision, again.outcome), (tea, number(1), Outcome::ConflictJoined { conflict }));
        // The owner saw it with the grounds of both; without them it is another conflict.
        scene.memory.split(&ann(), None, also, None).await.unwrap();
        let keep = truthkeeper::Ruling::Keep(number(1));
        let stale = scene.memory.settle(&ann(), None, (conflict, 2), keep, None).await;
        refused!(stale, MemoryError::Refused(Refusal::ConflictChanged { version: Some(3) }));
        scene.check().await;
    }

    async fn a_type_and_a_hold_are_kept(store: Store) {
        let scene = Scene::on(store).await;
        let tea = scene.say("tea").await;
        let note = scene.wrote(&ann(), json!({"type": "acme.note", "content": {"text": "tea"}})).await.fact;
        refused!(
            scene.memory.merge(&ann(), None, any(tea), &[any(note)]).await,
            MemoryError::BadInput(bad) if bad.problem.contains("type")
        );
        let also = scene.say("green tea").await;
        scene.memory.merge(&ann(), None, any(tea), &[any(also)]).await.unwrap();
        scene.memory.hold(&ann(), None, tea, true).await.unwrap();
        refused!(scene.memory.split(&ann(), None, also, None).await, MemoryError::Refused(Refusal::LegalHold));
    }
}

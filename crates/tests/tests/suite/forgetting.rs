//! What is over is listed with when, why and by whom, comes back, and many are forgotten at once.

use serde_json::json;
use truthkeeper::{Container, Ended, Filter, MemoryError, State};
use truthkeeper_tests::on_both_engines;

use super::scene::{SECOND, Scene, agent, ann, bob, id, kind, local, operator, says, valid_at};

/// What Ann can bring back: the text, and how it ended.
async fn forgotten(scene: &Scene) -> Vec<(String, Ended)> {
    let page = scene.memory.forgotten(&ann(), &Filter::current(), None, 100).await.unwrap();
    let text = |one: &truthkeeper::Forgotten| one.seen.revision.content().unwrap().text().as_str().to_owned();
    page.items.iter().map(|one| (text(one), one.ended.clone())).collect()
}

on_both_engines! {
    // 14, 19
    async fn what_is_over_says_when_why_and_by_whom(store: Store) {
        let scene = Scene::on(store).await;
        let tea = scene.say("tea").await;
        let until = scene.now().plus_days(1);
        let brief = scene.wrote(&ann(), json!({"content": {"text": "brief"}, "validUntil": until.exact()})).await.fact;
        scene.say("milk").await;
        scene.memory.forget(&ann(), None, tea, None, Some("too hot")).await.unwrap();
        let at = scene.recorded().await;
        let gone = forgotten(&scene).await;
        let Ended::Forgotten { at: when, by, reason } = &gone[0].1 else { panic!("{gone:?}") };
        assert_eq!((gone.len(), gone[0].0.as_str(), *when), (1, "tea", at));
        assert_eq!((by, reason.as_ref().unwrap().as_str()), (&ann().actor, "too hot"));
        scene.set(until);
        let expired = ("brief".to_owned(), Ended::Expired { at: until });
        assert!(forgotten(&scene).await.contains(&expired), "before any sweep");
        let before = scene.events().await;
        assert_eq!(scene.memory.sweep(&local()).await.unwrap(), 1);
        assert_eq!(scene.memory.sweep(&local()).await.unwrap(), 0, "once");
        assert_eq!(scene.events().await, before + 1);
        assert!(forgotten(&scene).await.contains(&expired), "and after it");
        assert_eq!(scene.states(brief).await, [(1, State::Expired)]);
        scene.check().await;
        assert!(scene.memory.check_index(&local(), None, |_| {}).await.unwrap().is_clean());
    }

    // 15, 17: a sweep changes no reading
    async fn what_was_swept_is_read_and_brought_back_as_before(store: Store) {
        let scene = Scene::on(store).await;
        let until = scene.now().plus_days(1);
        let said = json!({"content": {"text": "brief"}, "validUntil": until.exact(), "tags": ["a"], "confidence": 0.4});
        let fact = scene.wrote(&ann(), said).await.fact;
        scene.set(until.plus_days(1));
        scene.memory.sweep(&local()).await.unwrap();
        let within = truthkeeper::Timestamp::from_micros(until.micros() - SECOND);
        assert_eq!(scene.text_at(fact, valid_at(within)).await.as_deref(), Some("brief"));
        assert_eq!(scene.text_at(fact, valid_at(until)).await, None);
        let expired = scene.list(&ann(), State::Expired).await;
        assert_eq!(expired.len(), 1);
        assert!(matches!(scene.get(fact).await, Err(MemoryError::NotCurrent { state: "expired" })));
        scene.memory.restore(&ann(), None, fact, None).await.unwrap();
        let seen = scene.get(fact).await.unwrap();
        assert_eq!((seen.revision.saying.valid_until, seen.revision.words.unwrap().tags.len()), (None, 1));
        assert_eq!(seen.revision.saying.confidence.to_string(), "0.4");
        assert_eq!(forgotten(&scene).await, []);
        scene.check().await;
    }

    async fn a_sweep_ends_many_and_leaves_what_goes_on(store: Store) {
        let scene = Scene::on(store).await;
        let until = scene.now().plus_days(1);
        for number in 0..250 {
            let said = json!({"content": {"text": format!("brief {number}")}, "validUntil": until.exact()});
            scene.wrote(&ann(), said).await;
        }
        let goes_on = json!({"key": "k", "content": {"text": "first"}, "validUntil": until.exact()});
        let fact = scene.wrote(&ann(), goes_on).await.fact;
        let later = json!({"fact": fact, "content": {"text": "then"}, "validFrom": until.plus_days(5).exact(), "validUntil": until.plus_days(9).exact()});
        scene.wrote(&ann(), later).await;
        scene.set(until);
        assert_eq!(scene.memory.sweep(&local()).await.unwrap(), 250);
        scene.set(until.plus_days(5));
        assert_eq!(scene.text(fact).await, "then");
        scene.check().await;
    }

    // 32
    async fn all_of_an_owner_is_forgotten_and_nothing_else(store: Store) {
        let scene = Scene::on(store).await;
        let owner = Container::User(id("ann"));
        for text in ["tea", "milk"] {
            scene.say(text).await;
        }
        let held = scene.say("owed").await;
        scene.memory.hold(&ann(), None, held, true).await.unwrap();
        let contested = scene.contested().await;
        scene.wrote(&operator(), json!({"scope": super::scene::scope("tenant"), "content": {"text": "for all"}})).await;
        scene.wrote(&bob(), json!({"scope": super::scene::scope("user:bob"), "content": {"text": "of Bob"}})).await;
        scene.wrote(&ann(), json!({"type": "acme.other", "content": {"text": "another kind"}})).await;
        let other = Filter { kind: Some(kind("acme.other")), ..Filter::current() };
        let memory = &scene.memory;
        let one = memory.forget_all(&operator(), None, &other, Some(&owner), None).await.unwrap();
        assert_eq!((one.forgotten, one.held, one.conflicts), (1, 0, 1));
        let all = memory.forget_all(&operator(), None, &Filter::current(), Some(&owner), Some("moved")).await.unwrap();
        assert_eq!((all.forgotten, all.held, all.conflicts), (2, 1, 1));
        let again = memory.forget_all(&operator(), None, &Filter::current(), Some(&owner), None).await.unwrap();
        assert_eq!((again.forgotten, again.held, again.conflicts), (0, 1, 1));
        assert_eq!(scene.list(&bob(), State::Active).await.len(), 2, "Bob's, and what is for all");
        assert_eq!(memory.conflicts(&ann(), 10).await.unwrap().0[0].fact, contested);
        let mine = memory.forget_all(&ann(), None, &Filter::current(), None, None).await.unwrap();
        assert_eq!((mine.forgotten, mine.not_permitted), (0, 1), "what is for all is not hers to forget");
        let expired = Filter { state: State::Expired, ..Filter::current() };
        let refused = memory.forget_all(&ann(), None, &expired, None, None).await;
        assert!(matches!(refused, Err(MemoryError::BadInput(bad)) if bad.field == "state"));
        for (text, _) in forgotten(&scene).await {
            assert!(["tea", "milk", "another kind"].contains(&text.as_str()));
        }
        scene.check().await;
    }

    // A machine that forgot something may be answered by another: only what a person forgot is held back
    async fn what_waits_closes_when_the_fact_is_back(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        scene.forget(fact).await;
        scene.wrote(&agent(), says("tea")).await;
        assert_eq!(scene.memory.held_back(&ann()).await.unwrap().len(), 1);
        scene.memory.restore(&ann(), None, fact, None).await.unwrap();
        assert_eq!(scene.memory.held_back(&ann()).await.unwrap().len(), 0);
        scene.check().await;
        scene.memory.rebuild(|_| {}).await.unwrap();
        scene.check().await;
    }
}

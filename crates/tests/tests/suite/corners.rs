//! What an owner's decision meets seldom: a forgotten twin, an end that came meanwhile, a version of something else.

use serde_json::json;
use truthkeeper::{ConflictId, Draft, FactId, MemoryError, Outcome, Refusal, Ruling, Truth};
use truthkeeper_tests::on_both_engines;

use super::scene::{DAY, Scene, agent, ann, number, refused, says};

/// The open conflict of a fact, as Ann sees it.
async fn open(scene: &Scene, fact: FactId) -> (ConflictId, u32) {
    let head = scene.memory.ledger().head(&ann().reader, fact).await.unwrap().unwrap();
    let Truth::Contested(contest) = head.truth else { panic!("{:?}", head.truth) };
    (contest.conflict, contest.version)
}

on_both_engines! {
    async fn both_are_true_and_one_of_them_was_forgotten_elsewhere(store: Store) {
        let scene = Scene::on(store).await;
        let twin = scene.say("coffee").await;
        scene.forget(twin).await;
        let fact = scene.contested().await;
        let seen = open(&scene, fact).await;
        let before = scene.events().await;
        let both = || Ruling::Both { keep: number(1), apart: number(2) };
        let told = scene.memory.settle(&ann(), None, seen, both(), None).await;
        refused!(told, MemoryError::Refused(Refusal::Taken { by }) if by == twin);
        assert_eq!(scene.events().await, before, "nothing is settled by halves");
        scene.memory.restore(&ann(), None, twin, None).await.unwrap();
        let receipt = scene.memory.settle(&ann(), None, seen, both(), None).await.unwrap();
        assert!(matches!(receipt.outcome, Outcome::Settled { apart: None, .. }), "it is said already");
        assert_eq!((scene.text(fact).await.as_str(), scene.text(twin).await.as_str()), ("tea", "coffee"));
        scene.check().await;
    }

    async fn a_wording_has_no_version_to_expect(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.contested().await;
        let seen = open(&scene, fact).await;
        let draft = Draft { content: Some(json!({"text": "cocoa"})), expect_version: Some(1), ..Draft::default() };
        let told = scene.memory.settle(&ann(), None, seen, Ruling::Reword(Box::new(draft)), None).await;
        refused!(told, MemoryError::BadInput(bad) if bad.field == "expectVersion");
    }

    async fn what_waited_past_its_end_is_accepted_without_it(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        scene.forget(fact).await;
        let until = scene.now().plus_days(1);
        let again = json!({"content": {"text": "tea"}, "validUntil": until.exact(), "retention": {"keepDays": 1}});
        let Outcome::HeldBack { review } = scene.wrote(&agent(), again).await.outcome else { panic!("it waits") };
        scene.pass(2 * DAY);
        scene.memory.accept(&ann(), None, review).await.unwrap();
        assert_eq!(scene.text(fact).await, "tea");
        assert_eq!(scene.get(fact).await.unwrap().revision.saying.valid_until, None);
        assert_eq!(scene.wrote(&agent(), says("tea")).await.outcome, Outcome::Unchanged);
        scene.check().await;
    }
}

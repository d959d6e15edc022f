//! Contested facts: nothing of them is recalled, nothing of them is lost, and no machine settles them.

use std::collections::BTreeMap;

use reconcile::{Barrier, Refusal};
use serde_json::{Value, json};
use truthkeeper::{Caller, Ending, FactId, MemoryError, Mode, Outcome, Reason, Recall, State, Truth, limits};
use truthkeeper_tests::on_both_engines;

use super::scene::{DAY, Scene, agent, ann, bob, evidence, kind, number, operator, refused, texts};

fn doubt(fact: FactId, text: &str) -> Value {
    json!({"fact": fact, "content": {"text": text}, "confidence": 0.7})
}

/// The conflict's version and its sides.
async fn contest(scene: &Scene, fact: FactId) -> (u32, Vec<u32>) {
    let head = scene.memory.ledger().head(&ann().reader, fact).await.unwrap().unwrap();
    let Truth::Contested(contest) = head.truth else { panic!("{:?}", head.truth) };
    (contest.version, contest.sides.iter().map(|side| side.get()).collect())
}

on_both_engines! {
    // 9
    async fn neither_side_of_a_conflict_is_read_listed_or_recalled(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.contested().await;
        refused!(scene.get(fact).await, MemoryError::NotCurrent { state: "contested" });
        assert_eq!(scene.list(&ann(), State::Active).await, []);
        assert_eq!(scene.rows(fact).await, [0_u32; 0]);
        for recalled in [scene.recall("tea coffee").await, scene.newest().await] {
            assert_eq!((texts(&recalled), recalled.conflicts_open), (vec![], 1));
        }
        assert_eq!(scene.states(fact).await, [(2, State::Conflicted), (1, State::Conflicted)]);
    }

    // 29, REC-06
    async fn each_other_opinion_joins_the_conflict_in_order_of_time(store: Store) {
        let scene = Scene::on(store).await;
        let versions = ["v1", "v2", "v3", "v4"];
        for text in versions {
            scene.pass(60_000_000);
            let said = json!({"key": "limit", "content": {"text": text}, "confidence": 0.7});
            scene.wrote(&agent(), said).await;
        }
        let (open, count) = scene.memory.conflicts(&ann(), 10).await.unwrap();
        assert_eq!((count, contest(&scene, open[0].fact).await), (1, (3, vec![1, 2, 3, 4])));
        let listed = scene.list(&ann(), State::Conflicted).await;
        assert_eq!(listed.iter().rev().map(super::scene::text).collect::<Vec<_>>(), versions);
        assert_eq!(texts(&scene.recall("v1 v2 v3 v4").await), [""; 0]);
    }

    // design 4, line 1: a person joins too; the owner settles instead
    async fn a_person_who_says_more_of_a_contested_fact_joins(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.contested().await;
        let joined = scene.wrote(&ann(), doubt(fact, "water")).await;
        assert!(matches!(joined.outcome, Outcome::ConflictJoined { .. }), "{joined:?}");
        assert_eq!(contest(&scene, fact).await, (2, vec![1, 2, 3]));
    }

    async fn what_a_side_says_already_adds_evidence_to_it(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.contested().await;
        let again = json!({"fact": fact, "content": {"text": "coffee"}, "evidence": evidence("m9")});
        let joined = scene.wrote(&agent(), again.clone()).await;
        assert!(matches!(joined.outcome, Outcome::ConflictJoined { .. }), "{joined:?}");
        assert_eq!((joined.revision.get(), contest(&scene, fact).await), (2, (2, vec![1, 2])));
        let side = scene.memory.revision(&ann(), fact, number(2)).await.unwrap();
        assert_eq!(side.revision.evidence().map(|one| one.id.as_str()).collect::<Vec<_>>(), ["m9"]);
        let events = scene.events().await;
        scene.wrote(&agent(), again).await;
        assert_eq!(scene.events().await, events, "the same evidence is not added twice");
    }

    // 30
    async fn a_statement_that_is_contested_is_found_again(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("the office opens at nine").await;
        scene.wrote(&agent(), doubt(fact, "the office opens at ten")).await;
        for text in ["the office opens at nine", "the office  opens at ten"] {
            let said = json!({"content": {"text": text}, "evidence": evidence(&format!("m{}", text.len()))});
            let receipt = scene.wrote(&agent(), said).await;
            assert!(matches!(receipt.outcome, Outcome::ConflictJoined { .. }), "{text}: {receipt:?}");
            assert_eq!(receipt.fact, fact);
        }
        assert_eq!(contest(&scene, fact).await.1, [1, 2]);
    }

    async fn a_conflict_takes_thirty_three_sides(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.contested().await;
        for side in 3..=limits::CONFLICT_SIDES_MAX {
            scene.wrote(&agent(), doubt(fact, &format!("side {side}"))).await;
        }
        let events = scene.events().await;
        refused!(
            scene.write(&agent(), doubt(fact, "one more")).await,
            MemoryError::Refused(Refusal::ConflictFull)
        );
        assert_eq!((scene.events().await, contest(&scene, fact).await.1.len()), (events, 33));
        scene
            .wrote(&agent(), json!({"fact": fact, "content": {"text": "tea"}, "evidence": evidence("m1")}))
            .await;
        assert_eq!(contest(&scene, fact).await.0, 33, "evidence still finds its side");
    }

    async fn the_version_of_a_conflict_rises_with_everything_that_happens_to_it(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.wrote(&super::scene::import(), json!({"content": {"text": "tea"}})).await.fact;
        scene.wrote(&agent(), doubt(fact, "coffee")).await;
        assert_eq!(contest(&scene, fact).await.0, 1);
        scene.wrote(&agent(), doubt(fact, "water")).await;
        assert_eq!(contest(&scene, fact).await.0, 2);
        scene
            .wrote(&agent(), json!({"fact": fact, "content": {"text": "water"}, "evidence": evidence("m1")}))
            .await;
        assert_eq!(contest(&scene, fact).await.0, 3);
        scene.memory.admit(&operator(), None, fact).await.unwrap();
        assert_eq!(contest(&scene, fact).await.0, 4);
    }

    // rule 7
    async fn a_machine_neither_forgets_verifies_nor_restores_a_contested_fact(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.contested().await;
        let events = scene.events().await;
        let forgot = scene.memory.forget(&agent(), None, fact, None, None).await;
        let never = Barrier::MachineNeverSettles;
        refused!(forgot, MemoryError::Refused(Refusal::NotPermitted { why }) if why == never);
        let person = Barrier::PersonOnly;
        let verified = scene.memory.verify(&agent(), None, fact, None).await;
        refused!(verified, MemoryError::Refused(Refusal::NotPermitted { why }) if why == person);
        let restored = scene.memory.restore(&agent(), None, fact, None).await;
        refused!(restored, MemoryError::Refused(Refusal::NotPermitted { why }) if why == person);
        let held = scene.memory.hold(&agent(), None, fact, true).await;
        refused!(held, MemoryError::Refused(Refusal::NotPermitted { why }) if why == person);
        assert_eq!(scene.events().await, events);
    }

    async fn a_person_may_neither_verify_nor_restore_a_contested_fact(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.contested().await;
        refused!(
            scene.memory.verify(&ann(), None, fact, None).await,
            MemoryError::Refused(Refusal::Contested { .. })
        );
        refused!(
            scene.memory.restore(&ann(), None, fact, None).await,
            MemoryError::Refused(Refusal::StillCurrent)
        );
        let expecting = scene.memory.forget(&ann(), None, fact, Some(number(1)), None).await;
        refused!(expecting, MemoryError::Refused(Refusal::Changed { current: None }));
    }

    async fn a_person_forgets_a_contested_fact_with_all_its_sides(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.contested().await;
        scene.forget(fact).await;
        assert_eq!(scene.states(fact).await, [(2, State::Retracted), (1, State::Retracted)]);
        assert_eq!(scene.memory.conflicts(&ann(), 10).await.unwrap().1, 0);
        assert_eq!(scene.recall("tea coffee").await.conflicts_open, 0);
        scene.memory.restore(&ann(), None, fact, None).await.unwrap();
        assert_eq!(scene.text(fact).await, "coffee", "what stood last is what comes back");
        scene.check().await;
    }

    async fn a_conflict_outlasts_the_validity_of_its_sides(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene
            .wrote(&ann(), json!({"content": {"text": "tea"}, "validUntil": "2026-11-02T10:00:00Z"}))
            .await
            .fact;
        scene.wrote(&agent(), doubt(fact, "coffee")).await;
        scene.pass(400 * DAY);
        refused!(scene.get(fact).await, MemoryError::NotCurrent { state: "contested" });
        assert_eq!(scene.memory.conflicts(&ann(), 10).await.unwrap().1, 1);
    }

    async fn a_doubt_of_what_is_yet_to_come_contests_all_that_stands(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        scene
            .wrote(
                &ann(),
                json!({"fact": fact, "content": {"text": "coffee"}, "validFrom": "2026-12-01T00:00:00Z"}),
            )
            .await;
        scene.wrote(&agent(), doubt(fact, "water")).await;
        assert_eq!(contest(&scene, fact).await.1, [1, 2, 3]);
    }

    async fn a_notice_names_type_key_and_conflict_and_no_word(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.contested().await;
        let recalled = scene.recall("anything else").await;
        let notice = &recalled.conflicts[0];
        assert_eq!((notice.fact, notice.kind.as_str(), notice.version), (fact, "acme.preference", 1));
        assert_eq!(notice.key.as_ref().map(|key| key.as_str()), Some("drink"));
        assert_eq!(
            notice.opened_at,
            scene.memory.revision(&ann(), fact, number(2)).await.unwrap().revision.recorded_at
        );
    }

    async fn a_notice_reaches_only_who_may_read_the_fact(store: Store) {
        let scene = Scene::on(store).await;
        scene.contested().await;
        let seen = async |caller: &Caller| {
            let recalled = scene.memory.recall(caller, &Recall::query("tea")).await.unwrap();
            let (listed, count) = scene.memory.conflicts(caller, 10).await.unwrap();
            assert_eq!((recalled.conflicts_open, recalled.conflicts.len()), (count, listed.len()));
            count
        };
        assert_eq!((seen(&ann()).await, seen(&agent()).await, seen(&operator()).await), (1, 1, 1));
        let stranger = Caller::operator(super::scene::id("elsewhere"), super::scene::id("olga"));
        assert_eq!((seen(&bob()).await, seen(&stranger).await), (0, 0));
    }

    async fn notices_are_of_the_types_asked_for_newest_five_and_a_count(store: Store) {
        let scene = Scene::on(store).await;
        for key in 0..7 {
            let key = format!("k{key}");
            let said = |text: &str| json!({"type": "acme.habit", "key": key, "content": {"text": text}});
            let fact = scene.wrote(&ann(), said("tea")).await.fact;
            scene.wrote(&agent(), doubt(fact, "coffee")).await;
        }
        scene.contested().await;
        let ask = async |kinds: &[&str], mode| {
            let kinds = kinds.iter().map(|name| kind(name)).collect();
            let recall = Recall::query("nothing like it").kinds(kinds).mode(mode);
            let recalled = scene.memory.recall(&ann(), &recall).await.unwrap();
            let keys = recalled.conflicts.iter().map(|one| one.key.as_ref().unwrap().as_str().to_owned());
            (keys.collect::<Vec<_>>(), recalled.conflicts_open)
        };
        assert_eq!(
            ask(&["acme.habit"], Mode::Keyword).await,
            (["k6", "k5", "k4", "k3", "k2"].map(str::to_owned).to_vec(), 7)
        );
        assert_eq!(ask(&["acme.preference"], Mode::List).await, (vec!["drink".to_owned()], 1));
        assert_eq!(ask(&["acme.other"], Mode::List).await, (vec![], 0));
        assert_eq!(ask(&[], Mode::Keyword).await.1, 8);
    }

    async fn conflict_and_history_replay_to_the_same_tables(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.contested().await;
        scene.wrote(&agent(), doubt(fact, "water")).await;
        scene.check().await;
        let withheld: BTreeMap<Reason, usize> = scene.recall("tea").await.withheld;
        assert_eq!(withheld, BTreeMap::new(), "its row is gone, so nothing is found to withhold");
        scene.forget(fact).await;
        let head = scene.memory.ledger().head(&ann().reader, fact).await.unwrap().unwrap();
        assert!(matches!(head.truth, Truth::Ended(Ending::Retracted { by_person: true, .. })), "{head:?}");
        scene.check().await;
    }
}

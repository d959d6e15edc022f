//! The life of a fact: forgetting, restoring, running out, holding, and what may not follow what.

use reconcile::{Barrier, Refusal};
use serde_json::{Value, json};
use truthkeeper::{
    Admission, Caller, Ending, FactId, Head, MemoryError, Origin, Outcome, State, Timestamp, Truth,
};
use truthkeeper_tests::on_both_engines;

use super::raw;
use super::scene::{
    DAY, Scene, after, agent, ann, as_of, bob, evidence, import, number, operator, refused, says, start,
    stored, text, texts, time,
};

/// How a fact of Ann's came to be where it is.
const STANDINGS: [&str; 7] =
    ["current", "contested", "forgotten", "expired", "not yet valid", "erased", "under legal hold"];
const ACTS: [&str; 5] = ["change", "verify", "forget", "restore", "erase"];

/// What comes of each act of a person, by standing: done, or why not.
const TABLE: [[&str; 5]; 7] = [
    ["superseded", "verified", "retracted", "still current", "erased"],
    ["joined", "contested", "retracted", "still current", "erased"],
    ["not current", "not current", "not current", "restored", "erased"],
    ["superseded", "not current", "not current", "restored", "erased"],
    ["superseded", "not current", "retracted", "still current", "erased"],
    ["not current", "not current", "not current", "not current", "nothing"],
    ["held", "verified", "held", "still current", "held"],
];

async fn standing(scene: &Scene, name: &str) -> FactId {
    let named = |fields: Value| {
        let mut fields = fields;
        fields["key"] = json!(name);
        fields
    };
    let says = |fields: Value| scene.wrote_owned(named(fields));
    match name {
        "current" => says(json!({})).await,
        "contested" => {
            let fact = says(json!({})).await;
            scene.wrote(&agent(), json!({"fact": fact, "content": {"text": "coffee"}})).await;
            fact
        }
        "forgotten" => {
            let fact = says(json!({})).await;
            scene.forget(fact).await;
            fact
        }
        "expired" => {
            says(json!({"validFrom": "2026-10-01T00:00:00Z", "validUntil": "2026-10-02T00:00:00Z"})).await
        }
        "not yet valid" => says(json!({"validFrom": "2026-12-01T00:00:00Z"})).await,
        "erased" => {
            let fact = says(json!({})).await;
            scene.memory.erase(&ann(), None, fact, None).await.unwrap();
            fact
        }
        "under legal hold" => says(json!({"retention": {"legalHold": true}})).await,
        other => panic!("{other} is no standing"),
    }
}

async fn act(scene: &Scene, act: &str, fact: FactId) -> String {
    let done = match act {
        "change" => scene.write(&ann(), json!({"fact": fact, "content": {"text": "water"}})).await,
        "verify" => scene.memory.verify(&ann(), None, fact, None).await,
        "forget" => scene.memory.forget(&ann(), None, fact, None, None).await,
        "restore" => scene.memory.restore(&ann(), None, fact, None).await,
        "erase" => {
            return match scene.memory.erase(&ann(), None, fact, None).await {
                Ok(_) => "erased".to_owned(),
                Err(MemoryError::Erase(error)) if error.to_string().contains("hold") => "held".to_owned(),
                Err(MemoryError::Erase(error)) if error.to_string().contains("nothing") => {
                    "nothing".to_owned()
                }
                Err(error) => panic!("{error}"),
            };
        }
        other => panic!("{other} is no act"),
    };
    match done {
        Ok(receipt) if matches!(receipt.outcome, Outcome::ConflictJoined { .. }) => "joined".to_owned(),
        Ok(receipt) => format!("{:?}", receipt.outcome).to_lowercase(),
        Err(MemoryError::Refused(Refusal::NotCurrent)) => "not current".to_owned(),
        Err(MemoryError::Refused(Refusal::StillCurrent)) => "still current".to_owned(),
        Err(MemoryError::Refused(Refusal::Contested { .. })) => "contested".to_owned(),
        Err(MemoryError::Refused(Refusal::LegalHold)) => "held".to_owned(),
        Err(error) => panic!("{act}: {error:?}"),
    }
}

/// What a refused act leaves behind, and what a done one does.
const REFUSALS: [&str; 6] = ["not current", "still current", "contested", "held", "nothing", "not latest"];

on_both_engines! {
    // 20
    async fn each_act_follows_only_where_the_table_allows(store: Store) {
        let scene = Scene::on(store).await;
        for (standing_name, row) in STANDINGS.iter().zip(TABLE) {
            for (act_name, wanted) in ACTS.iter().zip(row) {
                let fact = standing(&scene, standing_name).await;
                let before = scene.events().await;
                assert_eq!(
                    act(&scene, act_name, fact).await,
                    wanted,
                    "{act_name} of what is {standing_name}"
                );
                let appended = scene.events().await > before;
                assert_eq!(appended, !REFUSALS.contains(&wanted), "{act_name} of what is {standing_name}");
                scene.free(fact).await;
            }
        }
        scene.check().await;
    }

    // 14, 106
    async fn a_forgotten_fact_leaves_every_reading_but_its_history(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        let receipt = scene.memory.forget(&ann(), None, fact, None, Some("moved on")).await.unwrap();
        assert_eq!((receipt.revision.get(), receipt.outcome), (1, Outcome::Retracted));
        refused!(scene.get(fact).await, MemoryError::NotCurrent { state: "retracted" });
        assert_eq!(scene.list(&ann(), State::Active).await, []);
        assert_eq!((texts(&scene.recall("tea").await), texts(&scene.newest().await)), (vec![], vec![]));
        assert_eq!(scene.states(fact).await, [(1, State::Retracted)]);
        let listed = scene.list(&ann(), State::Retracted).await;
        assert_eq!(listed.iter().map(text).collect::<Vec<_>>(), ["tea"]);
        refused!(
            scene.memory.forget(&ann(), None, fact, None, None).await,
            MemoryError::Refused(Refusal::NotCurrent)
        );
    }

    // 14
    async fn when_and_why_a_fact_was_forgotten_is_on_record(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        let at = scene.pass(DAY);
        scene.memory.forget(&ann(), None, fact, None, Some("moved on")).await.unwrap();
        let head = scene.memory.ledger().head(&ann().reader, fact).await.unwrap().unwrap();
        assert_eq!(ended_at(&head), Some(at));
        let kept = raw::value(&scene.store, "SELECT doc FROM contents WHERE position = 2").await;
        assert_eq!(kept, r#"{"reason":"moved on"}"#);
    }

    // 28, and the limit of a reason
    async fn a_reason_has_a_limit_and_is_not_blank(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        for reason in ["x".repeat(2_049), " ".to_owned(), "a\0b".to_owned()] {
            let refusal = scene.memory.forget(&ann(), None, fact, None, Some(&reason)).await;
            refused!(refusal, MemoryError::BadInput(bad) if bad.field == "reason");
        }
        scene.memory.forget(&ann(), None, fact, None, Some(&"é".repeat(2_048))).await.unwrap();
    }

    // 15
    async fn a_restored_fact_is_a_new_revision_of_the_same_words_from_now(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene
            .wrote(
                &ann(),
                json!({"tags": ["hot"], "confidence": 0.4, "evidence": evidence("m1"),
            "generatedBy": {"runId": "r1"}, "validUntil": "2026-12-01T00:00:00Z"}),
            )
            .await
            .fact;
        let before = scene.get(fact).await.unwrap().revision;
        scene.forget(fact).await;
        let at = scene.pass(DAY);
        let receipt = scene.memory.restore(&ben(), None, fact, None).await.unwrap();
        assert_eq!((receipt.revision.get(), receipt.outcome), (2, Outcome::Restored));
        let now = scene.get(fact).await.unwrap().revision;
        assert_eq!(
            (now.valid_from(), now.saying.valid_until, now.saying.origin),
            (at, None, Origin::Restored(number(1)))
        );
        assert_eq!(
            (now.words, now.saying.confidence, now.saying.provenance),
            (before.words, before.saying.confidence, before.saying.provenance)
        );
        assert_eq!(scene.states(fact).await, [(2, State::Active), (1, State::Retracted)]);
        assert_eq!(scene.rows(fact).await, [2]);
    }

    // 16
    async fn only_what_stood_last_can_be_restored(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        scene.change(fact, "coffee").await;
        refused!(
            scene.memory.restore(&ann(), None, fact, None).await,
            MemoryError::Refused(Refusal::StillCurrent)
        );
        scene.forget(fact).await;
        let older = scene.memory.restore(&ann(), None, fact, Some(number(1))).await;
        refused!(older, MemoryError::Refused(Refusal::NotLatest));
        scene.memory.restore(&ann(), None, fact, Some(number(2))).await.unwrap();
        assert_eq!(scene.text(fact).await, "coffee");
        let again = scene.memory.restore(&ann(), None, fact, Some(number(2))).await;
        refused!(again, MemoryError::Refused(Refusal::StillCurrent));
    }

    // 17, 19
    async fn what_ran_out_is_listed_as_expired_and_restored_without_its_end(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.wrote(&ann(), json!({"validUntil": "2026-11-02T10:00:00Z"})).await.fact;
        scene.pass(2 * DAY);
        refused!(scene.get(fact).await, MemoryError::NotCurrent { state: "expired" });
        assert_eq!(scene.list(&ann(), State::Expired).await[0].head.fact, fact);
        scene.memory.restore(&ann(), None, fact, None).await.unwrap();
        scene.pass(4_000 * DAY);
        assert_eq!(
            (scene.text(fact).await, texts(&scene.recall("tea").await).len()),
            ("tea, not coffee".to_owned(), 1)
        );
        assert_eq!(scene.list(&ann(), State::Expired).await, []);
    }

    // 17: the same for how long it is kept
    async fn a_restored_fact_is_not_over_by_its_old_retention(store: Store) {
        let scene = Scene::on(store).await;
        let days = scene.wrote(&ann(), json!({"key": "a", "retention": {"keepDays": 1}})).await.fact;
        let until = json!({"keepUntil": "2026-11-02T10:00:00Z", "keepDays": 30});
        let bound = scene.wrote(&ann(), json!({"key": "b", "retention": until})).await.fact;
        scene.pass(2 * DAY);
        for fact in [days, bound] {
            refused!(scene.get(fact).await, MemoryError::NotCurrent { state: "expired" });
            scene.memory.restore(&ann(), None, fact, None).await.unwrap();
        }
        scene.pass(DAY);
        assert_eq!(
            (scene.text(days).await, scene.text(bound).await),
            ("tea, not coffee".to_owned(), "tea, not coffee".to_owned())
        );
        scene.set(after(start(), 30 * DAY + 10));
        scene.text(days).await;
        refused!(scene.get(bound).await, MemoryError::NotCurrent { state: "expired" });
    }

    // 18
    async fn an_admitted_fact_stays_admitted_when_it_is_restored(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.wrote(&import(), says("tea")).await.fact;
        assert_eq!(texts(&scene.recall("tea").await), [""; 0]);
        refused!(
            scene.memory.admit(&ann(), None, fact).await,
            MemoryError::Refused(Refusal::NotPermitted { why: Barrier::OperatorOnly })
        );
        scene.memory.admit(&operator(), None, fact).await.unwrap();
        assert_eq!(texts(&scene.recall("tea").await), ["tea"]);
        scene.forget(fact).await;
        scene.memory.restore(&ann(), None, fact, None).await.unwrap();
        assert_eq!(texts(&scene.recall("tea").await), ["tea"]);
        assert_eq!(scene.get(fact).await.unwrap().admission, Admission::Admitted);
    }

    // 18: and one that nobody admitted stays out
    async fn a_quarantined_fact_stays_quarantined_when_it_is_restored_or_verified(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.wrote(&import(), says("tea")).await.fact;
        scene.memory.verify(&ann(), None, fact, None).await.unwrap();
        scene.forget(fact).await;
        scene.memory.restore(&ann(), None, fact, None).await.unwrap();
        assert_eq!((texts(&scene.recall("tea").await), texts(&scene.newest().await)), (vec![], vec![]));
        assert_eq!(scene.get(fact).await.unwrap().admission, Admission::Quarantined);
        assert_eq!(scene.rows(fact).await, [0_u32; 0]);
    }

    // design 4, line 4
    async fn a_machine_that_repeats_what_a_person_forgot_is_held_back(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        scene.forget(fact).await;
        let said =
            scene.wrote(&agent(), json!({"content": {"text": "tea"}, "evidence": evidence("m1")})).await;
        assert!(matches!(said.outcome, Outcome::HeldBack { .. }), "{said:?}");
        assert_eq!(
            (scene.states(fact).await, texts(&scene.recall("tea").await)),
            (vec![(1, State::Retracted)], vec![])
        );
        let waiting = scene.memory.held_back(&ann()).await.unwrap();
        assert_eq!((waiting.len(), waiting[0].fact), (1, fact));
        assert_eq!(waiting[0].proposed.content().unwrap().value(), &json!({"text": "tea"}));
        assert_eq!(scene.memory.held_back(&bob()).await.unwrap().len(), 0);
        assert_eq!(scene.wrote(&ann(), says("tea")).await.outcome, Outcome::Restored);
        assert_eq!(scene.text(fact).await, "tea");
    }

    // design 4, line 4: what merely ran out continues
    async fn a_machine_that_repeats_what_ran_out_continues_it(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene
            .wrote(&ann(), json!({"content": {"text": "tea"}, "validUntil": "2026-11-02T10:00:00Z"}))
            .await
            .fact;
        scene.pass(2 * DAY);
        let said = json!({"content": {"text": "tea"}, "evidence": evidence("m1"), "confidence": 0.95});
        let receipt = scene.wrote(&agent(), said).await;
        assert_eq!((receipt.fact, receipt.outcome), (fact, Outcome::Superseded));
        assert_eq!(scene.text(fact).await, "tea");
    }

    // 107
    async fn a_legal_hold_keeps_what_stands_until_it_is_lifted(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        scene.memory.hold(&ann(), None, fact, true).await.unwrap();
        let changed = scene.write(&ann(), json!({"fact": fact, "content": {"text": "coffee"}})).await;
        refused!(changed, MemoryError::Refused(Refusal::LegalHold));
        refused!(
            scene.memory.forget(&ann(), None, fact, None, None).await,
            MemoryError::Refused(Refusal::LegalHold)
        );
        refused!(scene.memory.erase(&ann(), None, fact, None).await, MemoryError::Erase(_));
        assert_eq!((scene.events().await, scene.text(fact).await), (2, "tea".to_owned()));
        assert_eq!(scene.memory.hold(&ann(), None, fact, true).await.unwrap().outcome, Outcome::Unchanged);
        scene.memory.hold(&ann(), None, fact, false).await.unwrap();
        scene.forget(fact).await;
    }

    // 107: a doubt still opens a conflict, because nothing is lost by it
    async fn a_held_fact_can_be_doubted_and_not_settled_away(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.wrote(&ann(), json!({"retention": {"legalHold": true}})).await.fact;
        let doubt = scene.wrote(&agent(), json!({"fact": fact, "content": {"text": "coffee"}})).await;
        assert!(matches!(doubt.outcome, Outcome::ConflictOpened { .. }), "{doubt:?}");
        refused!(
            scene.memory.forget(&ann(), None, fact, None, None).await,
            MemoryError::Refused(Refusal::LegalHold)
        );
        refused!(scene.memory.erase(&ann(), None, fact, None).await, MemoryError::Erase(_));
    }

    async fn a_machine_may_not_place_a_hold_with_what_it_says(store: Store) {
        let scene = Scene::on(store).await;
        let held = scene.write(&agent(), json!({"retention": {"legalHold": true}})).await;
        refused!(held, MemoryError::Refused(Refusal::NotPermitted { why: Barrier::PersonOnly }));
        assert_eq!(scene.events().await, 0);
    }

    // 19: the sweep has not run; every reading agrees all the same
    async fn what_ends_by_the_clock_is_over_in_every_reading_at_once(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.wrote(&ann(), json!({"validUntil": "2026-11-02T10:00:00Z"})).await.fact;
        scene.set(time("2026-11-02T10:00:00Z"));
        assert_eq!(scene.states(fact).await, [(1, State::Expired)]);
        assert_eq!(scene.list(&ann(), State::Active).await, []);
        let counts = scene.memory.counts(&ann()).await.unwrap();
        assert_eq!((counts[&State::Active], counts[&State::Expired]), (0, 1));
        assert_eq!(scene.text_at(fact, as_of(start())).await.as_deref(), Some("tea, not coffee"));
    }

    async fn tags_and_key_come_back_with_a_restored_fact(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.wrote(&ann(), json!({"key": "drink", "tags": ["hot"]})).await.fact;
        scene.forget(fact).await;
        scene.memory.restore(&ann(), None, fact, None).await.unwrap();
        let words = scene.get(fact).await.unwrap().revision.words.unwrap();
        assert_eq!((words.key, words.tags), (Some(stored("drink")), vec![stored("hot")]));
        let again = scene.wrote(&ann(), json!({"key": "drink", "content": {"text": "coffee"}})).await;
        assert_eq!((again.fact, again.outcome), (fact, Outcome::Superseded));
    }
}

/// Another person who may act for Ann.
fn ben() -> Caller {
    super::scene::user("ben", "user:ann")
}

fn ended_at(head: &Head) -> Option<Timestamp> {
    let Truth::Ended(Ending::Retracted { at, .. }) = &head.truth else { return None };
    Some(*at)
}

impl Scene {
    async fn wrote_owned(&self, fields: Value) -> FactId {
        self.wrote(&ann(), fields).await.fact
    }

    /// Gives the slot of a fact free for the next one.
    async fn free(&self, fact: FactId) {
        let held = self.memory.ledger().head(&ann().reader, fact).await.unwrap().unwrap().held;
        if held {
            self.memory.hold(&ann(), None, fact, false).await.unwrap();
        }
        if let Err(error) = self.memory.erase(&ann(), None, fact, None).await {
            assert!(error.to_string().contains("nothing"), "{error}");
        }
    }
}

//! Changing what a fact says: what supersedes, what opens a conflict, what is the same.

use reconcile::Refusal;
use serde_json::{Value, json};
use truthkeeper::{MemoryError, Origin, Outcome, State, Trust};
use truthkeeper_tests::on_both_engines;

use super::scene::{
    Scene, agent, agent_named, ann, as_of, draft, evidence, import, number, refused, says, text,
};

/// What an agent says on the grounds of a message.
fn grounded(text: &str) -> Value {
    json!({"key": "office", "content": {"text": text}, "evidence": evidence("m1")})
}

on_both_engines! {
    // 4
    async fn a_change_ends_the_revision_before_it_in_the_same_fact(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        let receipt = scene.change(fact, "coffee").await;
        assert_eq!((receipt.fact, receipt.revision.get(), receipt.outcome), (fact, 2, Outcome::Superseded));
        assert_eq!(scene.states(fact).await, [(2, State::Active), (1, State::Superseded)]);
        assert_eq!(scene.rows(fact).await, [2]);
        assert_eq!(scene.text(fact).await, "coffee");
    }

    // 5
    async fn a_change_of_a_revision_that_no_longer_holds_is_refused(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        scene.change(fact, "coffee").await;
        let stale = json!({"fact": fact, "content": {"text": "water"}, "expectVersion": 1});
        let current = Some(number(2));
        let changed = scene.write(&ann(), stale).await;
        refused!(changed, MemoryError::Refused(Refusal::Changed { current: c }) if c == current);
        assert_eq!((scene.events().await, scene.text(fact).await), (2, "coffee".to_owned()));
    }

    // 103
    async fn the_expected_version_is_a_number_from_one_of_this_fact(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        let expecting =
            |version: u32| json!({"fact": fact, "content": {"text": "water"}, "expectVersion": version});
        let zero = scene.write(&ann(), expecting(0)).await;
        refused!(zero, MemoryError::BadInput(bad) if bad.field == "expectVersion");
        refused!(
            scene.write(&ann(), expecting(2)).await,
            MemoryError::Refused(Refusal::Changed { current: Some(_) })
        );
        assert_eq!(scene.wrote(&ann(), expecting(1)).await.outcome, Outcome::Superseded);
    }

    // 103: a key that nothing has yet
    async fn a_version_of_nothing_is_refused(store: Store) {
        let scene = Scene::on(store).await;
        let fields = json!({"key": "drink", "expectVersion": 1});
        refused!(scene.write(&ann(), fields).await, MemoryError::Refused(Refusal::Changed { current: None }));
        assert_eq!(scene.events().await, 0);
    }

    // 6, LED-10
    async fn of_two_changes_of_one_version_exactly_one_succeeds(store: Store) {
        let scene = Scene::on(store).await;
        let other = scene.opened_again().await;
        let fact = scene.say("round 0").await;
        for round in 1..=200_u32 {
            let race = |memory: truthkeeper::Memory, side: &'static str| {
                let content = json!({"text": format!("round {round} {side}")});
                let fields = json!({"fact": fact, "content": content, "expectVersion": round});
                tokio::spawn(async move { memory.remember(&ann(), None, draft(fields)).await })
            };
            let (one, two) = (race(scene.memory.clone(), "a"), race(other.clone(), "b"));
            let (one, two) = (one.await.unwrap(), two.await.unwrap());
            assert_eq!(u32::from(one.is_ok()) + u32::from(two.is_ok()), 1, "round {round}: {one:?} {two:?}");
            let loser = one.and(two);
            refused!(loser, MemoryError::Refused(Refusal::Changed { .. }));
        }
        let states = scene.memory.counts(&ann()).await.unwrap();
        assert_eq!((states[&State::Active], states[&State::Superseded]), (1, 200));
    }

    // 7, REC-07: compared as decimals, however they are written
    async fn from_nine_tenths_on_a_machine_supersedes(store: Store) {
        let scene = Scene::on(store).await;
        for (written, wanted) in [
            ("0.9", "supersedes"),
            ("0.90", "supersedes"),
            ("9e-1", "supersedes"),
            ("0.9001", "supersedes"),
            ("0.8999999999999999", "supersedes"),
            ("0.8999999761581421", "supersedes"),
            ("1", "supersedes"),
            ("0.89", "doubts"),
            ("0.8999", "doubts"),
            ("0.899999", "doubts"),
            ("0.1", "doubts"),
            ("0", "doubts"),
        ] {
            let fact = scene.say(&format!("the office is open, says {written}")).await;
            let confidence: Value = serde_json::from_str(written).unwrap();
            let fields = json!({"fact": fact, "content": {"text": format!("it is closed, says {written}")},
                "confidence": confidence, "evidence": evidence("m1")});
            let did = scene.wrote(&agent(), fields).await.outcome;
            let doubts = matches!(did, Outcome::ConflictOpened { .. });
            assert!(doubts || did == Outcome::Superseded, "{written}: {did:?}");
            assert_eq!(doubts, wanted == "doubts", "{written}");
        }
    }

    // 7
    async fn a_person_supersedes_at_any_confidence(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        let fields = json!({"fact": fact, "content": {"text": "coffee"}, "confidence": 0.1});
        assert_eq!(scene.wrote(&ann(), fields).await.outcome, Outcome::Superseded);
    }

    // 8
    async fn a_machine_without_evidence_doubts_whatever_its_confidence(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        let fields = json!({"fact": fact, "content": {"text": "coffee"}, "confidence": 1});
        let receipt = scene.wrote(&agent(), fields).await;
        assert!(matches!(receipt.outcome, Outcome::ConflictOpened { .. }), "{receipt:?}");
    }

    // design 4, line 6
    async fn a_machine_doubts_what_a_person_verified(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        scene.memory.verify(&ann(), None, fact, None).await.unwrap();
        let fields = json!({"fact": fact, "content": {"text": "coffee"}, "evidence": evidence("m1")});
        let receipt = scene.wrote(&agent(), fields).await;
        assert!(matches!(receipt.outcome, Outcome::ConflictOpened { .. }), "{receipt:?}");
    }

    // design 4, line 5
    async fn an_agent_corrects_its_own_value_through_its_tool(store: Store) {
        let scene = Scene::on(store).await;
        let by = json!({"toolCallId": "c1"});
        let said = |text: &str| json!({"key": "pace", "content": {"text": text}, "generatedBy": by});
        scene.wrote(&agent(), said("slow")).await;
        assert_eq!(scene.wrote(&agent(), said("fast")).await.outcome, Outcome::Superseded);
        let other = scene.wrote(&agent_named("rival"), said("slow")).await;
        assert_eq!(other.outcome, Outcome::Created, "another agent's key is another slot");
    }

    // design 4, line 7
    async fn an_import_creates_and_does_not_supersede(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        let fields = json!({"fact": fact, "content": {"text": "coffee"}, "evidence": evidence("m1")});
        refused!(scene.write(&import(), fields).await, MemoryError::Refused(Refusal::NotPermitted { .. }));
        assert_eq!(scene.text(fact).await, "tea");
    }

    // LED-01, 30
    async fn saying_the_same_under_a_key_again_changes_nothing(store: Store) {
        let scene = Scene::on(store).await;
        let first = scene.wrote(&ann(), grounded("closed on Fridays")).await;
        let again = scene.wrote(&ann(), grounded("closed on Fridays")).await;
        assert_eq!(
            (again.fact, again.revision, again.outcome),
            (first.fact, first.revision, Outcome::Unchanged)
        );
        assert_eq!(scene.states(first.fact).await, [(1, State::Active)]);
        assert_eq!(scene.events().await, 1);
    }

    // LED-01: new grounds for the same are kept
    async fn new_evidence_for_the_same_is_added_to_it(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.wrote(&ann(), grounded("closed")).await.fact;
        let fields = json!({"key": "office", "content": {"text": "closed"}, "evidence": evidence("m2")});
        let again = scene.wrote(&ann(), fields).await;
        assert_eq!((again.fact, again.revision.get(), again.outcome), (fact, 1, Outcome::EvidenceAdded));
        let seen = scene.get(fact).await.unwrap();
        let ids: Vec<&str> = seen.revision.evidence().map(|evidence| evidence.id.as_str()).collect();
        assert_eq!(ids, ["m1", "m2"]);
    }

    // 30: however it is spaced and composed; case is kept
    async fn the_same_statement_is_found_again_in_the_ledger(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("Café on  Main\u{a0}Street").await;
        let again = scene.wrote(&ann(), says(" Cafe\u{301} on Main Street ")).await;
        assert_eq!((again.fact, again.outcome), (fact, Outcome::Unchanged));
        assert_eq!(scene.wrote(&ann(), says("café on Main Street")).await.outcome, Outcome::Created);
    }

    // LED-13
    async fn statements_in_other_scripts_are_told_apart(store: Store) {
        let scene = Scene::on(store).await;
        for text in ["東京に住んでいる", "大阪で働いている", "أسكن في القاهرة", "אני גר בחיפה", "ฉันอยู่กรุงเทพ"]
        {
            scene.say(text).await;
        }
        assert_eq!(scene.list(&ann(), State::Active).await.len(), 5);
    }

    // LED-15
    async fn content_is_compared_in_canonical_form(store: Store) {
        let scene = Scene::on(store).await;
        let said =
            |content: &str| json!({"key": "k", "content": serde_json::from_str::<Value>(content).unwrap()});
        scene.wrote(&ann(), said(r#"{"a":1,"b":2}"#)).await;
        assert_eq!(scene.wrote(&ann(), said(r#"{"b":2,"a":1.0}"#)).await.outcome, Outcome::Unchanged);
        for other in
            [r#"{"a\":1,\"b":2}"#, r#"{"x":null}"#, r#"{"x":{}}"#, r#"{"x":""}"#, "null", r#""null""#, "[]"]
        {
            assert_eq!(scene.wrote(&ann(), said(other)).await.outcome, Outcome::Superseded, "{other}");
        }
    }

    // LED-25
    async fn keys_and_owners_are_compared_byte_for_byte(store: Store) {
        let scene = Scene::on(store).await;
        for key in ["MyService", "myservice", "my service"] {
            let receipt = scene.wrote(&ann(), json!({"key": key, "content": {"text": key}})).await;
            assert_eq!(receipt.outcome, Outcome::Created, "{key}");
        }
        let shouting = super::scene::user("ann", "user:Ann");
        assert_eq!(scene.list(&shouting, State::Active).await.len(), 0);
        let fields = json!({"scope": {"userId": "Ann"}, "key": "MyService", "content": {"text": "hers"}});
        assert_eq!(scene.wrote(&shouting, fields).await.outcome, Outcome::Created);
        assert_eq!(scene.list(&ann(), State::Active).await.len(), 3);
    }

    // LED-25
    async fn an_id_or_key_with_space_around_it_is_refused(store: Store) {
        let scene = Scene::on(store).await;
        for name in ["ann ", " ann", "ann\u{a0}", "ann\n", "", "a\0b"] {
            let keyed = json!({"key": name});
            refused!(scene.write(&ann(), keyed).await, MemoryError::BadInput(bad) if bad.field == "key");
            let scope = json!({"type": "t", "content": "x", "scope": {"userId": name}});
            truthkeeper::Draft::from_json(scope, &super::scene::local()).unwrap_err();
        }
    }

    // REC-01, REC-03
    async fn a_contradiction_under_one_key_never_leaves_nothing(store: Store) {
        let scene = Scene::on(store).await;
        let said = |text: &str, confidence: f64| {
            json!({"key": "deploy", "content": {"text": text},
            "confidence": confidence, "evidence": evidence("m1")})
        };
        let fact = scene.wrote(&ann(), said("Production deployment is allowed", 1.0)).await.fact;
        let not = json!({"fact": fact, "content": {"text": "Production deployment is not allowed"},
            "confidence": 0.95, "evidence": evidence("m2")});
        assert_eq!(scene.wrote(&agent(), not).await.outcome, Outcome::Superseded);
        assert_eq!(scene.text(fact).await, "Production deployment is not allowed");
        assert_eq!(scene.states(fact).await.len(), 2);
        assert_eq!(
            super::scene::texts(&scene.recall("production deployment").await),
            ["Production deployment is not allowed"]
        );
    }

    // REC-04
    async fn without_a_key_a_statement_retires_no_other(store: Store) {
        let scene = Scene::on(store).await;
        for text in ["P works at Co", "P administers Co's source-control org", "P does not work at Co"] {
            let said = json!({"content": {"text": text}, "confidence": 0.95, "evidence": evidence("m1")});
            assert_eq!(scene.wrote(&agent(), said).await.outcome, Outcome::Created);
        }
        assert_eq!(scene.list(&ann(), State::Active).await.len(), 3);
    }

    // 102
    async fn what_a_change_leaves_out_is_kept(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene
            .wrote(
                &ann(),
                json!({"key": "drink", "tags": ["hot", "daily"],
            "subjects": [{"kind": "user", "id": "ann"}], "retention": {"keepDays": 9}}),
            )
            .await
            .fact;
        let before = scene.get(fact).await.unwrap();
        scene.change(fact, "coffee").await;
        let now = scene.get(fact).await.unwrap();
        assert_eq!((&now.head.kind, &now.head.scope), (&before.head.kind, &before.head.scope));
        let words = |seen: &truthkeeper::Seen| {
            seen.revision.words.clone().map(|words| (words.key, words.tags)).unwrap()
        };
        assert_eq!(words(&now), words(&before));
        assert_eq!(now.revision.saying.subjects, before.revision.saying.subjects);
        assert_eq!(now.revision.saying.retention, before.revision.saying.retention);
    }

    // 102
    async fn a_change_needs_content_and_null_is_one(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        let without = truthkeeper::Draft { fact: Some(fact), ..truthkeeper::Draft::default() };
        let missing = scene.memory.remember(&ann(), None, without).await;
        refused!(missing, MemoryError::BadInput(bad) if bad.field == "content");
        assert_eq!(
            scene.wrote(&ann(), json!({"fact": fact, "content": null})).await.outcome,
            Outcome::Superseded
        );
        assert_eq!(scene.get(fact).await.unwrap().revision.content().unwrap().value(), &Value::Null);
    }

    // 102
    async fn a_change_may_not_move_a_fact(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        for (field, value) in
            [("type", json!("acme.other")), ("scope", json!({"userId": "ann"})), ("key", json!("k"))]
        {
            let fields = json!({"fact": fact, field: value});
            refused!(scene.write(&ann(), fields).await, MemoryError::BadInput(bad) if bad.field == field);
        }
    }

    // 104
    async fn an_old_version_is_still_shown(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        let then = scene.now();
        scene.pass(60 * super::scene::SECOND);
        scene.change(fact, "coffee").await;
        let first = scene.memory.revision(&ann(), fact, number(1)).await.unwrap();
        assert_eq!((text(&first), first.state), ("tea".to_owned(), State::Superseded));
        assert_eq!(scene.states(fact).await.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(scene.text_at(fact, as_of(then)).await.as_deref(), Some("tea"));
        refused!(scene.memory.revision(&ann(), fact, number(3)).await, MemoryError::NotFound);
    }

    // 104: revisions a page at a time
    async fn revisions_are_paged_newest_first(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("version 1").await;
        for version in 2..=7 {
            scene.change(fact, &format!("version {version}")).await;
        }
        let (mut seen, mut before) = (Vec::new(), None);
        loop {
            let page = scene.memory.revisions(&ann(), fact, before, 3).await.unwrap();
            let Some(last) = page.last() else { break };
            before = Some(last.revision.number);
            seen.extend(page.iter().map(|one| one.revision.number.get()));
        }
        assert_eq!(seen, [7, 6, 5, 4, 3, 2, 1]);
    }

    // 105
    async fn verifying_adds_a_version_by_that_person_now(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.wrote(&agent(), json!({"tags": ["hot"], "evidence": evidence("m1")})).await.fact;
        let at = scene.pass(60 * super::scene::SECOND);
        let receipt = scene.memory.verify(&ann(), None, fact, None).await.unwrap();
        assert_eq!((receipt.revision.get(), receipt.outcome), (2, Outcome::Verified));
        let seen = scene.get(fact).await.unwrap();
        assert_eq!((seen.revision.saying.trust, seen.revision.recorded_at), (Trust::Verified, at));
        assert_eq!(
            (&seen.revision.actor, seen.revision.saying.origin),
            (&ann().actor, Origin::Verified(number(1)))
        );
        assert_eq!(seen.revision.words.as_ref().unwrap().tags, [super::scene::stored("hot")]);
        let again = scene.memory.verify(&ann(), None, fact, None).await.unwrap();
        assert_eq!((again.revision.get(), again.outcome), (2, Outcome::Unchanged));
    }

    // 105, 103
    async fn a_machine_does_not_verify_and_a_stale_version_is_refused(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        refused!(
            scene.memory.verify(&agent(), None, fact, None).await,
            MemoryError::Refused(Refusal::NotPermitted { .. })
        );
        let stale = scene.memory.verify(&ann(), None, fact, Some(number(2))).await;
        refused!(stale, MemoryError::Refused(Refusal::Changed { current: Some(_) }));
        let verified = truthkeeper::Draft { trust: Some(Trust::Verified), ..draft(says("water")) };
        let claimed = scene.memory.remember(&ann(), None, verified).await;
        refused!(claimed, MemoryError::BadInput(bad) if bad.field == "trust");
    }

    // REC-13
    async fn being_recalled_changes_nothing(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.wrote(&ann(), json!({"validUntil": "2026-11-08T10:00:00Z"})).await.fact;
        let before = scene.get(fact).await.unwrap();
        for query in ["tea", "coffee"] {
            assert_eq!(scene.recall(query).await.facts.len(), 1);
        }
        assert_eq!(scene.newest().await.facts.len(), 1);
        assert_eq!((scene.get(fact).await.unwrap(), scene.events().await), (before, 1));
    }
}

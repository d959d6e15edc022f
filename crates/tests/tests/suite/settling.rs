//! Conflicts are settled by their owner, exactly as they were seen, and opened again; what was said again after it was
//! forgotten is taken back up or dismissed.

use reconcile::{Barrier, Refusal};
use serde_json::{Value, json};
use truthkeeper::{
    Caller, ConflictId, Draft, FactId, MemoryError, Outcome, Receipt, RequestKey, ReviewId, Ruling, State,
    Times, Trust, Truth,
};
use truthkeeper_tests::on_both_engines;

use super::scene::{
    SECOND, Scene, after, agent, agent_named, ann, as_of, bob, draft, evidence, import, key, number,
    operator, refused, texts, user, valid_at,
};

fn keep(side: u32) -> Ruling {
    Ruling::Keep(number(side))
}

fn both(side: u32, apart: u32) -> Ruling {
    Ruling::Both { keep: number(side), apart: number(apart) }
}

fn reword(fields: Value) -> Ruling {
    let Draft { content, confidence, tags, evidence, legal_hold, provenance, trust, .. } = draft(fields);
    Ruling::Reword(Box::new(Draft {
        content,
        confidence,
        tags,
        evidence,
        legal_hold,
        provenance,
        trust,
        ..Draft::default()
    }))
}

/// The open conflict of a fact, and its version.
async fn open(scene: &Scene, fact: FactId) -> (ConflictId, u32) {
    let head = scene.memory.ledger().head(&operator().reader, fact).await.unwrap().unwrap();
    let Truth::Contested(contest) = head.truth else { panic!("{:?}", head.truth) };
    (contest.conflict, contest.version)
}

async fn settle(
    scene: &Scene,
    caller: &Caller,
    seen: (ConflictId, u32),
    ruling: Ruling,
) -> Result<Receipt, MemoryError> {
    scene.memory.settle(caller, None, seen, ruling, None).await
}

/// Ann settles the open conflict of a fact.
async fn settled(scene: &Scene, fact: FactId, ruling: Ruling) -> Receipt {
    settle(scene, &ann(), open(scene, fact).await, ruling).await.unwrap()
}

/// The ledger proves itself, and its tables follow from its events.
async fn is_proven(scene: &Scene) {
    scene.check().await;
    scene.memory.rebuild(|_| {}).await.unwrap();
    scene.check().await;
}

/// A fact that Ann had forgotten, and an agent says again.
async fn held_back(scene: &Scene) -> (FactId, ReviewId) {
    let fact = scene.wrote(&ann(), json!({"key": "drink", "content": {"text": "tea"}})).await.fact;
    scene.forget(fact).await;
    (fact, said_again(scene, fact, "coffee", "m1").await)
}

async fn said_again(scene: &Scene, fact: FactId, text: &str, message: &str) -> ReviewId {
    let said = json!({"fact": fact, "content": {"text": text}, "evidence": evidence(message)});
    let outcome = scene.wrote(&agent(), said).await.outcome;
    let Outcome::HeldBack { review } = outcome else { panic!("{outcome:?}") };
    review
}

on_both_engines! {
    // 10
    async fn keeping_either_side_brings_back_exactly_that_text(store: Store) {
        let scene = Scene::on(store).await;
        for (side, other, text) in [(1, 2, "tea"), (2, 1, "coffee")] {
            let said = |text: &str| json!({"key": text, "content": {"text": "tea"}});
            let fact = scene.wrote(&ann(), said(&format!("slot {side}"))).await.fact;
            scene.wrote(&agent(), json!({"fact": fact, "content": {"text": "coffee"}})).await;
            let (conflict, _) = open(&scene, fact).await;
            let receipt = settled(&scene, fact, keep(side)).await;
            let outcome = Outcome::Settled { conflict, quarantined: false, apart: None };
            assert_eq!((receipt.fact, receipt.revision.get(), receipt.outcome), (fact, side, outcome));
            assert_eq!(scene.text(fact).await, text);
            assert_eq!(scene.rows(fact).await, [side]);
            let lost = scene.memory.revision(&ann(), fact, number(other)).await.unwrap();
            assert_eq!(lost.state, State::Superseded);
            assert!(lost.revision.content().is_some(), "it stays in history");
        }
        assert_eq!(scene.memory.conflicts(&ann(), 10).await.unwrap().1, 0);
        is_proven(&scene).await;
    }

    // 12
    async fn a_conflict_that_changed_is_not_settled_as_it_was(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.contested().await;
        let seen = open(&scene, fact).await;
        scene.wrote(&agent(), json!({"fact": fact, "content": {"text": "water"}})).await;
        let events = scene.events().await;
        for ruling in [keep(1), reword(json!({"content": {"text": "milk"}})), both(1, 2)] {
            refused!(
                settle(&scene, &ann(), seen, ruling).await,
                MemoryError::Refused(Refusal::ConflictChanged { version: Some(2) })
            );
        }
        assert_eq!(scene.events().await, events);
        settled(&scene, fact, keep(3)).await;
        let events = scene.events().await;
        for ruling in [keep(1), reword(json!({"content": {"text": "milk"}})), both(1, 2)] {
            refused!(
                settle(&scene, &ann(), seen, ruling).await,
                MemoryError::Refused(Refusal::ConflictChanged { version: None })
            );
        }
        assert_eq!(scene.events().await, events);
        is_proven(&scene).await;
    }

    // 3
    async fn the_same_request_gets_the_first_answer_whatever_came_after(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.contested().await;
        let seen = open(&scene, fact).await;
        let ask = async |name: &str, side| {
            scene.memory.settle(&ann(), Some(key(name)), seen, keep(side), Some("asked her")).await
        };
        let first = ask("settle", 2).await.unwrap();
        scene.forget(fact).await;
        let restore = async || scene.memory.restore(&ann(), Some(key("restore")), fact, None).await.unwrap();
        let restored = restore().await;
        scene.change(fact, "water").await;
        let events = scene.events().await;
        for (again, first) in [(ask("settle", 2).await.unwrap(), first), (restore().await, restored)] {
            assert!(again.replayed);
            assert_eq!((again.revision, again.outcome), (first.revision, first.outcome));
        }
        refused!(ask("settle", 1).await, MemoryError::KeyReused);
        assert_eq!((scene.events().await, scene.text(fact).await.as_str()), (events, "water"));
        is_proven(&scene).await;
    }

    // 13
    async fn a_conflict_of_another_owner_is_as_unknown(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.contested().await;
        let (conflict, version) = open(&scene, fact).await;
        let (_, review) = held_back_elsewhere(&scene).await;
        let nobodys = ConflictId::parse("00000000-0000-7000-8000-000000000000").unwrap();
        let no_review = ReviewId::parse("00000000-0000-7000-8000-000000000000").unwrap();
        let events = scene.events().await;
        for (who, conflict, review) in [(bob(), conflict, review), (ann(), nobodys, no_review)] {
            let memory = &scene.memory;
            refused!(memory.conflict(&who, conflict).await, MemoryError::NoSuchConflict);
            let settled = settle(&scene, &who, (conflict, version), keep(1)).await;
            refused!(settled, MemoryError::NoSuchConflict);
            refused!(memory.reopen(&who, None, conflict).await, MemoryError::NoSuchConflict);
            refused!(memory.accept(&who, None, review).await, MemoryError::NoSuchReview);
            refused!(memory.dismiss(&who, None, review).await, MemoryError::NoSuchReview);
        }
        assert_eq!(scene.events().await, events);
    }

    // rule 7
    async fn only_the_owner_decides_and_a_machine_never(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.contested().await;
        let seen = open(&scene, fact).await;
        let (forgotten, review) = held_back_elsewhere(&scene).await;
        let other = user("ben", "user:ann");
        let never = Barrier::MachineNeverSettles;
        let events = scene.events().await;
        let refusing = [
            (other, Barrier::OwnerOnly), (operator(), Barrier::OwnerOnly), (agent(), never), (import(), never),
        ];
        for (who, barrier) in &refusing {
            let memory = &scene.memory;
            for told in [
                settle(&scene, who, seen, keep(1)).await,
                settle(&scene, who, seen, both(1, 2)).await,
                settle(&scene, who, seen, reword(json!({"content": {"text": "milk"}}))).await,
                memory.reopen(who, None, seen.0).await,
            ] {
                refused!(told, MemoryError::Refused(Refusal::NotPermitted { why }) if why == *barrier);
            }
            let barrier = if *barrier == never { Barrier::PersonOnly } else { *barrier };
            for told in [memory.accept(who, None, review).await, memory.dismiss(who, None, review).await] {
                refused!(told, MemoryError::Refused(Refusal::NotPermitted { why }) if why == barrier);
            }
        }
        assert_eq!(scene.events().await, events);
        settled(&scene, fact, keep(1)).await;
        for (who, barrier) in &refusing {
            let told = scene.memory.reopen(who, None, seen.0).await;
            refused!(told, MemoryError::Refused(Refusal::NotPermitted { why }) if why == *barrier);
        }
        scene.memory.accept(&ann(), None, review).await.unwrap();
        assert_eq!(scene.text(forgotten).await, "coffee");
    }

    async fn any_person_settles_what_is_everyones(store: Store) {
        let scene = Scene::on(store).await;
        let said = |text: &str| json!({"scope": {}, "key": "hours", "content": {"text": text}});
        let fact = scene.wrote(&operator(), said("nine to five")).await.fact;
        let scout = Caller { actor: agent_named("scout").actor, ..operator() };
        scene.wrote(&scout, json!({"fact": fact, "content": {"text": "ten to six"}})).await;
        settle(&scene, &operator(), open(&scene, fact).await, keep(2)).await.unwrap();
        let conflict = scene.memory.ledger().head(&operator().reader, fact).await.unwrap().unwrap();
        let conflict = conflict.reopenable.unwrap().conflict;
        let anyone = Caller { actor: bob().actor, ..operator() };
        scene.memory.reopen(&anyone, None, conflict).await.unwrap();
        settle(&scene, &anyone, open(&scene, fact).await, keep(1)).await.unwrap();
        is_proven(&scene).await;
    }

    async fn a_note_has_five_hundred_characters_at_most(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.contested().await;
        let seen = open(&scene, fact).await;
        let noted = async |characters: usize| {
            let note = "ü".repeat(characters);
            scene.memory.settle(&ann(), None, seen, keep(1), Some(&note)).await
        };
        let events = scene.events().await;
        refused!(noted(501).await, MemoryError::BadInput(bad) if bad.field == "note");
        assert_eq!(scene.events().await, events);
        noted(500).await.unwrap();
        is_proven(&scene).await;
    }

    async fn what_is_no_side_is_refused(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.contested().await;
        let seen = open(&scene, fact).await;
        let events = scene.events().await;
        for (ruling, field) in
            [(keep(3), "keep"), (both(3, 1), "keep"), (both(1, 3), "apart"), (both(1, 1), "apart")]
        {
            refused!(settle(&scene, &ann(), seen, ruling).await, MemoryError::BadInput(bad) if bad.field == field);
        }
        assert_eq!(scene.events().await, events);
    }

    async fn a_quarantined_winner_is_current_and_stays_out_of_recall(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        scene.wrote(&import(), json!({"fact": fact, "content": {"text": "coffee"}, "confidence": 0.7})).await;
        let (conflict, _) = open(&scene, fact).await;
        let receipt = settled(&scene, fact, keep(2)).await;
        assert_eq!(receipt.outcome, Outcome::Settled { conflict, quarantined: true, apart: None });
        assert_eq!(scene.text(fact).await, "coffee");
        assert_eq!(texts(&scene.recall("tea coffee").await), [""; 0]);
        scene.memory.admit(&operator(), None, fact).await.unwrap();
        assert_eq!(texts(&scene.recall("coffee").await), ["coffee"]);
        scene.memory.quarantine(&operator(), None, fact).await.unwrap();
        assert_eq!(texts(&scene.recall("coffee").await), [""; 0]);
        is_proven(&scene).await;
    }

    async fn a_side_that_lost_is_not_admitted_until_it_is_contested_again(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        scene.wrote(&import(), json!({"fact": fact, "content": {"text": "coffee"}, "confidence": 0.7})).await;
        let (conflict, _) = open(&scene, fact).await;
        settled(&scene, fact, keep(1)).await;
        assert_eq!(scene.memory.admit(&operator(), None, fact).await.unwrap().outcome, Outcome::Unchanged);
        scene.memory.reopen(&ann(), None, conflict).await.unwrap();
        assert_eq!(scene.memory.admit(&operator(), None, fact).await.unwrap().outcome, Outcome::Admitted);
        is_proven(&scene).await;
    }

    async fn neither_but_this_supersedes_every_side_in_one_step(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.contested().await;
        let events = scene.events().await;
        let receipt = settled(&scene, fact, reword(json!({"content": {"text": "cocoa"}}))).await;
        assert_eq!((receipt.revision.get(), scene.events().await), (3, events + 1));
        let (active, over) = (State::Active, State::Superseded);
        assert_eq!(scene.states(fact).await, [(3, active), (2, over), (1, over)]);
        assert_eq!(texts(&scene.recall("cocoa tea coffee").await), ["cocoa"]);
        let seen = scene.get(fact).await.unwrap();
        let key = seen.revision.words.as_ref().and_then(|words| words.key.as_ref()).unwrap();
        assert_eq!((key.as_str(), seen.revision.actor.clone()), ("drink", ann().actor));
        is_proven(&scene).await;
    }

    async fn the_wording_of_a_side_keeps_that_side(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.contested().await;
        let receipt = settled(&scene, fact, reword(json!({"content": {"text": "coffee"}}))).await;
        assert_eq!((receipt.revision.get(), scene.states(fact).await.len()), (2, 2));
    }

    async fn a_hold_that_is_asked_for_with_a_wording_is_placed(store: Store) {
        let scene = Scene::on(store).await;
        for (name, text) in [("new", "cocoa"), ("of a side", "coffee")] {
            let fact = scene.wrote(&ann(), json!({"key": name, "content": {"text": "tea"}})).await.fact;
            scene.wrote(&agent(), json!({"fact": fact, "content": {"text": "coffee"}})).await;
            let held = json!({"content": {"text": text}, "retention": {"legalHold": true}});
            let receipt = settled(&scene, fact, reword(held)).await;
            let Outcome::Settled { conflict, .. } = receipt.outcome else { panic!("{receipt:?}") };
            let told = scene.memory.forget(&ann(), None, fact, None, None).await;
            refused!(told, MemoryError::Refused(Refusal::LegalHold));
            refused!(
                scene.memory.reopen(&ann(), None, conflict).await,
                MemoryError::Refused(Refusal::LegalHold)
            );
        }
        is_proven(&scene).await;
    }

    async fn a_wording_is_trusted_no_further_than_what_it_is_derived_from(store: Store) {
        let scene = Scene::on(store).await;
        let source = scene.wrote(&agent(), json!({"content": {"text": "she ordered cocoa"}})).await.fact;
        let fact = scene.contested().await;
        let derived = json!({"content": {"text": "cocoa"}, "generatedBy": {"derivedFrom": [source]}});
        settled(&scene, fact, reword(derived)).await;
        assert_eq!(scene.get(fact).await.unwrap().revision.saying.trust, Trust::Unverified);
    }

    async fn a_conflict_under_legal_hold_waits(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.contested().await;
        let seen = open(&scene, fact).await;
        scene.memory.hold(&ann(), None, fact, true).await.unwrap();
        let events = scene.events().await;
        refused!(settle(&scene, &ann(), seen, keep(1)).await, MemoryError::Refused(Refusal::LegalHold));
        assert_eq!(scene.events().await, events);
        scene.memory.hold(&ann(), None, fact, false).await.unwrap();
        settled(&scene, fact, keep(1)).await;
    }

    async fn both_are_true(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.contested().await;
        let receipt = settled(&scene, fact, both(1, 2)).await;
        let Outcome::Settled { apart: Some(apart), .. } = receipt.outcome else { panic!("{receipt:?}") };
        assert_eq!((scene.text(fact).await.as_str(), scene.text(apart).await.as_str()), ("tea", "coffee"));
        let mut recalled = texts(&scene.recall("tea coffee").await);
        recalled.sort();
        assert_eq!(recalled, ["coffee", "tea"]);
        let (side, new) = (
            scene.memory.revision(&ann(), fact, number(2)).await.unwrap().revision,
            scene.get(apart).await.unwrap(),
        );
        assert!(!new.head.keyed && new.head.scope == scene.get(fact).await.unwrap().head.scope);
        assert_eq!(new.revision.saying.trust, Trust::Unverified, "a person's ruling vouches for no agent");
        assert_eq!(new.revision.valid_from(), side.recorded_at, "it is true since it was said");
        // What it says is found by its statement, and the fact it came from by its key.
        let again = json!({"content": {"text": "coffee"}, "evidence": evidence("m7")});
        assert_eq!(scene.wrote(&agent(), again).await.fact, apart);
        is_proven(&scene).await;
    }

    async fn a_side_that_another_fact_says_already_makes_no_fact(store: Store) {
        let scene = Scene::on(store).await;
        let elsewhere = scene.say("coffee").await;
        let fact = scene.contested().await;
        let events = scene.events().await;
        let receipt = settled(&scene, fact, both(1, 2)).await;
        assert!(matches!(receipt.outcome, Outcome::Settled { apart: None, .. }), "{receipt:?}");
        assert_eq!(scene.events().await, events + 1);
        let mut recalled = texts(&scene.recall("tea coffee").await);
        recalled.sort();
        assert_eq!(recalled, ["coffee", "tea"]);
        assert_eq!(scene.text(elsewhere).await, "coffee");
        is_proven(&scene).await;
    }

    async fn a_settled_conflict_is_opened_again_as_it_was(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.contested().await;
        let (conflict, before) = open(&scene, fact).await;
        settled(&scene, fact, reword(json!({"content": {"text": "cocoa"}}))).await;
        let receipt = scene.memory.reopen(&ann(), None, conflict).await.unwrap();
        assert_eq!((receipt.revision.get(), receipt.outcome), (3, Outcome::Reopened { conflict }));
        let (again, version) = open(&scene, fact).await;
        assert!(again == conflict && version > before, "{version}");
        refused!(
            settle(&scene, &ann(), (conflict, before), keep(1)).await,
            MemoryError::Refused(Refusal::ConflictChanged { version: Some(now) }) if now == version
        );
        let (side, over) = (State::Conflicted, State::Superseded);
        assert_eq!(scene.states(fact).await, [(3, over), (2, side), (1, side)]);
        assert_eq!(texts(&scene.recall("tea coffee cocoa").await), [""; 0]);
        assert_eq!(scene.rows(fact).await, [0_u32; 0]);
        assert_eq!(scene.memory.conflicts(&ann(), 10).await.unwrap().1, 1);
        settled(&scene, fact, keep(2)).await;
        assert_eq!(scene.text(fact).await, "coffee");
        is_proven(&scene).await;
    }

    async fn what_changed_since_is_not_opened_again(store: Store) {
        let scene = Scene::on(store).await;
        let changed = async |change: &str| {
            let fact = scene.wrote(&ann(), json!({"key": change, "content": {"text": "tea"}})).await.fact;
            scene.wrote(&agent(), json!({"fact": fact, "content": {"text": "coffee"}})).await;
            let (conflict, _) = open(&scene, fact).await;
            settled(&scene, fact, keep(1)).await;
            match change {
                "superseded" => drop(scene.change(fact, "water").await),
                "forgotten" => scene.forget(fact).await,
                "verified" => drop(scene.memory.verify(&ann(), None, fact, None).await.unwrap()),
                "erased side" => drop(scene.memory.erase(&ann(), None, fact, Some(number(2))).await.unwrap()),
                _ => drop(
                    scene.wrote(&agent(), json!({"fact": fact, "content": {"text": "milk"}})).await,
                ),
            }
            (fact, conflict)
        };
        for change in ["superseded", "forgotten", "verified", "erased side", "contested anew"] {
            let (_, conflict) = changed(change).await;
            let events = scene.events().await;
            let told = scene.memory.reopen(&ann(), None, conflict).await;
            refused!(told, MemoryError::Refused(Refusal::NotReopenable));
            assert_eq!(scene.events().await, events, "{change}");
        }
        is_proven(&scene).await;
    }

    async fn evidence_and_admission_leave_a_conflict_to_be_opened_again(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.contested().await;
        let (conflict, _) = open(&scene, fact).await;
        settled(&scene, fact, keep(1)).await;
        let again = json!({"fact": fact, "content": {"text": "tea"}, "evidence": evidence("m3")});
        assert_eq!(scene.wrote(&agent(), again).await.outcome, Outcome::EvidenceAdded);
        scene.memory.quarantine(&operator(), None, fact).await.unwrap();
        scene.memory.reopen(&ann(), None, conflict).await.unwrap();
        is_proven(&scene).await;
    }

    async fn each_time_reads_what_was_known_then(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.contested().await;
        let said = scene.memory.revision(&ann(), fact, number(1)).await.unwrap().revision.recorded_at;
        let doubted = scene.memory.revision(&ann(), fact, number(2)).await.unwrap().revision.recorded_at;
        // A moment after what happened, and before what happens next.
        let between = || {
            scene.pass(2 * SECOND);
            after(scene.now(), -SECOND)
        };
        let contested = between();
        let (conflict, _) = open(&scene, fact).await;
        settled(&scene, fact, keep(2)).await;
        let kept = between();
        scene.memory.reopen(&ann(), None, conflict).await.unwrap();
        let reopened = between();
        settled(&scene, fact, reword(json!({"content": {"text": "cocoa"}}))).await;
        let reworded = between();
        let known = async |at| scene.text_at(fact, as_of(at)).await;
        assert_eq!(known(said).await.as_deref(), Some("tea"));
        assert_eq!(known(contested).await, None);
        assert_eq!(known(kept).await.as_deref(), Some("coffee"));
        assert_eq!(known(reopened).await, None);
        assert_eq!(known(reworded).await.as_deref(), Some("cocoa"));
        let then = async |known, valid| {
            scene.text_at(fact, Times { as_of: Some(known), valid_at: Some(valid) }).await
        };
        assert_eq!(then(kept, said).await.as_deref(), Some("tea"));
        assert_eq!(then(kept, doubted).await.as_deref(), Some("coffee"));
        assert_eq!(then(reopened, said).await, None);
        let valid = async |at| scene.text_at(fact, valid_at(at)).await;
        assert_eq!(valid(said).await.as_deref(), Some("tea"), "what was true before is true of that time");
        assert_eq!(valid(reworded).await.as_deref(), Some("cocoa"));
        is_proven(&scene).await;
    }

    async fn a_side_that_is_to_come_holds_nothing_before_it_begins(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        let said = scene.recorded().await;
        let start = after(scene.now(), 9 * SECOND);
        let later = json!({"fact": fact, "content": {"text": "coffee"}, "validFrom": start.exact()});
        scene.wrote(&agent(), later).await;
        scene.pass(SECOND);
        settled(&scene, fact, keep(2)).await;
        refused!(scene.get(fact).await, MemoryError::NotCurrent { state: "not yet valid" });
        assert_eq!(scene.list(&ann(), State::Active).await, []);
        assert_eq!(scene.text_at(fact, valid_at(start)).await.as_deref(), Some("coffee"));
        assert_eq!(scene.text_at(fact, valid_at(said)).await.as_deref(), Some("tea"));
        let between = scene.pass(SECOND);
        scene.pass(8 * SECOND);
        assert_eq!(scene.text(fact).await, "coffee");
        scene.change(fact, "water").await;
        assert_eq!(scene.text_at(fact, valid_at(between)).await, None);
        is_proven(&scene).await;
    }

    async fn what_is_said_again_waits_once_with_all_its_grounds(store: Store) {
        let scene = Scene::on(store).await;
        let (fact, review) = held_back(&scene).await;
        assert_eq!(said_again(&scene, fact, "coffee", "m2").await, review);
        let events = scene.events().await;
        assert_eq!(said_again(&scene, fact, "coffee", "m1").await, review);
        assert_eq!(scene.events().await, events, "nothing new was said");
        let other = said_again(&scene, fact, "water", "m1").await;
        let waiting = scene.memory.held_back(&ann()).await.unwrap();
        let grounds: Vec<_> = waiting
            .iter()
            .map(|held| (held.review, held.proposed.evidence().map(|one| one.id.to_string()).collect::<Vec<_>>()))
            .collect();
        let expected = [(other, vec!["m1".to_owned()]), (review, vec!["m1".to_owned(), "m2".to_owned()])];
        assert_eq!(grounds, expected);
        let receipt = scene.memory.accept(&ann(), None, review).await.unwrap();
        assert_eq!((receipt.revision.get(), receipt.outcome), (2, Outcome::Accepted { review }));
        let seen = scene.get(fact).await.unwrap();
        assert_eq!(seen.revision.evidence().map(|one| one.id.as_str()).collect::<Vec<_>>(), ["m1", "m2"]);
        assert_eq!(seen.revision.actor, ann().actor);
        assert_eq!(texts(&scene.recall("coffee").await), ["coffee"]);
        assert!(scene.memory.held_back(&ann()).await.unwrap().is_empty(), "the fact is back");
        for over in [review, other] {
            let told = scene.memory.accept(&ann(), None, over).await;
            refused!(told, MemoryError::Refused(Refusal::NotWaiting));
        }
        is_proven(&scene).await;
    }

    async fn what_was_dismissed_is_not_asked_about_again(store: Store) {
        let scene = Scene::on(store).await;
        let (fact, review) = held_back(&scene).await;
        let dismiss = async |name: &str| -> Result<Receipt, MemoryError> {
            let name: RequestKey = key(name);
            scene.memory.dismiss(&ann(), Some(name), review).await
        };
        assert_eq!(dismiss("k").await.unwrap().outcome, Outcome::Dismissed { review });
        assert!(dismiss("k").await.unwrap().replayed);
        refused!(dismiss("l").await, MemoryError::Refused(Refusal::NotWaiting));
        let said = json!({"fact": fact, "content": {"text": "coffee"}, "evidence": evidence("m5")});
        let events = scene.events().await;
        assert_eq!(scene.wrote(&agent(), said.clone()).await.outcome, Outcome::Dismissed { review });
        assert_eq!(scene.events().await, events);
        scene.memory.restore(&ann(), None, fact, None).await.unwrap();
        scene.forget(fact).await;
        assert_eq!(scene.wrote(&agent(), said).await.outcome, Outcome::Dismissed { review }, "for good");
        is_proven(&scene).await;
    }
}

/// A fact of Ann's in another slot than the contested one, held back.
async fn held_back_elsewhere(scene: &Scene) -> (FactId, ReviewId) {
    let fact = scene.wrote(&ann(), json!({"key": "snack", "content": {"text": "nuts"}})).await.fact;
    scene.forget(fact).await;
    (fact, said_again(scene, fact, "coffee", "m1").await)
}

//! A fact moves to another scope, and several are moved or forgotten at once.

use serde_json::json;
use truthkeeper::{Access, Caller, Fate, Filter, MemoryError, Outcome, Reader, Refusal, Sight, State};
use truthkeeper_tests::on_both_engines;

use super::scene::{
    DAY, SECOND, Scene, admin, agent, ann, as_of, evidence, id, key, local, number, operator, refused, scope,
    text, texts, user,
};

/// Somebody who reads project p alone.
fn member() -> Caller {
    user("ben", "project:p")
}

async fn recalled(scene: &Scene, caller: &Caller, query: &str) -> Vec<String> {
    texts(&scene.memory.recall(caller, &truthkeeper::Recall::query(query)).await.unwrap())
}

on_both_engines! {
    async fn a_fact_goes_to_a_project_and_back(store: Store) {
        let scene = Scene::on(store).await;
        let said = json!({"content": {"text": "likes green tea"}, "tags": ["warm"], "evidence": evidence("m1"), "confidence": 0.7});
        let tea = scene.wrote(&ann(), said).await.fact;
        let before = (scene.recorded().await, scene.get(tea).await.unwrap());
        scene.pass(SECOND);
        let receipt = scene.memory.move_fact(&admin(), Some(key("k")), (tea, Some(number(1))), &scope("project:p")).await.unwrap();
        assert_eq!((receipt.outcome, receipt.revision, receipt.searchable), (Outcome::Moved, number(2), true));
        let again = scene.memory.move_fact(&admin(), Some(key("k")), (tea, Some(number(1))), &scope("project:p")).await.unwrap();
        assert!(again.replayed, "{again:?}");
        assert_eq!(recalled(&scene, &member(), "green tea").await, ["likes green tea"]);
        assert_eq!(recalled(&scene, &ann(), "green tea").await, [""; 0]);
        refused!(scene.get(tea).await, MemoryError::NotFound);
        let seen = scene.memory.get(&member(), tea, truthkeeper::Times::default()).await.unwrap();
        let (old, new) = (&before.1.revision, &seen.revision);
        assert_eq!((text(&seen).as_str(), seen.head.scope.clone()), ("likes green tea", scope("project:p")));
        assert_eq!((new.valid_from(), new.saying.confidence, new.saying.trust), (old.valid_from(), old.saying.confidence, old.saying.trust));
        assert_eq!(new.words, old.words);
        let known = scene.memory.get(&member(), tea, as_of(before.0)).await.unwrap();
        assert_eq!(known.revision.number, number(1), "its history goes with it");
        assert_eq!(scene.list(&ann(), State::Active).await.len(), 0);
        assert_eq!(scene.list(&member(), State::Active).await.len(), 1);
        scene.memory.move_fact(&admin(), None, (tea, None), &scope("tenant")).await.unwrap();
        assert_eq!(recalled(&scene, &ann(), "green tea").await, ["likes green tea"], "it is everybody's");
        scene.memory.move_fact(&admin(), None, (tea, None), &scope("user:ann")).await.unwrap();
        assert_eq!(recalled(&scene, &member(), "green tea").await, [""; 0]);
        assert_eq!(scene.text(tea).await, "likes green tea");
        assert_eq!(scene.memory.move_fact(&ann(), None, (tea, None), &scope("user:ann")).await.unwrap().outcome, Outcome::Unchanged);
        scene.check().await;
        assert!(scene.memory.check_index(&local(), None, |_| {}).await.unwrap().is_clean());
    }

    async fn where_it_was_it_can_be_said_anew(store: Store) {
        let scene = Scene::on(store).await;
        let tea = scene.say("tea").await;
        let keyed = scene.wrote(&ann(), json!({"key": "drink", "content": {"text": "cocoa"}})).await.fact;
        for fact in [tea, keyed] {
            scene.memory.move_fact(&admin(), None, (fact, None), &scope("project:p")).await.unwrap();
        }
        let new = scene.say("tea").await;
        let slot = scene.wrote(&ann(), json!({"key": "drink", "content": {"text": "milk"}})).await;
        assert_eq!(slot.outcome, Outcome::Created);
        // And where it is, its statement and its key are its own.
        let there = json!({"scope": {"projectId": "p"}, "content": {"text": "tea"}});
        assert_eq!(scene.wrote(&admin(), there).await.fact, tea);
        let there = json!({"scope": {"projectId": "p"}, "key": "drink", "content": {"text": "cocoa"}});
        assert_eq!(scene.wrote(&admin(), there).await.outcome, Outcome::Unchanged);
        // So the new ones cannot follow it there.
        let events = scene.events().await;
        for (fact, other) in [(new, tea), (slot.fact, keyed)] {
            let moved = scene.memory.move_fact(&admin(), None, (fact, None), &scope("project:p")).await;
            refused!(moved, MemoryError::Refused(Refusal::Taken { by }) if by == other);
        }
        assert_eq!(scene.events().await, events);
        scene.check().await;
    }

    async fn what_is_to_follow_goes_along(store: Store) {
        let scene = Scene::on(store).await;
        let tea = scene.say("tea").await;
        let later = json!({"fact": tea, "content": {"text": "coffee"}, "validFrom": scene.now().plus_days(1).exact()});
        scene.wrote(&ann(), later).await;
        scene.memory.move_fact(&admin(), None, (tea, None), &scope("project:p")).await.unwrap();
        assert_eq!(recalled(&scene, &member(), "tea coffee").await, ["tea"]);
        scene.pass(DAY);
        assert_eq!(recalled(&scene, &member(), "tea coffee").await, ["coffee"]);
        scene.check().await;
    }

    async fn only_its_owner_moves_it_and_only_what_stands(store: Store) {
        let scene = Scene::on(store).await;
        let tea = scene.say("tea").await;
        let contested = scene.contested().await;
        let gone = scene.say("gone").await;
        scene.forget(gone).await;
        let held = scene.wrote(&ann(), json!({"content": {"text": "kept"}, "retention": {"legalHold": true}})).await.fact;
        let before = scene.events().await;
        let to = scope("project:p");
        let moved = async |caller: &Caller, fact| scene.memory.move_fact(caller, None, (fact, None), &to).await;
        refused!(moved(&operator(), tea).await, MemoryError::Refused(Refusal::NotPermitted { .. }));
        refused!(moved(&ann(), tea).await, MemoryError::NotPermitted);
        refused!(moved(&Caller { actor: agent().actor, ..admin() }, tea).await, MemoryError::Refused(Refusal::NotPermitted { .. }));
        refused!(moved(&admin(), contested).await, MemoryError::Refused(Refusal::Contested { .. }));
        refused!(moved(&admin(), gone).await, MemoryError::Refused(Refusal::NotCurrent));
        refused!(moved(&admin(), held).await, MemoryError::Refused(Refusal::LegalHold));
        let stale = scene.memory.move_fact(&admin(), None, (tea, Some(number(2))), &to).await;
        refused!(stale, MemoryError::Refused(Refusal::Changed { .. }));
        let other = truthkeeper::Scope::tenant(id("elsewhere"));
        refused!(scene.memory.move_fact(&admin(), None, (tea, None), &other).await, MemoryError::NotPermitted);
        assert_eq!(scene.events().await, before);
    }

    async fn several_at_once_each_says_what_it_came_to(store: Store) {
        let scene = Scene::on(store).await;
        let (tea, milk, gone) = (scene.say("tea").await, scene.say("milk").await, scene.say("gone").await);
        scene.forget(gone).await;
        let held = scene.wrote(&ann(), json!({"content": {"text": "kept"}, "retention": {"legalHold": true}})).await.fact;
        let unknown = truthkeeper::FactId::parse("00000000-0000-7000-8000-000000000000").unwrap();
        let facts = [(tea, None), (milk, Some(number(7))), (gone, None), (held, None), (unknown, None)];
        let expected = [Fate::Succeeded, Fate::Stale, Fate::NotFound, Fate::Failed, Fate::NotFound];
        let moved = scene.memory.move_facts(&admin(), Some(&key("k")), &facts, &scope("project:p")).await.unwrap();
        assert_eq!(moved.iter().map(truthkeeper::Each::fate).collect::<Vec<_>>(), expected);
        let events = scene.events().await;
        let again = scene.memory.move_facts(&admin(), Some(&key("k")), &facts, &scope("project:p")).await.unwrap();
        assert!(again[0].outcome.as_ref().unwrap().replayed);
        assert_eq!(scene.events().await, events, "the whole request can be sent again");
        let facts = [(milk, None), (gone, None), (held, None)];
        let forgot = scene.memory.forget_facts(&ann(), None, &facts, Some("tidy")).await.unwrap();
        let fates: Vec<Fate> = forgot.iter().map(truthkeeper::Each::fate).collect();
        assert_eq!(fates, [Fate::Succeeded, Fate::NotFound, Fate::Failed]);
        assert_eq!(scene.memory.forgotten(&ann(), &Filter::current(), None, 10).await.unwrap().items.len(), 2);
        let twice = [(held, None), (held, None)];
        refused!(scene.memory.forget_facts(&ann(), None, &twice, None).await, MemoryError::BadInput(_));
        refused!(scene.memory.forget_facts(&ann(), None, &[], None).await, MemoryError::BadInput(_));
        let many: Vec<_> = (0..51).map(|one| (truthkeeper::FactId::new(uuid::Uuid::from_u128(one)), None)).collect();
        refused!(scene.memory.forget_facts(&ann(), None, &many, None).await, MemoryError::BadInput(_));
        scene.check().await;
    }

    async fn its_new_neighbours_find_all_of_it_and_the_old_ones_nothing(store: Store) {
        let scene = Scene::on(store).await;
        let tea = scene.say("tea").await;
        scene.change(tea, "green tea").await;
        scene.memory.move_fact(&admin(), None, (tea, None), &scope("project:p")).await.unwrap();
        for state in State::ALL {
            assert_eq!(scene.list(&ann(), state).await.len(), 0, "{state:?}");
        }
        assert_eq!(scene.list(&member(), State::Superseded).await.len(), 2);
        assert!(scene.memory.revisions(&ann(), tea, None, 10).await.is_err());
        let sight = Sight::Within(Access { projects: [id("p")].into(), ..Access::default() });
        let reader = Reader { tenant: local(), sight };
        assert!(scene.memory.ledger().head(&reader, tea).await.unwrap().is_some());
        scene.check().await;
    }

    async fn who_said_it_and_when_it_was_seen_do_not_move(store: Store) {
        let scene = Scene::on(store).await;
        let doubter = Caller { actor: agent().actor, ..admin() };
        let said = json!({"key": "drink", "content": {"text": "tea"}, "generatedBy": {"toolCallId": "c1"}});
        let tea = scene.wrote(&agent(), said).await.fact;
        let between = scene.pass(SECOND);
        scene.pass(SECOND);
        scene.memory.move_fact(&admin(), None, (tea, None), &scope("project:p")).await.unwrap();
        let seen = scene.memory.get(&member(), tea, truthkeeper::Times::default()).await.unwrap();
        assert_eq!((seen.revision.author(), &seen.revision.actor), (&agent().actor, &admin().actor));
        let recalled = scene.memory.recall(&member(), &truthkeeper::Recall::query("tea")).await.unwrap();
        let block = truthkeeper::Block::render(&recalled, truthkeeper::Budget::tokens(500));
        assert!(block.as_str().contains("agent scout"), "{}", block.as_str());
        let corrected = json!({"fact": tea, "content": {"text": "cocoa"}, "generatedBy": {"toolCallId": "c2"}});
        assert_eq!(scene.wrote(&doubter, corrected).await.outcome, Outcome::Superseded, "it corrects itself");
        let other = scene.say("milk").await;
        let between_too = scene.pass(SECOND);
        scene.pass(SECOND);
        scene.memory.move_fact(&admin(), None, (other, None), &scope("project:p")).await.unwrap();
        let late = json!({"fact": other, "content": {"text": "water"}, "observedAt": between_too.exact()});
        assert_eq!(scene.wrote(&admin(), late).await.outcome, Outcome::Superseded, "seen after it was said");
        assert!(between < between_too);
        scene.check().await;
    }

    async fn what_was_merged_is_not_named_where_it_cannot_be_seen(store: Store) {
        let scene = Scene::on(store).await;
        let (tea, also) = (scene.say("enjoys tea").await, scene.say("drinks tea").await);
        scene.memory.merge(&ann(), None, (tea, None), &[(also, None)]).await.unwrap();
        assert_eq!(scene.get(tea).await.unwrap().revision.merged, [also]);
        scene.memory.move_fact(&admin(), None, (tea, None), &scope("project:p")).await.unwrap();
        let seen = scene.memory.get(&member(), tea, truthkeeper::Times::default()).await.unwrap();
        assert_eq!(seen.revision.merged, []);
        refused!(scene.get(also).await, MemoryError::NotCurrent { state: "merged" });
        scene.memory.split(&ann(), None, also, None).await.unwrap();
        assert_eq!(scene.text(also).await, "drinks tea", "its owner takes it back");
        scene.memory.move_fact(&admin(), None, (tea, None), &scope("user:ann")).await.unwrap();
        assert_eq!(scene.get(tea).await.unwrap().revision.merged, [], "the link leads nowhere");
        scene.check().await;
    }

    async fn a_key_for_several_is_for_these_several(store: Store) {
        let scene = Scene::on(store).await;
        let (tea, milk, water) = (scene.say("tea").await, scene.say("milk").await, scene.say("water").await);
        let forget = async |facts: &[truthkeeper::FactId], name: &str| {
            let named: Vec<_> = facts.iter().map(|fact| (*fact, None)).collect();
            scene.memory.forget_facts(&ann(), Some(&key(name)), &named, None).await
        };
        assert!(forget(&[tea, milk], "k").await.unwrap().iter().all(|each| each.outcome.is_ok()));
        let events = scene.events().await;
        assert!(forget(&[tea, milk], "k").await.unwrap().iter().all(|each| each.outcome.as_ref().unwrap().replayed));
        for other in [&[tea, milk, water][..], &[tea], &[milk, tea]] {
            refused!(forget(other, "k").await, MemoryError::KeyReused);
        }
        assert_eq!(scene.events().await, events, "another request of that name changes nothing");
        refused!(forget(&[tea, milk], &"k".repeat(126)).await, MemoryError::BadInput(bad) if bad.field == "idempotencyKey");
    }
}

//! Each finding of the status, provoked for real, and gone after what it says mends it.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;
use tokio::runtime::Handle;
use tokio::task::block_in_place;
use truthkeeper::{Area, Condition, Finding, Which, status_of};
use truthkeeper_tests::{Store, on_both_engines};

use super::adopting;
use super::legacy::{bring, plain};
use super::projecting::{break_index, cure, in_index, mend_index, poison, poisonous};
use super::raw;
use super::scene::{DAY, SECOND, Scene, after, ann, bob, id, local, operator, scope, time};

/// Facts of Ann and Bob, and every check made.
async fn sound(store: truthkeeper_tests::Store) -> Scene {
    let scene = Scene::on(store).await;
    scene.say("tea").await;
    scene.wrote(&bob(), json!({"scope": {"userId": "bob"}})).await;
    see_to(&scene).await;
    assert_eq!(gaps(&scene).await, []);
    scene
}

async fn see_to(scene: &Scene) {
    scene.memory.check_index(&local(), None, |_| {}).await.unwrap();
    scene.memory.check(|_| {}).await.unwrap();
}

/// What the status finds, whoever asks.
async fn findings(scene: &Scene) -> Vec<Finding> {
    let status = status_of(&scene.store.address, scene.now()).await.unwrap();
    assert_eq!(status, scene.memory.status().await.unwrap());
    status.areas.into_iter().flat_map(|line| line.findings).map(|said| said.finding).collect()
}

/// Those of them that somebody has to do something about.
async fn gaps(scene: &Scene) -> Vec<Finding> {
    findings(scene).await.into_iter().filter(|finding| finding.condition().is_gap()).collect()
}

async fn condition(scene: &Scene, area: Area) -> Condition {
    let status = scene.memory.status().await.unwrap();
    status.areas.iter().find(|line| line.area == area).unwrap().condition
}

async fn qualify(scene: &Scene, at: truthkeeper::Timestamp) -> String {
    let address = truthkeeper::Address::parse(&scene.store.address);
    qualify::qualify(address, &scene.store.folder().join("snapshot.json"), false, at).await.to_string()
}

fn ann_and_bob() -> Vec<String> {
    vec!["user:ann".to_owned(), "user:bob".to_owned()]
}

on_both_engines! {
    async fn a_store_without_events_is_not_initialized(store: Store) {
        let scene = Scene::on(store).await;
        let found = gaps(&scene).await;
        assert_eq!(found.len(), 6, "{found:?}");
        assert!(found.iter().all(|finding| matches!(finding, Finding::NothingRecorded { .. })));
        assert_eq!(condition(&scene, Area::Storage).await, Condition::Active);
        assert_eq!(condition(&scene, Area::Episodes).await, Condition::Disabled);
    }

    // 70, 73: not checked, then checked, then changed
    async fn what_was_never_checked_is_no_proof_and_neither_is_an_old_check(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        scene.wrote(&bob(), json!({"scope": {"userId": "bob"}})).await;
        let (tenant, owners) = (local(), ann_and_bob());
        let never = Finding::NeverChecked { tenant: tenant.clone(), owners };
        assert_eq!(gaps(&scene).await, [never, Finding::NeverProved { tenant: tenant.clone() }]);
        assert_eq!(condition(&scene, Area::IndexDrift).await, Condition::Incomplete);
        see_to(&scene).await;
        assert_eq!(gaps(&scene).await, []);
        scene.change(fact, "green tea").await;
        let owners = [("user:ann".to_owned(), 1)].into();
        assert_eq!(gaps(&scene).await, [Finding::CheckedBefore { tenant, owners }]);
        assert_eq!(condition(&scene, Area::IndexDrift).await, Condition::NotVerified);
        scene.memory.check_index(&local(), None, |_| {}).await.unwrap();
        assert_eq!(gaps(&scene).await, []);
    }

    /// What is written while a check is under way may have been written where it had looked already.
    async fn a_check_vouches_for_nothing_that_is_written_after_it_began(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        scene.memory.check(|_| {}).await.unwrap();
        let began = AtomicBool::new(false);
        let meanwhile = |_| {
            if !began.swap(true, Ordering::SeqCst) {
                block_in_place(|| Handle::current().block_on(scene.change(fact, "green tea")));
            }
        };
        scene.memory.check_index(&local(), None, meanwhile).await.unwrap();
        let owners = [("user:ann".to_owned(), 1)].into();
        assert_eq!(gaps(&scene).await, [Finding::CheckedBefore { tenant: local(), owners }]);
    }

    // LED-06: the counts agree with every other reading
    async fn a_fact_is_counted_up_to_but_not_at_its_end(store: Store) {
        let scene = Scene::on(store).await;
        let end = time("2026-11-02T10:00:00Z");
        scene.wrote(&ann(), json!({"validUntil": "2026-11-02T10:00:00Z"})).await;
        for (at, counts) in [
            (after(end, -1), "1 active, 0 superseded, 0 retracted, 0 expired"),
            (end, "0 active, 0 superseded, 0 retracted, 1 expired"),
            (after(end, 1), "0 active, 0 superseded, 0 retracted, 1 expired"),
        ] {
            let status = status_of(&scene.store.address, at).await.unwrap();
            assert!(status.areas[0].detail.starts_with(counts), "{}: {status}", at.exact());
            let qualified = qualify(&scene, at).await;
            assert!(qualified.contains(&format!("PASS current truth: active, {counts}")), "{qualified}");
        }
    }

    // 77: owners that have nothing any more do not count, and neither do their old reports
    async fn an_owner_who_has_no_facts_any_more_needs_no_check(store: Store) {
        let scene = sound(store).await;
        let mover = truthkeeper::Caller { actor: ann().actor, ..operator() };
        let mine = scene.list(&ann(), truthkeeper::State::Active).await[0].head.fact;
        scene.memory.move_fact(&mover, None, (mine, None), &scope("user:bob")).await.unwrap();
        let owners: Vec<String> = match &gaps(&scene).await[..] {
            [Finding::CheckedBefore { owners, .. }] => owners.keys().cloned().collect(),
            other => panic!("{other:?}"),
        };
        assert_eq!(owners, ["user:bob"]);
        see_to(&scene).await;
        assert_eq!(gaps(&scene).await, []);
        let reports = scene.memory.index_reports(&local()).await.unwrap();
        assert_eq!(reports.iter().map(|one| one.owner.as_str()).collect::<Vec<_>>(), ["user:bob"]);
    }

    // 36, 41, 69
    async fn a_copy_that_failed_is_a_gap_until_it_is_made(store: Store) {
        let scene = sound(store).await;
        poison(&scene).await;
        let fact = scene.wrote(&ann(), poisonous("bitter tea")).await.fact;
        let waiting = Finding::UnderWay { tenant: local(), waiting: 1 };
        assert_eq!(findings(&scene).await, [waiting], "the first attempt failed, and two are left");
        assert_eq!(condition(&scene, Area::Projection).await, Condition::Pending);
        for _ in 0..3 {
            scene.pass(100 * SECOND);
            scene.memory.project_all(scene.now()).await.unwrap();
        }
        let failed = |blocked| Finding::NotProjected { tenant: local(), failed: 1, blocked };
        assert_eq!(gaps(&scene).await, [failed(0)]);
        scene.change(fact, "very bitter tea").await;
        assert_eq!(gaps(&scene).await, [failed(1)]);
        cure(&scene).await;
        scene.memory.retry(&Which { tenant: Some(local()), ..Which::default() }).await.unwrap();
        assert_eq!(gaps(&scene).await, []);
    }

    /// An outage uses up nobody's attempts; that it lasts is said all the same.
    async fn a_copy_that_is_awaited_for_long_is_a_gap(store: Store) {
        let scene = sound(store).await;
        break_index(&scene).await;
        let since = scene.now();
        scene.say("milk").await;
        scene.pass(600 * SECOND);
        assert_eq!(gaps(&scene).await, []);
        scene.pass(2 * SECOND);
        let found = gaps(&scene).await;
        let [Finding::Late { waiting: 1, seconds: 601, since: then, .. }] = &found[..] else { panic!("{found:?}") };
        assert!((then.micros() - since.micros()).abs() < SECOND);
        mend_index(&scene).await;
        scene.memory.rebuild_index(&local(), |_| {}).await.unwrap();
        scene.memory.check_index(&local(), None, |_| {}).await.unwrap();
        assert_eq!(gaps(&scene).await, []);
    }

    // 51, PRJ-01
    async fn rows_that_are_gone_are_a_gap_until_they_are_repaired(store: Store) {
        let scene = sound(store).await;
        in_index(&scene, "DELETE FROM entries", "DELETE FROM truthkeeper_index.entries").await;
        assert_eq!(gaps(&scene).await, [], "nobody has looked");
        scene.memory.check_index(&local(), None, |_| {}).await.unwrap();
        let found = gaps(&scene).await;
        let drift = [(truthkeeper::Drift::Missing, 2)].into();
        assert_eq!(found[0], Finding::Drifted { tenant: local(), drift });
        scene.memory.repair_index(&local(), None, |_| {}).await.unwrap();
        scene.memory.check_index(&local(), None, |_| {}).await.unwrap();
        assert_eq!(gaps(&scene).await, []);
    }

    // QAL-03: what single rows do not show
    async fn an_index_that_is_damaged_is_a_gap_until_it_is_mended(store: Store) {
        let scene = sound(store).await;
        in_index(
            &scene,
            "DELETE FROM words_data WHERE id > 10",
            "UPDATE truthkeeper_index.scopes SET entries = entries + 1",
        )
        .await;
        scene.memory.check_index(&local(), None, |_| {}).await.unwrap();
        let found = gaps(&scene).await;
        assert!(found.contains(&Finding::CopyDamaged { tenant: local() }), "{found:?}");
        scene.memory.repair_index(&local(), None, |_| {}).await.unwrap();
        scene.memory.check_index(&local(), None, |_| {}).await.unwrap();
        assert_eq!(gaps(&scene).await, []);
    }

    async fn a_table_that_was_changed_is_a_gap_until_it_is_made_anew(store: Store) {
        let scene = sound(store).await;
        raw::run(&scene.store, "UPDATE revisions SET state = 'retracted'").await;
        scene.memory.check(|_| {}).await.unwrap();
        assert_eq!(gaps(&scene).await, [Finding::Unsound { tenant: local(), found: 2 }]);
        scene.memory.rebuild(|_| {}).await.unwrap();
        see_to(&scene).await;
        assert_eq!(gaps(&scene).await, []);
    }

    async fn events_that_were_checked_and_are_gone_are_a_gap(store: Store) {
        let scene = sound(store).await;
        raw::disarm(&scene.store).await;
        raw::run(&scene.store, "DELETE FROM events WHERE position = 2").await;
        let position = truthkeeper::Position::new(2);
        assert_eq!(gaps(&scene).await, [Finding::Cut { tenant: local(), position }]);
    }

    async fn a_last_event_that_is_another_is_a_gap(store: Store) {
        let scene = sound(store).await;
        raw::run(&scene.store, "UPDATE tenants SET recorded_at = recorded_at + 1").await;
        assert_eq!(gaps(&scene).await, [Finding::Unended { tenant: local() }]);
        raw::run(&scene.store, "UPDATE tenants SET recorded_at = recorded_at - 1").await;
        assert_eq!(gaps(&scene).await, []);
    }

    // 69: what only its owner can settle is told, and is no gap
    async fn what_waits_for_owners_is_no_gap(store: Store) {
        let scene = sound(store).await;
        scene.contested().await;
        see_to(&scene).await;
        scene.pass(3 * DAY + SECOND);
        assert_eq!(gaps(&scene).await, []);
        let told = scene.memory.status().await.unwrap().to_string();
        assert!(told.contains("1 open, the oldest for 3 days"), "{told}");
        assert!(told.contains("2 conflicted"), "{told}");
    }

    /// Every tenant counts, and what mends it says whose it is.
    async fn another_tenants_gaps_are_told_too(store: Store) {
        let scene = sound(store).await;
        let other = truthkeeper::Caller::operator(id("acme"), id("olga"));
        let draft = json!({"type": "acme.note", "content": {"text": "tea"}, "scope": {"userId": "eve"}});
        let draft = truthkeeper::Draft::from_json(draft, &id("acme")).unwrap();
        scene.memory.remember(&other, None, draft).await.unwrap();
        let status = scene.memory.status().await.unwrap();
        let mends: Vec<String> =
            status.areas.iter().flat_map(|line| &line.findings).filter_map(|said| said.mend.clone()).collect();
        assert_eq!(mends, ["memory projections check --tenant acme", "memory ledger check"]);
    }
}

/// What is wrong with the file that all tenants share is wrong with the ledger of each.
#[tokio::test]
async fn a_damaged_file_is_a_gap_whosever_rows_they_are() {
    let scene = sound(Store::sqlite()).await;
    assert!(scene.recall("tea").await.receipt.is_some());
    let mut connection = raw::connect(&scene.store).await;
    for statement in [
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_schema SET sql = 'CREATE INDEX receipts_by_end ON receipts (tenant, recalled_at)' \
         WHERE name = 'receipts_by_end'",
        "PRAGMA schema_version = 1000",
    ] {
        sqlx::query(statement).execute(&mut connection).await.unwrap();
    }
    let report = scene.memory.check(|_| {}).await.unwrap();
    assert_eq!(report.chains[0].found, report.found);
    let found = gaps(&scene).await;
    assert!(matches!(found[..], [Finding::Unsound { found, .. }] if found == report.found), "{found:?}");
}

on_both_engines! {
    // Behaviour 90, and status: legacy review pending is no gap, undecided rows after a review are
    async fn old_memories_that_nobody_decided_about_are_a_gap_after_a_review(store: Store) {
        let scene = sound(store).await;
        bring(&scene.memory, &[plain("a", "Ann drinks green tea")]).await;
        see_to(&scene).await;
        assert_eq!(gaps(&scene).await, []);
        let detail = |status: &truthkeeper::Status| {
            let line = status.areas.iter().find(|line| line.area == Area::Reconciliation).unwrap();
            line.detail.clone()
        };
        let status = scene.memory.status().await.unwrap();
        assert!(detail(&status).starts_with("legacy recall on for 1 owner, off for 0 owners; 1 legacy"), "{status}");
        let sealed = adopting::all(&scene, truthkeeper::Choice::Approve).await;
        let applied = scene.memory.apply_review(&ann(), &sealed, |_| {}).await.unwrap();
        bring(&scene.memory, &[plain("b", "Ann rides a bicycle")]).await;
        see_to(&scene).await;
        let owners = vec!["user:ann".to_owned()];
        assert_eq!(gaps(&scene).await, [Finding::Unclassified { tenant: local(), owners, rows: 1 }]);
        assert!(qualify(&scene, scene.now()).await.contains("FAIL"));
        let sealed = adopting::all(&scene, truthkeeper::Choice::Reject).await;
        scene.memory.apply_review(&ann(), &sealed, |_| {}).await.unwrap();
        see_to(&scene).await;
        assert_eq!(gaps(&scene).await, []);
        let unfinished = "UPDATE adoptions SET applied_at = NULL";
        raw::run(&scene.store, &format!("{unfinished} WHERE adoption = '{}'", applied.adoption)).await;
        let finding = Finding::AdoptionUnfinished { tenant: local(), adoption: applied.adoption };
        assert_eq!(gaps(&scene).await, [finding]);
        // Another review of this owner's waits for that one.
        bring(&scene.memory, &[plain("c", "Ann plays the cello")]).await;
        let refused = scene.memory.audit_legacy(&ann(), &adopting::owner()).await;
        assert!(refused.unwrap_err().to_string().contains("is unfinished"));
    }
}

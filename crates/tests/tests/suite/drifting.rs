//! The copy is checked against the ledger: what drifted is named, the last report is kept, and a repair mends it.

use index::{Around, Row, Source, Write};
use serde_json::json;
use truthkeeper::{Container, CopyReport, Drift, FactId, RevisionNumber, Text, Which};
use truthkeeper_tests::on_both_engines;

use super::projecting::{break_index, cure, in_index, mend_index, poison, poisonous};
use super::scene::{DAY, SECOND, Scene, ann, bob, id, kind, local, says, scope, texts};

fn owner(name: &str) -> Container {
    Container::User(id(name))
}

/// How many differ, by how.
fn counts(report: &CopyReport) -> Vec<(Drift, u64)> {
    report.drift.iter().map(|(drift, count)| (*drift, *count)).collect()
}

async fn check(scene: &Scene) -> truthkeeper::Checked {
    scene.memory.check_index(&local(), None, |_| {}).await.unwrap()
}

/// Puts a row into the index as nobody but the projector should.
async fn put(scene: &Scene, fact: FactId, revision: u32, text: &str) {
    let row = Row {
        source: Source::Fact,
        fact,
        revision: RevisionNumber::new(revision).unwrap(),
        kind: kind("acme.preference"),
        scope: scope("user:ann"),
        digest: "made up".to_owned(),
        text: Text::stored(text.to_owned()),
        around: Around::default(),
        vectors: Vec::new(),
    };
    index::open(&scene.store.index_address()).replace(&[Write::put(row)]).await.unwrap();
}

on_both_engines! {
    async fn a_copy_that_agrees_has_no_drift(store: Store) {
        let scene = Scene::on(store).await;
        let gone = scene.say("tea").await;
        scene.say("coffee").await;
        scene.wrote(&bob(), json!({"scope": {"userId": "bob"}})).await;
        scene.forget(gone).await;
        let checked = check(&scene).await;
        assert!(checked.is_clean(), "{checked:?}");
        assert_eq!((checked.total.facts, checked.total.rows), (2, 2));
        let owners: Vec<_> = checked.owners.iter().map(|(owner, report)| (owner.as_str(), report.facts)).collect();
        assert_eq!(owners, [("user:ann", 1), ("user:bob", 1)]);
        assert!(!scene.recall("coffee").await.index_drifted);
    }

    // FTS5 keeps a table's settings by connection, and the first deletion after a rebuild changes them
    async fn a_copy_that_another_process_empties_is_not_damaged(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        assert!(check(&scene).await.is_clean());
        let other = scene.opened_again().await;
        index::open(&scene.store.index_address()).mend().await.unwrap();
        other.forget(&ann(), None, fact, None, None).await.unwrap();
        assert!(other.check_index(&local(), None, |_| {}).await.unwrap().is_clean());
        let checked = check(&scene).await;
        assert!(checked.is_clean(), "{checked:?}");
    }

    // PRJ-01, 51, 54: rows that were lost in silence
    async fn rows_that_are_gone_are_missing_and_come_back(store: Store) {
        let scene = Scene::on(store).await;
        let mut facts = Vec::new();
        for number in 0..7 {
            facts.push(scene.say(&format!("tea number {number}")).await);
        }
        in_index(&scene, "DELETE FROM entries WHERE id <= 5", "DELETE FROM truthkeeper_index.entries WHERE id <= 5")
            .await;
        put(&scene, facts[6], 9, "tea of another version").await;
        let checked = check(&scene).await;
        assert_eq!(counts(&checked.total), [(Drift::Missing, 5), (Drift::Stale, 1)]);
        assert!(checked.total.drifted[..5].iter().all(|one| one.drift == Drift::Missing), "missing first");
        let recalled = scene.recall("tea").await;
        assert_eq!((recalled.facts.len(), recalled.index_drifted), (1, true));
        assert_eq!(scene.memory.repair_index(&local(), None, |_| {}).await.unwrap(), 6);
        let checked = check(&scene).await;
        assert!(checked.is_clean(), "{checked:?}");
        let recalled = scene.recall("tea").await;
        assert_eq!((recalled.facts.len(), recalled.index_drifted), (7, false));
    }

    // 50
    async fn each_kind_of_drift_is_told_apart(store: Store) {
        let scene = Scene::on(store).await;
        let (fact, gone) = (scene.say("tea").await, scene.say("coffee").await);
        scene.change(fact, "green tea").await;
        scene.forget(gone).await;
        put(&scene, fact, 1, "tea").await;
        put(&scene, gone, 1, "coffee").await;
        let unknown = FactId::parse("01981f6e-6a1c-7c3e-8f0a-0123456789ab").unwrap();
        put(&scene, unknown, 1, "tea from nowhere").await;
        let checked = check(&scene).await;
        assert_eq!(counts(&checked.total), [(Drift::Leftover, 1), (Drift::Stale, 1), (Drift::Unknown, 1)]);
        assert!(checked.total.drifted.iter().all(|one| one.row.is_some()));
        assert_eq!(texts(&scene.recall("tea coffee").await), [""; 0], "the gate lets none of them through");
        scene.memory.repair_index(&local(), None, |_| {}).await.unwrap();
        assert!(check(&scene).await.is_clean());
        assert_eq!(texts(&scene.recall("tea coffee").await), ["green tea"]);
    }

    async fn a_row_that_stands_elsewhere_is_stale(store: Store) {
        let scene = Scene::on(store).await;
        let place = json!({"threadId": "t", "seq": 3, "messageId": "m", "speaker": "user"});
        let said = json!({"content": {"text": "tea"}, "generatedBy": place});
        scene.wrote(&ann(), said).await;
        scene.say("coffee").await;
        assert!(check(&scene).await.is_clean());
        for (sqlite, postgres) in [
            (
                "UPDATE entries SET conversation = 'u' WHERE speaker IS NOT NULL",
                "UPDATE truthkeeper_index.entries SET conversation = 'u' WHERE speaker IS NOT NULL",
            ),
            (
                "UPDATE entries SET sequence = 4 WHERE speaker IS NOT NULL",
                "UPDATE truthkeeper_index.entries SET sequence = 4 WHERE speaker IS NOT NULL",
            ),
            (
                "UPDATE entries SET message = NULL WHERE speaker IS NOT NULL",
                "UPDATE truthkeeper_index.entries SET message = NULL WHERE speaker IS NOT NULL",
            ),
            (
                "UPDATE entries SET speaker = 'bob' WHERE speaker IS NOT NULL",
                "UPDATE truthkeeper_index.entries SET speaker = 'bob' WHERE speaker IS NOT NULL",
            ),
        ] {
            in_index(&scene, sqlite, postgres).await;
            assert_eq!(counts(&check(&scene).await.total), [(Drift::Stale, 1)], "{sqlite}");
            assert_eq!(scene.memory.repair_index(&local(), None, |_| {}).await.unwrap(), 1);
            assert!(check(&scene).await.is_clean(), "{sqlite}");
        }
    }

    async fn a_check_of_one_owner_leaves_the_others_alone(store: Store) {
        let scene = Scene::on(store).await;
        let mine = scene.say("tea").await;
        scene.wrote(&bob(), json!({"scope": {"userId": "bob"}})).await;
        check(&scene).await;
        put(&scene, mine, 9, "tea").await;
        let theirs = scene.memory.check_index(&local(), Some(&owner("bob")), |_| {}).await.unwrap();
        assert!(theirs.is_clean());
        let ours = scene.memory.check_index(&local(), Some(&owner("ann")), |_| {}).await.unwrap();
        assert_eq!(counts(&ours.total), [(Drift::Stale, 1)]);
        assert_eq!(scene.memory.repair_index(&local(), Some(&owner("bob")), |_| {}).await.unwrap(), 0);
        assert_eq!(scene.memory.repair_index(&local(), Some(&owner("ann")), |_| {}).await.unwrap(), 1);
    }

    // 52: a check that fails keeps the older result
    async fn a_check_that_fails_keeps_the_last_report(store: Store) {
        let scene = Scene::on(store).await;
        scene.say("tea").await;
        check(&scene).await;
        let before = scene.memory.index_reports(&local()).await.unwrap();
        scene.pass(10 * SECOND);
        break_index(&scene).await;
        assert!(scene.memory.check_index(&local(), None, |_| {}).await.is_err());
        assert_eq!(scene.memory.index_reports(&local()).await.unwrap(), before);
        mend_index(&scene).await;
        check(&scene).await;
        let after = scene.memory.index_reports(&local()).await.unwrap();
        assert_eq!(after[0].at.micros() - before[0].at.micros(), 10 * SECOND);
    }

    async fn each_day_knows_what_its_last_check_found(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        let drift = async |days| -> Vec<Option<u64>> {
            let days = scene.memory.last_days(&local(), days).await.unwrap();
            days.iter().map(|day| day.drift).collect()
        };
        assert_eq!(drift(2).await, [None, None], "nothing was compared");
        check(&scene).await;
        put(&scene, fact, 7, "made up").await;
        put(&scene, FactId::parse("01981f6e-6a1c-7c3e-8f0a-0123456789ab").unwrap(), 1, "nobody said this").await;
        check(&scene).await;
        scene.pass(2 * DAY);
        assert_eq!(drift(4).await, [None, Some(2), Some(2), Some(2)], "the last check of a day counts, until the next");
        scene.memory.repair_index(&local(), None, |_| {}).await.unwrap();
        check(&scene).await;
        assert_eq!(drift(3).await, [Some(2), Some(2), Some(0)]);
        assert_eq!(scene.memory.last_days(&id("elsewhere"), 1).await.unwrap()[0].drift, None);
    }

    async fn a_report_says_how_often_the_copy_changed_since(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        check(&scene).await;
        let changes = async || scene.memory.index_reports(&local()).await.unwrap()[0].changes;
        assert_eq!(changes().await, 0);
        scene.change(fact, "green tea").await;
        scene.wrote(&bob(), json!({"scope": {"userId": "bob"}})).await;
        assert_eq!(changes().await, 1, "of this owner");
        check(&scene).await;
        assert_eq!(changes().await, 0);
    }

    async fn what_waits_is_no_drift(store: Store) {
        let scene = Scene::on(store).await;
        poison(&scene).await;
        scene.wrote(&ann(), poisonous("bitter tea")).await;
        assert!(check(&scene).await.is_clean());
        assert_eq!(scene.memory.repair_index(&local(), None, |_| {}).await.unwrap(), 0);
    }

    // 33, 36, 41, 42, 44, PRJ-03
    async fn what_failed_three_times_waits_for_a_retry(store: Store) {
        let scene = Scene::on(store).await;
        let all = Which { tenant: Some(local()), ..Which::default() };
        let none = scene.memory.retry(&all).await.unwrap();
        assert_eq!(none, truthkeeper::Retried::default());
        poison(&scene).await;
        let fact = scene.wrote(&ann(), poisonous("bitter tea")).await.fact;
        for _ in 0..4 {
            let later = scene.pass(100 * SECOND);
            scene.memory.project_all(later).await.unwrap();
        }
        let outbox = async || scene.memory.outbox(&all).await.unwrap();
        let failed = outbox().await;
        assert_eq!((failed.waiting, failed.failed, failed.blocked), (0, 1, 0));
        let line = &failed.failing[0];
        assert_eq!((line.fact, line.attempts, line.error.as_str()), (fact, 3, "index-refused"));
        assert_eq!(line.since, Some(scene.memory.get(&ann(), fact, truthkeeper::Times::default()).await.unwrap().revision.recorded_at));
        scene.wrote(&ann(), json!({"fact": fact, "content": {"text": "bitter green tea"}})).await;
        assert_eq!((outbox().await.failed, outbox().await.blocked), (1, 1));
        assert!(scene.wrote(&ann(), says("sweet tea")).await.searchable, "others go on");
        let bobs = Which { owner: Some(owner("bob")), ..all.clone() };
        assert_eq!(scene.memory.retry(&bobs).await.unwrap().retried, 0);
        let again = scene.memory.retry(&all).await.unwrap();
        assert_eq!((again.retried, again.succeeded, again.failed, again.blocked), (1, 0, 1, 1));
        assert_eq!((outbox().await.failed, outbox().await.blocked), (1, 1));
        cure(&scene).await;
        let one = Which { fact: Some(fact), ..all.clone() };
        let again = scene.memory.retry(&one).await.unwrap();
        assert_eq!((again.retried, again.succeeded, again.failed, again.blocked), (1, 1, 0, 0));
        assert_eq!(texts(&scene.recall("bitter").await), ["bitter green tea"]);
        assert_eq!(outbox().await.oldest, None);
    }

    // 48
    async fn a_retry_without_an_index_changes_nothing(store: Store) {
        let scene = Scene::on(store).await;
        let all = Which { tenant: Some(local()), ..Which::default() };
        poison(&scene).await;
        scene.wrote(&ann(), poisonous("bitter tea")).await;
        for _ in 0..4 {
            let later = scene.pass(100 * SECOND);
            scene.memory.project_all(later).await.unwrap();
        }
        let before = scene.memory.outbox(&all).await.unwrap();
        in_index(&scene, "ALTER TABLE versions RENAME TO away", "ALTER TABLE truthkeeper_index.versions RENAME TO away")
            .await;
        assert!(scene.memory.retry(&all).await.is_err());
        assert_eq!(scene.memory.outbox(&all).await.unwrap(), before);
    }

    // PRJ-12: what a dead process held is taken up again when its lease ends, and it cannot end it any more
    async fn what_another_holds_is_left_to_it_until_its_lease_ends(store: Store) {
        let scene = Scene::on(store).await;
        let ledger = scene.memory.ledger().clone();
        break_index(&scene).await;
        scene.write(&ann(), says("tea")).await.unwrap();
        mend_index(&scene).await;
        let now = scene.pass(100 * SECOND);
        let due = ledger.due(now, 3, 10).await.unwrap();
        let lease = |holder: &str, now: truthkeeper::Timestamp| ledger::Lease {
            holder: holder.to_owned(),
            until: super::scene::after(now, 10 * SECOND),
        };
        let dead = ledger.claim(due.clone(), lease("dead", now), now).await.unwrap();
        assert_eq!((dead.len(), dead[0].attempts), (1, 1), "counted before the work");
        assert_eq!(ledger.claim(due, lease("other", now), now).await.unwrap(), []);
        assert_eq!(scene.memory.project_all(now).await.unwrap(), 0);
        let later = scene.pass(11 * SECOND);
        assert_eq!(scene.memory.project_all(later).await.unwrap(), 1);
        let done = ledger::Concluded {
            operation: dead[0].clone(),
            attempt: ledger::Attempt::Failed { error: "late", next: None },
            owner: None,
        };
        assert_eq!(ledger.conclude(vec![done], "dead".to_owned(), later).await.unwrap(), 0);
        assert_eq!(texts(&scene.recall("tea").await), ["tea"]);
    }
}

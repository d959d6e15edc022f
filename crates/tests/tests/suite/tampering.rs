//! Whoever changes the ledger behind its back is found, and what was changed is given to nobody.

use std::collections::BTreeSet;

use serde_json::json;
use truthkeeper::{Chain, FactId, Fault, Filter, MemoryError, Position, Reason, Recall, StoreError, Times};
use truthkeeper_tests::{Store, on_both_engines};

use super::raw::{self, DERIVED};
use super::scene::{Scene, agent, ann, as_of, evidence, import, local, operator, refused, says, texts};

/// A ledger in which everything has happened once. Position 1 is a fact with a key and tags that says "tea".
async fn eventful(store: Store) -> (Scene, FactId) {
    let scene = Scene::on(store).await;
    let said =
        json!({"key": "beverage", "tags": ["hot"], "content": {"text": "tea"}, "evidence": evidence("m1")});
    let fact = scene.wrote(&ann(), said).await.fact;
    scene.change(fact, "green tea").await;
    scene.contested().await;
    let forgotten = scene.say("cocoa").await;
    scene.memory.forget(&ann(), None, forgotten, None, Some("too sweet")).await.unwrap();
    scene.wrote(&agent(), json!({"content": {"text": "cocoa"}, "evidence": evidence("m2")})).await;
    let imported = scene.wrote(&import(), says("water")).await.fact;
    scene.memory.admit(&operator(), None, imported).await.unwrap();
    let secret = scene.say("wine").await;
    scene.memory.erase(&ann(), None, secret, None).await.unwrap();
    let thread = json!({"scope": {"projectId": "p", "threadId": "t"}, "content": {"text": "in a thread"},
        "validUntil": "2027-01-01T00:00:00Z"});
    scene.wrote(&operator(), thread).await;
    scene.check().await;
    (scene, fact)
}

async fn faults(scene: &Scene) -> Vec<Fault> {
    scene.memory.check(|_| {}).await.unwrap().problems.into_iter().map(|problem| problem.fault).collect()
}

/// The event that the finding is about, where it is about one.
fn place(fault: &Fault) -> Option<i64> {
    match fault {
        Fault::Gap(at)
        | Fault::ChainBroken(at)
        | Fault::TimeBack(at)
        | Fault::WordsMissing(at)
        | Fault::WordsLeft(at)
        | Fault::WordsColumns(at) => Some(at.get()),
        Fault::File(_)
        | Fault::Unreadable(_)
        | Fault::Impossible(_)
        | Fault::TipDiffers
        | Fault::RowDiffers(..)
        | Fault::RowMissing(..)
        | Fault::RowUnknown(..) => None,
    }
}

fn is_unreadable(fault: &Fault, table: &str, row: i64) -> bool {
    matches!(fault, Fault::Unreadable(what) if what.contains(&format!("{table} {row}:")))
}

fn table_of(fault: &Fault) -> Option<&'static str> {
    match fault {
        Fault::RowDiffers(table, _) | Fault::RowMissing(table, _) | Fault::RowUnknown(table, _) => {
            Some(table)
        }
        Fault::File(_)
        | Fault::Unreadable(_)
        | Fault::Gap(_)
        | Fault::ChainBroken(_)
        | Fault::TimeBack(_)
        | Fault::WordsMissing(_)
        | Fault::WordsLeft(_)
        | Fault::WordsColumns(_)
        | Fault::Impossible(_)
        | Fault::TipDiffers => None,
    }
}

/// Another value of a column of the events that is no number.
fn flipped(column: &str) -> String {
    match column {
        "commitment" | "previous" => "digest".to_owned(),
        "digest" => "previous".to_owned(),
        text => format!("COALESCE({text}, '') || 'x'"),
    }
}

/// Columns with other values.
type Strange = &'static [(&'static str, &'static str)];

/// The tables that follow from the events: what names a row, and what makes a strange one of a copy.
const ROWS: [(&str, &str, Strange); 7] = [
    ("access", "token || fact", &[("token", "'strange'")]),
    ("conflicts", "conflict", &[("conflict", "'strange'")]),
    ("erasures", "position", &[("position", "999")]),
    ("facts", "fact", &[("fact", "'strange'"), ("slot", "NULL")]),
    ("reviews", "review", &[("review", "'strange'")]),
    ("revisions", "position", &[("revision", "999"), ("position", "999")]),
    ("truths", "position", &[("recorded_at", "999")]),
];

/// A statement that puts a copy of some row under another key.
async fn stray(scene: &Scene, table: &str, strange: Strange) -> String {
    let other = |column: &str| {
        strange
            .iter()
            .find(|(name, _)| *name == column)
            .map_or(column.to_owned(), |(_, value)| (*value).to_owned())
    };
    let columns = raw::columns(&scene.store, table).await;
    let values: Vec<String> = columns.iter().map(|(column, _)| other(column)).collect();
    format!("INSERT INTO {table} SELECT {} FROM {table} LIMIT 1", values.join(", "))
}

/// Gives the words of the first event to another position.
async fn copy_words(scene: &Scene, position: u64) {
    let words =
        format!("SELECT tenant, {position}, doc, body, name, tags, salt FROM contents WHERE position = 1");
    raw::run(&scene.store, &format!("INSERT INTO contents {words}")).await;
}

on_both_engines! {
    // rule: one flipped bit is found and named
    async fn a_change_of_any_column_of_an_event_is_found_and_named(store: Store) {
        let (scene, _) = eventful(store).await;
        raw::disarm(&scene.store).await;
        for (column, is_number) in raw::columns(&scene.store, "events").await {
            if column == "position" || column == "tenant" {
                continue;
            }
            let kept =
                raw::select(&scene.store, &format!("SELECT {column} FROM events WHERE position = 2")).await;
            raw::attempt(&scene.store, "CREATE TABLE kept AS SELECT * FROM events WHERE position = 2")
                .await
                .unwrap();
            let other = if is_number { format!("{column} + 1") } else { flipped(&column) };
            raw::run(&scene.store, &format!("UPDATE events SET {column} = {other} WHERE position = 2")).await;
            assert_ne!(
                raw::select(&scene.store, &format!("SELECT {column} FROM events WHERE position = 2")).await,
                kept
            );
            let found = faults(&scene).await;
            assert!(found.iter().any(|fault| is_unreadable(fault, "events", 2)), "{column}: {found:?}");
            raw::run(&scene.store, "DELETE FROM events WHERE position = 2").await;
            raw::run(&scene.store, "INSERT INTO events SELECT * FROM kept").await;
            raw::attempt(&scene.store, "DROP TABLE kept").await.unwrap();
            assert_eq!(faults(&scene).await, []);
        }
    }

    async fn a_missing_event_is_a_gap(store: Store) {
        let (scene, _) = eventful(store).await;
        raw::disarm(&scene.store).await;
        raw::run(&scene.store, "DELETE FROM events WHERE position = 2").await;
        let found = faults(&scene).await;
        assert!(found.contains(&Fault::Gap(Position::new(3))), "{found:?}");
        assert!(found.contains(&Fault::ChainBroken(Position::new(3))), "{found:?}");
    }

    async fn a_tail_that_is_cut_differs_from_the_tip(store: Store) {
        let (scene, _) = eventful(store).await;
        raw::disarm(&scene.store).await;
        raw::run(&scene.store, "DELETE FROM contents WHERE position = (SELECT MAX(position) FROM events)")
            .await;
        raw::run(&scene.store, "DELETE FROM events WHERE position = (SELECT MAX(position) FROM events)")
            .await;
        let found = faults(&scene).await;
        assert!(found.contains(&Fault::TipDiffers), "{found:?}");
    }

    /// No chain can see it where the tip is cut as well: the anchor outside the file does.
    async fn a_tail_cut_with_its_tip_differs_from_the_anchor(store: Store) {
        let (scene, _) = eventful(store).await;
        let anchor = scene.memory.check(|_| {}).await.unwrap().chains;
        let (position, digest) = scene.memory.ledger().tip(&local()).await.unwrap().unwrap();
        assert_eq!(anchor, [Chain { tenant: local(), position, digest, found: 0 }]);
        scene.say("one more").await;
        assert_ne!(scene.memory.check(|_| {}).await.unwrap().chains, anchor);
    }

    async fn every_column_of_a_tenants_row_is_held_to_the_events(store: Store) {
        let (scene, _) = eventful(store).await;
        for change in [
            "position = position + 1",
            "recorded_at = recorded_at + 1",
            "digest = secret",
            "secret = digest",
            "tenant = 'elsewhere'",
        ] {
            let (row, back) = ("SELECT * FROM tenants", raw::image(&scene.store, &["tenants"]).await);
            raw::attempt(&scene.store, &format!("CREATE TABLE kept AS {row}")).await.unwrap();
            raw::run(&scene.store, &format!("UPDATE tenants SET {change}")).await;
            assert_ne!(faults(&scene).await, [], "{change}");
            raw::run(&scene.store, "DELETE FROM tenants").await;
            raw::run(&scene.store, "INSERT INTO tenants SELECT * FROM kept").await;
            raw::attempt(&scene.store, "DROP TABLE kept").await.unwrap();
            assert_eq!(raw::image(&scene.store, &["tenants"]).await, back);
            assert_eq!(faults(&scene).await, []);
        }
    }

    async fn a_ledger_without_its_tenants_row_does_not_pass(store: Store) {
        let (scene, _) = eventful(store).await;
        raw::run(&scene.store, "DELETE FROM tenants").await;
        assert_ne!(faults(&scene).await, []);
    }

    async fn words_that_were_changed_are_found(store: Store) {
        let (scene, _) = eventful(store).await;
        raw::disarm(&scene.store).await;
        for (change, is_words) in [
            ("doc = REPLACE(doc, 'tea', 'rum')", true),
            ("salt = (SELECT digest FROM tenants)", true),
            ("body = 'rum'", false),
            ("name = 'drunk'", false),
            ("tags = ''", false),
            ("tags = tags || 'x'", false),
        ] {
            raw::attempt(&scene.store, "CREATE TABLE kept AS SELECT * FROM contents WHERE position = 1")
                .await
                .unwrap();
            raw::run(&scene.store, &format!("UPDATE contents SET {change} WHERE position = 1")).await;
            let found = faults(&scene).await;
            let named = |fault: &Fault| {
                if is_words {
                    is_unreadable(fault, "contents", 1)
                } else {
                    *fault == Fault::WordsColumns(Position::new(1))
                }
            };
            assert!(found.iter().any(named), "{change}: {found:?}");
            raw::run(&scene.store, "DELETE FROM contents WHERE position = 1").await;
            raw::run(&scene.store, "INSERT INTO contents SELECT * FROM kept").await;
            raw::attempt(&scene.store, "DROP TABLE kept").await.unwrap();
            assert_eq!(faults(&scene).await, []);
        }
    }

    async fn words_that_are_gone_without_an_erasure_are_missed(store: Store) {
        let (scene, _) = eventful(store).await;
        raw::disarm(&scene.store).await;
        raw::run(&scene.store, "DELETE FROM contents WHERE position = 1").await;
        let found = faults(&scene).await;
        assert_eq!(found.iter().filter_map(place).collect::<Vec<_>>(), [1], "{found:?}");
        assert!(found.contains(&Fault::WordsMissing(Position::new(1))), "{found:?}");
    }

    async fn words_that_came_back_after_their_erasure_are_found(store: Store) {
        let (scene, _) = eventful(store).await;
        let fact = scene.say("gin").await;
        let position = scene.get(fact).await.unwrap().revision.position;
        raw::attempt(
            &scene.store,
            &format!("CREATE TABLE kept AS SELECT * FROM contents WHERE position = {position}"),
        )
        .await
        .unwrap();
        scene.memory.erase(&ann(), None, fact, None).await.unwrap();
        raw::run(&scene.store, "INSERT INTO contents SELECT * FROM kept").await;
        let found = faults(&scene).await;
        assert!(found.contains(&Fault::WordsLeft(position)), "{found:?}");
    }

    async fn words_that_no_event_promised_are_found(store: Store) {
        let (scene, fact) = eventful(store).await;
        scene.memory.hold(&ann(), None, fact, true).await.unwrap();
        let last = scene.events().await;
        copy_words(&scene, last).await;
        assert_ne!(faults(&scene).await, []);
    }

    async fn words_of_no_event_at_all_are_found(store: Store) {
        let (scene, _) = eventful(store).await;
        copy_words(&scene, 999).await;
        assert_ne!(faults(&scene).await, []);
    }

    // 21: every table, every column
    async fn a_change_of_any_column_of_any_table_is_found_and_mended(store: Store) {
        let (scene, _) = eventful(store).await;
        let whole = raw::image(&scene.store, &DERIVED).await;
        for (table, key, _) in ROWS {
            for (column, is_number) in raw::columns(&scene.store, table).await {
                let other = if is_number {
                    format!("COALESCE({column}, 0) + 1000")
                } else {
                    format!("COALESCE({column}, '') || 'x'")
                };
                let one = format!("{key} = (SELECT MAX({key}) FROM {table})");
                raw::run(&scene.store, &format!("UPDATE {table} SET {column} = {other} WHERE {one}")).await;
                let found = faults(&scene).await;
                assert!(
                    found.iter().any(|fault| table_of(fault) == Some(table)),
                    "{table}.{column}: {found:?}"
                );
                scene.memory.rebuild(|_| {}).await.unwrap();
                assert_eq!(raw::image(&scene.store, &DERIVED).await, whole, "{table}.{column}");
            }
        }
        scene.check().await;
    }

    // 21
    async fn a_row_that_is_gone_or_came_from_nowhere_is_found_and_mended(store: Store) {
        let (scene, _) = eventful(store).await;
        let whole = raw::image(&scene.store, &DERIVED).await;
        for (table, _, strange) in ROWS {
            raw::run(&scene.store, &format!("DELETE FROM {table}")).await;
            let found = faults(&scene).await;
            let missing =
                found.iter().filter(|fault| matches!(fault, Fault::RowMissing(name, _) if *name == table));
            assert_eq!(missing.count(), whole[table].len(), "{table}: {found:?}");
            scene.memory.rebuild(|_| {}).await.unwrap();
            assert_eq!(raw::image(&scene.store, &DERIVED).await, whole, "{table}");
            raw::run(&scene.store, &stray(&scene, table, strange).await).await;
            let found = faults(&scene).await;
            assert!(
                found.iter().any(|fault| matches!(fault, Fault::RowUnknown(name, _) if *name == table)),
                "{table}: {found:?}"
            );
            scene.memory.rebuild(|_| {}).await.unwrap();
            assert_eq!(raw::image(&scene.store, &DERIVED).await, whole, "{table}");
        }
        scene.check().await;
    }

    async fn a_row_of_a_tenant_that_does_not_exist_is_found(store: Store) {
        let (scene, _) = eventful(store).await;
        raw::run(&scene.store, "INSERT INTO access (tenant, token, fact) VALUES ('nowhere', 't', 'f')").await;
        assert_ne!(faults(&scene).await, []);
    }

    async fn a_rebuild_of_a_damaged_ledger_changes_nothing(store: Store) {
        let (scene, _) = eventful(store).await;
        raw::disarm(&scene.store).await;
        raw::run(&scene.store, "UPDATE contents SET doc = REPLACE(doc, 'tea', 'rum') WHERE position = 1")
            .await;
        let before = raw::image(&scene.store, &raw::TABLES).await;
        refused!(scene.memory.rebuild(|_| {}).await, MemoryError::Store(StoreError::Damaged { .. }));
        assert_eq!(raw::image(&scene.store, &raw::TABLES).await, before);
    }

    async fn wrong_words_are_given_to_nobody(store: Store) {
        let (scene, fact) = eventful(store).await;
        raw::disarm(&scene.store).await;
        raw::run(&scene.store, "UPDATE contents SET doc = REPLACE(doc, 'green tea', 'brown rum')").await;
        refused!(scene.get(fact).await, MemoryError::Store(StoreError::Damaged { .. }));
        refused!(
            scene.memory.revisions(&ann(), fact, None, 10).await,
            MemoryError::Store(StoreError::Damaged { .. })
        );
        let listed = scene.memory.list(&ann(), &Filter::current(), Times::default(), None, 100).await;
        refused!(listed, MemoryError::Store(StoreError::Damaged { .. }));
        refused!(
            scene.memory.recall(&ann(), &Recall::newest()).await,
            MemoryError::Store(StoreError::Damaged { .. })
        );
        refused!(scene.memory.dump(|_| Ok(()), |_| {}).await, MemoryError::Transfer(_));
        let recalled = scene.recall("green tea water").await;
        assert_eq!((texts(&recalled), recalled.withheld[&Reason::Damaged]), (vec!["water".to_owned()], 1));
    }

    async fn a_wrong_event_gives_nothing_to_anybody(store: Store) {
        let (scene, fact) = eventful(store).await;
        raw::disarm(&scene.store).await;
        raw::run(&scene.store, "UPDATE events SET actor = REPLACE(actor, 'ann', 'bob') WHERE position = 2")
            .await;
        refused!(scene.get(fact).await, MemoryError::Store(StoreError::Damaged { .. }));
        let recalled = scene.recall("green tea water").await;
        assert_eq!((texts(&recalled), recalled.withheld[&Reason::Damaged]), (vec!["water".to_owned()], 1));
        refused!(scene.memory.dump(|_| Ok(()), |_| {}).await, MemoryError::Transfer(_));
    }

    async fn a_table_that_cannot_be_read_is_an_error_that_names_it(store: Store) {
        let (scene, fact) = eventful(store).await;
        let change = format!("UPDATE facts SET head = 'no head' WHERE fact = '{fact}'");
        raw::run(&scene.store, &change).await;
        match scene.get(fact).await {
            Err(MemoryError::Store(StoreError::Damaged { table, problem, .. })) => {
                assert_eq!((table, problem.as_str()), ("facts", "it cannot be read"));
            }
            other => panic!("{other:?}"),
        }
    }

    async fn a_head_or_a_truth_that_was_changed_is_given_to_nobody(store: Store) {
        let (scene, fact) = eventful(store).await;
        let before = scene.memory.revisions(&ann(), fact, None, 10).await.unwrap().pop().unwrap();
        let then = as_of(before.revision.recorded_at);
        assert_eq!(scene.memory.get(&ann(), fact, then).await.unwrap().revision, before.revision);
        for (table, column) in [("facts", "head"), ("truths", "truth")] {
            raw::attempt(&scene.store, &format!("CREATE TABLE kept AS SELECT * FROM {table}")).await.unwrap();
            let changed = format!("{column} = REPLACE({column}, '\"revision\":2', '\"revision\":1')");
            raw::run(&scene.store, &format!("UPDATE {table} SET {changed} WHERE fact = '{fact}'")).await;
            refused!(scene.get(fact).await, MemoryError::Store(StoreError::Damaged { .. }));
            raw::run(&scene.store, &format!("DELETE FROM {table}")).await;
            raw::run(&scene.store, &format!("INSERT INTO {table} SELECT * FROM kept")).await;
            raw::attempt(&scene.store, "DROP TABLE kept").await.unwrap();
        }
        scene.check().await;
        let swapped = format!("head = (SELECT f.head FROM facts f WHERE f.fact > '{fact}' LIMIT 1)");
        raw::run(&scene.store, &format!("UPDATE facts SET {swapped} WHERE fact = '{fact}'")).await;
        refused!(scene.get(fact).await, MemoryError::Store(StoreError::Damaged { .. }));
    }

    async fn no_older_truth_passes_for_one_that_is_gone(store: Store) {
        let (scene, fact) = eventful(store).await;
        scene.change(fact, "black tea").await;
        let revisions = scene.memory.revisions(&ann(), fact, None, 10).await.unwrap();
        let second = as_of(revisions[1].revision.recorded_at);
        for (number, times) in [(3, Times::default()), (2, second)] {
            assert_eq!(scene.memory.get(&ann(), fact, times).await.unwrap().revision.number.get(), number);
            let at = revisions.iter().find(|seen| seen.revision.number.get() == number).unwrap();
            let position = at.revision.position;
            raw::run(&scene.store, &format!("DELETE FROM truths WHERE position = {position}")).await;
            refused!(
                scene.memory.get(&ann(), fact, times).await,
                MemoryError::Store(StoreError::Damaged { .. })
            );
            scene.memory.rebuild(|_| {}).await.unwrap();
        }
    }

    async fn a_state_with_another_time_is_given_to_nobody(store: Store) {
        let (scene, fact) = eventful(store).await;
        let change = "ended_at = ended_at + 1 WHERE revision = 1";
        raw::run(&scene.store, &format!("UPDATE revisions SET {change} AND fact = '{fact}'")).await;
        refused!(
            scene.memory.revisions(&ann(), fact, None, 10).await,
            MemoryError::Store(StoreError::Damaged { .. })
        );
    }

    async fn words_that_are_gone_without_an_erasure_do_not_pass_for_erased(store: Store) {
        let (scene, fact) = eventful(store).await;
        raw::disarm(&scene.store).await;
        raw::run(&scene.store, "DELETE FROM contents WHERE position = 2").await;
        refused!(scene.get(fact).await, MemoryError::Store(StoreError::Damaged { .. }));
    }

    async fn nothing_is_read_at_a_time_that_no_event_has(store: Store) {
        let (scene, fact) = eventful(store).await;
        raw::run(&scene.store, "UPDATE tenants SET recorded_at = recorded_at + 1").await;
        refused!(scene.get(fact).await, MemoryError::Store(StoreError::Damaged { .. }));
        assert_ne!(faults(&scene).await, []);
    }

    async fn a_finding_holds_no_word_of_a_fact(store: Store) {
        let (scene, _) = eventful(store).await;
        raw::disarm(&scene.store).await;
        let canaries = "doc = '{\"content\":\"CANARY\"', body = 'CANARY', name = 'CANARY', tags = 'CANARY'";
        raw::run(&scene.store, &format!("UPDATE contents SET {canaries}")).await;
        let problems = scene.memory.check(|_| {}).await.unwrap().problems;
        let shown: BTreeSet<String> =
            problems.iter().map(|problem| format!("{problem} {problem:?}")).collect();
        assert!(!shown.is_empty() && shown.iter().all(|line| !line.contains("CANARY")), "{shown:?}");
    }
}

//! Passing and failing an install: by its parts, by its snapshot, and without changing a byte of it.

use std::fs;
use std::path::PathBuf;

use qualify::{Qualification, Status, qualify};
use serde_json::{Value, json};
use truthkeeper::{Address, Setting, SettingKey};
use truthkeeper_tests::{Engine, Store, on_both_engines};

use super::projecting::in_index;
use super::raw;
use super::scene::{Scene, agent, ann, evidence, id, local};

/// What an attentive reader must never find in any of this.
const CANARY: &str = "CANARY-7f3a";

async fn sound(store: Store) -> Scene {
    let scene = Scene::on(store).await;
    scene.say("tea").await;
    set(&scene, "model", "small-1").await;
    set(&scene, "timeout", "30").await;
    see_to(&scene).await;
    scene
}

async fn see_to(scene: &Scene) {
    scene.memory.check_index(&local(), None, |_| {}).await.unwrap();
    scene.memory.check(|_| {}).await.unwrap();
}

async fn set(scene: &Scene, field: &str, value: &str) {
    let key = SettingKey { channel: "web".to_owned(), field: field.to_owned(), ..SettingKey::default() };
    scene.memory.set_default(local(), Setting { key, value: value.to_owned() }).await.unwrap();
}

fn snapshot(scene: &Scene) -> PathBuf {
    scene.store.folder().join("snapshot.json")
}

async fn run(scene: &Scene) -> Qualification {
    run_with(scene, false).await
}

async fn run_with(scene: &Scene, record: bool) -> Qualification {
    qualify(Address::parse(&scene.store.address), &snapshot(scene), record, scene.now()).await
}

/// The names of the checks that did not pass.
fn failed(qualification: &Qualification) -> Vec<&'static str> {
    let failed = qualification.verdicts.iter().filter(|verdict| !verdict.passed);
    failed.map(|verdict| verdict.name).collect()
}

/// The command that the failed check names, as it stands in backquotes.
fn mends(qualification: &Qualification) -> Vec<String> {
    let text = qualification.to_string();
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The files of a store, as far as they are the ledger's.
fn files(scene: &Scene) -> Vec<Option<Vec<u8>>> {
    ["", "-wal"].iter().map(|more| fs::read(format!("{}{more}", scene.store.address)).ok()).collect()
}

on_both_engines! {
    // 71
    async fn a_sound_install_passes_again_and_again(store: Store) {
        let scene = sound(store).await;
        let first = run(&scene).await;
        assert_eq!(failed(&first), [""; 0], "{first}");
        assert!(first.to_string().ends_with("memory qualification: PASSED"));
        assert!(first.to_string().contains("PASS defaults: 1 setting recorded\n"), "{first}");
        let kept = fs::read(snapshot(&scene)).unwrap();
        scene.say("coffee").await;
        see_to(&scene).await;
        let second = run(&scene).await;
        assert_eq!(failed(&second), [""; 0], "{second}");
        assert!(second.to_string().contains("PASS defaults: 1 setting, unchanged\n"), "{second}");
        assert_eq!(fs::read(snapshot(&scene)).unwrap(), kept, "it is of the first run");
    }

    // 72
    async fn a_changed_model_fails_the_defaults_alone(store: Store) {
        let scene = sound(store).await;
        run(&scene).await;
        set(&scene, "timeout", "90").await;
        set(&scene, "workspace", "other").await;
        assert_eq!(failed(&run(&scene).await), [""; 0]);
        set(&scene, "model", "large-2").await;
        set(&scene, "model:extraction", "small-1").await;
        let changed = run(&scene).await;
        assert_eq!(failed(&changed), ["defaults"]);
        assert_eq!(
            mends(&changed),
            ["memory settings set --channel web model small-1", "memory_qualification --record"]
        );
        set(&scene, "model", "small-1").await;
        assert_eq!(failed(&run_with(&scene, true).await), [""; 0]);
        assert_eq!(failed(&run(&scene).await), [""; 0]);
    }

    // 73, QAL-04: a check from before the last change, and none at all
    async fn a_check_from_before_the_last_change_proves_nothing(store: Store) {
        let scene = sound(store).await;
        run(&scene).await;
        scene.say("coffee").await;
        let before = run(&scene).await;
        assert_eq!(failed(&before), ["index drift", "index checks"], "{before}");
        assert!(before.to_string().contains("FAIL index checks: changed after the last check: user:ann"));
        scene.wrote(&agent(), json!({"scope": {"userId": "ann"}})).await;
        let bob = super::scene::bob();
        scene.wrote(&bob, json!({"scope": {"userId": "bob"}})).await;
        let never = run(&scene).await;
        assert_eq!(failed(&never), ["index drift", "index checks"]);
        assert!(never.to_string().contains("never checked: user:bob"), "{never}");
        assert_eq!(mends(&never)[0], "memory projections check");
        see_to(&scene).await;
        assert_eq!(failed(&run(&scene).await), [""; 0]);
    }

    // 77: a run that does not pass leaves no snapshot, unless it is asked to
    async fn the_first_snapshot_is_of_a_run_that_passes(store: Store) {
        let scene = Scene::on(store).await;
        scene.say("tea").await;
        assert_eq!(failed(&run(&scene).await), ["index drift", "index checks"], "the ledger is checked here");
        assert!(!snapshot(&scene).exists());
        assert_eq!(failed(&run_with(&scene, true).await), ["index drift", "index checks"]);
        assert!(snapshot(&scene).exists());
    }

    /// No chain can see a cut tail or an older copy put back; the snapshot does.
    async fn an_older_copy_does_not_reach_the_snapshot(store: Store) {
        let scene = sound(store).await;
        let mut lines = Vec::new();
        scene.memory.dump(|line| { lines.push(line.to_owned()); Ok(()) }, |_| {}).await.unwrap();
        scene.say("coffee").await;
        see_to(&scene).await;
        assert_eq!(failed(&run(&scene).await), [""; 0]);
        let copy = Scene::on(Store::on(scene.store.engine())).await;
        copy.memory.load(lines.into_iter().map(Ok), |_| {}).await.unwrap();
        see_to(&copy).await;
        set(&copy, "model", "small-1").await;
        fs::copy(snapshot(&scene), snapshot(&copy)).unwrap();
        let behind = run(&copy).await;
        assert_eq!(failed(&behind), ["chain"], "{behind}");
        assert!(behind.to_string().contains("event 2 is not there, or not as the snapshot has it"), "{behind}");
    }

    async fn a_ledger_that_was_altered_fails(store: Store) {
        let scene = sound(store).await;
        run(&scene).await;
        raw::disarm(&scene.store).await;
        raw::run(&scene.store, "UPDATE contents SET doc = REPLACE(doc, 'tea', 'tee')").await;
        let altered = run(&scene).await;
        assert_eq!(failed(&altered), ["ledger integrity"], "{altered}");
        raw::run(&scene.store, "UPDATE contents SET doc = REPLACE(doc, 'tee', 'tea')").await;
        assert_eq!(failed(&run(&scene).await), [""; 0]);
        raw::run(&scene.store, "UPDATE revisions SET state = 'retracted'").await;
        assert_eq!(failed(&run(&scene).await), ["ledger integrity"]);
        assert_eq!(mends(&run(&scene).await), ["memory ledger rebuild --yes && memory ledger check"]);
        scene.memory.rebuild(|_| {}).await.unwrap();
        see_to(&scene).await;
        assert_eq!(failed(&run(&scene).await), [""; 0]);
        raw::run(&scene.store, "DELETE FROM tenants").await;
        assert!(failed(&run(&scene).await).contains(&"ledger integrity"));
    }

    // 76
    async fn a_snapshot_that_cannot_be_used_fails_and_stays_as_it_is(store: Store) {
        let scene = sound(store).await;
        run(&scene).await;
        let whole: Value = serde_json::from_slice(&fs::read(snapshot(&scene)).unwrap()).unwrap();
        let mut newer = whole.clone();
        newer["form"] = json!(2);
        let mut torn = whole.clone();
        torn.as_object_mut().unwrap().remove("chains");
        for (text, why) in [
            (String::new(), "it is damaged"),
            (whole.to_string()[..40].to_owned(), "it is damaged"),
            (torn.to_string(), "it is damaged"),
            (json!({"some": "file"}).to_string(), "it is no snapshot of a qualification"),
            (newer.to_string(), "it is from a newer version: it has form 2, this version knows 1"),
        ] {
            fs::write(snapshot(&scene), &text).unwrap();
            for record in [false, true] {
                let told = run_with(&scene, record).await;
                assert_eq!(failed(&told), ["snapshot"], "{told}");
                assert!(told.to_string().contains(why), "{told}");
                assert_eq!(fs::read_to_string(snapshot(&scene)).unwrap(), text);
                assert_eq!(mends(&told).is_empty(), why.contains("newer"), "{told}");
            }
        }
    }

    async fn a_store_without_a_memory_fails_part_by_part(store: Store) {
        if store.engine() == Engine::Sqlite {
            fs::write(&store.address, b"").unwrap();
        }
        let path = store.folder().join("snapshot.json");
        let now = super::scene::start();
        let told = qualify(Address::parse(&store.address), &path, false, now).await.to_string();
        assert_eq!(told.matches("NOT INITIALIZED").count(), 7, "{told}");
        assert!(told.ends_with("FAILED"));
        let scene = Scene::on(store).await;
        assert_eq!(failed(&run(&scene).await).len(), 6);
    }

    async fn a_store_of_another_version_is_not_looked_into(store: Store) {
        let scene = sound(store).await;
        for (change, why) in [
            (
                "INSERT INTO migrations (number, checksum) VALUES (99, 'x')",
                "the store is from a newer version: it has migration 99, this version knows up to 8",
            ),
            (
                "DELETE FROM migrations WHERE number >= 5",
                "the store is from an older version: migration 5 was not applied yet (`memory ledger check`)",
            ),
            (
                "UPDATE migrations SET checksum = 'x' WHERE number = 4",
                "migration 4 of the store is not the one that this version has (`memory ledger load`)",
            ),
        ] {
            raw::run(&scene.store, change).await;
            let told = run(&scene).await.to_string();
            assert_eq!(told, format!("FAIL store: {why}\nmemory qualification: FAILED"));
            assert!(!snapshot(&scene).exists());
        }
    }

    // 78
    async fn not_a_byte_of_the_store_changes(store: Store) {
        if store.engine() == Engine::Postgres {
            return;
        }
        let scene = sound(store).await;
        let used = files(&scene);
        assert_eq!(failed(&run(&scene).await), [""; 0]);
        assert!(files(&scene) == used, "while a service has it open");
        let elsewhere = truthkeeper::Memory::open(&scene.store.folder().join("other.db").to_string_lossy()).await;
        let scene = Scene { memory: elsewhere.unwrap(), ..scene };
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
        let left = files(&scene);
        assert_eq!(failed(&run(&scene).await), [""; 0]);
        let after = files(&scene);
        assert!(after[0] == left[0], "alone");
        assert_eq!(after[1].clone().unwrap_or_default(), left[1].clone().unwrap_or_default(), "its log, too");
    }

    // 75, QAL-01
    async fn no_word_of_any_fact_is_told(store: Store) {
        let scene = sound(store).await;
        let said = json!({
            "key": CANARY, "tags": [CANARY], "content": {"text": CANARY}, "reason": CANARY,
        });
        let fact = scene.wrote(&ann(), said).await.fact;
        scene.wrote(&agent(), json!({"fact": fact, "content": {"text": format!("{CANARY}?")}, "reason": CANARY,
            "evidence": evidence("m1")})).await;
        let gone = scene.wrote(&ann(), json!({"content": {"text": format!("{CANARY} gone")}})).await.fact;
        scene.memory.forget(&ann(), None, gone, None, Some(CANARY)).await.unwrap();
        in_index(&scene, "DELETE FROM entries", "DELETE FROM truthkeeper_index.entries").await;
        see_to(&scene).await;
        raw::disarm(&scene.store).await;
        let broken = format!("UPDATE contents SET doc = REPLACE(doc, '{CANARY}', '{CANARY}{CANARY}')");
        raw::run(&scene.store, &broken).await;
        scene.memory.check(|_| {}).await.unwrap();
        let told = run_with(&scene, true).await;
        assert_eq!(failed(&told), ["index drift", "ledger integrity"], "{told}");
        let status: Status = scene.memory.status().await.unwrap();
        let json = serde_json::to_string(&status).unwrap();
        let kept = fs::read_to_string(snapshot(&scene)).unwrap();
        let ledger = scene.memory.ledger();
        let survey = qualify::Survey::gather(ledger, scene.now()).await.unwrap();
        // A panic would print them so.
        let debug = format!("{told:?} {survey:?} {:?}", qualify::judge(&survey));
        for text in [told.to_string(), debug, status.to_string(), json, kept] {
            assert!(!text.contains(CANARY), "{text}");
        }
        raw::run(&scene.store, "UPDATE contents SET doc = '{' || doc").await;
        assert!(!run(&scene).await.to_string().contains(CANARY));
    }

    async fn another_tenants_settings_are_theirs(store: Store) {
        let scene = sound(store).await;
        let (key, value) = (SettingKey { field: "model".to_owned(), ..SettingKey::default() }, "x".to_owned());
        scene.memory.set_default(id("acme"), Setting { key, value }).await.unwrap();
        assert_eq!(scene.memory.defaults(&local()).await.unwrap().len(), 2);
        assert_eq!(scene.memory.defaults(&id("acme")).await.unwrap().len(), 1);
        let told = run(&scene).await.to_string();
        assert!(told.contains("2 settings recorded"), "{told}");
    }
}

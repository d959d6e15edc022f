//! A secret in what is said is refused, or left out, before anything is kept of it (SEC-03).

use std::path::Path;
use std::sync::Arc;

use serde_json::json;
use truthkeeper::{
    Actor, Bounds, Draft, Filter, HoldsSecret, Intake, Legacy, LegacyOrigin, LegacySource, Memory,
    MemoryError, Mode, NewKey, Options, Outcome, Recall, Ruling, SecretPolicy, SecretValues, Setting,
    SettingKey, Taken, Text,
};
use truthkeeper_tests::{FewWords, on_both_engines};

use super::erasing::{bytes, holds};
use super::scene::{Scene, agent, ann, draft, id, key, local, number, operator, refused, says, scope, text};

/// What is said, and no byte of which may be kept.
const SAID: &str = "The wifi password is Xylophon1c";
const CANARY: &[u8] = b"ylophon";
/// A value of the operator's own list.
const LISTED: &str = "Marimba Quartz";

struct Screened {
    scene: Scene,
    embedder: Arc<FewWords>,
}

impl Screened {
    async fn on(store: truthkeeper_tests::Store, secrets: SecretPolicy) -> Self {
        let mut scene = Scene::on(store).await;
        let embedder = Arc::new(FewWords::named("few-words"));
        let options = Options {
            clock: scene.clock(),
            secrets,
            secret_values: SecretValues::parse(LISTED).unwrap(),
            embedder: Some(Arc::<FewWords>::clone(&embedder)),
            ..Options::default()
        };
        scene.memory = Memory::open_with(&scene.store.address, options).await.unwrap();
        Self { scene, embedder }
    }

    fn memory(&self) -> &Memory {
        &self.scene.memory
    }

    /// Whether anything of the secrets is in the store, or left for the embedder.
    async fn keeps(&self) -> bool {
        let all = bytes(&self.scene).await;
        let given = self.embedder.given().join("\n");
        [CANARY, b"Marimba", b"arimba%20"]
            .iter()
            .any(|part| holds(&all, part) || holds(given.as_bytes(), part))
    }
}

/// Drafts with a secret in each field that takes words.
fn drafts() -> Vec<(&'static str, Draft)> {
    let quote = json!([{"kind": "message", "id": "m1", "quote": SAID}]);
    let all = [
        ("content", says(SAID)),
        ("content", json!({"content": {"deep": [{"er": [1, SAID]}]}})),
        ("content", json!({"content": {"notes": {SAID: "fine"}}})),
        ("content", says("it is Marimba%2520Quartz")),
        ("content", json!({"content": {"turns": ["what is your password?", "Xylophon1c"]}})),
        ("key", json!({"key": SAID})),
        ("tags", json!({"tags": ["fine", SAID]})),
        ("reason", json!({"reason": SAID})),
        ("evidence.quote", json!({"evidence": quote})),
    ];
    all.into_iter().map(|(field, fields)| (field, draft(fields))).collect()
}

fn held<T: std::fmt::Debug>(answer: Result<T, MemoryError>) -> HoldsSecret {
    let error = answer.unwrap_err();
    assert!(!holds(format!("{error} {error:?}").as_bytes(), CANARY), "{error}");
    let MemoryError::Secret(held) = error else { panic!("{error}") };
    held
}

fn legacy(words: &str) -> Legacy {
    let text = |text: &str| Text::stored(text.to_owned());
    Legacy::new(LegacySource::Ndjson, LegacyOrigin::Explicit, text(words), text(words))
}

on_both_engines! {
    async fn what_is_refused_is_nowhere(store: Store) {
        let screened = Screened::on(store, SecretPolicy::Refuse).await;
        let memory = screened.memory();
        let fact = screened.scene.wrote(&ann(), says("tea")).await.fact;
        for (field, draft) in drafts() {
            for caller in [ann(), agent()] {
                assert_eq!(held(memory.remember(&caller, Some(key("k")), draft.clone()).await).field, field);
            }
            held(memory.import_key(&ann(), &draft).await);
        }
        assert_eq!(held(memory.forget(&ann(), None, fact, None, Some(SAID)).await).field, "reason");
        held(memory.forget_facts(&ann(), None, &[(fact, None)], Some(SAID)).await);
        held(memory.forget_all(&ann(), None, &Filter::current(), None, Some(SAID)).await);
        let label = NewKey {
            label: SAID.to_owned(),
            actor: Actor::User { id: id("ann") },
            bounds: Bounds { rights: [].into(), reads: Vec::new(), writes: Vec::new() },
        };
        assert_eq!(held(memory.create_key(&local(), label).await).field, "label");
        let place = SettingKey { channel: String::new(), agent: String::new(), runtime: String::new(), field: "model".to_owned() };
        held(memory.set_default(local(), Setting { key: place, value: LISTED.to_owned() }).await);
        let token = ["gh", "p_XylophonXylophonXylophonXylophonXy1o"].concat();
        assert_eq!(held(memory.forget(&ann(), Some(key(&token)), fact, None, None).await).field, "idempotencyKey");
        // The key of the refused requests is free.
        let done = memory.remember(&ann(), Some(key("k")), draft(says("coffee"))).await.unwrap();
        assert_eq!((done.outcome, done.replayed), (Outcome::Created, false));
        assert!(!screened.keeps().await);
        screened.scene.check().await;
    }

    async fn a_ruling_is_looked_at(store: Store) {
        let screened = Screened::on(store, SecretPolicy::Refuse).await;
        let (scene, memory) = (&screened.scene, screened.memory());
        let fact = scene.wrote(&ann(), says("tea")).await.fact;
        let doubt = scene.wrote(&agent(), json!({"fact": fact, "content": {"text": "coffee"}})).await;
        let Outcome::ConflictOpened { conflict } = doubt.outcome else { panic!("{doubt:?}") };
        let reworded = |text: &str| {
            let said = json!({"content": {"text": text}});
            Ruling::Reword(Box::new(Draft::from_json(said, &local()).unwrap()))
        };
        let keep = Ruling::Keep(number(1));
        assert_eq!(held(memory.settle(&ann(), None, (conflict, 1), keep, Some(SAID)).await).field, "note");
        assert_eq!(held(memory.settle(&ann(), None, (conflict, 1), reworded(SAID), None).await).field, "content");
        memory.settle(&ann(), None, (conflict, 1), reworded("water"), Some("fine")).await.unwrap();
        assert!(!screened.keeps().await);
    }

    async fn what_is_redacted_keeps_its_meaning_and_nothing_else(store: Store) {
        let screened = Screened::on(store, SecretPolicy::Redact).await;
        let (scene, memory) = (&screened.scene, screened.memory());
        let mut last = None;
        for (number, (_, draft)) in drafts().into_iter().enumerate() {
            let key = key(&format!("k{number}"));
            let said = memory.remember(&ann(), Some(key.clone()), draft.clone()).await.unwrap();
            let again = memory.remember(&ann(), Some(key), draft).await.unwrap();
            assert!(again.replayed && again.fact == said.fact, "the same request is the same one still");
            last = Some(said.fact);
        }
        let said = scene.wrote(&ann(), says(SAID)).await.fact;
        assert_eq!(text(&scene.get(said).await.unwrap()), "The wifi password is [redacted: password]");
        assert!(!scene.recall("wifi").await.facts.is_empty());
        memory.forget(&ann(), None, last.unwrap(), None, Some(SAID)).await.unwrap();
        let forgotten = memory.forgotten(&ann(), &Filter::current(), None, 10).await.unwrap();
        assert_eq!(forgotten.items.len(), 1);
        // An id cannot be kept without a part of it.
        let tenant = json!({"content": "tea", "generatedBy": {"runId": LISTED}});
        assert_eq!(held(memory.remember(&ann(), None, draft(tenant)).await).field, "generatedBy");
        assert!(!screened.keeps().await);
        scene.check().await;
    }

    async fn a_query_with_a_secret_is_answered_and_not_kept(store: Store) {
        let screened = Screened::on(store, SecretPolicy::Refuse).await;
        let (scene, memory) = (&screened.scene, screened.memory());
        scene.wrote(&ann(), says("the wifi is in the hall")).await;
        for query in [SAID, LISTED] {
            let recalled = memory.recall(&ann(), &Recall::query(query).mode(Mode::Both)).await.unwrap();
            let receipt = memory.receipt(&ann(), recalled.receipt.unwrap()).await.unwrap();
            assert_eq!(receipt.query, None);
            refused!(memory.replay(&ann(), receipt.receipt).await, MemoryError::QueryForgotten);
        }
        let recalled = memory.recall(&ann(), &Recall::query(SAID)).await.unwrap();
        assert_eq!(recalled.facts.len(), 1, "it finds what it would have found");
        let plain = memory.recall(&ann(), &Recall::query("wifi")).await.unwrap();
        let receipt = memory.receipt(&ann(), plain.receipt.unwrap()).await.unwrap();
        assert_eq!(receipt.query.unwrap().as_str(), "wifi");
        let asked = screened.embedder.given();
        assert!(asked.iter().any(|text| text.contains("[redacted: password]")), "{asked:?}");
        assert!(!screened.keeps().await);
    }

    async fn older_memories_are_refused_or_brought_in_without_it(store: Store) {
        let screened = Screened::on(store, SecretPolicy::Refuse).await;
        let memory = screened.memory();
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("old.ndjson");
        let rows = [json!({"text": "Ann likes tea"}), json!({"text": SAID}), json!({"text": "x", "tags": [SAID]})];
        std::fs::write(&file, rows.map(|row| row.to_string()).join("\n")).unwrap();
        let import = async |memory: &Memory| {
            let mut intake = Intake::of(scope("user:ann"));
            let from = (LegacySource::Ndjson, Path::new(&file));
            memory.import_source(&ann(), &mut intake, from, |_| {}).await.unwrap()
        };
        let account = import(memory).await;
        assert_eq!((account.taken, account.refused, account.redacted), (1, 2, 0));
        let why: Vec<String> = account.named.iter().map(|(_, why)| why.to_string()).collect();
        assert_eq!(why, ["text: holds a secret (found by: password)", "tags: holds a secret (found by: password)"]);
        let taken = memory.import_legacy(&ann(), &mut Intake::of(scope("user:ann")), vec![legacy(SAID)]).await.unwrap();
        assert!(matches!(taken[..], [Taken::Refused(HoldsSecret { field: "text", .. })]), "{taken:?}");
        assert!(!screened.keeps().await);

        let options = Options { clock: screened.scene.clock(), secrets: SecretPolicy::Redact, ..Options::default() };
        let redacting = Memory::open_with(&screened.scene.store.address, options).await.unwrap();
        let account = import(&redacting).await;
        assert_eq!((account.taken, account.known, account.refused, account.redacted), (2, 1, 0, 2));
        assert!(!screened.keeps().await);
    }

    async fn nothing_is_looked_for_where_that_is_off(store: Store) {
        let screened = Screened::on(store, SecretPolicy::Off).await;
        let fact = screened.scene.wrote(&ann(), says(SAID)).await.fact;
        assert_eq!(text(&screened.scene.get(fact).await.unwrap()), SAID);
        assert!(holds(&bytes(&screened.scene).await, CANARY), "the search for it would find it");
    }

    async fn what_was_kept_before_can_still_be_verified_moved_and_forgotten(store: Store) {
        let screened = Screened::on(store, SecretPolicy::Off).await;
        let fact = screened.scene.wrote(&ann(), says(SAID)).await.fact;
        let strict = screened.scene.opened_again().await;
        strict.verify(&ann(), None, fact, None).await.unwrap();
        strict.forget(&ann(), None, fact, None, None).await.unwrap();
        strict.restore(&ann(), None, fact, None).await.unwrap();
        strict.erase(&operator(), None, fact, None).await.unwrap();
        assert!(!holds(&bytes(&screened.scene).await, CANARY));
    }
}

#[test]
fn the_values_are_in_no_debug_text() {
    let options = SecretValues::parse(LISTED).unwrap();
    assert!(!format!("{options:?}").contains("Marimba"));
}

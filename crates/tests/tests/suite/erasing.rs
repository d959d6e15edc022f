//! Erasure reaches every copy, and the ledger still verifies after it.

use fact::hex;
use serde_json::{Value, json};
use truthkeeper::{Ending, Erased, FactId, MemoryError, Outcome, Recall, State, Times, Truth};
use truthkeeper_tests::{Engine, on_both_engines};

use super::raw;
use super::scene::{DAY, Scene, agent, ann, as_of, bob, evidence, key, local, number, refused, says, texts};

/// What is typed and must be gone. The index holds the stem of the first word.
const TEXT: &str = "Xylophoning keeps her awake";
const TYPED: [&str; 6] =
    [TEXT, "xylophoning-slot", "xylophoning-tag", "xylophoning-reason", "xylophoning-quote", "Xylophoning"];
const STEM: &str = "xylophon";

fn secret() -> Value {
    json!({"key": "xylophoning-slot", "content": {"text": TEXT}, "tags": ["xylophoning-tag"],
        "reason": "xylophoning-reason",
        "evidence": [{"kind": "message", "id": "m1", "quote": "xylophoning-quote"}]})
}

/// Everything that the store holds, as bytes: the files with their logs, or every row of every table.
pub(super) async fn bytes(scene: &Scene) -> Vec<u8> {
    let mut all = Vec::new();
    match scene.store.engine() {
        Engine::Sqlite => {
            for file in std::fs::read_dir(scene.store.folder()).unwrap() {
                all.extend(std::fs::read(file.unwrap().path()).unwrap());
            }
        }
        Engine::Postgres => {
            let tables = "SELECT CAST(schemaname AS TEXT) || '.' || CAST(tablename AS TEXT) FROM pg_tables
                WHERE schemaname IN ('public', 'truthkeeper_index')";
            for table in raw::select(&scene.store, tables).await {
                for row in
                    raw::select(&scene.store, &format!("SELECT CAST(t AS TEXT) FROM {} t", table[0])).await
                {
                    all.extend(row[0].as_bytes());
                }
            }
        }
    }
    all
}

pub(super) fn holds(all: &[u8], part: &[u8]) -> bool {
    all.windows(part.len()).any(|window| window.eq_ignore_ascii_case(part))
}

/// Which of the forms of the secret the store holds.
async fn left(scene: &Scene, digest: &[u8]) -> Vec<String> {
    let all = bytes(scene).await;
    let mut parts: Vec<(String, Vec<u8>)> =
        TYPED.iter().map(|part| ((*part).to_owned(), part.as_bytes().to_vec())).collect();
    parts.push(("stem".to_owned(), STEM.as_bytes().to_vec()));
    parts.push(("digest in hexadecimal".to_owned(), hex(&digest[..8]).into_bytes()));
    parts.push(("digest".to_owned(), digest[..8].to_vec()));
    parts.into_iter().filter(|(_, part)| holds(&all, part)).map(|(name, _)| name).collect()
}

/// The digest of what a fact says, as the API shows it.
async fn digest(scene: &Scene, fact: FactId) -> Vec<u8> {
    let hash = scene.get(fact).await.unwrap().revision.content().unwrap().hash();
    let digits = hash.strip_prefix("sha256:").unwrap();
    (0..digits.len() / 2).map(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).unwrap()).collect()
}

async fn erase(scene: &Scene, fact: FactId) -> Erased {
    scene.memory.erase(&ann(), None, fact, None).await.unwrap()
}

async fn truth(scene: &Scene, fact: FactId) -> Truth {
    scene.memory.ledger().head(&ann().reader, fact).await.unwrap().unwrap().truth
}

on_both_engines! {
    // rule 15
    async fn no_byte_of_what_was_erased_is_left(store: Store) {
        let scene = Scene::on(store).await;
        let fact =
            scene.memory.remember(&ann(), Some(key("k")), super::scene::draft(secret())).await.unwrap().fact;
        let digest = digest(&scene, fact).await;
        let before = left(&scene, &digest).await;
        for form in TYPED.into_iter().chain(["stem", "digest in hexadecimal"]) {
            assert!(before.iter().any(|name| name == form), "the search would not find {form}: {before:?}");
        }
        erase(&scene, fact).await;
        assert_eq!(left(&scene, &digest).await, [""; 0]);
        scene.check().await;
    }

    // rule 15: also of what it said before, of sides, of what waited, and of why it was forgotten
    async fn no_byte_of_any_of_its_history_is_left(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.wrote(&ann(), secret()).await.fact;
        let digest = digest(&scene, fact).await;
        scene.change(fact, "she sleeps well").await;
        let quoted = json!([{"kind": "run", "id": "r", "quote": "xylophoning-quote"}]);
        let xylophone = json!({"fact": fact, "content": {"text": TEXT}, "evidence": quoted});
        scene.wrote(&ann(), xylophone.clone()).await;
        scene.wrote(&agent(), json!({"fact": fact, "content": {"text": "xylophoning-doubt"}})).await;
        scene.memory.forget(&ann(), None, fact, None, Some("xylophoning-reason")).await.unwrap();
        scene.wrote(&agent(), xylophone).await;
        assert_eq!(scene.memory.held_back(&ann()).await.unwrap().len(), 1);
        let erased = erase(&scene, fact).await;
        assert_eq!(erased.revisions.iter().map(|one| one.get()).collect::<Vec<_>>(), [1, 2, 3, 4]);
        assert_eq!(left(&scene, &digest).await, [""; 0]);
        assert!(scene.memory.held_back(&ann()).await.unwrap().iter().all(|one| one.proposed.words.is_none()));
        scene.check().await;
    }

    // rule 15
    async fn an_erased_fact_says_nothing_at_any_time(store: Store) {
        let scene = Scene::on(store).await;
        let then = scene.now();
        let fact = scene.wrote(&ann(), secret()).await.fact;
        scene.pass(DAY);
        erase(&scene, fact).await;
        refused!(scene.get(fact).await, MemoryError::NotCurrent { state: "erased" });
        assert_eq!(scene.text_at(fact, as_of(then)).await, None);
        assert_eq!(scene.text_at(fact, Times { valid_at: Some(then), as_of: None }).await, None);
        assert!(
            scene
                .list_at(&ann(), State::Active, as_of(then))
                .await
                .iter()
                .all(|seen| seen.revision.words.is_none())
        );
        assert!(scene.list(&ann(), State::Retracted).await.iter().all(|seen| seen.revision.words.is_none()));
        for seen in scene.memory.revisions(&ann(), fact, None, 10).await.unwrap() {
            assert_eq!((seen.revision.words, seen.revision.added_evidence), (None, vec![]));
        }
        assert_eq!(
            (texts(&scene.recall("xylophoning").await), texts(&scene.newest().await)),
            (vec![], vec![])
        );
        assert_eq!(scene.rows(fact).await, [0_u32; 0]);
        let filter = truthkeeper::Filter {
            key: Some(super::scene::stored("xylophoning-slot")),
            state: State::Retracted,
            ..truthkeeper::Filter::current()
        };
        assert_eq!(scene.memory.list(&ann(), &filter, Times::default(), None, 10).await.unwrap().items, []);
    }

    // rule 15
    async fn every_revision_that_repeats_an_erased_one_goes_with_it(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.wrote(&ann(), secret()).await.fact;
        let digest = digest(&scene, fact).await;
        scene.change(fact, "she sleeps well").await;
        scene.change(fact, " Xylophoning  keeps her awake ").await;
        scene.change(fact, "she sleeps very well").await;
        let erased = scene.memory.erase(&ann(), None, fact, Some(number(3))).await.unwrap();
        assert_eq!(erased.revisions.iter().map(|one| one.get()).collect::<Vec<_>>(), [1, 3]);
        assert_eq!(scene.text(fact).await, "she sleeps very well");
        let words: Vec<bool> = scene
            .memory
            .revisions(&ann(), fact, None, 10)
            .await
            .unwrap()
            .iter()
            .map(|seen| seen.revision.words.is_some())
            .collect();
        assert_eq!(words, [true, false, true, false]);
        assert!(!left(&scene, &digest).await.contains(&TEXT.to_owned()));
        scene.check().await;
    }

    // rule 15
    async fn evidence_that_was_added_to_an_erased_revision_goes_with_it(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        let evidence = json!([{"kind": "message", "id": "m1", "quote": "xylophoning-quote"}]);
        let quoted = json!({"content": {"text": "tea"}, "evidence": evidence});
        assert_eq!(scene.wrote(&ann(), quoted).await.outcome, Outcome::EvidenceAdded);
        scene.change(fact, "coffee").await;
        scene.memory.erase(&ann(), None, fact, Some(number(1))).await.unwrap();
        assert_eq!(
            left(&scene, &[0xff; 8])
                .await
                .into_iter()
                .filter(|name| name.contains("quote"))
                .collect::<Vec<_>>(),
            [""; 0]
        );
        scene.check().await;
    }

    async fn the_other_facts_stay_as_they_are(store: Store) {
        let scene = Scene::on(store).await;
        let kept = [scene.say("tea").await, scene.contested().await];
        let theirs =
            scene.wrote(&bob(), json!({"scope": {"userId": "bob"}, "content": {"text": TEXT}})).await.fact;
        let fact = scene.wrote(&ann(), secret()).await.fact;
        let rows = async || {
            let mut rows = Vec::new();
            for fact in kept.iter().chain([&theirs]) {
                rows.push(
                    raw::select(&scene.store, &format!("SELECT * FROM facts WHERE fact = '{fact}'")).await,
                );
                rows.push(raw::words_of(&scene.store, *fact).await);
            }
            rows
        };
        let before = rows().await;
        erase(&scene, fact).await;
        assert_eq!(rows().await, before);
        assert_eq!(texts(&scene.memory.recall(&bob(), &Recall::query("xylophoning")).await.unwrap()), [TEXT]);
        assert_eq!((scene.rows(kept[0]).await, scene.rows(theirs).await), (vec![1], vec![1]));
    }

    async fn erasing_again_finds_nothing(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.wrote(&ann(), secret()).await.fact;
        erase(&scene, fact).await;
        let events = scene.events().await;
        let again = scene.memory.erase(&ann(), None, fact, None).await;
        refused!(again, MemoryError::Erase(truthkeeper::EraseError::NotFound));
        let one = scene.memory.erase(&ann(), None, fact, Some(number(1))).await;
        refused!(one, MemoryError::Erase(truthkeeper::EraseError::NotFound));
        assert_eq!(scene.events().await, events);
    }

    // 1, 2: an erasure is a request like any other
    async fn the_same_erasure_is_answered_again(store: Store) {
        let scene = Scene::on(store).await;
        let (fact, other) = (scene.wrote(&ann(), secret()).await.fact, scene.say("tea").await);
        let erased = scene.memory.erase(&ann(), Some(key("k1")), fact, None).await.unwrap();
        let events = scene.events().await;
        scene.pass(DAY);
        assert_eq!(scene.memory.erase(&ann(), Some(key("k1")), fact, None).await.unwrap(), erased);
        for (fact, revision) in [(other, None), (fact, Some(number(1)))] {
            let reused = scene.memory.erase(&ann(), Some(key("k1")), fact, revision).await;
            refused!(reused, MemoryError::Erase(truthkeeper::EraseError::KeyReused));
        }
        assert_eq!(scene.events().await, events);
    }

    async fn what_is_not_there_or_not_ones_own_is_not_erased(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.wrote(&ann(), secret()).await.fact;
        refused!(scene.memory.erase(&bob(), None, fact, None).await, MemoryError::NotFound);
        refused!(
            scene.memory.erase(&ann(), None, FactId::new(uuid::Uuid::from_u128(1)), None).await,
            MemoryError::NotFound
        );
        let beyond = scene.memory.erase(&ann(), None, fact, Some(number(2))).await;
        refused!(beyond, MemoryError::Erase(truthkeeper::EraseError::NotFound));
        assert_eq!(scene.text(fact).await, TEXT);
    }

    // 107, 128
    async fn a_held_fact_is_not_erased(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.wrote(&ann(), secret()).await.fact;
        scene.memory.hold(&ann(), None, fact, true).await.unwrap();
        for revision in [None, Some(number(1))] {
            let held = scene.memory.erase(&ann(), None, fact, revision).await;
            refused!(held, MemoryError::Erase(truthkeeper::EraseError::LegalHold));
        }
        assert_eq!(scene.text(fact).await, TEXT);
    }

    async fn erasing_a_side_leaves_the_others_contested(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.contested().await;
        scene.wrote(&agent(), json!({"fact": fact, "content": {"text": "water"}})).await;
        scene.memory.erase(&ann(), None, fact, Some(number(1))).await.unwrap();
        let Truth::Contested(contest) = truth(&scene, fact).await else { panic!("it is settled") };
        assert_eq!((contest.version, contest.sides), (3, vec![number(2), number(3)]));
        let (open, count) = scene.memory.conflicts(&ann(), 10).await.unwrap();
        assert_eq!((count, open[0].key.as_ref().map(|key| key.as_str())), (1, Some("drink")));
        assert_eq!(
            (texts(&scene.recall("tea coffee water").await), scene.rows(fact).await),
            (vec![], vec![])
        );
        scene.check().await;
    }

    async fn erasing_a_contested_fact_ends_the_conflict(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.contested().await;
        erase(&scene, fact).await;
        assert!(matches!(truth(&scene, fact).await, Truth::Ended(Ending::Erased { .. })));
        assert_eq!(scene.memory.conflicts(&ann(), 10).await.unwrap().1, 0);
        assert_eq!(scene.recall("tea").await.conflicts_open, 0);
        scene.check().await;
    }

    // rule 7: a machine never settles, not by erasing what the others say either
    async fn a_machine_does_not_erase_a_contested_fact(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.contested().await;
        for revision in [None, Some(number(1))] {
            assert!(scene.memory.erase(&agent(), None, fact, revision).await.is_err(), "{revision:?}");
        }
        assert_eq!(scene.memory.conflicts(&ann(), 10).await.unwrap().1, 1);
    }

    async fn erasing_what_holds_brings_nothing_older_back(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        scene.change(fact, TEXT).await;
        scene.memory.erase(&ann(), None, fact, Some(number(2))).await.unwrap();
        refused!(scene.get(fact).await, MemoryError::NotCurrent { state: "erased" });
        assert_eq!((texts(&scene.newest().await), scene.rows(fact).await), (vec![], vec![]));
        assert_eq!(
            scene.text_at(fact, as_of(super::scene::start())).await.as_deref(),
            Some("tea"),
            "what it said before is there"
        );
    }

    async fn erasing_what_holds_leaves_what_begins_later(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.wrote(&ann(), secret()).await.fact;
        scene
            .wrote(
                &ann(),
                json!({"fact": fact, "content": {"text": "tea"}, "validFrom": "2026-11-02T10:00:00Z"}),
            )
            .await;
        scene.memory.erase(&ann(), None, fact, Some(number(1))).await.unwrap();
        refused!(scene.get(fact).await, MemoryError::NotCurrent { .. });
        assert_eq!((texts(&scene.newest().await), scene.rows(fact).await), (vec![], vec![]));
        scene.set(super::scene::time("2026-11-02T10:00:00Z"));
        assert_eq!(
            (scene.text(fact).await, texts(&scene.recall("tea").await)),
            ("tea".to_owned(), vec!["tea".to_owned()])
        );
        scene.check().await;
    }

    // rule 15: the work is ordered again, whatever became of it before
    async fn the_copy_goes_even_where_its_work_order_had_failed(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.wrote(&ann(), secret()).await.fact;
        let digest = digest(&scene, fact).await;
        let failed = format!(
            "INSERT INTO operations (tenant, copy, fact, wanted, unanswered, attempts, due_at, epoch, error)
            VALUES ('local', 'search', '{fact}', 1, 1, 3, 9000000000000000000, 0, 'index-refused')"
        );
        raw::run(&scene.store, &failed).await;
        erase(&scene, fact).await;
        assert_eq!((scene.rows(fact).await, left(&scene, &digest).await), (vec![], vec![]));
        assert_eq!(scene.memory.ledger().waiting(&local(), scene.now()).await.unwrap(), 0);
    }

    async fn saying_it_again_after_its_erasure_makes_a_new_fact(store: Store) {
        let scene = Scene::on(store).await;
        let keyed = scene.wrote(&ann(), secret()).await.fact;
        let plain = scene.say("plain statement").await;
        erase(&scene, keyed).await;
        erase(&scene, plain).await;
        for (fields, old) in [(secret(), keyed), (says("plain statement"), plain)] {
            let again = scene.wrote(&ann(), fields).await;
            assert_eq!(again.outcome, Outcome::Created);
            assert_ne!(again.fact, old);
        }
        assert_eq!(texts(&scene.recall("xylophoning").await), [TEXT]);
        scene.check().await;
    }

    async fn nothing_can_be_done_with_an_erased_fact(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.wrote(&ann(), secret()).await.fact;
        erase(&scene, fact).await;
        let events = scene.events().await;
        scene.write(&ann(), json!({"fact": fact, "content": {"text": "tea"}})).await.unwrap_err();
        scene.memory.restore(&ann(), None, fact, None).await.unwrap_err();
        scene.memory.verify(&ann(), None, fact, None).await.unwrap_err();
        scene.memory.forget(&ann(), None, fact, None, None).await.unwrap_err();
        assert_eq!(scene.events().await, events);
    }

    // rule 15
    async fn an_erased_request_is_still_answered_again(store: Store) {
        let scene = Scene::on(store).await;
        let first =
            scene.memory.remember(&ann(), Some(key("k")), super::scene::draft(secret())).await.unwrap();
        erase(&scene, first.fact).await;
        let again =
            scene.memory.remember(&ann(), Some(key("k")), super::scene::draft(secret())).await.unwrap();
        assert_eq!((again.fact, again.replayed), (first.fact, true));
        refused!(
            scene.memory.remember(&ann(), Some(key("k")), super::scene::draft(says("guess"))).await,
            MemoryError::KeyReused
        );
    }

    async fn a_rebuild_brings_nothing_back(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.wrote(&ann(), secret()).await.fact;
        let digest = digest(&scene, fact).await;
        erase(&scene, fact).await;
        let before = raw::image(&scene.store, &raw::DERIVED).await;
        scene.memory.rebuild(|_| {}).await.unwrap();
        assert_eq!(raw::image(&scene.store, &raw::DERIVED).await, before);
        assert_eq!((left(&scene, &digest).await, scene.rows(fact).await), (vec![], vec![]));
        scene.check().await;
    }

    // design 4: the words go at once; what the log of a file still holds goes as soon as nobody reads it
    async fn an_erasure_beside_a_reader_is_finished_by_the_next_one(store: Store) {
        let scene = Scene::on(store).await;
        if scene.store.engine() == Engine::Postgres {
            return;
        }
        let fact = scene.wrote(&ann(), secret()).await.fact;
        let digest = digest(&scene, fact).await;
        let mut reader = raw::connect(&scene.store).await;
        sqlx::query("BEGIN").execute(&mut reader).await.unwrap();
        sqlx::query("SELECT COUNT(*) FROM events").fetch_one(&mut reader).await.unwrap();
        let erased = scene.memory.erase(&ann(), None, fact, None).await;
        refused!(erased, MemoryError::Erase(truthkeeper::EraseError::LogInUse));
        refused!(scene.get(fact).await, MemoryError::NotCurrent { state: "erased" });
        assert_eq!(scene.rows(fact).await, [0_u32; 0]);
        sqlx::Connection::close(reader).await.unwrap();
        drop(scene.memory.erase(&ann(), None, fact, None).await);
        assert_eq!(left(&scene, &digest).await, [""; 0]);
    }

    async fn counts_and_history_keep_the_shape_of_what_was_erased(store: Store) {
        let scene = Scene::on(store).await;
        let fact =
            scene.wrote(&ann(), json!({"content": {"text": TEXT}, "evidence": evidence("m1")})).await.fact;
        erase(&scene, fact).await;
        let revisions = scene.memory.revisions(&ann(), fact, None, 10).await.unwrap();
        assert_eq!(
            revisions.iter().map(|seen| (seen.revision.number.get(), seen.state)).collect::<Vec<_>>(),
            [(1, State::Retracted)]
        );
        let counts = scene.memory.counts(&ann()).await.unwrap();
        assert_eq!((counts[&State::Active], counts[&State::Retracted]), (0, 1));
    }
}

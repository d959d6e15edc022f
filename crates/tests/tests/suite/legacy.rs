//! Memories from before the ledger: brought in once, recalled as what they are, changed by nobody before their review.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use truthkeeper::{
    Block, Budget, Container, Fate, Intake, Legacy, LegacyRow, Memory, MemoryError, Mode, Reason, Recall,
    Recalled, Taken, Times, Unadmitted,
};
use truthkeeper_tests::{Store, on_both_engines};

use super::erasing;
use super::scene::{
    SECOND, Scene, ann, bob, evidence, id, import, local, operator, says, scope, texts, time,
};

/// What a source tells of a memory, with `fields` laid over it.
pub(super) fn memory(place: &str, text: &str, fields: Value) -> Legacy {
    let mut legacy = json!({"source": "markdown", "place": place, "text": text, "origin": "explicit"});
    let Value::Object(fields) = fields else { panic!("fields are an object") };
    legacy.as_object_mut().unwrap().extend(fields);
    serde_json::from_value(legacy).unwrap()
}

pub(super) fn plain(place: &str, text: &str) -> Legacy {
    memory(place, text, json!({}))
}

/// Brings memories in for Ann.
pub(super) async fn bring(memory: &Memory, memories: &[Legacy]) -> Vec<Taken> {
    let mut intake = Intake::of(scope("user:ann"));
    memory.import_legacy(&ann(), &mut intake, memories.to_vec()).await.unwrap()
}

pub(super) async fn rows(memory: &Memory) -> Vec<LegacyRow> {
    let page = memory.legacy_rows(&operator(), None, None, 1_000).await.unwrap();
    assert_eq!(page.next, None);
    page.rows.into_iter().map(|kept| kept.row).collect()
}

pub(super) fn older(recalled: &Recalled) -> Vec<&str> {
    recalled.legacy.iter().map(|legacy| legacy.row.legacy.text.as_str()).collect()
}

fn is_new(taken: &Taken) -> bool {
    matches!(taken, Taken::New(_))
}

on_both_engines! {
    // 63, REC-10
    async fn a_second_import_takes_nothing(store: Store) {
        let scene = Scene::on(store).await;
        let mut memories: Vec<Legacy> =
            (0..150).map(|number| plain(&format!("notes.md:{number}"), &format!("note number {number}"))).collect();
        // The first batch came in, the second failed: it is run again.
        bring(&scene.memory, &memories[..70]).await;
        let taken = bring(&scene.memory, &memories).await;
        assert_eq!(taken.iter().filter(|taken| is_new(taken)).count(), 80);
        assert!(!bring(&scene.memory, &memories).await.iter().any(is_new));
        // A line was written before the others, and one changed.
        memories[3] = plain("notes.md:9", "note number three");
        memories[4] = plain("notes.md:400", "note number 4");
        let taken = bring(&scene.memory, &memories).await;
        assert_eq!(taken.iter().filter(|taken| is_new(taken)).count(), 1);
        assert_eq!(rows(&scene.memory).await.len(), 151);
    }

    async fn a_dry_run_changes_nothing(store: Store) {
        let scene = Scene::on(store).await;
        let memories = [plain("a.md", "tea"), plain("a.md:7", "tea"), plain("b.md", "coffee")];
        for known in [0, 1] {
            let mut intake = Intake::of(scope("user:ann")).dry_run(true);
            let taken = scene.memory.import_legacy(&ann(), &mut intake, memories.to_vec()).await.unwrap();
            let new: Vec<bool> = taken.iter().map(is_new).collect();
            assert_eq!(new, [known == 0, false, true]);
            bring(&scene.memory, &memories[..1]).await;
        }
        assert_eq!(rows(&scene.memory).await.len(), 1);
    }

    async fn what_is_somebody_elses_is_left(store: Store) {
        let scene = Scene::on(store).await;
        let of = |owner: &str| memory("x", &format!("tea of {owner}"), json!({"owner": owner}));
        let memories = vec![of("ann"), of("bob"), of("4711"), plain("y", "tea of nobody")];
        let mut intake = Intake::of(scope("user:ann"));
        let taken = scene.memory.import_legacy(&ann(), &mut intake, memories.clone()).await.unwrap();
        assert_eq!(taken.iter().map(is_new).collect::<Vec<_>>(), [true, false, false, true]);
        let mut intake = Intake::of(scope("user:ann")).whose(Some("4711".to_owned()));
        let taken = scene.memory.import_legacy(&ann(), &mut intake, memories.clone()).await.unwrap();
        assert_eq!(taken.iter().map(is_new).collect::<Vec<_>>(), [false, false, true, false]);
        let mut intake = Intake::of(scope("user:ann"));
        let refused = scene.memory.import_legacy(&bob(), &mut intake, memories).await;
        assert!(matches!(refused, Err(MemoryError::NotPermitted)));
    }

    async fn they_are_recalled_as_what_they_are(store: Store) {
        let scene = Scene::on(store).await;
        bring(&scene.memory, &[plain("a.md", "Ann drinks green tea"), plain("b.md", "Ann rides a bicycle")]).await;
        scene.say("Ann drinks tea at noon").await;
        let recalled = scene.recall("what tea does Ann drink").await;
        assert_eq!(texts(&recalled), ["Ann drinks tea at noon"]);
        assert_eq!(older(&recalled), ["Ann drinks green tea", "Ann rides a bicycle"]);
        let block = Block::render(&recalled, Budget::tokens(1_000)).as_str().to_owned();
        assert_eq!(block.matches("\"label\":\"legacy_unreconciled\"").count(), 2);
        assert_eq!(block.matches("\"current_truth\":false").count(), 2);
        assert_eq!(block.matches("\"current_truth\":true").count(), 1);
        let list = scene.memory.recall(&ann(), &Recall::newest().mode(Mode::List)).await.unwrap();
        assert_eq!((list.facts.len(), list.legacy.len()), (1, 2));
        let one = scene.memory.recall(&ann(), &Recall::query("tea").limit(1)).await.unwrap();
        assert_eq!(one.facts.len() + one.legacy.len(), 1, "the limit counts both");
        // Another reader knows nothing of them.
        let others = scene.memory.recall(&bob(), &Recall::query("green tea bicycle")).await.unwrap();
        assert_eq!((others.facts.len(), others.legacy.len(), others.withheld.len()), (0, 0, 0));
        assert!(scene.memory.legacy_rows(&bob(), None, None, 100).await.unwrap().rows.is_empty());
        // What was known before says nothing of them.
        let times = Times { as_of: Some(scene.now()), valid_at: None };
        let then = scene.memory.recall(&ann(), &Recall::query("tea").times(times)).await.unwrap();
        assert_eq!(then.legacy.len(), 0);
    }

    // 63: each row under one reason
    async fn what_may_not_be_recalled_is_counted(store: Store) {
        let scene = Scene::on(store).await;
        let memories = [
            plain("a", "tea"),
            memory("b", "tea of an unknown origin", json!({"origin": "unknown"})),
            memory("c", "tea that ran out", json!({"validUntil": time("2026-10-01T00:00:00Z")})),
            memory("d", "tea until noon", json!({"validUntil": time("2026-11-01T12:00:00Z")})),
            plain("e", "tea that a fact cites"),
        ];
        let taken = bring(&scene.memory, &memories).await;
        let Taken::New(cited) = taken[4] else { panic!("{taken:?}") };
        let mut rests = evidence("m");
        rests[0] = json!({"kind": "legacy", "id": cited.to_string()});
        let fields = json!({"content": {"text": "a fact"}, "evidence": rests});
        scene.wrote(&ann(), fields).await;
        let count = async || {
            let admissions = scene.memory.admissions(&ann(), None).await.unwrap();
            (admissions.admitted, admissions.excluded)
        };
        let excluded = |lapsed| {
            BTreeMap::from([(Unadmitted::Hidden, 1), (Unadmitted::Cited, 1), (Unadmitted::Lapsed, lapsed)])
        };
        assert_eq!(count().await, (2, excluded(1)));
        let recalled = scene.recall("tea").await;
        assert_eq!(older(&recalled), ["tea", "tea until noon"]);
        scene.pass(3 * 3_600 * SECOND);
        assert_eq!(count().await, (1, excluded(2)));
        let recalled = scene.recall("tea").await;
        assert_eq!(older(&recalled), ["tea"]);
    }

    // 66
    async fn nobody_changes_one_before_its_review(store: Store) {
        let scene = Scene::on(store).await;
        let taken = bring(&scene.memory, &[plain("a", "tea")]).await;
        let fact = scene.say("coffee").await;
        let Taken::New(row) = taken[0] else { panic!("{taken:?}") };
        let memory = &scene.memory;
        macro_rules! waits {
            ($outcome:expr) => {
                let outcome = $outcome;
                assert!(matches!(outcome, Err(MemoryError::AwaitingReconciliation)), "{outcome:?}");
            };
        }
        waits!(memory.get(&ann(), row, Times::default()).await);
        waits!(memory.revisions(&ann(), row, None, 10).await);
        waits!(memory.forget(&ann(), None, row, None, None).await);
        waits!(memory.hold(&operator(), None, row, true).await);
        waits!(memory.move_fact(&ann(), None, (row, None), &scope("user:ann/session:t")).await);
        let mut change = says("water");
        change["fact"] = json!(row);
        waits!(memory.remember(&ann(), None, super::scene::draft(change)).await);
        let all = memory.forget_facts(&ann(), None, &[(row, None), (fact, None)], None).await.unwrap();
        let fates: Vec<Fate> = all.iter().map(truthkeeper::Each::fate).collect();
        assert_eq!(fates, [Fate::Awaiting, Fate::Succeeded]);
        // Nobody else learns that it is there.
        assert!(matches!(memory.get(&bob(), row, Times::default()).await, Err(MemoryError::NotFound)));
        assert_eq!(older(&scene.recall("tea").await), ["tea"]);
    }

    async fn their_copies_are_checked_and_mended(store: Store) {
        let scene = Scene::on(store).await;
        bring(&scene.memory, &[plain("a", "tea"), plain("b", "coffee")]).await;
        scene.recall("tea").await;
        let check = async || scene.memory.check_index(&local(), None, |_| {}).await.unwrap();
        let checked = check().await;
        assert!(checked.is_clean(), "{checked:?}");
        assert_eq!((checked.total.facts, checked.total.rows), (2, 2));
        let gone = ("DELETE FROM entries", "DELETE FROM truthkeeper_index.entries");
        super::projecting::in_index(&scene, gone.0, gone.1).await;
        assert_eq!(check().await.total.drift.values().sum::<u64>(), 2);
        assert_eq!(older(&scene.recall("tea").await), [""; 0]);
        let owner = Container::User(id("ann"));
        scene.memory.repair_index(&local(), Some(&owner), |_| {}).await.unwrap();
        assert!(check().await.is_clean());
        assert_eq!(older(&scene.recall("tea").await), ["tea"]);
    }

    async fn words_that_were_changed_are_not_believed(store: Store) {
        let scene = Scene::on(store).await;
        bring(&scene.memory, &[plain("a", "green tea")]).await;
        let fact = scene.say("tea").await;
        scene.recall("tea").await;
        let forged = "UPDATE legacy_rows SET doc = REPLACE(doc, 'green', 'black')";
        super::raw::run(&scene.store, forged).await;
        let recalled = scene.recall("tea").await;
        assert_eq!((older(&recalled).len(), recalled.withheld[&Reason::Damaged]), (0, 1));
        assert_eq!(recalled.facts[0].case.head.fact, fact, "what is true now is not affected");
        let list = scene.newest().await;
        assert_eq!((list.facts.len(), list.legacy.len(), list.withheld[&Reason::Damaged]), (1, 0, 1));
        // It is named, it is let go of, and stands in nobody's way.
        let report = scene.memory.check(|_| {}).await.unwrap();
        assert_eq!(report.found, 1, "{:?}", report.problems);
        let bobs = Intake::of(scope("user:bob"));
        scene.memory.import_legacy(&bob(), &mut bobs.clone(), vec![plain("b", "water")]).await.unwrap();
        assert_eq!(scene.memory.legacy_rows(&bob(), None, None, 10).await.unwrap().rows.len(), 1);
        assert_eq!(scene.memory.census(&bob()).await.unwrap().len(), 1);
        let refused = scene.memory.audit_legacy(&ann(), &Container::User(id("ann"))).await;
        assert!(matches!(refused, Err(MemoryError::LegacyDamaged { rows: 1 })), "{refused:?}");
        for broken in ["UPDATE legacy_rows SET says = 'x'", "UPDATE legacy_rows SET adoption = 'x'"] {
            super::raw::run(&scene.store, broken).await;
            assert!(scene.memory.check(|_| {}).await.unwrap().found > 1, "{broken}");
        }
    }

    async fn who_asks_whether_anything_changed_is_told(store: Store) {
        let scene = Scene::on(store).await;
        scene.say("tea").await;
        let digest = async || scene.memory.truth_digest(&ann()).await.unwrap();
        let before = digest().await;
        bring(&scene.memory, &[memory("a", "coffee", json!({"origin": "unknown"}))]).await;
        assert_eq!(digest().await, before, "it may not be recalled");
        bring(&scene.memory, &[memory("b", "water", json!({"validUntil": time("2026-11-01T12:00:00Z")}))]).await;
        assert_ne!(digest().await, before);
        scene.pass(3 * 3_600 * SECOND);
        assert_eq!(digest().await, before);
    }

    async fn a_dump_carries_them(store: Store) {
        let scene = Scene::on(store).await;
        bring(&scene.memory, &[plain("a", "tea"), plain("b", "coffee")]).await;
        scene.say("water").await;
        let mut lines = Vec::new();
        let keep = |line: &str| { lines.push(line.to_owned()); Ok(()) };
        scene.memory.dump(keep, |_| {}).await.unwrap();
        let other = Store::sqlite();
        let loaded = Memory::open(&other.address).await.unwrap();
        loaded.load(lines.into_iter().map(Ok), |_| {}).await.unwrap();
        assert_eq!(rows(&loaded).await, rows(&scene.memory).await);
        let found = loaded.recall(&ann(), &Recall::query("tea coffee")).await.unwrap();
        assert_eq!(found.legacy.len(), 2);
        assert!(!bring(&loaded, &[plain("a", "tea")]).await.iter().any(is_new));
    }

    async fn an_erasure_reaches_them(store: Store) {
        let scene = Scene::on(store).await;
        let taken = bring(&scene.memory, &[plain("a", "canary4711 tea"), plain("b", "coffee")]).await;
        let Taken::New(row) = taken[0] else { panic!("{taken:?}") };
        let fields = json!({"content": {"text": "tea"}, "evidence": [{"kind": "legacy", "id": row.to_string()}]});
        let fact = scene.wrote(&ann(), fields).await.fact;
        scene.memory.erase(&operator(), None, fact, None).await.unwrap();
        let left: Vec<String> =
            rows(&scene.memory).await.iter().map(|row| row.legacy.text.as_str().to_owned()).collect();
        assert_eq!(left, ["coffee"]);
        assert!(!erasing::holds(&erasing::bytes(&scene).await, b"canary4711"));
    }

    // What another names is not disposed of
    async fn nobody_hides_or_erases_anothers_row_by_citing_it(store: Store) {
        let scene = Scene::on(store).await;
        let taken = bring(&scene.memory, &[plain("a", "tea")]).await;
        let cites = json!({"scope": {"userId": "bob"}, "content": {"text": "x"}, "evidence": legacy_evidence(&taken[0])});
        let fact = scene.wrote(&bob(), cites).await.fact;
        assert_eq!(older(&scene.recall("tea").await), ["tea"]);
        scene.memory.erase(&bob(), None, fact, None).await.unwrap();
        assert_eq!(older(&scene.recall("tea").await), ["tea"]);
    }

    // The ledger decides about what it says itself
    async fn what_the_ledger_says_itself_is_the_ledgers(store: Store) {
        let scene = Scene::on(store).await;
        scene.say("Ann sings in a choir").await;
        let old = scene.say("Ann drinks tea").await;
        scene.change(old, "Ann drinks coffee").await;
        let gone = scene.say("Ann smokes").await;
        scene.forget(gone).await;
        let contested = scene.contested().await;
        let both = scene.memory.revisions(&ann(), contested, None, 10).await.unwrap();
        let sides: Vec<Legacy> = both.iter().map(|seen| plain("side", &super::scene::text(seen))).collect();
        let memories = ["Ann sings in a choir", "Ann  drinks tea", "Ann smokes", "Ann rides a bicycle"];
        let memories: Vec<Legacy> = memories.into_iter().map(|text| plain("n.md:1", text)).chain(sides).collect();
        bring(&scene.memory, &memories).await;
        let recalled = scene.recall("Ann choir tea smokes bicycle").await;
        assert_eq!(older(&recalled), ["Ann rides a bicycle"]);
        assert_eq!(texts(&recalled).len(), 2, "the choir, and coffee");
        let list = scene.newest().await;
        assert_eq!(older(&list), ["Ann rides a bicycle"]);
        // Forgotten later: so is what said it before the ledger.
        scene.say("Ann rides a bicycle").await;
        assert_eq!(older(&scene.recall("bicycle").await), [""; 0]);
        assert!(scene.memory.check_index(&local(), None, |_| {}).await.unwrap().is_clean());
    }

    async fn what_is_true_now_comes_first(store: Store) {
        let scene = Scene::on(store).await;
        let memories: Vec<Legacy> = (0..30).map(|n| plain(&format!("n.md:{n}"), &format!("coffee {n}"))).collect();
        bring(&scene.memory, &memories).await;
        scene.say("Ann would rather have one more cup of that coffee than any tea in the world").await;
        let recalled = scene.memory.recall(&ann(), &Recall::query("coffee").limit(10)).await.unwrap();
        assert_eq!((recalled.facts.len(), recalled.legacy.len()), (1, 9));
    }

    async fn what_was_let_go_of_does_not_come_back(store: Store) {
        let scene = Scene::on(store).await;
        let memories = [plain("a", "canary4711 tea"), plain("b", "canary4711 coffee"), plain("c", "water")];
        let taken = bring(&scene.memory, &memories).await;
        let Taken::New(row) = taken[0] else { panic!("{taken:?}") };
        scene.memory.erase(&ann(), None, row, None).await.unwrap();
        // Erased as a fact: what says the same goes, too.
        let fact = scene.say("canary4711 coffee").await;
        scene.memory.erase(&operator(), None, fact, None).await.unwrap();
        let left: Vec<String> =
            rows(&scene.memory).await.iter().map(|row| row.legacy.text.as_str().to_owned()).collect();
        assert_eq!(left, ["water"]);
        assert!(!erasing::holds(&erasing::bytes(&scene).await, b"canary4711"));
        let taken = bring(&scene.memory, &memories).await;
        assert!(matches!(taken[..], [Taken::Gone(_), Taken::Gone(_), Taken::Known(_)]), "{taken:?}");
        assert!(!erasing::holds(&erasing::bytes(&scene).await, b"canary4711"));
        let refused = scene.memory.erase(&bob(), None, row, None).await;
        assert!(matches!(refused, Err(MemoryError::NotFound)));
    }

    async fn a_source_that_says_something_else_is_followed_until_a_review(store: Store) {
        let scene = Scene::on(store).await;
        bring(&scene.memory, &[plain("id-1", "Ann lives in Rome"), plain("id-2", "Ann drinks tea")]).await;
        bring(&scene.memory, &[
            plain("id-1", "Ann lives in Porto"),
            memory("id-2", "Ann drinks tea", json!({"validUntil": time("2026-10-01T00:00:00Z")})),
        ]).await;
        assert_eq!(older(&scene.recall("Ann lives drinks").await), ["Ann lives in Porto"]);
        assert_eq!(rows(&scene.memory).await.len(), 2);
    }

    // 92: adoption outside a review
    async fn what_a_machine_makes_of_one_waits_for_an_operator(store: Store) {
        let scene = Scene::on(store).await;
        let taken = bring(&scene.memory, &[plain("a", "Ann drinks green tea")]).await;
        let fields = json!({"content": {"text": "Ann drinks tea"}, "evidence": legacy_evidence(&taken[0])});
        for caller in [super::scene::agent(), import()] {
            let fact = scene.wrote(&caller, fields.clone()).await.fact;
            assert_eq!(texts(&scene.recall("tea").await), [""; 0]);
            assert_eq!(older(&scene.recall("tea").await), ["Ann drinks green tea"], "it is still to be reviewed");
            scene.memory.erase(&operator(), None, fact, None).await.unwrap();
            bring(&scene.memory, &[plain("a", "Ann drinks green tea")]).await;
            if rows(&scene.memory).await.is_empty() {
                return;
            }
        }
    }

    async fn a_page_names_only_what_its_reader_may_read(store: Store) {
        let scene = Scene::on(store).await;
        let of = |name: &str| (0..40).map(|n| plain(&format!("{name}:{n}"), &format!("{name} {n}"))).collect::<Vec<_>>();
        bring(&scene.memory, &of("ann")).await;
        scene.memory.import_legacy(&bob(), &mut Intake::of(scope("user:bob")), of("bob")).await.unwrap();
        let (mut seen, mut after) = (0, None);
        loop {
            let page = scene.memory.legacy_rows(&bob(), None, after, 7).await.unwrap();
            assert!(page.rows.iter().all(|kept| kept.row.scope == scope("user:bob")));
            assert!(page.next.is_none() || page.rows.len() == 7);
            seen += page.rows.len();
            after = page.next;
            let Some(next) = after else { break };
            assert!(scene.memory.legacy_row(&bob(), next).await.is_ok());
        }
        assert_eq!(seen, 40);
    }

    async fn a_foreign_project_is_not_recalled(store: Store) {
        let scene = Scene::on(store).await;
        bring(&scene.memory, &[memory("a", "the project uses make", json!({"project": "atlas"}))]).await;
        assert_eq!(older(&scene.recall("project").await), [""; 0]);
    }

    async fn a_dump_that_was_edited_is_not_loaded(store: Store) {
        let scene = Scene::on(store).await;
        bring(&scene.memory, &[plain("a", "green tea")]).await;
        let mut lines = Vec::new();
        let keep = |line: &str| { lines.push(line.to_owned()); Ok(()) };
        scene.memory.dump(keep, |_| {}).await.unwrap();
        let owner = scope("user:ann").anchor().token();
        for (from, to) in [("green", "black"), (owner.as_str(), "0".repeat(32).as_str())] {
            let other = Store::sqlite();
            let loaded = Memory::open(&other.address).await.unwrap();
            let edited: Vec<_> = lines.iter().map(|line| Ok(line.replace(from, to))).collect();
            loaded.load(edited.into_iter(), |_| {}).await.unwrap_err();
            assert!(rows(&loaded).await.is_empty());
        }
    }
}

fn legacy_evidence(taken: &Taken) -> Value {
    let Taken::New(row) = taken else { panic!("{taken:?}") };
    json!([{"kind": "legacy", "id": row.to_string()}])
}

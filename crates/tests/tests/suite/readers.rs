//! Who may read and write what: one rule, and every way to a fact agrees with it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use reconcile::Refusal;
use serde_json::{Value, json};
use truthkeeper::{
    Access, Caller, ConflictId, FactId, Filter, Grants, Intake, KeptLegacy, MemoryError, Reach, Reader,
    Recall, Scope, Sight, State, Times, Writer,
};
use truthkeeper_tests::on_both_engines;
use uuid::Uuid;

use super::raw;
use super::scene::{
    Scene, agent, ann, as_of, bob, evidence, id, local, number, operator, refused, says, scope, start, user,
};

/// Every kind of scope that a fact can have.
const SCOPES: [&str; 12] = [
    "tenant",
    "org:o",
    "project:p",
    "org:o/project:p",
    "user:ann",
    "project:p/user:ann",
    "project:p/participant:x",
    "thread:t",
    "project:p/thread:t",
    "project:p/participant:x/thread:t",
    "user:ann/session:s",
    "org:o/user:ann",
];

/// Who reads, and which of the scopes, in their order.
const READERS: [(&str, &str); 14] = [
    ("nobody", "y-----------"),
    ("org:o", "yy----------"),
    ("org:other", "y-----------"),
    ("project:p", "y-yy--------"),
    ("project:q", "y-----------"),
    ("user:ann", "y---y-----y-"),
    ("org:o/user:ann", "yy--y-----yy"),
    ("project:p/user:ann", "y-yyyy----y-"),
    ("project:p/participant:x", "y-yy--y-----"),
    ("project:p/participant:z", "y-yy--------"),
    ("thread:t", "y------y----"),
    ("project:p/thread:t", "y-yy---yy---"),
    ("project:p/participant:x/thread:t", "y-yy--yyyy--"),
    ("user:bob", "y-----------"),
];

fn reader(path: &str) -> Caller {
    let path = if path == "nobody" { "user:nobody" } else { path };
    user("reader", path)
}

/// Whoever holds a project on behalf of its people.
fn holder() -> Caller {
    let access = Access { people_of: [id("p")].into(), ..Access::default() };
    Caller {
        reader: Reader { tenant: local(), sight: Sight::Within(access) },
        ..user("holder", "user:holder")
    }
}

fn admin() -> Caller {
    Caller {
        reader: Reader { tenant: local(), sight: Sight::Admin },
        writer: Writer { tenant: local(), reach: Reach::Admin },
        ..ann()
    }
}

/// A canary in each scope, and a contested fact beside it.
async fn everywhere(scene: &Scene) -> Vec<(FactId, FactId)> {
    let mut facts = Vec::new();
    for path in SCOPES {
        let said =
            |key: &str, text: &str| json!({"scope": scope(path), "key": key, "content": {"text": text}});
        let canary = scene.wrote(&operator(), said("canary", &format!("canary of {path}"))).await.fact;
        let contested = scene.wrote(&operator(), said("contested", "one side")).await.fact;
        let doubt = Caller { actor: agent().actor, ..operator() };
        scene.wrote(&doubt, json!({"fact": contested, "content": {"text": "another side"}})).await;
        facts.push((canary, contested));
        let memories = vec![super::legacy::plain(path, &format!("older canary of {path}"))];
        scene.memory.import_legacy(&operator(), &mut Intake::of(scope(path)), memories).await.unwrap();
    }
    facts
}

/// What each way of reading shows of the canaries.
async fn shown(
    scene: &Scene,
    caller: &Caller,
    facts: &[(FactId, FactId)],
) -> BTreeMap<&'static str, Vec<bool>> {
    let memory = &scene.memory;
    let ids =
        |seen: Vec<truthkeeper::Seen>| seen.into_iter().map(|one| one.head.fact).collect::<BTreeSet<_>>();
    let recalled = async |recall: Recall| {
        memory
            .recall(caller, &recall.limit(100))
            .await
            .unwrap()
            .facts
            .into_iter()
            .map(|one| one.case.head.fact)
            .collect::<BTreeSet<_>>()
    };
    let sets = [
        ("list", ids(scene.list(caller, State::Active).await)),
        ("list as of", ids(scene.list_at(caller, State::Active, as_of(scene.recorded().await)).await)),
        ("recall", recalled(Recall::query("canary")).await),
        ("recall newest", recalled(Recall::newest()).await),
    ];
    let mut shown: BTreeMap<&'static str, Vec<bool>> = sets
        .into_iter()
        .map(|(way, set)| (way, facts.iter().map(|(fact, _)| set.contains(fact)).collect()))
        .collect();
    let open: BTreeSet<FactId> =
        memory.conflicts(caller, 100).await.unwrap().0.into_iter().map(|one| one.fact).collect();
    shown.insert("conflicts", facts.iter().map(|(_, contested)| open.contains(contested)).collect());
    let older = memory.legacy_rows(caller, None, None, 100).await.unwrap().rows;
    let older: Vec<&Scope> = older.iter().map(|kept| &kept.row.scope).collect();
    let counted = memory.census(caller).await.unwrap();
    let recalled = memory.recall(caller, &Recall::query("older canary").limit(100)).await.unwrap();
    let recalled: Vec<&Scope> = recalled.legacy.iter().map(|legacy| &legacy.row.scope).collect();
    for path in SCOPES {
        let scope = scope(path);
        shown.entry("legacy rows").or_default().push(older.contains(&&scope));
        shown.entry("recall of legacy rows").or_default().push(recalled.contains(&&scope));
        let owners = counted.iter().any(|one| one.owner() == scope.anchor());
        assert!(!older.contains(&&scope) || owners, "{path}: what is listed is counted");
    }
    let mut changed = BTreeSet::new();
    let mut after = truthkeeper::Position::START;
    loop {
        let changes = memory.changes(caller, after, 7).await.unwrap();
        changed.extend(changes.items.into_iter().map(|one| one.event.fact));
        after = changes.after;
        if !changes.more {
            break;
        }
    }
    shown.insert("changes", facts.iter().map(|(fact, _)| changed.contains(fact)).collect());
    for (fact, _) in facts {
        let got = memory.get(caller, *fact, Times::default()).await.is_ok();
        shown.entry("get").or_default().push(got);
        let all = memory.revisions(caller, *fact, None, 10).await.is_ok();
        shown.entry("revisions").or_default().push(all);
    }
    shown
}

/// The methods of the façade that a caller reads facts by, and those that change something.
const READS: [&str; 12] = [
    "changes",
    "conflict",
    "conflicts",
    "counts",
    "duplicates",
    "forgotten",
    "get",
    "held_back",
    "legacy_rows",
    "list",
    "recall",
    "revisions",
];
const READS_BY_ANOTHER: [&str; 9] = [
    "acts",
    "admissions",
    "audit_legacy",
    "ended",
    "legacy_row",
    "quarantined",
    "recall_turn",
    "replay",
    "revision",
];
const ACTS: [&str; 23] = [
    "accept",
    "admit",
    "apply_review",
    "dismiss",
    "erase",
    "forget",
    "forget_all",
    "forget_facts",
    "hold",
    "import_legacy",
    "import_source",
    "merge",
    "move_fact",
    "move_facts",
    "quarantine",
    "remember",
    "remember_by_tool",
    "reopen",
    "restore",
    "roll_back",
    "settle",
    "split",
    "verify",
];
/// What takes a caller and gives nothing of a fact.
const NEITHER: [&str; 11] = [
    "adoption_steps",
    "adoptions",
    "census",
    "seal_review",
    "forget_query",
    "import_key",
    "last_position",
    "receipt",
    "receipts",
    "truth_digest",
    "waiting",
];

/// Every public method that takes a caller, read from the façade's source.
fn methods() -> BTreeSet<String> {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").unwrap();
    let mut found = BTreeSet::new();
    for file in fs::read_dir(Path::new(&package).join("../memory/src")).unwrap() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        for piece in text.split("pub async fn ").skip(1) {
            let (name, rest) = piece.split_once('(').unwrap();
            let (arguments, _) = rest.split_once("->").unwrap_or((rest, ""));
            if arguments.contains("&Caller") {
                found.insert(name.split('<').next().unwrap().to_owned());
            }
        }
    }
    found
}

// SEC-06: a new way to a fact takes its place in a list, and thereby in a test
#[test]
fn every_way_to_a_fact_is_on_a_list() {
    let known: BTreeSet<String> = [READS.as_slice(), &READS_BY_ANOTHER, &ACTS, &NEITHER]
        .concat()
        .into_iter()
        .map(str::to_owned)
        .collect();
    assert_eq!(methods(), known);
}

on_both_engines! {
    // 113
    async fn each_reader_sees_by_every_way_exactly_what_the_table_says(store: Store) {
        let scene = Scene::on(store).await;
        let facts = everywhere(&scene).await;
        for (name, wanted) in READERS {
            let wanted: Vec<bool> = wanted.chars().map(|c| c == 'y').collect();
            let caller = reader(name);
            let rule: Vec<bool> = SCOPES.iter().map(|path| caller.reader.may_read(&scope(path))).collect();
            assert_eq!(rule, wanted, "the rule, for {name}");
            for (way, seen) in shown(&scene, &caller, &facts).await {
                assert_eq!(seen, wanted, "{way}, for {name}");
            }
        }
    }

    // 113
    async fn who_holds_a_project_for_its_people_sees_them_and_no_users_facts(store: Store) {
        let scene = Scene::on(store).await;
        let facts = everywhere(&scene).await;
        for (caller, wanted) in
            [(holder(), "y-yy--y-yy--"), (admin(), "yyyyyyyyyyyy"), (operator(), "yyyyyyyyyyyy")]
        {
            let wanted: Vec<bool> = wanted.chars().map(|c| c == 'y').collect();
            for (way, seen) in shown(&scene, &caller, &facts).await {
                assert_eq!(seen, wanted, "{way}, for {:?}", caller.actor);
            }
        }
    }

    // 113: nothing crosses the tenant
    async fn another_tenant_sees_nothing(store: Store) {
        let scene = Scene::on(store).await;
        let facts = everywhere(&scene).await;
        let there = Caller::operator(id("elsewhere"), id("olga"));
        for (way, seen) in shown(&scene, &there, &facts).await {
            assert_eq!(seen, [false; 12], "{way}");
        }
    }

    // 13, 108, SEC-06, HTP-03: unknown and not one's own are the same answer
    async fn a_fact_of_another_owner_answers_like_an_unknown_one(store: Store) {
        let scene = Scene::on(store).await;
        let theirs = scene.wrote(&ann(), says("canary")).await.fact;
        let unknown = FactId::new(Uuid::from_u128(7));
        let mut answers = Vec::new();
        for fact in [theirs, unknown] {
            let memory = &scene.memory;
            let change = json!({"fact": fact, "content": {"text": "mine now"}});
            answers.push(vec![
                format!("{:?}", memory.get(&bob(), fact, Times::default()).await),
                format!("{:?}", memory.get(&bob(), fact, as_of(start())).await),
                format!("{:?}", memory.revision(&bob(), fact, number(1)).await),
                format!("{:?}", memory.revisions(&bob(), fact, None, 10).await),
                format!("{:?}", scene.write(&bob(), change).await),
                format!("{:?}", memory.verify(&bob(), None, fact, None).await),
                format!("{:?}", memory.forget(&bob(), None, fact, None, None).await),
                format!("{:?}", memory.restore(&bob(), None, fact, None).await),
                format!("{:?}", memory.hold(&bob(), None, fact, true).await),
                format!("{:?}", memory.admit(&bob(), None, fact).await),
                format!("{:?}", memory.erase(&bob(), None, fact, None).await),
                format!("{:?}", memory.quarantine(&bob(), None, fact).await),
                format!("{:?}", memory.move_fact(&bob(), None, (fact, None), &scope("user:bob")).await),
                format!("{:?}", memory.merge(&bob(), None, (fact, None), &[(unknown, None)]).await),
                format!("{:?}", memory.split(&bob(), None, fact, Some(unknown)).await),
            ]);
        }
        assert_eq!(answers[0], answers[1]);
        assert!(answers[0].iter().all(|answer| answer == "Err(NotFound)"), "{:?}", answers[0]);
        assert_eq!(scene.events().await, 1);
    }

    // 13: nor is a conflict, or what waits, of another owner
    async fn what_waits_for_another_owner_answers_like_what_is_not_there(store: Store) {
        let scene = Scene::on(store).await;
        let theirs = scene.wrote(&ann(), says("canary")).await.fact;
        scene.wrote(&agent(), json!({"fact": theirs, "content": {"text": "canary?"}})).await;
        let forgotten = scene.say("gone").await;
        scene.forget(forgotten).await;
        scene.wrote(&agent(), json!({"fact": forgotten, "content": {"text": "gone?"}})).await;
        let memory = &scene.memory;
        let open = memory.conflicts(&ann(), 10).await.unwrap().0[0].clone();
        let held = memory.held_back(&ann()).await.unwrap()[0].review;
        let before = scene.events().await;
        let unknown = Uuid::from_u128(7);
        let mut answers = Vec::new();
        for (conflict, review) in
            [(open.conflict, held), (ConflictId::new(unknown), truthkeeper::ReviewId::new(unknown))]
        {
            let keep = truthkeeper::Ruling::Keep(number(1));
            answers.push([
                format!("{:?}", memory.conflict(&bob(), conflict).await),
                format!("{:?}", memory.settle(&bob(), None, (conflict, 1), keep, None).await),
                format!("{:?}", memory.reopen(&bob(), None, conflict).await),
                format!("{:?}", memory.accept(&bob(), None, review).await),
                format!("{:?}", memory.dismiss(&bob(), None, review).await),
            ]);
        }
        assert_eq!(answers[0], answers[1]);
        assert!(answers[0].iter().all(|answer| answer.starts_with("Err(NoSuch")), "{:?}", answers[0]);
        let all = memory.forget_all(&bob(), None, &Filter::current(), None, None).await.unwrap();
        assert_eq!((all.forgotten, scene.events().await), (0, before));
    }

    // SEC-06
    async fn no_read_of_the_facade_shows_a_stranger_the_canary(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene
            .wrote(&ann(), json!({"key": "CANARY", "tags": ["CANARY"], "content": {"text": "CANARY"}}))
            .await
            .fact;
        let contested =
            scene.wrote(&ann(), json!({"key": "CANARY2", "content": {"text": "CANARY"}})).await.fact;
        scene.wrote(&agent(), json!({"fact": contested, "content": {"text": "CANARY?"}})).await;
        let forgotten = scene.say("CANARY gone").await;
        scene.forget(forgotten).await;
        scene.wrote(&agent(), json!({"content": {"text": "CANARY gone"}, "evidence": evidence("m1")})).await;
        scene.wrote(&ann(), json!({"key": "CANARY3", "content": {"text": "CANARY"}})).await;
        super::legacy::bring(&scene.memory, &[super::legacy::plain("a", "older CANARY")]).await;
        let mut seen = BTreeMap::new();
        for name in READS {
            seen.insert(name, read(&scene, name, &bob(), fact).await);
            assert!(
                read(&scene, name, &ann(), fact).await.contains(mark(name)),
                "{name} shows its owner something"
            );
        }
        for (name, shown) in seen {
            assert!(!shown.contains("CANARY") && !shown.contains(&fact.to_string()), "{name}: {shown}");
        }
    }

    // 115
    async fn each_writer_writes_exactly_what_the_table_says(store: Store) {
        let scene = Scene::on(store).await;
        for (name, wanted) in WRITERS {
            for (path, wanted) in SCOPES.iter().zip(wanted.chars()) {
                let before = scene.events().await;
                let key = format!("{name} in {path}").replace(['/', ':'], " ");
                let wrote =
                    scene.write(&user("writer", name), json!({"scope": scope(path), "key": key})).await;
                match (wanted, wrote) {
                    ('y', Ok(_)) => assert_eq!(scene.events().await, before + 1),
                    ('-', Err(MemoryError::NotPermitted)) => assert_eq!(scene.events().await, before),
                    (_, other) => panic!("{name} writing {path}: {other:?}"),
                }
            }
        }
    }

    // 115: who holds a project writes for its people too
    async fn a_project_is_written_with_all_that_is_in_it(store: Store) {
        let scene = Scene::on(store).await;
        let grants = Grants { projects: [id("p")].into(), ..Grants::default() };
        let caller = Caller { writer: Writer { tenant: local(), reach: Reach::Within(grants) }, ..holder() };
        for path in
            ["project:p", "project:p/participant:x", "project:p/thread:t", "project:p/participant:x/thread:t"]
        {
            scene.wrote(&caller, json!({"scope": scope(path), "key": "k"})).await;
        }
        for path in ["tenant", "project:q", "thread:t", "user:ann", "project:p/user:ann"] {
            refused!(
                scene.write(&caller, json!({"scope": scope(path), "key": "k"})).await,
                MemoryError::NotPermitted
            );
        }
    }

    // 115: who may read a fact and not write it is told so
    async fn what_one_may_only_read_one_may_not_change(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene
            .wrote(&operator(), json!({"scope": scope("tenant"), "content": {"text": "for all"}}))
            .await
            .fact;
        refused!(
            scene.write(&ann(), json!({"fact": fact, "content": {"text": "mine"}})).await,
            MemoryError::NotPermitted
        );
        refused!(scene.memory.forget(&ann(), None, fact, None, None).await, MemoryError::NotPermitted);
        refused!(scene.memory.verify(&ann(), None, fact, None).await, MemoryError::NotPermitted);
        refused!(scene.memory.hold(&ann(), None, fact, true).await, MemoryError::NotPermitted);
        refused!(scene.memory.erase(&ann(), None, fact, None).await, MemoryError::NotPermitted);
        assert_eq!(scene.text(fact).await, "for all");
    }

    async fn a_reader_of_a_thousand_containers_reads_by_all_of_them(store: Store) {
        let scene = Scene::on(store).await;
        let last = json!({"scope": {"threadId": "t998"}, "content": {"text": "in the last of them"}});
        let fact = scene.wrote(&operator(), last).await.fact;
        let doubt = Caller { actor: agent().actor, ..operator() };
        let access = |count: usize| Access {
            threads: (0..count).map(|n| id(&format!("t{n}"))).collect(),
            ..Access::default()
        };
        let reader = |count| Reader { tenant: local(), sight: Sight::Within(access(count)) }.check();
        reader(1_000).unwrap_err();
        let caller = Caller { reader: reader(999).unwrap(), ..ann() };
        assert_eq!(scene.list(&caller, State::Active).await.len(), 1);
        assert_eq!(scene.memory.recall(&caller, &Recall::query("last")).await.unwrap().facts.len(), 1);
        scene.wrote(&doubt, json!({"fact": fact, "content": {"text": "or not"}})).await;
        assert_eq!(scene.memory.conflicts(&caller, 10).await.unwrap().1, 1);
    }

    // 99
    async fn attribution_comes_from_the_caller_alone(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.wrote(&agent(), json!({"generatedBy": {"agentId": "somebody-else"}})).await.fact;
        let revision = scene.get(fact).await.unwrap().revision;
        assert_eq!(revision.actor, agent().actor);
        assert_eq!(revision.saying.trust, truthkeeper::Trust::Unverified);
    }

    // rule 6
    async fn every_read_of_content_by_an_operator_is_on_record(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.wrote(&ann(), says("tea")).await.fact;
        scene.contested().await;
        let audits =
            async || raw::value(&scene.store, "SELECT COUNT(*) FROM audits").await.parse::<usize>().unwrap();
        for name in READS.into_iter().filter(|name| *name != "counts") {
            let before = audits().await;
            read(&scene, name, &operator(), fact).await;
            assert!(audits().await > before, "{name}");
        }
        let before = audits().await;
        for caller in [ann(), admin()] {
            read(&scene, "get", &caller, fact).await;
        }
        assert_eq!(audits().await, before, "only operators' reads are");
        let shown =
            raw::select(&scene.store, "SELECT reader, act, fact FROM audits").await.concat().join(" ");
        assert!(
            shown.contains("olga") && shown.contains(&fact.to_string()) && !shown.contains("tea"),
            "{shown}"
        );
    }

    // SEC-07: what is done to one leaves the other byte for byte
    async fn what_is_done_to_one_owner_leaves_the_other_as_it_was(store: Store) {
        let scene = Scene::on(store).await;
        let mine: Vec<FactId> = [scene.say("tea").await, scene.contested().await].into();
        let theirs = scene
            .wrote(&bob(), json!({"scope": {"userId": "bob"}, "key": "drink", "content": {"text": "tea"}}))
            .await
            .fact;
        let rows = async || {
            let mut rows = Vec::new();
            for table in ["facts", "access", "revisions", "truths", "events"] {
                rows.push(
                    raw::select(&scene.store, &format!("SELECT * FROM {table} WHERE fact = '{theirs}'"))
                        .await,
                );
            }
            rows.push(raw::words_of(&scene.store, theirs).await);
            rows
        };
        let (before, index) = (rows().await, scene.rows(theirs).await);
        for fact in mine {
            scene.forget(fact).await;
            scene.memory.erase(&ann(), None, fact, None).await.unwrap();
        }
        scene.memory.rebuild(|_| {}).await.unwrap();
        assert_eq!((rows().await, scene.rows(theirs).await), (before, index));
        assert_eq!(
            super::scene::texts(&scene.memory.recall(&bob(), &Recall::query("tea")).await.unwrap()),
            ["tea"]
        );
    }

    // 27: a key is one slot in each scope
    async fn a_key_is_a_slot_of_its_own_in_every_scope(store: Store) {
        let scene = Scene::on(store).await;
        let mut facts = BTreeSet::new();
        for path in SCOPES {
            facts.insert(
                scene
                    .wrote(&operator(), json!({"scope": scope(path), "key": "k", "content": {"text": "x"}}))
                    .await
                    .fact,
            );
        }
        assert_eq!(facts.len(), SCOPES.len());
    }

    // 106: also where an operator asks
    async fn an_operator_is_told_that_a_fact_ended(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        scene.forget(fact).await;
        refused!(
            scene.memory.get(&operator(), fact, Times::default()).await,
            MemoryError::NotCurrent { state: "retracted" }
        );
        refused!(
            scene.memory.forget(&operator(), None, fact, None, None).await,
            MemoryError::Refused(Refusal::NotCurrent)
        );
    }
}

/// Who writes, and which of the scopes, in their order.
const WRITERS: [(&str, &str); 6] = [
    ("user:ann", "----y-----y-"),
    ("org:o", "-y----------"),
    ("project:p", "--yy--------"),
    ("project:p/participant:x", "------y-----"),
    ("thread:t", "-------y----"),
    ("user:bob", "------------"),
];

/// What a read shows its owner, so that the test knows it looked.
fn mark(name: &str) -> &'static str {
    match name {
        "counts" => "Active",
        "changes" | "conflicts" | "recall" => "FactId",
        _ => "Revision",
    }
}

/// One read of the façade, as text with every word in it.
async fn read(scene: &Scene, name: &str, caller: &Caller, fact: FactId) -> String {
    let memory = &scene.memory;
    match name {
        "changes" => {
            format!("{:?}", memory.changes(caller, truthkeeper::Position::START, 100).await.unwrap().items)
        }
        "conflict" => {
            let (open, _) = memory.conflicts(&admin(), 10).await.unwrap();
            let case = memory.conflict(caller, open[0].conflict).await;
            case.into_iter()
                .flat_map(|case| case.revisions)
                .map(|one| format!("Revision {}", words(&one)))
                .collect()
        }
        "forgotten" => {
            let page = memory.forgotten(caller, &Filter::current(), None, 100).await.unwrap();
            seen_text(&page.items.into_iter().map(|one| one.seen).collect::<Vec<_>>())
        }
        "duplicates" => {
            let found = memory.duplicates(caller, &Filter::current()).await.unwrap();
            let pairs = found.pairs.into_iter().flat_map(|pair| [pair.older, pair.newer]);
            seen_text(&pairs.collect::<Vec<_>>())
        }
        "conflicts" => shown_open(&memory.conflicts(caller, 10).await.unwrap().0),
        "counts" => format!("{:?}", memory.counts(caller).await),
        "get" => seen_text(&memory.get(caller, fact, Times::default()).await.into_iter().collect::<Vec<_>>()),
        "held_back" => memory
            .held_back(caller)
            .await
            .unwrap()
            .into_iter()
            .map(|one| format!("Revision {}", words(&one.proposed)))
            .collect(),
        "list" => {
            let mut all = String::new();
            for state in State::ALL {
                let filter = Filter { state, ..Filter::current() };
                all += &seen_text(
                    &memory.list(caller, &filter, Times::default(), None, 100).await.unwrap().items,
                );
            }
            all
        }
        "recall" => {
            let mut all = String::new();
            for recall in [Recall::query("canary tea"), Recall::newest()] {
                let recalled = memory.recall(caller, &recall).await.unwrap();
                all += &recalled
                    .facts
                    .iter()
                    .map(|one| format!("FactId {} {}", one.case.head.fact, words(&one.revision)))
                    .collect::<String>();
                let legacy = recalled.legacy.iter().map(|one| one.row.legacy.text.as_str());
                all += &legacy.collect::<String>();
                all += &shown_open(&recalled.conflicts);
            }
            all
        }
        "legacy_rows" => {
            let rows = memory.legacy_rows(caller, None, None, 100).await.unwrap().rows;
            let text =
                |kept: &KeptLegacy| format!("Revision {} {}", kept.row.row, kept.row.legacy.text.as_str());
            rows.iter().map(text).collect()
        }
        "revisions" => seen_text(&memory.revisions(caller, fact, None, 10).await.unwrap_or_default()),
        other => panic!("{other} is no read"),
    }
}

fn seen_text(seen: &[truthkeeper::Seen]) -> String {
    seen.iter().map(|one| format!("Revision {} {}", one.head.fact, words(&one.revision))).collect()
}

fn shown_open(open: &[truthkeeper::OpenConflict]) -> String {
    open.iter()
        .map(|one| format!("FactId {} {}", one.fact, one.key.as_ref().map_or("", |key| key.as_str())))
        .collect()
}

fn words(revision: &truthkeeper::Revision) -> String {
    let words: Option<Value> = revision.words.as_ref().map(|words| serde_json::to_value(words).unwrap());
    words.unwrap_or_default().to_string()
}

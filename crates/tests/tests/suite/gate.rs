//! The gate: the ledger decides what is recalled, whatever the index holds.

use std::collections::BTreeMap;

use index::{Around, Row, Source, Write};
use recall::{Found, Pick};
use serde_json::json;
use truthkeeper::{FactId, MemoryError, Reason, Recall, Scope, SourceWeights};
use truthkeeper_tests::on_both_engines;
use uuid::Uuid;

use super::raw;
use super::scene::{DAY, Scene, agent, ann, bob, import, kind, number, refused, says, scope, stored, texts};

/// Puts a row into the index as nobody but the projector should.
async fn plant(scene: &Scene, fact: FactId, revision: u32, scope: Scope, text: &str) {
    let index = index::open(&scene.store.index_address());
    let row = Row {
        source: Source::Fact,
        fact,
        revision: number(revision),
        kind: kind("acme.preference"),
        scope,
        digest: "planted".to_owned(),
        text: stored(text),
        around: Around::default(),
        vectors: Vec::new(),
    };
    index.replace(&[Write::put(row)]).await.unwrap();
}

fn withheld(reasons: &[(Reason, usize)]) -> BTreeMap<Reason, usize> {
    reasons.iter().copied().collect()
}

/// What the gate says of candidates that no index would give.
async fn admit(scene: &Scene, found: &[(FactId, u32)]) -> (Vec<FactId>, BTreeMap<Reason, usize>) {
    let found: Vec<Found> = found
        .iter()
        .map(|(fact, revision)| Found {
            fact: *fact,
            revision: number(*revision),
            score: 1.0,
            fits: Vec::new(),
        })
        .collect();
    let pick = Pick { limit: 100, floor: None, sources: SourceWeights::default() };
    let admitted = recall::admit(&found, scene.memory.ledger(), &ann().reader, scene.recorded().await, &pick)
        .await
        .unwrap();
    (admitted.facts.iter().map(|one| one.case.head.fact).collect(), admitted.withheld)
}

on_both_engines! {
    // 55, LED-22
    async fn what_is_recalled_is_read_from_the_ledger(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        plant(&scene, fact, 1, scope("user:ann"), "a planted text about rum").await;
        let recalled = scene.recall("planted rum").await;
        assert_eq!((texts(&recalled), recalled.withheld), (vec!["tea".to_owned()], withheld(&[])));
    }

    // 56, 57
    async fn each_row_that_is_not_current_truth_is_withheld_for_its_reason(store: Store) {
        let scene = Scene::on(store).await;
        let ended = json!({"content": {"text": "expired"}, "validFrom": "2026-10-01T00:00:00Z",
            "validUntil": "2026-10-02T00:00:00Z"});
        let later = json!({"content": {"text": "later"}, "validFrom": "2027-01-01T00:00:00Z"});
        let (retracted, erased, changed) =
            (scene.say("retracted").await, scene.say("erased").await, scene.say("changed").await);
        let cases = [
            (scene.wrote(&ann(), ended).await.fact, Reason::Expired),
            (scene.wrote(&ann(), later).await.fact, Reason::NotYet),
            (retracted, Reason::Retracted),
            (erased, Reason::Erased),
            (scene.contested().await, Reason::Conflicted),
            (scene.wrote(&import(), says("quarantined")).await.fact, Reason::Quarantined),
            (changed, Reason::Stale),
            (FactId::new(Uuid::from_u128(7)), Reason::Unknown),
        ];
        scene.forget(retracted).await;
        scene.memory.erase(&ann(), None, erased, None).await.unwrap();
        scene.change(changed, "changed again").await;
        for (fact, reason) in cases {
            plant(&scene, fact, 1, scope("user:ann"), "needle").await;
            let recalled = scene.recall("needle").await;
            assert_eq!(
                (texts(&recalled), recalled.withheld),
                (vec![], withheld(&[(reason, 1)])),
                "{reason:?}"
            );
            plant(&scene, fact, 1, scope("user:ann"), "hay").await;
        }
    }

    // 56: a revision that was over before what followed it ran out
    async fn a_row_of_a_replaced_revision_is_superseded_once_nothing_holds(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        scene
            .wrote(
                &ann(),
                json!({"fact": fact, "content": {"text": "coffee"}, "validUntil": "2026-11-02T10:00:00Z"}),
            )
            .await;
        scene.pass(2 * DAY);
        assert_eq!(admit(&scene, &[(fact, 1)]).await, (vec![], withheld(&[(Reason::Superseded, 1)])));
        assert_eq!(admit(&scene, &[(fact, 2)]).await, (vec![], withheld(&[(Reason::Expired, 1)])));
    }

    // 57
    async fn a_row_of_a_revision_that_does_not_exist_is_stale(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        plant(&scene, fact, 9, scope("user:ann"), "tea").await;
        assert_eq!(scene.recall("tea").await.withheld, withheld(&[(Reason::Stale, 1)]));
    }

    // 58
    async fn a_fact_that_was_found_twice_is_recalled_once(store: Store) {
        let scene = Scene::on(store).await;
        let (fact, other) = (scene.say("tea").await, scene.say("coffee").await);
        let found = [(fact, 1), (fact, 1), (other, 1), (fact, 1), (fact, 2)];
        assert_eq!(admit(&scene, &found).await, (vec![fact, other], withheld(&[(Reason::Duplicate, 3)])));
    }

    // RCL-07, REC-03
    async fn what_says_the_same_counts_once_and_what_contradicts_it_is_kept(store: Store) {
        let scene = Scene::on(store).await;
        for (n, text) in
            ["The office is open.", "the office is open", "office is OPEN", "The office is not open"]
                .into_iter()
                .enumerate()
        {
            scene.wrote(&ann(), json!({"key": format!("k{n}"), "content": {"text": text}})).await;
        }
        for recalled in [scene.recall("office open").await, scene.newest().await] {
            assert_eq!((recalled.facts.len(), recalled.withheld), (2, withheld(&[(Reason::Restated, 2)])));
        }
    }

    // RCL-07, 114: what the gate keeps back hides nothing that it would let through
    async fn what_is_withheld_does_not_take_the_place_of_what_is_not(store: Store) {
        let scene = Scene::on(store).await;
        scene.say("tea with milk is what she likes").await;
        for n in 0..150 {
            let said = json!({"key": format!("k{n}"), "content": {"text": "tea tea tea"}});
            let caller = if n % 2 == 0 { ann() } else { import() };
            scene.wrote(&caller, said).await;
        }
        for recall in [Recall::query("tea"), Recall::newest()] {
            let recalled = scene.memory.recall(&ann(), &recall.limit(2)).await.unwrap();
            assert_eq!(texts(&recalled), ["tea tea tea", "tea with milk is what she likes"]);
        }
    }

    // RCL-06
    async fn the_old_text_does_not_outrank_its_correction(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene
            .say("the deploy window of the billing service is Friday at noon, billing deploy window")
            .await;
        scene.change(fact, "Tuesday").await;
        for query in ["when is the billing deploy window", "Friday", "tuesday"] {
            assert!(!texts(&scene.recall(query).await).iter().any(|text| text.contains("Friday")), "{query}");
        }
        assert_eq!(texts(&scene.recall("tuesday").await), ["Tuesday"]);
    }

    // SEC-06: a row filed under another's scope
    async fn a_fact_filed_in_the_wrong_place_is_not_recalled_there(store: Store) {
        let scene = Scene::on(store).await;
        let theirs = scene
            .wrote(&bob(), json!({"scope": {"userId": "bob"}, "content": {"text": "canary"}}))
            .await
            .fact;
        plant(&scene, theirs, 1, scope("user:ann"), "canary").await;
        let recalled = scene.recall("canary").await;
        assert_eq!((texts(&recalled), recalled.withheld), (vec![], withheld(&[(Reason::Unknown, 1)])));
    }

    // 59, rule 5
    async fn without_a_ledger_nothing_is_recalled_and_it_is_said(store: Store) {
        let scene = Scene::on(store).await;
        scene.say("tea").await;
        raw::attempt(&scene.store, "ALTER TABLE events RENAME TO events_gone").await.unwrap();
        for recall in [Recall::query("tea"), Recall::newest()] {
            refused!(scene.memory.recall(&ann(), &recall).await, MemoryError::Store(_));
        }
        raw::attempt(&scene.store, "ALTER TABLE events_gone RENAME TO events").await.unwrap();
        assert_eq!(texts(&scene.recall("tea").await), ["tea"]);
    }

    // 59: whichever table is missing
    async fn each_missing_table_is_an_error_and_never_an_empty_answer(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        scene.contested().await;
        for table in ["facts", "events", "contents", "tenants", "conflicts", "operations"] {
            raw::attempt(&scene.store, &format!("ALTER TABLE {table} RENAME TO gone")).await.unwrap();
            refused!(scene.memory.recall(&ann(), &Recall::query("tea")).await, MemoryError::Store(_));
            raw::attempt(&scene.store, &format!("ALTER TABLE gone RENAME TO {table}")).await.unwrap();
        }
        for table in ["facts", "events", "contents", "truths"] {
            raw::attempt(&scene.store, &format!("ALTER TABLE {table} RENAME TO gone")).await.unwrap();
            refused!(scene.get(fact).await, MemoryError::Store(_));
            raw::attempt(&scene.store, &format!("ALTER TABLE gone RENAME TO {table}")).await.unwrap();
        }
        scene.check().await;
    }

    // rule 10
    async fn without_an_index_a_search_fails_and_reading_goes_on(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        super::projecting::break_index(&scene).await;
        refused!(scene.memory.recall(&ann(), &Recall::query("tea")).await, MemoryError::Index(_));
        assert_eq!(
            (scene.text(fact).await, texts(&scene.newest().await)),
            ("tea".to_owned(), vec!["tea".to_owned()])
        );
    }

    // 62
    async fn what_is_recalled_comes_with_its_provenance(store: Store) {
        let scene = Scene::on(store).await;
        scene.wrote(&agent(), json!({"content": {"text": "tea"}, "generatedBy": {"runId": "r1"}})).await;
        let recalled = scene.recall("tea").await;
        let fact = &recalled.facts[0];
        assert_eq!(
            (&fact.revision.actor, fact.revision.saying.provenance.run.as_ref().unwrap().as_str()),
            (&agent().actor, "r1")
        );
        assert!(fact.score.is_some_and(|score| score > 0.0));
    }

    // 116
    async fn a_list_has_no_score_and_a_search_needs_a_query(store: Store) {
        let scene = Scene::on(store).await;
        scene.say("tea").await;
        assert_eq!(scene.newest().await.facts[0].score, None);
        let without = Recall::newest().mode(truthkeeper::Mode::Keyword);
        let recalled = scene.memory.recall(&ann(), &without).await;
        refused!(recalled, MemoryError::BadInput(bad) if bad.field == "query");
        let by_meaning = Recall::query("tea").mode(truthkeeper::Mode::Semantic);
        refused!(scene.memory.recall(&ann(), &by_meaning).await, MemoryError::SemanticUnavailable);
    }

    // 19: an empty ledger is no error
    async fn an_empty_memory_answers_nothing(store: Store) {
        let scene = Scene::on(store).await;
        let recalled = scene.recall("tea").await;
        assert_eq!(
            (
                recalled.facts.len(),
                recalled.withheld.len(),
                recalled.conflicts_open,
                recalled.not_searchable_yet
            ),
            (0, 0, 0, 0)
        );
    }
}

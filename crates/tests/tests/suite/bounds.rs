//! What is not taken: each limit at the limit and one past it, the same on both engines, and never half.

use serde_json::{Map, Value, json};
use truthkeeper::{BadInput, Draft, MemoryError, limits};
use truthkeeper_tests::on_both_engines;

use super::scene::{Scene, ann, draft, evidence, local, refused, says, start};

/// The field that a draft is refused for, whether it is read or checked that refuses it; none when it is taken.
async fn refusal(scene: &Scene, fields: Value) -> Option<String> {
    let mut whole =
        json!({"type": "acme.preference", "scope": {"userId": "ann"}, "content": {"text": "tea"}});
    whole.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    let draft = match Draft::from_json(whole, &local()) {
        Ok(draft) => draft,
        Err(bad) => return Some(bad.field.into_owned()),
    };
    match scene.memory.remember(&ann(), None, draft).await {
        Ok(_) => None,
        Err(MemoryError::BadInput(bad)) => Some(bad.field.into_owned()),
        Err(error) => panic!("{error:?}"),
    }
}

/// Everything is refused for that field, and nothing of it is left anywhere.
async fn all_refused(scene: &Scene, field: &str, drafts: Vec<Value>) {
    for fields in drafts {
        let shown: String = fields.to_string().chars().take(120).collect();
        assert_eq!(refusal(scene, fields).await.as_deref(), Some(field), "{shown}");
    }
    assert_eq!(scene.events().await, 0);
    for table in ["contents", "facts", "operations", "requests"] {
        assert_eq!(
            super::raw::select(&scene.store, &format!("SELECT 1 FROM {table}")).await.len(),
            0,
            "{table}"
        );
    }
}

async fn all_taken(scene: &Scene, drafts: Vec<Value>) {
    for (fields, count) in drafts.into_iter().zip(1_u64..) {
        let shown: String = fields.to_string().chars().take(120).collect();
        assert_eq!(refusal(scene, fields).await, None, "{shown}");
        assert_eq!(scene.events().await, count, "{shown}");
    }
    scene.check().await;
}

fn times(from: &str, until: &str) -> Value {
    json!({"validFrom": from, "validUntil": until})
}

on_both_engines! {
    // 22, RCL-12
    async fn content_of_sixteen_thousand_characters_is_kept_and_found_by_its_last_word(store: Store) {
        let scene = Scene::on(store).await;
        let long = format!("{}needle", "x ".repeat((limits::CONTENT_CHARS_MAX - 6) / 2));
        assert_eq!(long.chars().count(), limits::CONTENT_CHARS_MAX);
        all_taken(&scene, vec![says(&"é".repeat(limits::CONTENT_CHARS_MAX)), says(&long)]).await;
        assert_eq!(super::scene::texts(&scene.recall("needle").await), [long]);
    }

    // 22
    async fn content_past_its_limits_leaves_nothing(store: Store) {
        let scene = Scene::on(store).await;
        let most = limits::CONTENT_CHARS_MAX;
        let deep = (0..70).fold(json!("x"), |inner, _| json!([inner]));
        let big = (0..1_100).map(|n| (format!("{n:060}"), json!(n))).collect::<Map<_, _>>();
        all_refused(
            &scene,
            "content",
            vec![says(&"é".repeat(most + 1)), json!({"content": deep}), json!({"content": big})],
        )
        .await;
    }

    // LED-24
    async fn blank_content_is_refused(store: Store) {
        let scene = Scene::on(store).await;
        let blanks = ["", "   ", "\u{200b}", "\n\t", "\u{feff}\u{2060}", "\u{e0041}\u{e0042}", "\u{3164}"];
        let texts = blanks.iter().flat_map(|blank| [says(blank), json!({"content": blank})]);
        all_refused(&scene, "content", texts.collect()).await;
    }

    // LED-16, SEC: everywhere, by one rule
    async fn a_nul_is_refused_wherever_it_stands(store: Store) {
        let scene = Scene::on(store).await;
        let nul = "a\0b";
        for (field, fields) in [
            ("content", says(nul)),
            ("content", json!({"content": {nul: 1}})),
            ("content", json!({"content": [{"x": nul}]})),
            ("key", json!({"key": nul})),
            ("tags", json!({"tags": ["x", nul]})),
            ("reason", json!({"reason": nul})),
            ("evidence.quote", json!({"evidence": [{"kind": "run", "id": "r", "quote": nul}]})),
            ("evidence.id", json!({"evidence": [{"kind": "run", "id": nul}]})),
            ("subjects.id", json!({"subjects": [{"kind": "user", "id": nul}]})),
            ("scope.userId", json!({"scope": {"userId": nul}})),
            ("type", json!({"type": nul})),
            ("generatedBy.runId", json!({"generatedBy": {"runId": nul}})),
        ] {
            all_refused(&scene, field, vec![fields]).await;
        }
    }

    // LED-16: the others of a batch are stored
    async fn one_refused_draft_takes_no_other_with_it(store: Store) {
        let scene = Scene::on(store).await;
        let batch = ["Acme is in Taipei", "Acme moved\0 to Shenzhen.", "Acme has 9 people"];
        let mut taken = Vec::new();
        for text in batch {
            taken.push(scene.write(&ann(), says(text)).await.is_ok());
        }
        assert_eq!((taken, scene.events().await), (vec![true, false, true], 2));
    }

    // 23, 111, LED-07
    async fn an_end_that_is_not_after_the_start_is_refused(store: Store) {
        let scene = Scene::on(store).await;
        let at = start().exact();
        all_refused(
            &scene,
            "validUntil",
            vec![
                times(&at, &at),
                times("2026-11-02T00:00:00Z", "2026-11-01T00:00:00Z"),
                times("2026-11-01T12:00:00+02:00", "2026-11-01T10:00:00Z"),
                json!({"validUntil": at}),
                json!({"validUntil": "2026-10-31T00:00:00Z"}),
            ],
        )
        .await;
        all_taken(&scene, vec![
            json!({"key": "a", "validFrom": "2026-11-01T00:00:00Z", "validUntil": "2026-11-01T00:00:00.000001Z"}),
            json!({"key": "b", "validUntil": "2026-11-01T10:00:00.000002Z"}),
        ]).await;
    }

    // 23, LED-03
    async fn a_time_without_a_zone_is_refused_by_name(store: Store) {
        let scene = Scene::on(store).await;
        for field in ["validFrom", "validUntil", "observedAt"] {
            let shapes =
                ["2026-03-01T10:00:00", "2026-03-01 10:00:00", "2026-03-01", "yesterday", "", "1793527200"];
            all_refused(&scene, field, shapes.iter().map(|shape| json!({field: shape})).collect()).await;
        }
        all_refused(
            &scene,
            "retention.keepUntil",
            vec![json!({"retention": {"keepUntil": "2027-03-01T10:00:00"}})],
        )
        .await;
    }

    // 23, 111
    async fn times_are_kept_in_utc_and_shown_with_milliseconds(store: Store) {
        let scene = Scene::on(store).await;
        let fields =
            json!({"validFrom": "2026-10-01T12:00:00.5+02:00", "observedAt": "2026-09-30T23:00:00-05:00"});
        let fact = scene.wrote(&ann(), fields).await.fact;
        let said = scene.get(fact).await.unwrap().revision.saying;
        let shown = [said.valid_from, said.observed_at].map(|at| at.unwrap().to_string());
        assert_eq!(shown, ["2026-10-01T10:00:00.500Z", "2026-10-01T04:00:00.000Z"]);
    }

    // LED-07, 112
    async fn a_life_of_nothing_is_refused(store: Store) {
        let scene = Scene::on(store).await;
        let days = |days: i64| json!({"retention": {"keepDays": days}});
        all_refused(&scene, "retention.keepDays", vec![days(0), days(-1), days(3_651)]).await;
        all_refused(
            &scene,
            "retention.keepUntil",
            vec![json!({"retention": {"keepUntil": start().exact()}})],
        )
        .await;
    }

    // 25
    async fn unknown_and_missing_fields_are_refused_by_name(store: Store) {
        let scene = Scene::on(store).await;
        for (field, fields) in [
            ("draft", json!({"colour": "red"})),
            ("draft", json!({"userId": "ann"})),
            ("scope", json!({"scope": {"userid": "ann"}})),
            ("retention", json!({"retention": {"ttl": 3}})),
            ("evidence", json!({"evidence": [{"kind": "run", "id": "r", "note": "x"}]})),
            ("evidence", json!({"evidence": [{"kind": "run"}]})),
            ("subjects", json!({"subjects": [{"kind": "user", "id": "ann", "name": "Ann"}]})),
            ("generatedBy", json!({"generatedBy": {"run": "r"}})),
            ("content", json!({"content": {}, "type": "a b"})),
        ] {
            let field = if fields.get("type").is_some() { "type" } else { field };
            all_refused(&scene, field, vec![fields]).await;
        }
        let untyped = scene.memory.remember(&ann(), None, Draft { kind: None, ..draft(json!({})) }).await;
        refused!(untyped, MemoryError::BadInput(bad) if bad.field == "type");
    }

    // 26
    async fn evidence_is_of_a_known_kind_with_a_whole_digest(store: Store) {
        let scene = Scene::on(store).await;
        let one = |kind: &str, digest: Value| json!([{"kind": kind, "id": "x", "digest": digest}]);
        all_refused(&scene, "evidence", vec![json!({"evidence": one("rumour", json!(null))})]).await;
        let digests = ["a".repeat(63), "a".repeat(65), "g".repeat(64), String::new()];
        all_refused(
            &scene,
            "evidence.digest",
            digests.iter().map(|digest| json!({"evidence": one("run", json!(digest))})).collect(),
        )
        .await;
        let most: Vec<Value> = (0..64).map(|n| json!({"kind": "message", "id": format!("m{n}")})).collect();
        let more: Vec<Value> = (0..65).map(|n| json!({"kind": "message", "id": format!("m{n}")})).collect();
        all_refused(&scene, "evidence", vec![json!({"evidence": more})]).await;
        let kinds = ["message", "run", "operator", "legacy"]
            .map(|kind| json!({"key": kind, "evidence": one(kind, json!(null))}));
        let mut taken = kinds.to_vec();
        taken.push(json!({"key": "hex", "evidence": one("run", json!("aB".repeat(32)))}));
        taken.push(json!({"key": "most", "evidence": most}));
        all_taken(&scene, taken).await;
    }

    // 110
    async fn lists_have_limits_of_their_own(store: Store) {
        let scene = Scene::on(store).await;
        let some = |count: usize| (0..count).map(|n| json!(format!("t{n}"))).collect::<Vec<_>>();
        let subjects = |count: usize| {
            (0..count).map(|n| json!({"kind": "user", "id": format!("u{n}")})).collect::<Vec<_>>()
        };
        all_refused(
            &scene,
            "tags",
            vec![json!({"tags": some(33)}), json!({"tags": ["x".repeat(129)]}), json!({"tags": [""]})],
        )
        .await;
        all_refused(&scene, "subjects", vec![json!({"subjects": subjects(21)})]).await;
        all_refused(&scene, "key", vec![json!({"key": "k".repeat(129)}), json!({"key": ""})]).await;
        all_refused(&scene, "type", vec![json!({"type": "t".repeat(129)}), json!({"type": ""})]).await;
        all_refused(&scene, "scope.userId", vec![json!({"scope": {"userId": "u".repeat(129)}})]).await;
        all_refused(
            &scene,
            "confidence",
            vec![json!({"confidence": 1.01}), json!({"confidence": -0.1}), json!({"confidence": "0.9"})],
        )
        .await;
        all_taken(
            &scene,
            vec![
                json!({"key": "k".repeat(128), "tags": some(32), "subjects": subjects(20)}),
                json!({"type": "t".repeat(128), "tags": ["é".repeat(128)]}),
            ],
        )
        .await;
    }

    // 27, 110
    async fn a_participant_needs_its_project(store: Store) {
        let scene = Scene::on(store).await;
        all_refused(
            &scene,
            "scope.participantId",
            vec![
                json!({"scope": {"participantId": "p"}}),
                json!({"scope": {"orgId": "o", "participantId": "p"}}),
            ],
        )
        .await;
    }

    // 109
    async fn another_tenant_is_refused_on_every_write(store: Store) {
        let scene = Scene::on(store).await;
        all_refused(
            &scene,
            "scope.tenantId",
            vec![json!({"scope": {"tenantId": "elsewhere", "userId": "ann"}})],
        )
        .await;
    }

    // canonical JSON merges them
    async fn numbers_that_canonical_json_merges_are_refused(store: Store) {
        let scene = Scene::on(store).await;
        let number = |text: &str| json!({"content": {"n": serde_json::from_str::<Value>(text).unwrap()}});
        let beyond = ["9007199254740993", "-9007199254740993", "18446744073709551615", "1e300"];
        all_refused(&scene, "content", beyond.iter().map(|text| number(text)).collect()).await;
        let within = ["9007199254740992", "-9007199254740992", "0.1", "-0.0", "1e15"];
        all_taken(&scene, within.iter().map(|text| number(text)).collect()).await;
    }

    async fn a_query_has_a_limit(store: Store) {
        let scene = Scene::on(store).await;
        let ask = async |query: String| scene.memory.recall(&ann(), &truthkeeper::Recall::query(query)).await;
        let beyond = ask("é".repeat(limits::QUERY_CHARS_MAX + 1)).await;
        refused!(beyond, MemoryError::BadInput(bad) if bad.field == "query");
        ask("é".repeat(limits::QUERY_CHARS_MAX)).await.unwrap();
        for limit in [0, 101] {
            let recall = truthkeeper::Recall::query("tea").limit(limit);
            let recalled = scene.memory.recall(&ann(), &recall).await;
            refused!(recalled, MemoryError::BadInput(bad) if bad.field == "limit");
        }
    }

    /// A refusal names the field and the limit; it must not carry what was typed.
    async fn no_refusal_repeats_what_was_typed(store: Store) {
        let scene = Scene::on(store).await;
        let canary = "CANARY7f3a";
        let errors: Vec<BadInput> = [
            json!({"key": format!("{canary}\0")}),
            json!({"tags": [format!("{canary} ")]}),
            json!({"reason": format!("{canary}\0")}),
            json!({"content": {"text": format!("{canary}\0")}}),
            json!({"validFrom": canary}),
            json!({"trust": canary}),
            json!({"confidence": canary}),
            json!({"evidence": canary}),
            json!({"evidence": [{"kind": canary, "id": "x"}]}),
            json!({"scope": {"userId": format!("{canary}\0")}}),
            json!({"type": format!("{canary} x")}),
            json!({"fact": canary}),
        ]
        .into_iter()
        .map(|fields| {
            let mut whole = json!({"type": "t", "content": "x"});
            whole.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
            Draft::from_json(whole, &local())
                .and_then(|draft| truthkeeper::Proposal::parse(draft, &local(), start()))
                .unwrap_err()
        })
        .collect();
        assert!(errors.iter().all(|bad| !format!("{bad} {bad:?}").contains(canary)), "{errors:?}");
        let fields = json!({"content": {"text": canary}, "key": canary, "tags": [canary], "reason": canary,
            "evidence": evidence(canary)});
        assert!(
            !format!("{:?} {:?}", draft(fields.clone()), scene.wrote(&ann(), fields).await).contains(canary)
        );
    }
}

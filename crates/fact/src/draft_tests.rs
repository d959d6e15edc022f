//! The JSON form of a draft: nothing unknown gets in, nothing typed gets out.

use proptest::prelude::*;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::Draft;
use crate::content_tests::any_json;
use crate::samples::{at, draft_json, id, now, proposed, refused_field};
use crate::{
    Confidence, Evidence, EvidenceKind, FactId, Proposal, Provenance, Retention, Scope, Subject, Text,
    Timestamp, Trust,
};

const SECRET: &str = "SECRET-VALUE-81";

const FIELDS: [&str; 17] = [
    "fact",
    "expectVersion",
    "type",
    "scope",
    "key",
    "content",
    "tags",
    "confidence",
    "trust",
    "evidence",
    "retention",
    "subjects",
    "validFrom",
    "validUntil",
    "observedAt",
    "reason",
    "generatedBy",
];

/// Values that some field refuses, each with the secret somewhere in it.
fn wrong_values() -> Vec<Value> {
    vec![
        json!(SECRET),
        json!([SECRET]),
        json!([[SECRET]]),
        json!([{"kind": SECRET, "id": SECRET}]),
        json!([{"kind": "run", "id": SECRET, "digest": SECRET, "quote": SECRET}]),
        json!([{"kind": "user", "id": [SECRET]}]),
        json!({"tenantId": SECRET}),
        json!({"projectId": [SECRET]}),
        json!({"keepDays": SECRET}),
        json!({"keepUntil": SECRET}),
        json!({"legalHold": SECRET}),
        json!({"runId": [SECRET]}),
        json!({"seq": SECRET}),
        json!({"derivedFrom": [SECRET]}),
        json!({"text": format!("{SECRET}\u{0}")}),
        json!(format!("{SECRET}\u{0}")),
        json!([format!("{SECRET}\u{0}")]),
        json!(SECRET.repeat(5_000)),
    ]
}

#[test]
fn no_refusal_repeats_a_value() {
    for field in FIELDS {
        for wrong in wrong_values() {
            if let Err(bad) = proposed(draft_json(json!({field: wrong}))) {
                assert!(!bad.to_string().contains(SECRET), "{field}: {bad}");
                assert!(!format!("{bad:?}").contains(SECRET), "{field}: {bad:?}");
            }
        }
    }
    for wrong in wrong_values() {
        let bad = proposed(json!(wrong)).unwrap_err();
        assert!(!bad.to_string().contains(SECRET), "{bad}");
    }
}

#[test]
fn debug_shows_nothing_that_was_typed() {
    let draft = draft_json(json!({
        "content": {"text": SECRET}, "key": SECRET, "tags": [SECRET], "reason": SECRET,
        "evidence": [{"kind": "run", "id": "r", "quote": SECRET}],
    }));
    let read = Draft::from_json(draft.clone(), &id("local")).unwrap();
    assert!(!format!("{read:?}").contains(SECRET));
    assert!(!format!("{:?}", proposed(draft)).contains(SECRET));
    let unparsed = Draft { kind: Some(SECRET.to_owned()), ..Draft::default() };
    assert!(!format!("{unparsed:?}").contains(SECRET));
}

#[test]
fn an_unknown_field_is_refused_at_every_level() {
    for (field, fields) in [
        ("draft", json!({"colour": 1})),
        ("draft", json!({"Content": 1})),
        ("draft", json!({"fact_id": null})),
        ("scope", json!({"scope": {"teamId": "t"}})),
        ("scope", json!({"scope": {"tenant": "local"}})),
        ("evidence", json!({"evidence": [{"kind": "run", "id": "r", "url": "u"}]})),
        ("subjects", json!({"subjects": [{"kind": "user", "id": "u", "name": "n"}]})),
        ("retention", json!({"retention": {"days": 1}})),
        ("generatedBy", json!({"generatedBy": {"run": "r"}})),
    ] {
        let bad = proposed(draft_json(fields.clone())).unwrap_err();
        assert_eq!(bad.field, field, "{fields}");
        assert!(bad.problem.starts_with("unknown field `"), "{bad}");
    }
}

#[test]
fn a_missing_field_is_named() {
    for (field, fields) in [
        ("evidence", json!({"evidence": [{"kind": "run"}]})),
        ("evidence", json!({"evidence": [{"id": "r"}]})),
        ("subjects", json!({"subjects": [{"kind": "user"}]})),
    ] {
        let bad = proposed(draft_json(fields)).unwrap_err();
        assert_eq!(bad.field, field);
        assert!(bad.problem.starts_with("missing field `"), "{bad}");
    }
}

#[test]
fn an_unknown_name_is_cut_and_cleaned() {
    let long = format!("\u{1b}[31m\n{}", "x".repeat(100_000));
    for fields in [
        json!({long.clone(): 1}),
        json!({"scope": {long.clone(): 1}}),
        json!({"retention": {long.clone(): 1}}),
        json!({"evidence": [{"kind": "run", "id": "r", long: 1}]}),
    ] {
        let bad = proposed(draft_json(fields)).unwrap_err();
        assert!(bad.problem.chars().count() < 200, "{} characters", bad.problem.len());
        assert!(!bad.problem.contains(char::is_control));
    }
}

#[test]
fn what_is_no_object_is_no_draft() {
    for value in [json!(null), json!([]), json!("tea"), json!(1)] {
        assert_eq!(refused_field(Draft::from_json(value, &id("local"))), "draft");
    }
}

#[test]
fn null_is_the_same_as_leaving_out_but_for_the_content() {
    let mut nulls = json!({"type": "t", "content": null});
    for field in FIELDS.iter().filter(|field| !["type", "content"].contains(field)) {
        nulls[*field] = Value::Null;
    }
    let left_out = Draft::from_json(json!({"type": "t", "content": null}), &id("local")).unwrap();
    assert_eq!(Draft::from_json(nulls, &id("local")), Ok(left_out.clone()));
    assert_eq!(left_out.content, Some(Value::Null));
}

#[test]
fn a_scope_without_a_tenant_is_in_the_callers() {
    let draft = Draft::from_json(draft_json(json!({"scope": {"userId": "u"}})), &id("acme")).unwrap();
    assert_eq!(draft.scope.unwrap().tenant, id("acme"));
}

fn any_id() -> impl Strategy<Value = crate::Id> {
    "[a-zA-Z0-9é:/._-]{1,12}".prop_map(|text| id(&text))
}

fn any_time() -> impl Strategy<Value = Timestamp> {
    (0_i64..4_000_000_000_000_000).prop_map(at)
}

fn any_scope() -> impl Strategy<Value = Scope> {
    let one = || prop::option::of(any_id());
    (any_id(), one(), one(), one(), one(), one(), one()).prop_map(
        |(tenant, org, project, user, participant, thread, session)| Scope {
            tenant,
            org,
            project,
            user,
            participant,
            thread,
            session,
        },
    )
}

fn any_evidence() -> impl Strategy<Value = Evidence> {
    let kind = prop_oneof![
        Just(EvidenceKind::Message),
        Just(EvidenceKind::Run),
        Just(EvidenceKind::Operator),
        Just(EvidenceKind::Legacy)
    ];
    let quote = prop::option::of("[a-z \n\"]{0,9}".prop_map(Text::stored));
    (kind, any_id(), prop::option::of("[0-9a-f]{64}"), quote).prop_map(|(kind, id, digest, quote)| Evidence {
        kind,
        id,
        digest,
        quote,
    })
}

fn any_provenance() -> impl Strategy<Value = Provenance> {
    let ids = prop::collection::vec(prop::option::of(any_id()), 13);
    let facts = prop::collection::vec(any_fact(), 0..3);
    (ids, prop::option::of(any::<u32>()), facts).prop_map(|(ids, sequence, derived_from)| {
        let mut ids = ids.into_iter();
        let mut next = || ids.next().flatten();
        Provenance {
            run: next(),
            step: next(),
            tool_call: next(),
            message: next(),
            channel: next(),
            speaker: next(),
            thread: next(),
            sequence,
            agent: next(),
            runtime_profile: next(),
            backend: next(),
            provider: next(),
            model: next(),
            prompt_version: next(),
            derived_from,
        }
    })
}

fn any_fact() -> impl Strategy<Value = FactId> {
    any::<u128>().prop_map(|number| FactId::new(Uuid::from_u128(number)))
}

fn any_retention() -> impl Strategy<Value = Option<Retention>> {
    (prop::option::of(any::<u32>()), prop::option::of(any_time())).prop_map(|(keep_days, keep_until)| {
        let kept = Retention { keep_days, keep_until, unless_verified: false };
        (kept != Retention::default()).then_some(kept)
    })
}

type Said = (Option<Value>, Option<Vec<String>>, Option<Confidence>, Option<Trust>, Vec<Evidence>);

fn any_said() -> impl Strategy<Value = Said> {
    let confidence = (0_u32..=1_000_000).prop_map(|n| Confidence::parse(&format!("{n}e-6")).unwrap());
    (
        prop::option::of(any_json()),
        prop::option::of(prop::collection::vec("[a-z]{0,4}", 0..3)),
        prop::option::of(confidence),
        prop::option::of(prop_oneof![Just(Trust::Asserted), Just(Trust::Unverified), Just(Trust::Verified)]),
        prop::collection::vec(any_evidence(), 0..3),
    )
}

fn any_draft() -> impl Strategy<Value = Draft> {
    let text = || prop::option::of("[a-z.]{0,6}");
    let time = || prop::option::of(any_time());
    let subject = (any_id(), any_id()).prop_map(|(kind, id)| Subject { kind, id });
    let subjects = prop::option::of(prop::collection::vec(subject, 0..3));
    let target =
        (prop::option::of(any_fact()), prop::option::of(any::<u32>()), prop::option::of(any_scope()));
    let kept = (any_retention(), any::<bool>(), subjects, any_provenance());
    (target, (text(), text(), text()), any_said(), kept, (time(), time(), time())).prop_map(
        |(target, (kind, key, reason), said, (retention, legal_hold, subjects, provenance), times)| Draft {
            fact: target.0,
            expect_version: target.1,
            kind,
            scope: target.2,
            key,
            content: said.0,
            tags: said.1,
            confidence: said.2,
            trust: said.3,
            evidence: said.4,
            retention,
            legal_hold,
            subjects,
            valid_from: times.0,
            valid_until: times.1,
            observed_at: times.2,
            reason,
            provenance,
        },
    )
}

proptest! {
    #[test]
    fn the_json_form_is_read_back_as_the_same_draft(draft in any_draft()) {
        let json = draft.to_json();
        prop_assert_eq!(Draft::from_json(json.clone(), &id("elsewhere")), Ok(draft));
        let Value::Object(members) = json else { unreachable!() };
        prop_assert!(members.keys().all(|name| FIELDS.contains(&name.as_str())));
    }

    #[test]
    fn no_json_makes_a_draft_panic(value in any_json(), field in 0..FIELDS.len()) {
        if let Ok(draft) = Draft::from_json(draft_json(json!({FIELDS[field]: value})), &id("local")) {
            let checked = Proposal::parse(draft, &id("local"), now());
            prop_assert!(checked.is_ok() || checked.is_err_and(|bad| !bad.field.is_empty()));
        }
    }
}

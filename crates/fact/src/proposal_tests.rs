//! Every limit of a proposal, on both sides (behaviours 22 to 28 and 110 to 112).

use serde_json::{Value, json};

use crate::samples::{draft_json, id, now, proposed, refused_field};
use crate::{Draft, Proposal, Target};
use crate::{Scope, limits};

#[track_caller]
fn check(fields: Value, refused: Option<&str>) {
    let shown = fields.to_string();
    let result = proposed(draft_json(fields));
    let field = result.as_ref().err().map(|bad| bad.field.as_ref());
    assert_eq!(field, refused, "{shown}");
}

/// Takes `most` of a thing, and refuses one more by its field.
#[track_caller]
fn check_limit(most: usize, field: &str, fields: impl Fn(usize) -> Value) {
    check(fields(most), None);
    check(fields(most + 1), Some(field));
}

#[test]
fn a_small_draft_is_a_proposal() {
    let proposal = proposed(draft_json(json!({}))).unwrap();
    assert_eq!(proposal.confidence, crate::Confidence::FULL);
    assert!(proposal.tags.is_none() && proposal.trust.is_none() && proposal.key.is_none());
    let Target::Place { scope, .. } = proposal.target else { panic!("it has no fact id") };
    assert_eq!(scope, Scope::tenant(id("local")));
}

#[test]
fn lists_are_held_to_their_limits() {
    let many = |count: usize, entry: fn(usize) -> Value| (0..count).map(entry).collect::<Value>();
    check_limit(limits::TAGS_MAX, "tags", |count| json!({"tags": many(count, |n| json!(n.to_string()))}));
    check_limit(
        limits::SUBJECTS_MAX,
        "subjects",
        |count| json!({"subjects": many(count, |n| json!({"kind": "user", "id": n.to_string()}))}),
    );
    check_limit(
        limits::EVIDENCE_MAX,
        "evidence",
        |count| json!({"evidence": many(count, |n| json!({"kind": "run", "id": n.to_string()}))}),
    );
    check_limit(
        limits::DERIVED_FROM_MAX,
        "generatedBy.derivedFrom",
        |count| json!({"generatedBy": {"derivedFrom": many(count, |_| json!("01981f6e-6a1c-7c3e-8f0a-0123456789ab"))}}),
    );
}

#[test]
fn texts_are_held_to_their_limits() {
    let evidence = |part: Value| {
        let mut evidence = json!({"kind": "message", "id": "m1"});
        evidence.as_object_mut().unwrap().extend(part.as_object().unwrap().clone());
        json!({"evidence": [evidence]})
    };
    let letters = |count: usize| json!("é".repeat(count));
    check_limit(limits::KEY_CHARS_MAX, "key", |count| json!({"key": letters(count)}));
    check_limit(limits::TAG_CHARS_MAX, "tags", |count| json!({"tags": ["a", letters(count)]}));
    check_limit(limits::REASON_CHARS_MAX, "reason", |count| json!({"reason": letters(count)}));
    check_limit(limits::TYPE_CHARS_MAX, "type", |count| json!({"type": letters(count)}));
    check_limit(limits::CONTENT_CHARS_MAX, "content", |count| json!({"content": letters(count)}));
    check_limit(limits::QUOTE_CHARS_MAX, "evidence.quote", |count| {
        evidence(json!({"quote": letters(count)}))
    });
    check_limit(limits::ID_CHARS_MAX, "evidence.id", |count| evidence(json!({"id": letters(count)})));
}

/// Every field of a draft that holds an id or a text, with `text` in it.
fn with_text(text: &str) -> Vec<(&'static str, Value)> {
    let scope = |part: &str| json!({"scope": {"projectId": "p", part: text}});
    let provenance = |part: &str| json!({"generatedBy": {part: text}});
    vec![
        ("type", json!({"type": text})),
        ("key", json!({"key": text})),
        ("tags", json!({"tags": ["a", text]})),
        ("reason", json!({"reason": text})),
        ("content", json!({"content": {"text": text}})),
        ("content", json!({"content": text})),
        ("subjects.kind", json!({"subjects": [{"kind": text, "id": "x"}]})),
        ("subjects.id", json!({"subjects": [{"kind": "user", "id": "x"}, {"kind": "user", "id": text}]})),
        ("evidence.id", json!({"evidence": [{"kind": "run", "id": text}]})),
        ("scope.tenantId", scope("tenantId")),
        ("scope.orgId", scope("orgId")),
        ("scope.projectId", scope("projectId")),
        ("scope.userId", scope("userId")),
        ("scope.participantId", scope("participantId")),
        ("scope.threadId", scope("threadId")),
        ("scope.sessionId", scope("sessionId")),
        ("generatedBy.runId", provenance("runId")),
        ("generatedBy.stepId", provenance("stepId")),
        ("generatedBy.toolCallId", provenance("toolCallId")),
        ("generatedBy.messageId", provenance("messageId")),
        ("generatedBy.channel", provenance("channel")),
        ("generatedBy.speaker", provenance("speaker")),
        ("generatedBy.threadId", provenance("threadId")),
        ("generatedBy.agentId", provenance("agentId")),
        ("generatedBy.runtimeProfile", provenance("runtimeProfile")),
        ("generatedBy.backend", provenance("backend")),
        ("generatedBy.provider", provenance("provider")),
        ("generatedBy.model", provenance("model")),
        ("generatedBy.promptVersion", provenance("promptVersion")),
    ]
}

#[test]
fn nul_and_blank_are_refused_in_every_field() {
    for bad in ["a\u{0}b", "\u{0}", "", "   ", "\u{200b}", "\n\t"] {
        for (field, fields) in with_text(bad) {
            check(fields, Some(field));
        }
    }
    check(json!({"evidence": [{"kind": "run", "id": "r", "quote": "a\u{0}b"}]}), Some("evidence.quote"));
}

#[test]
fn every_id_is_held_to_its_limit() {
    for (field, fields) in with_text(&"i".repeat(limits::ID_CHARS_MAX + 1)) {
        if field.contains('.') {
            check(fields, Some(field));
        }
    }
}

#[test]
fn tags_keep_their_order_and_come_once() {
    let proposal = proposed(draft_json(json!({"tags": ["b", "a", "b", "A"]}))).unwrap();
    let tags: Vec<_> = proposal.tags.unwrap().iter().map(|tag| tag.as_str().to_owned()).collect();
    assert_eq!(tags, ["b", "a", "A"]);
}

#[test]
fn evidence_is_of_four_kinds_and_its_digest_64_digits() {
    let of = |kind: &str, digest: Value| json!({"evidence": [{"kind": kind, "id": "x", "digest": digest}]});
    for kind in ["message", "run", "operator", "legacy"] {
        check(of(kind, json!(null)), None);
        check(of(kind, json!("0aF9".repeat(16))), None);
    }
    check(of("rumour", json!(null)), Some("evidence"));
    for digest in ["", "0", &"0".repeat(63), &"0".repeat(65), &"g".repeat(64), &"é".repeat(32)] {
        check(of("run", json!(digest)), Some("evidence.digest"));
    }
    check(of("run", json!(64)), Some("evidence"));
}

#[test]
fn a_period_ends_after_it_begins() {
    let (before, at, after) =
        ("2026-11-01T09:59:59.999Z", "2026-11-01T10:00:00Z", "2026-11-01T10:00:00.001Z");
    for (from, until, refused) in [
        (None, None, false),
        (Some(before), None, false),
        (Some(after), None, false),
        (None, Some(after), false),
        (None, Some(at), true),
        (None, Some(before), true),
        (Some(at), Some(after), false),
        (Some(before), Some(at), false),
        (Some(at), Some(at), true),
        (Some(after), Some(at), true),
    ] {
        check(json!({"validFrom": from, "validUntil": until}), refused.then_some("validUntil"));
    }
}

#[test]
fn times_without_a_zone_are_refused_by_their_field() {
    for field in ["validFrom", "validUntil", "observedAt"] {
        for bad in
            [json!("2026-12-01T10:00:00"), json!("tomorrow"), json!(""), json!(1_700_000_000), json!({})]
        {
            check(json!({field: bad}), Some(field));
        }
        check(json!({field: "2026-12-01T12:00:00+02:00"}), None);
    }
    check(json!({"retention": {"keepUntil": "2026-12-01T10:00:00"}}), Some("retention.keepUntil"));
}

#[test]
fn retention_is_held_to_its_limits() {
    let days = |days: Value| json!({"retention": {"keepDays": days}});
    for good in [limits::KEEP_DAYS_MIN, 30, limits::KEEP_DAYS_MAX] {
        check(days(json!(good)), None);
    }
    for bad in [
        json!(0),
        json!(-1),
        json!(limits::KEEP_DAYS_MAX + 1),
        json!(1.5),
        json!("30"),
        json!(5_000_000_000_u64),
    ] {
        check(days(bad), Some("retention.keepDays"));
    }
    for (until, refused) in [("2026-11-01T10:00:00.001Z", false), ("2026-11-01T10:00:00Z", true)] {
        check(json!({"retention": {"keepUntil": until}}), refused.then_some("retention.keepUntil"));
    }
    check(json!({"retention": {"legalHold": "yes"}}), Some("retention.legalHold"));
    check(json!({"retention": {"keepWeeks": 1}}), Some("retention"));
}

#[test]
fn only_a_person_verifies() {
    for (trust, refused) in
        [("asserted", None), ("unverified", None), ("verified", Some("trust")), ("full", Some("trust"))]
    {
        check(json!({"trust": trust}), refused);
    }
}

#[test]
fn a_version_that_is_expected_is_a_whole_number_from_1() {
    check(json!({"expectVersion": 1}), None);
    for bad in [json!(0), json!(-1), json!(1.5), json!("1"), json!(4_294_967_296_u64), json!([])] {
        check(json!({"expectVersion": bad}), Some("expectVersion"));
    }
}

#[test]
fn a_confidence_is_a_number_from_0_to_1() {
    for good in [json!(0), json!(1), json!(0.5)] {
        check(json!({"confidence": good}), None);
    }
    for bad in [json!(1.1), json!(-0.1), json!(2), json!("0.9"), json!([])] {
        check(json!({"confidence": bad}), Some("confidence"));
    }
}

#[test]
fn a_scope_names_its_own_tenant_and_the_project_of_a_participant() {
    check(json!({"scope": {}}), None);
    check(json!({"scope": {"tenantId": "local", "userId": "u"}}), None);
    check(json!({"scope": {"projectId": "p", "participantId": "x"}}), None);
    check(json!({"scope": {"tenantId": "other"}}), Some("scope.tenantId"));
    check(json!({"scope": {"tenantId": "Local"}}), Some("scope.tenantId"));
    check(json!({"scope": {"participantId": "x"}}), Some("scope.participantId"));
    check(json!({"scope": {"teamId": "t"}}), Some("scope"));
    check(json!({"scope": "tenant"}), Some("scope"));
}

#[test]
fn a_subject_has_a_kind_and_an_id_and_nothing_else() {
    check(json!({"subjects": []}), None);
    check(json!({"subjects": [{"kind": "user", "id": "u", "name": "Ann"}]}), Some("subjects"));
    check(json!({"subjects": [{"kind": "user"}]}), Some("subjects"));
    check(json!({"subjects": ["user"]}), Some("subjects"));
}

#[test]
fn a_fact_that_is_changed_keeps_its_type_scope_and_key() {
    let fact = json!({"fact": "01981f6e-6a1c-7c3e-8f0a-0123456789ab", "content": "tea"});
    let aimed = |field: &str, value: Value| {
        let mut draft = fact.clone();
        draft[field] = value;
        proposed(draft)
    };
    assert!(matches!(proposed(fact.clone()).unwrap().target, Target::Fact(_)));
    assert_eq!(refused_field(aimed("type", json!("acme.preference"))), "type");
    assert_eq!(refused_field(aimed("scope", json!({}))), "scope");
    assert_eq!(refused_field(aimed("key", json!("drink"))), "key");
    assert_eq!(refused_field(aimed("fact", json!("1"))), "fact");
}

#[test]
fn a_new_fact_needs_a_type_and_any_fact_a_content() {
    assert_eq!(refused_field(proposed(json!({"content": "tea"}))), "type");
    assert_eq!(refused_field(proposed(json!({"type": "t"}))), "content");
    assert!(proposed(json!({"type": "t", "content": null})).is_ok());
    let empty = Draft::default();
    assert_eq!(refused_field(Proposal::parse(empty, &id("local"), now())), "content");
}

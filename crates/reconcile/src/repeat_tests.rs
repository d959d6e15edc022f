//! What says nothing new: equal content, validity, tags, subjects, trust and retention; new evidence is added.

use fact::limits::EVIDENCE_MAX;
use fact::{Happening, Outcome};
use serde_json::{Value, json};

use crate::samples::{DAY, SECOND, Story, after, answer, by_id, evidence_ids, in_slot, keyless, runs, told};

const ANN: &str = "user:ann";
const HELPER: &str = "agent:helper";

fn story() -> Story {
    let fields = json!({
        "tags": ["a", "b"],
        "subjects": [{"kind": "user", "id": "ann"}],
        "validFrom": after(-DAY).exact(),
        "validUntil": after(30 * DAY).exact(),
        "retention": {"keepDays": 90},
        "evidence": runs(&["r1"]),
        "confidence": 0.8,
    });
    Story::of(ANN, in_slot("tea", fields)).later(SECOND)
}

#[test]
fn what_is_equal_or_left_out_changes_nothing() {
    for fields in [
        json!({}),
        json!({"tags": ["b", "a"]}),
        json!({"tags": ["a", "b", "a"]}),
        json!({"subjects": [{"kind": "user", "id": "ann"}]}),
        json!({"validFrom": after(-DAY).exact()}),
        json!({"validUntil": after(30 * DAY).exact()}),
        json!({"retention": {"keepDays": 90}}),
        json!({"trust": "asserted"}),
        json!({"confidence": 0.1}),
        json!({"reason": "again"}),
        json!({"expectVersion": 1}),
        json!({"evidence": runs(&["r1"])}),
        json!({"generatedBy": {"runId": "r2"}}),
    ] {
        for by in [ANN, HELPER, "migration:import", "service:cron"] {
            let mut told_by = story();
            let decision = told_by.say(by, by_id("tea", fields.clone())).unwrap();
            assert_eq!(decision.outcome, Outcome::Unchanged, "{by} {fields}");
            assert!(decision.change.events.is_empty(), "{by} {fields}");
            assert_eq!(decision.change.grounds.len(), 1);
        }
    }
}

#[test]
fn what_differs_is_new() {
    for fields in [
        json!({"content": {"text": "Tea"}}),
        json!({"content": {"text": "tea "}}),
        json!({"content": "tea"}),
        json!({"tags": []}),
        json!({"tags": ["a"]}),
        json!({"tags": ["a", "b", "c"]}),
        json!({"tags": ["A", "b"]}),
        json!({"subjects": []}),
        json!({"validFrom": after(-2 * DAY).exact()}),
        json!({"validFrom": after(0).exact()}),
        json!({"validUntil": after(31 * DAY).exact()}),
        json!({"retention": {"keepDays": 91}}),
        json!({"retention": {"keepUntil": after(DAY).exact()}}),
        json!({"trust": "unverified"}),
    ] {
        assert_eq!(answer(&story(), ANN, by_id("tea", fields.clone())), "superseded 2", "{fields}");
    }
}

#[test]
fn contents_are_compared_in_canonical_form() {
    let read = |text: &str| -> Value { serde_json::from_str(text).unwrap() };
    for (stood, said, is_told) in [
        (r#"{"n":1,"m":2}"#, r#"{"m":2,"n":1}"#, "unchanged 1"),
        (r#"{"n":1}"#, r#"{"n":1.0}"#, "unchanged 1"),
        (r#"{"n":0}"#, r#"{"n":-0.0}"#, "unchanged 1"),
        (r#"null"#, r#"null"#, "unchanged 1"),
        (r#"{"x":null}"#, r#"{"x":{}}"#, "superseded 2"),
        (r#"{"n":1}"#, r#"{"n":"1"}"#, "superseded 2"),
        (r#""cafe\u0301""#, r#""caf\u00e9""#, "superseded 2"),
    ] {
        let story = Story::of(ANN, json!({"type": "t", "key": "k", "content": read(stood)}));
        let draft = json!({"type": "t", "key": "k", "content": read(said)});
        assert_eq!(answer(&story.later(SECOND), ANN, draft), is_told, "{stood} {said}");
    }
}

#[test]
fn a_statement_without_a_key_is_the_same_however_it_was_spaced() {
    let story = Story::of(ANN, keyless("tea, not caf\u{e9}", json!({}))).later(SECOND);
    for (text, is_told) in [
        ("tea, not caf\u{e9}", "unchanged 1"),
        ("tea,  not\n cafe\u{301} ", "unchanged 1"),
        ("Tea, not caf\u{e9}", "superseded 2"),
    ] {
        assert_eq!(answer(&story, ANN, keyless(text, json!({}))), is_told, "{text}");
    }
    let spaced = by_id("tea,  not caf\u{e9}", json!({}));
    assert_eq!(answer(&story, ANN, spaced), "superseded 2", "who names the fact may change its spaces");
    let tagged = keyless("tea, not caf\u{e9}", json!({"tags": ["x"]}));
    assert_eq!(answer(&story, ANN, tagged), "superseded 2");
}

#[test]
fn a_statement_that_is_to_follow_does_not_replace_what_stands() {
    let mut story = Story::of(ANN, keyless("tea", json!({})));
    story.say(ANN, by_id("coffee", json!({"validFrom": after(DAY).exact()}))).unwrap();
    assert_eq!(answer(&story, ANN, keyless("coffee", json!({}))), "unchanged 2");
    assert_eq!(answer(&story, ANN, keyless("tea", json!({}))), "unchanged 1");
    assert_eq!(answer(&story, ANN, by_id("coffee", json!({}))), "superseded 3");
    assert_eq!(answer(&story.later(DAY), ANN, keyless("coffee", json!({}))), "unchanged 2");
}

#[test]
fn new_evidence_is_added_whatever_it_quotes() {
    let mut story = story();
    let given = json!([
        {"kind": "run", "id": "r1", "quote": "other words"},
        {"kind": "message", "id": "r1"},
        {"kind": "run", "id": "r2"},
        {"kind": "run", "id": "r2", "quote": "twice"},
    ]);
    let decision =
        story.say(HELPER, by_id("tea", json!({"evidence": given, "reason": "seen again"}))).unwrap();
    assert_eq!(told(&Ok(decision.clone())), "evidence-added 1");
    assert_eq!(evidence_ids(story.revision(1)), ["r1", "r1", "r2"]);
    let words = &decision.change.events[0].words;
    assert!(words.content.is_none() && words.key.is_none() && words.reason.is_some());
    assert_eq!(answer(&story, HELPER, by_id("tea", json!({"evidence": given}))), "unchanged 1");
    assert_eq!(story.settled(), Some(1));
}

#[test]
fn evidence_is_added_up_to_its_limit() {
    let ids: Vec<String> = (0..EVIDENCE_MAX - 1).map(|number| format!("old{number}")).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let mut story = Story::of(ANN, in_slot("tea", json!({"evidence": runs(&ids)}))).later(SECOND);
    let more = || by_id("tea", json!({"evidence": runs(&["new1", "new2"])}));
    let decision = story.say(HELPER, more()).unwrap();
    assert_eq!(decision.change.events[0].words.evidence.len(), 1);
    assert_eq!(story.revision(1).evidence().count(), EVIDENCE_MAX);
    assert_eq!(answer(&story, HELPER, more()), "unchanged 1");
    let verified = story.act(ANN, |case, moment| crate::verify(case.unwrap(), None, moment)).unwrap();
    assert_eq!(verified.change.events[0].words.evidence.len(), EVIDENCE_MAX);
}

#[test]
fn saying_it_again_never_writes_a_revision() {
    let mut story = story();
    for round in 0..5 {
        let ids = [format!("run{round}")];
        let evidence = runs(&[ids[0].as_str()]);
        let decision = story.say(HELPER, by_id("tea", json!({"evidence": evidence}))).unwrap();
        let is_evidence = |event: &fact::NewEvent| matches!(event.happening, Happening::EvidenceAdded { .. });
        assert!(decision.change.events.iter().all(is_evidence));
    }
    assert_eq!(story.revisions.len(), 1);
}

//! What a new revision keeps of the one before, and what it does not.

use fact::{Retention, Saying, Words};
use serde_json::{Value, json};

use crate::samples::{DAY, SECOND, Story, after, answer, by_id, in_slot, runs};

const ANN: &str = "user:ann";
const HELPER: &str = "agent:helper";

fn story() -> Story {
    let fields = json!({
        "tags": ["a"], "confidence": 0.4, "reason": "first time", "evidence": runs(&["r1"]),
        "subjects": [{"kind": "user", "id": "ann"}], "observedAt": "2026-10-01T00:00:00Z",
        "validFrom": after(-DAY).exact(), "validUntil": after(9 * DAY).exact(), "retention": {"keepDays": 30},
        "generatedBy": {"runId": "r1"},
    });
    Story::of(ANN, in_slot("tea", fields)).later(SECOND)
}

/// What comes of saying `fields` by id to `story`.
fn next(story: &Story, by: &str, fields: Value) -> (Saying, Words) {
    let mut story = story.clone();
    let decision = story.say(by, by_id("coffee", fields)).unwrap();
    let revision = story.revision(decision.revision.get());
    (revision.saying.clone(), revision.words.clone().unwrap())
}

fn tags(words: &Words) -> Vec<&str> {
    words.tags.iter().map(fact::Text::as_str).collect()
}

#[test]
fn what_is_left_out_is_kept() {
    let (saying, words) = next(&story(), ANN, json!({}));
    assert_eq!(tags(&words), ["a"]);
    assert_eq!(words.key.unwrap().as_str(), "drink");
    assert_eq!(saying.subjects.len(), 1);
    assert_eq!(saying.retention.keep_days, Some(30));
    assert_eq!(saying.valid_until, Some(after(9 * DAY)));
}

#[test]
fn what_belongs_to_the_saying_itself_is_not_kept() {
    let (saying, words) = next(&story(), ANN, json!({}));
    assert_eq!((saying.valid_from, saying.observed_at), (None, None));
    assert_eq!(saying.confidence, fact::Confidence::FULL);
    assert_eq!(saying.provenance, fact::Provenance::default());
    assert!(words.reason.is_none() && words.evidence.is_empty());
    let (by_agent, _) = next(&story(), HELPER, json!({"evidence": runs(&["r2"])}));
    assert_eq!(by_agent.trust, fact::Trust::Unverified);
}

#[test]
fn what_is_given_takes_the_place_of_what_was() {
    let fields =
        json!({"tags": [], "subjects": [], "retention": {"keepDays": 60}, "validUntil": after(DAY).exact()});
    let (saying, words) = next(&story(), ANN, fields);
    assert!(words.tags.is_empty() && saying.subjects.is_empty());
    assert_eq!(saying.retention.keep_days, Some(60));
    assert_eq!(saying.valid_until, Some(after(DAY)));
}

#[test]
fn an_end_is_kept_only_where_it_is_later_than_the_start() {
    for (from, kept) in
        [(after(8 * DAY), Some(after(9 * DAY))), (after(9 * DAY), None), (after(10 * DAY), None)]
    {
        let (saying, _) = next(&story(), ANN, json!({"validFrom": from.exact()}));
        assert_eq!(saying.valid_until, kept, "{from}");
    }
    let (lapsed, _) = next(&story().later(9 * DAY), ANN, json!({}));
    assert_eq!(lapsed.valid_until, None);
}

#[test]
fn a_retention_is_kept_only_while_it_runs() {
    for (days, kept) in [(29, Some(30)), (30, None), (300, None)] {
        let mut story = story();
        story.now = days * DAY;
        let (saying, _) = next(&story, ANN, json!({}));
        assert_eq!(saying.retention.keep_days, kept, "{days}");
    }
    let mut over = story();
    over.now = 30 * DAY;
    let (from_before, _) = next(&over, ANN, json!({"validFrom": after(5 * DAY).exact()}));
    assert_eq!(from_before.retention.keep_days, None, "it would be over now");
    let (to_come, _) = next(&story(), ANN, json!({"validFrom": after(40 * DAY).exact()}));
    assert_eq!(to_come.retention, Retention::default());
}

#[test]
fn a_retention_that_would_be_over_at_once_is_refused() {
    let refused = "retention: would be over before it begins; days count from the first write of the fact";
    for (days, fields, is_told) in [
        (10, json!({"retention": {"keepDays": 11}}), "superseded 2"),
        (10, json!({"retention": {"keepDays": 10}}), refused),
        (10, json!({"retention": {"keepDays": 1}}), refused),
        (10, json!({"retention": {"keepDays": 5}, "validFrom": after(2 * DAY).exact()}), refused),
        (0, json!({"retention": {"keepDays": 5}, "validFrom": after(5 * DAY).exact()}), refused),
        (0, json!({"retention": {"keepDays": 5}, "validFrom": after(5 * DAY - 1).exact()}), "superseded 2"),
        (
            0,
            json!({"retention": {"keepUntil": after(DAY).exact()}, "validFrom": after(DAY).exact()}),
            refused,
        ),
    ] {
        let mut story = story();
        story.now = days * DAY + SECOND;
        assert_eq!(answer(&story, ANN, by_id("coffee", fields.clone())), is_told, "{fields}");
    }
    let born_over = in_slot("tea", json!({"retention": {"keepDays": 1}, "validFrom": after(DAY).exact()}));
    assert_eq!(answer(&Story::new(), ANN, born_over), refused);
}

#[test]
fn sides_and_history_keep_what_stood_too() {
    let doubted = json!({"confidence": 0.1});
    let mut contested = story();
    contested.say(HELPER, by_id("milk", json!({"confidence": 0.1, "tags": ["z"]}))).unwrap();
    for (story, fields) in [
        (&story(), doubted.clone()),
        (&contested, doubted),
        (&story(), json!({"observedAt": "2020-01-01T00:00:00Z"})),
    ] {
        let (saying, words) = next(story, HELPER, fields);
        assert_eq!(tags(&words), ["a"]);
        assert!(words.key.is_some());
        assert_eq!(saying.retention.keep_days, Some(30));
    }
}

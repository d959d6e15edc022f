//! Conflicts: what opens one, who joins, and that nothing a machine does settles one.

use fact::limits::CONFLICT_SIDES_MAX;
use fact::{Outcome, RevisionNumber, Truth};
use serde_json::json;

use crate::Refusal;
use crate::samples::{
    DAY, SECOND, Story, after, answer, by_id, evidence_ids, in_slot, keyless, number, runs, told,
};

const ANN: &str = "user:ann";
const HELPER: &str = "agent:helper";

fn contested() -> Story {
    let mut story = Story::of(ANN, in_slot("tea", json!({"tags": ["a"]}))).later(SECOND);
    story.say(HELPER, by_id("coffee", json!({"confidence": 0.7}))).unwrap();
    story.later(SECOND)
}

fn sides(story: &Story) -> Vec<u32> {
    match &story.head.as_ref().unwrap().truth {
        Truth::Contested(contest) => contest.sides.iter().map(|side: &RevisionNumber| side.get()).collect(),
        Truth::Settled(_) | Truth::Ended(_) => Vec::new(),
    }
}

#[test]
fn neither_side_is_settled() {
    let story = contested();
    assert_eq!((story.truth(), story.settled(), sides(&story)), ("contested", None, vec![1, 2]));
}

#[test]
fn whoever_says_more_joins() {
    for by in [ANN, "operator:root", HELPER, "agent:other", "migration:import", "service:cron"] {
        let mut story = contested();
        let decision = story.say(by, by_id("milk", json!({"evidence": runs(&["r1"])}))).unwrap();
        let Truth::Contested(contest) = &story.head.as_ref().unwrap().truth else {
            panic!("it is contested")
        };
        let joined = Outcome::ConflictJoined { conflict: contest.conflict };
        assert_eq!((decision.outcome, decision.revision), (joined, number(3)), "{by}");
        assert_eq!(sides(&story), [1, 2, 3], "{by}");
    }
}

#[test]
fn what_one_side_says_already_is_evidence_for_it() {
    let mut story = contested();
    for (text, ids, is_told, events) in [
        ("tea", vec!["r1"], "conflict-joined 1", 1),
        ("tea", vec!["r1"], "conflict-joined 1", 0),
        ("coffee", vec!["r1", "r2"], "conflict-joined 2", 1),
        ("coffee", vec![], "conflict-joined 2", 0),
    ] {
        let decision = story.say(ANN, by_id(text, json!({"evidence": runs(&ids), "tags": ["z"]}))).unwrap();
        assert_eq!(decision.change.events.len(), events, "{text}");
        assert_eq!(told(&Ok(decision)), is_told);
    }
    assert_eq!(sides(&story), [1, 2]);
    assert_eq!(evidence_ids(story.revision(1)), ["r1"]);
    assert_eq!(evidence_ids(story.revision(2)), ["r1", "r2"]);
}

#[test]
fn a_conflict_is_full_at_its_limit_but_takes_evidence() {
    let mut story = contested();
    for side in 3..=CONFLICT_SIDES_MAX {
        story.say(HELPER, by_id(&format!("side {side}"), json!({}))).unwrap();
    }
    assert_eq!(sides(&story).len(), CONFLICT_SIDES_MAX);
    for by in [ANN, HELPER] {
        let refused = story.clone().say(by, by_id("one more", json!({})));
        assert_eq!(refused, Err(Refusal::ConflictFull));
        let evidence = json!({"evidence": runs(&["r1"])});
        assert_eq!(answer(&story, by, by_id("side 33", evidence)), "conflict-joined 33");
    }
}

#[test]
fn a_revision_that_is_expected_of_a_contested_fact_changed() {
    for expected in [1, 2, 3] {
        for text in ["tea", "milk"] {
            let draft = by_id(text, json!({"expectVersion": expected}));
            assert_eq!(answer(&contested(), ANN, draft), "changed, current none");
        }
    }
}

#[test]
fn what_was_observed_earlier_still_joins() {
    let old = json!({"observedAt": "2020-01-01T00:00:00Z"});
    assert_eq!(answer(&contested(), HELPER, by_id("milk", old)), "conflict-joined 3");
}

#[test]
fn a_key_under_doubt_gathers_its_candidates_in_one_conflict() {
    let mut story = Story::new();
    for (text, is_told) in [("v1", "created 1"), ("v2", "conflict-opened 2"), ("v3", "conflict-joined 3")] {
        let draft = in_slot(text, json!({"confidence": 0.7, "evidence": runs(&["r1"])}));
        assert_eq!(told(&story.say(HELPER, draft)), is_told);
        story.now += 60 * SECOND;
    }
    assert_eq!((sides(&story), story.settled()), (vec![1, 2, 3], None));
}

#[test]
fn a_contradiction_leaves_both_or_the_new_one() {
    for (confidence, truth, settled) in [(0.9, "settled", Some(2)), (0.89, "contested", None)] {
        let mut story = Story::of(HELPER, in_slot("Loves Chinese food", json!({}))).later(SECOND);
        let fields = json!({"confidence": confidence, "evidence": runs(&["r1"])});
        story.say(HELPER, in_slot("Hates Chinese food", fields)).unwrap();
        assert_eq!((story.truth(), story.settled(), story.revisions.len()), (truth, settled, 2));
    }
}

#[test]
fn a_negation_is_no_repetition() {
    let story = Story::of(ANN, in_slot("Production deployment is allowed", json!({}))).later(SECOND);
    let no = "Production deployment is not allowed";
    assert_eq!(answer(&story, ANN, in_slot(no, json!({}))), "superseded 2");
    assert_eq!(answer(&story, HELPER, by_id(no, json!({}))), "conflict-opened 2");
}

#[test]
fn a_statement_without_a_key_joins_the_conflict_of_its_fact() {
    let mut story = Story::of(ANN, keyless("likes tea", json!({}))).later(SECOND);
    story.say(HELPER, by_id("likes coffee", json!({}))).unwrap();
    assert_eq!(answer(&story, HELPER, keyless("likes  tea", json!({}))), "conflict-joined 1");
}

#[test]
fn what_is_to_come_is_a_side_and_what_the_clock_replaced_is_none() {
    let start = after(DAY).exact();
    let mut story = Story::of(ANN, in_slot("tea", json!({})));
    story.say(ANN, by_id("milk", json!({"validFrom": start}))).unwrap();
    for (micros, expected) in [(SECOND, vec![1, 2, 3]), (DAY, vec![2, 3])] {
        let mut story = story.later(micros);
        story.say(HELPER, by_id("coffee", json!({}))).unwrap();
        assert_eq!(sides(&story), expected);
    }
}

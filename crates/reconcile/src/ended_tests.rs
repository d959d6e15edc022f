//! What ended: said again by whom, and brought back by whom.

use fact::{Outcome, Saying};
use serde_json::json;

use crate::samples::{DAY, SECOND, Story, after, answer, by_id, in_slot, keyless, runs, told};
use crate::{Refusal, restore, retract};

const ANN: &str = "user:ann";
const HELPER: &str = "agent:helper";

fn forgotten_by(by: &str) -> Story {
    let mut story = Story::of(ANN, in_slot("tea", json!({"tags": ["a"]}))).later(SECOND);
    story.act(by, |case, moment| retract(case.unwrap(), None, None, moment)).unwrap();
    story.later(SECOND)
}

fn erased() -> Story {
    let mut story = Story::of(ANN, in_slot("tea", json!({"tags": ["a"]}))).later(SECOND);
    story.erase(&[1]);
    story.later(SECOND)
}

#[test]
fn who_says_again_what_ended() {
    let gone = "nothing of the fact is current";
    // who forgot it, who says it again, in its slot, by its id
    for (forgotten, by, in_its_slot, by_its_id) in [
        (ANN, ANN, "restored 2", gone),
        (ANN, "operator:root", "restored 2", gone),
        (ANN, HELPER, "held-back 1", "held-back 1"),
        (ANN, "migration:import", "held-back 1", "held-back 1"),
        (ANN, "service:cron", "held-back 1", "held-back 1"),
        (HELPER, ANN, "restored 2", gone),
        (HELPER, HELPER, "restored 2", "restored 2"),
        (HELPER, "agent:other", "restored 2", "restored 2"),
        (HELPER, "service:cron", "restored 2", "restored 2"),
    ] {
        let story = forgotten_by(forgotten);
        for text in ["tea", "coffee"] {
            let said = answer(&story, by, in_slot(text, json!({"confidence": 0.2})));
            assert_eq!(said, in_its_slot, "{forgotten} {by} {text}");
            assert_eq!(answer(&story, by, by_id(text, json!({}))), by_its_id, "{forgotten} {by} {text}");
        }
    }
}

#[test]
fn what_is_held_back_keeps_its_words_and_changes_nothing() {
    let mut story = forgotten_by(ANN);
    let before = story.head.clone().unwrap();
    let decision = story.say(HELPER, in_slot("tea", json!({"reason": "heard it"}))).unwrap();
    let [event] = decision.change.events.as_slice() else { panic!("one event") };
    assert!(matches!(decision.outcome, Outcome::HeldBack { .. }));
    assert!(event.words.content.is_some() && event.words.key.is_some() && event.words.reason.is_some());
    assert_eq!(event.happening.name(), "heldBack");
    let after = story.head.unwrap();
    assert_eq!((after.truth, after.latest), (before.truth, before.latest));
}

#[test]
fn what_is_expected_of_an_ended_fact_changed() {
    for (by, story) in [(ANN, forgotten_by(ANN)), (HELPER, forgotten_by(ANN)), (ANN, erased())] {
        for draft in [in_slot("tea", json!({"expectVersion": 1})), by_id("tea", json!({"expectVersion": 1}))]
        {
            assert_eq!(answer(&story, by, draft), "changed, current none", "{by}");
        }
    }
}

#[test]
fn what_was_erased_is_unknown() {
    for by in [ANN, HELPER, "migration:import"] {
        assert_eq!(answer(&erased(), by, by_id("tea", json!({}))), "nothing of the fact is current");
        let mut story = erased();
        assert_eq!(told(&story.say(by, in_slot("tea", json!({})))), "created 2", "{by}");
        assert_eq!(story.settled(), Some(2));
        let words = story.revision(2).words.clone().unwrap();
        assert!(words.tags.is_empty() && words.key.is_some());
    }
}

#[test]
fn what_is_erased_where_it_stands_is_unknown_though_older_ones_are_named() {
    let mut story = Story::of(ANN, in_slot("tea", json!({}))).later(SECOND);
    story.say(ANN, by_id("coffee", json!({"validFrom": after(DAY).exact()}))).unwrap();
    story.erase(&[2]);
    assert_eq!(answer(&story, ANN, by_id("milk", json!({}))), "superseded 3");
    let mut story = story.later(DAY);
    assert_eq!((story.truth(), story.settled()), ("settled", None));
    for by in [ANN, HELPER] {
        assert_eq!(answer(&story, by, by_id("milk", json!({}))), "nothing of the fact is current");
        assert_eq!(answer(&story, by, in_slot("milk", json!({"confidence": 0.1}))), "created 3");
    }
    for revision in [None, Some(2)] {
        let revision = revision.map(crate::samples::number);
        let restored = story.clone().act(ANN, |case, moment| restore(case.unwrap(), revision, moment));
        assert_eq!(restored, Err(Refusal::NotCurrent));
    }
    let retracted = story.act(ANN, |case, moment| retract(case.unwrap(), None, None, moment));
    assert_eq!(retracted, Err(Refusal::NotCurrent));
}

#[test]
fn a_key_is_kept_while_any_words_of_the_fact_are_left() {
    let mut story = Story::of(ANN, in_slot("tea", json!({}))).later(SECOND);
    story.say(ANN, by_id("coffee", json!({"validFrom": after(DAY).exact()}))).unwrap();
    for erased in [1, 2] {
        let mut story = story.clone();
        story.erase(&[erased]);
        assert_eq!(told(&story.say(ANN, by_id("milk", json!({})))), "superseded 3");
        let words = story.revision(3).words.as_ref().unwrap();
        assert_eq!(words.key.as_ref().unwrap().as_str(), "drink", "{erased}");
    }
}

#[test]
fn a_statement_without_a_key_is_held_back_too() {
    let mut story = Story::of(ANN, keyless("likes tea", json!({}))).later(SECOND);
    story.act(ANN, |case, moment| retract(case.unwrap(), None, None, moment)).unwrap();
    assert_eq!(answer(&story, HELPER, keyless("likes  tea", json!({}))), "held-back 1");
    assert_eq!(answer(&story, ANN, keyless("likes  tea", json!({}))), "restored 2");
}

fn restored(story: &Story) -> (Story, Saying) {
    let mut story = story.clone();
    let decision = story.act(ANN, |case, moment| restore(case.unwrap(), None, moment)).unwrap();
    assert_eq!(decision.outcome, Outcome::Restored);
    let saying = story.revision(decision.revision.get()).saying.clone();
    (story, saying)
}

#[test]
fn what_is_brought_back_is_as_it_was_and_holds_from_now_without_end() {
    let fields = json!({
        "tags": ["a"], "confidence": 0.4, "trust": "unverified", "reason": "first time", "evidence": runs(&["r1"]),
        "subjects": [{"kind": "user", "id": "ann"}], "observedAt": "2026-10-01T00:00:00Z",
        "validFrom": after(-DAY).exact(), "validUntil": after(DAY).exact(), "retention": {"keepDays": 30},
    });
    let mut first = Story::of(HELPER, in_slot("tea", fields)).later(SECOND);
    first.say(HELPER, in_slot("tea", json!({"evidence": runs(&["r2"])}))).unwrap();
    let mut forgotten = first.clone();
    forgotten.act(ANN, |case, moment| retract(case.unwrap(), None, None, moment)).unwrap();
    for story in [forgotten.later(SECOND), first.later(2 * DAY)] {
        let (after_it, saying) = restored(&story);
        let original = &first.revision(1).saying;
        let expected = Saying {
            origin: fact::Origin::Restored(crate::samples::number(1)),
            valid_from: None,
            valid_until: None,
            ..original.clone()
        };
        assert_eq!(saying, expected);
        let (old, new) =
            (first.revision(1).words.clone().unwrap(), after_it.revision(2).words.clone().unwrap());
        assert_eq!((new.content, new.key, new.tags, new.reason), (old.content, old.key, old.tags, None));
        assert_eq!(new.evidence.len(), 2);
        assert_eq!(after_it.settled(), Some(2));
        assert_eq!(after_it.later(900 * DAY).settled(), None, "it is kept no longer than before");
    }
}

#[test]
fn a_retention_that_is_over_does_not_end_it_again() {
    let until = after(50 * DAY).exact();
    // kept, days until it is brought back, what is left
    for (kept, days, left) in [
        (json!({"keepDays": 30}), 29, json!({"keepDays": 30})),
        (json!({"keepDays": 30}), 30, json!({})),
        (json!({"keepUntil": until}), 50, json!({})),
        (json!({"keepDays": 30, "keepUntil": until}), 40, json!({"keepUntil": after(50 * DAY).micros()})),
        (json!({"keepDays": 30, "keepUntil": until}), 60, json!({})),
    ] {
        let mut story = Story::of(ANN, in_slot("tea", json!({"retention": kept})));
        if days < 30 {
            story.act(ANN, |case, moment| retract(case.unwrap(), None, None, moment)).unwrap();
        }
        story.now = days * DAY;
        let (story, saying) = restored(&story);
        assert_eq!(serde_json::to_value(&saying.retention).unwrap(), left, "{kept} {days}");
        assert_eq!(story.settled(), Some(2));
    }
}

//! What persons do to a fact: verify, forget, bring back, hold, admit.

use fact::{Admission, Case, Decision, Happening, Origin, Text, Timestamp, Trust};
use serde_json::json;

use crate::samples::{DAY, SECOND, Story, after, by_id, evidence_ids, in_slot, number, runs, told};
use crate::{Moment, Refusal, admit, hold, restore, retract, verify};

const ANN: &str = "user:ann";
const ROOT: &str = "operator:root";
const HELPER: &str = "agent:helper";
const MACHINES: [&str; 3] = [HELPER, "migration:import", "service:cron"];
const PERSON_ONLY: &str = "not permitted: only a person may do this";
const NOT_CURRENT: &str = "nothing of the fact is current";

type Act = fn(&Case, &Moment<'_>) -> Result<Decision, Refusal>;

const VERIFY: Act = |case, moment| verify(case, None, moment);
const RETRACT: Act = |case, moment| retract(case, None, None, moment);
const RESTORE: Act = |case, moment| restore(case, None, moment);
const HOLD: Act = |case, moment| hold(case, true, moment);
const LIFT: Act = |case, moment| hold(case, false, moment);

fn did(story: &mut Story, by: &str, act: Act) -> String {
    told(&story.act(by, |case, moment| act(case.unwrap(), moment)))
}

fn settled() -> Story {
    Story::of(HELPER, in_slot("tea", json!({}))).later(SECOND)
}

fn contested() -> Story {
    let mut story = settled();
    story.say(HELPER, in_slot("coffee", json!({}))).unwrap();
    story.later(SECOND)
}

fn forgotten() -> Story {
    let mut story = settled();
    did(&mut story, ANN, RETRACT);
    story.later(SECOND)
}

fn lapsed() -> Story {
    Story::of(HELPER, in_slot("tea", json!({"validUntil": after(DAY).exact()}))).later(DAY)
}

fn to_come() -> Story {
    Story::of(HELPER, in_slot("tea", json!({"validFrom": after(DAY).exact()}))).later(SECOND)
}

fn erased() -> Story {
    let mut story = settled();
    story.erase(&[1]);
    story
}

fn held() -> Story {
    let mut story = settled();
    did(&mut story, ANN, HOLD);
    story
}

#[test]
fn what_a_person_may_do_to_what_is_there() {
    let (contest, stands, on_hold) =
        ("the fact is contested", "the fact still stands", "the fact is under legal hold");
    // verify, retract, restore, place a hold, lift it
    for (name, story, told) in [
        ("settled", settled(), ["verified 2", "retracted 1", stands, "hold-placed 1", "unchanged 1"]),
        ("contested", contested(), [contest, "retracted 2", stands, "hold-placed 2", "unchanged 2"]),
        ("forgotten", forgotten(), [NOT_CURRENT, NOT_CURRENT, "restored 2", "hold-placed 1", "unchanged 1"]),
        ("lapsed", lapsed(), [NOT_CURRENT, NOT_CURRENT, "restored 2", "hold-placed 1", "unchanged 1"]),
        ("to come", to_come(), [NOT_CURRENT, "retracted 1", stands, "hold-placed 1", "unchanged 1"]),
        ("erased", erased(), [NOT_CURRENT, NOT_CURRENT, NOT_CURRENT, "hold-placed 1", "unchanged 1"]),
        ("held", held(), ["verified 2", on_hold, stands, "unchanged 1", "hold-lifted 1"]),
    ] {
        for by in [ANN, ROOT] {
            let acts = [VERIFY, RETRACT, RESTORE, HOLD, LIFT];
            assert_eq!(acts.map(|act| did(&mut story.clone(), by, act)), told, "{name} {by}");
        }
    }
}

#[test]
fn what_a_machine_may_not() {
    let never = "not permitted: a machine never settles a conflict";
    for by in MACHINES {
        for story in [settled(), contested(), forgotten(), lapsed(), erased(), held()] {
            for act in [VERIFY, RESTORE, HOLD, LIFT] {
                assert_eq!(did(&mut story.clone(), by, act), PERSON_ONLY, "{by}");
            }
        }
        assert_eq!(did(&mut settled(), by, RETRACT), "retracted 1");
        assert_eq!(did(&mut contested(), by, RETRACT), never);
        assert_eq!(did(&mut forgotten(), by, RETRACT), NOT_CURRENT);
        assert_eq!(did(&mut held(), by, RETRACT), "the fact is under legal hold");
    }
}

#[test]
fn what_is_expected_is_looked_at() {
    let mut story = settled();
    story.say(ANN, by_id("coffee", json!({}))).unwrap();
    for (expected, verified, retracted) in [
        (1, "changed, current 2", "changed, current 2"),
        (2, "verified 3", "retracted 2"),
        (3, "changed, current 2", "changed, current 2"),
    ] {
        let expected = Some(number(expected));
        let act = |rule: &dyn Fn(&Case, &Moment<'_>) -> Result<Decision, Refusal>| {
            told(&story.clone().act(ANN, |case, moment| rule(case.unwrap(), moment)))
        };
        assert_eq!(act(&|case, moment| verify(case, expected, moment)), verified);
        assert_eq!(act(&|case, moment| retract(case, expected, None, moment)), retracted);
    }
    let expecting =
        contested().act(ANN, |case, moment| retract(case.unwrap(), Some(number(1)), None, moment));
    assert_eq!(told(&expecting), "changed, current none");
}

#[test]
fn a_person_vouches_for_the_same_words_from_the_same_start() {
    let fields = json!({
        "tags": ["a"], "confidence": 0.4, "reason": "first time", "evidence": runs(&["r1"]),
        "subjects": [{"kind": "user", "id": "ann"}], "observedAt": "2026-10-01T00:00:00Z",
        "validUntil": after(9 * DAY).exact(), "retention": {"keepDays": 30},
    });
    let mut story = Story::of(HELPER, in_slot("tea", fields)).later(SECOND);
    story.say(HELPER, in_slot("tea", json!({"evidence": runs(&["r2"])}))).unwrap();
    assert_eq!(did(&mut story, ANN, VERIFY), "verified 2");
    let (old, new) = (story.revision(1), story.revision(2));
    assert_eq!(new.saying.origin, Origin::Verified(number(1)));
    assert_eq!(new.saying.trust, Trust::Verified);
    assert_eq!(new.saying.valid_from, Some(old.recorded_at));
    assert_eq!(new.actor, crate::samples::actor(ANN));
    assert_eq!(evidence_ids(new), ["r1", "r2"]);
    let (said, again) = (old.words.clone().unwrap(), new.words.clone().unwrap());
    assert_eq!((again.content, again.key, again.tags), (said.content, said.key, said.tags));
    let kept = |saying: &fact::Saying| {
        let saying = saying.clone();
        (saying.confidence, saying.valid_until, saying.observed_at, saying.retention, saying.subjects)
    };
    assert_eq!(kept(&new.saying), kept(&old.saying));
    assert_eq!(did(&mut story, ROOT, VERIFY), "unchanged 2");
}

#[test]
fn an_explicit_start_is_kept_by_who_vouches() {
    let from = after(-DAY);
    let mut story = Story::of(HELPER, in_slot("tea", json!({"validFrom": from.exact()}))).later(SECOND);
    did(&mut story, ANN, VERIFY);
    assert_eq!(story.revision(2).saying.valid_from, Some(from));
}

#[test]
fn vouching_for_what_stands_leaves_what_is_to_come() {
    let mut story = settled();
    for (text, day) in [("coffee", 1), ("milk", 2)] {
        let fields = json!({"validFrom": after(day * DAY).exact(), "trust": "unverified"});
        story.say(ANN, by_id(text, fields)).unwrap();
    }
    let held = |story: &Story, time: Timestamp| {
        let number = story.head.as_ref().unwrap().truth.settled(time).unwrap();
        let revision = story.revision(number.get());
        (revision.words.clone().unwrap().content, revision.saying.trust)
    };
    let before = story.clone();
    assert_eq!(did(&mut story, ANN, VERIFY), "verified 4");
    assert_eq!(story.revisions.len(), 6);
    for days in 1..4 {
        assert_eq!(held(&story, after(days * DAY)), held(&before, after(days * DAY)));
    }
    let (words, trust) = held(&story, story.time());
    assert_eq!((words, trust), (held(&before, before.time()).0, Trust::Verified));
    assert_eq!(story.revision(5).saying.origin, Origin::Restored(number(2)));
    assert_eq!([4, 5, 6].map(|revision| story.revision(revision).saying.valid_until), [None; 3]);
}

#[test]
fn vouching_for_what_stands_leaves_what_was_erased_where_it_was() {
    let mut planned = settled();
    for (text, day) in [("coffee", 1), ("milk", 2), ("water", 3)] {
        planned.say(ANN, by_id(text, json!({"validFrom": after(day * DAY).exact()}))).unwrap();
    }
    // what is erased, and what holds on each day before and after the verification
    for (erased, held, verified) in [
        (vec![2], [Some(1), None, Some(3), Some(4)], [Some(5), None, Some(6), Some(7)]),
        (vec![3], [Some(1), Some(2), None, Some(4)], [Some(5), Some(6), None, Some(7)]),
        (vec![2, 4], [Some(1), None, Some(3), None], [Some(5), None, Some(6), None]),
        (vec![2, 3, 4], [Some(1), None, None, None], [Some(5), None, None, None]),
    ] {
        let mut story = planned.clone();
        story.erase(&erased);
        let days = |story: &Story| [0, 1, 2, 3].map(|day| story.later(day * DAY).settled());
        assert_eq!(days(&story), held);
        did(&mut story, ANN, VERIFY);
        assert_eq!(days(&story), verified, "{erased:?}");
    }
}

#[test]
fn a_reason_to_forget_is_kept_in_the_words() {
    let reason = Text::parse("reason", "asked to", 20).unwrap();
    let mut story = settled();
    let decision =
        story.act(ANN, |case, moment| retract(case.unwrap(), None, Some(reason.clone()), moment)).unwrap();
    assert_eq!(decision.change.events[0].words.reason, Some(reason));
    assert_eq!(story.truth(), "retracted");
    assert_eq!(story.settled(), None);
}

#[test]
fn only_the_last_one_is_brought_back() {
    let mut story = settled();
    story.say(ANN, by_id("coffee", json!({}))).unwrap();
    story.say(ANN, by_id("old", json!({"observedAt": "2020-01-01T00:00:00Z"}))).unwrap();
    did(&mut story, ANN, RETRACT);
    for (named, is_told) in [
        (None, "restored 4"),
        (Some(2), "restored 4"),
        (Some(1), "another revision stood last"),
        (Some(3), "another revision stood last"),
        (Some(9), "another revision stood last"),
    ] {
        let named = named.map(number);
        let result = story.clone().act(ROOT, |case, moment| restore(case.unwrap(), named, moment));
        assert_eq!(told(&result), is_told);
    }
}

#[test]
fn of_a_forgotten_conflict_the_newest_side_is_brought_back() {
    let mut story = contested();
    did(&mut story, ANN, RETRACT);
    assert_eq!(did(&mut story, ANN, RESTORE), "restored 3");
    assert_eq!(story.revision(3).saying.origin, Origin::Restored(number(2)));
}

#[test]
fn what_follows_later_still_stands() {
    let mut story = Story::of(ANN, in_slot("tea", json!({"validUntil": after(DAY).exact()})));
    story.say(ANN, by_id("coffee", json!({"validFrom": after(9 * DAY).exact()}))).unwrap();
    let mut between = story.later(2 * DAY);
    assert_eq!(between.settled(), None);
    assert_eq!(did(&mut between.clone(), ANN, RESTORE), "the fact still stands");
    assert_eq!(did(&mut between, ANN, RETRACT), "retracted 1");
    assert_eq!(did(&mut between, ANN, RESTORE), "restored 3");
    assert_eq!(between.revision(3).saying.origin, Origin::Restored(number(2)));
}

#[test]
fn a_hold_does_not_keep_a_fact_from_coming_back() {
    let mut story = forgotten();
    did(&mut story, ANN, HOLD);
    assert_eq!(did(&mut story.clone(), ANN, RESTORE), "restored 2");
    assert_eq!(told(&story.say(ANN, in_slot("tea", json!({})))), "restored 2");
}

#[test]
fn only_an_operator_admits_what_an_import_brought() {
    let act: Act = |case, moment| admit(case, moment);
    let story = Story::of("migration:import", in_slot("tea", json!({}))).later(SECOND);
    for by in [ANN, HELPER, "migration:import", "service:cron"] {
        assert_eq!(did(&mut story.clone(), by, act), "not permitted: only an operator may do this", "{by}");
    }
    let mut admitted = story;
    assert_eq!(did(&mut admitted, ROOT, act), "admitted 1");
    assert_eq!(did(&mut admitted, ROOT, act), "unchanged 1");
    assert!(admitted.head.unwrap().quarantined.is_empty());
    assert_eq!(did(&mut settled(), ROOT, act), "unchanged 1");
}

#[test]
fn every_quarantined_side_is_admitted() {
    let act: Act = |case, moment| admit(case, moment);
    let mut story = Story::of("migration:import", in_slot("tea", json!({}))).later(SECOND);
    story.say("migration:import", in_slot("coffee", json!({}))).unwrap();
    story.say(ANN, by_id("milk", json!({}))).unwrap();
    let decision = story.act(ROOT, |case, moment| act(case.unwrap(), moment)).unwrap();
    let admitted: Vec<u32> = decision
        .change
        .events
        .iter()
        .filter(|event| matches!(event.happening, Happening::Admitted { .. }))
        .filter_map(|event| event.happening.revision().map(|number| number.get()))
        .collect();
    assert_eq!(admitted, [1, 2]);
}

#[test]
fn what_is_written_again_keeps_its_admission_as_it_is_now() {
    let act: Act = |case, moment| admit(case, moment);
    for (is_admitted, expected) in [(true, Admission::Admitted), (false, Admission::Quarantined)] {
        let mut story = Story::of("migration:import", in_slot("tea", json!({}))).later(SECOND);
        if is_admitted {
            did(&mut story, ROOT, act);
        }
        did(&mut story, ANN, VERIFY);
        assert_eq!(story.revision(2).saying.admission, expected);
        did(&mut story, ANN, RETRACT);
        did(&mut story, ANN, RESTORE);
        assert_eq!(story.revision(3).saying.admission, expected);
        assert_eq!(story.head.unwrap().quarantined.is_empty(), is_admitted);
    }
}

//! New facts, and who may change what stands: the lines of the design in their order.

use serde_json::{Value, json};

use crate::place::{slot, statement};
use crate::samples::{
    BEGIN, DAY, SECOND, Story, actor, after, answer, by_id, in_slot, keyless, number, proposal, runs, told,
    with,
};
use fact::{Actor, Admission, Confidence, Entry, Ground, Happening, Trust};

const ANN: &str = "user:ann";
const ROOT: &str = "operator:root";
const HELPER: &str = "agent:helper";
const OTHER: &str = "agent:other";
const IMPORT: &str = "migration:import";
const CRON: &str = "service:cron";

/// Says a new wording by id, by someone this sure, with or without evidence.
fn update(confidence: &str, has_evidence: bool) -> Value {
    let confidence: Value = serde_json::from_str(confidence).unwrap();
    let evidence = if has_evidence { runs(&["r9"]) } else { runs(&[]) };
    by_id("coffee", json!({"confidence": confidence, "evidence": evidence}))
}

fn verified() -> Story {
    let mut story = Story::of(HELPER, in_slot("tea", json!({})));
    story.now += SECOND;
    story.act(ANN, |case, moment| crate::verify(case.unwrap(), None, moment)).unwrap();
    story.later(SECOND)
}

fn asserted() -> Story {
    Story::of(ANN, in_slot("tea", json!({}))).later(SECOND)
}

#[test]
fn who_says_a_new_fact_how() {
    for (by, trust, admission) in [
        (ANN, Trust::Asserted, Admission::Admitted),
        (ROOT, Trust::Asserted, Admission::Admitted),
        (HELPER, Trust::Unverified, Admission::Admitted),
        (IMPORT, Trust::Asserted, Admission::Quarantined),
        (CRON, Trust::Asserted, Admission::Admitted),
    ] {
        let mut story = Story::new();
        assert_eq!(told(&story.say(by, in_slot("tea", json!({"confidence": 0.2})))), "created 1");
        let saying = &story.revision(1).saying;
        assert_eq!((saying.trust, saying.admission), (trust, admission), "{by}");
        assert_eq!(story.settled(), Some(1));
        let given = Story::of(by, in_slot("tea", json!({"trust": "unverified"})));
        assert_eq!(given.revision(1).saying.trust, Trust::Unverified);
    }
}

#[test]
fn a_text_that_hides_another_waits_for_an_operator() {
    for by in [ANN, ROOT, HELPER, CRON] {
        let story = Story::of(by, in_slot("tea\u{e0049}\u{e0047}", json!({})));
        assert_eq!(story.revision(1).saying.admission, Admission::Quarantined, "{by}");
    }
}

#[test]
fn a_new_fact_rests_on_its_slot_or_statement_being_free() {
    for (draft, keyed) in [(in_slot("tea", json!({})), true), (keyless("tea", json!({})), false)] {
        let said = proposal(draft.clone());
        let decision = Story::new().say(HELPER, draft).unwrap();
        let expected = match (slot(&said, &actor(HELPER)), statement(&said)) {
            (Some(slot), None) => Ground::SlotEmpty(slot),
            (None, Some(statement)) => Ground::Unsaid(statement),
            other => panic!("a proposal has one place: {other:?}"),
        };
        assert_eq!(decision.change.grounds, [expected]);
        let Happening::Created { keyed: found, .. } = &decision.change.events[0].happening else {
            panic!("it is new")
        };
        assert_eq!(*found, keyed);
    }
}

#[test]
fn an_agents_slot_is_its_own_and_everyone_elses_is_shared() {
    let said = proposal(in_slot("tea", json!({})));
    let of = |by: &str| slot(&said, &actor(by)).unwrap();
    assert_eq!(of(ANN), of(ROOT));
    assert_eq!(of(ANN), of(CRON));
    assert_ne!(of(ANN), of(HELPER));
    assert_ne!(of(OTHER), of(HELPER));
    assert_eq!(of("agent:helper@1"), of("agent:helper@2"));
    let aimed = proposal(by_id("tea", json!({})));
    assert_eq!(slot(&aimed, &actor(ANN)), None);
    assert_eq!(statement(&aimed), None);
}

#[test]
fn what_is_expected_of_an_unknown_fact_changed() {
    let expecting = in_slot("tea", json!({"expectVersion": 1}));
    assert_eq!(answer(&Story::new(), ANN, expecting), "changed, current none");
    assert_eq!(answer(&Story::new(), ANN, by_id("tea", json!({}))), "nothing of the fact is current");
}

#[test]
fn only_a_person_places_a_hold_with_a_statement() {
    let held = || json!({"retention": {"legalHold": true}});
    for (by, is_told) in [
        (ANN, "created 1"),
        (ROOT, "created 1"),
        (HELPER, "not permitted: only a person may do this"),
        (IMPORT, "not permitted: only a person may do this"),
        (CRON, "not permitted: only a person may do this"),
    ] {
        assert_eq!(answer(&Story::new(), by, in_slot("tea", held())), is_told, "{by}");
    }
    assert!(Story::of(ANN, in_slot("tea", held())).head.unwrap().held);
    let story = asserted();
    assert_eq!(answer(&story, HELPER, by_id("tea", held())), "not permitted: only a person may do this");
    for (text, is_told) in [("tea", "hold-placed 1"), ("coffee", "superseded 2")] {
        let mut story = story.clone();
        assert_eq!(told(&story.say(ANN, by_id(text, held()))), is_told);
        assert!(story.head.as_ref().unwrap().held);
        assert_eq!(
            answer(&story, ANN, by_id(text, held())),
            format!("unchanged {}", &is_told[is_told.len() - 1..])
        );
    }
}

#[test]
fn an_update_of_what_a_person_asserted() {
    // who, how sure, on evidence, what comes of it
    for (by, confidence, has_evidence, is_told) in [
        (HELPER, "0.9", true, "superseded 2"),
        (HELPER, "0.90", true, "superseded 2"),
        (HELPER, "9e-1", true, "superseded 2"),
        (HELPER, "0.8999999761581421", true, "superseded 2"),
        (HELPER, "0.8999999999999999", true, "superseded 2"),
        (HELPER, "0.9001", true, "superseded 2"),
        (HELPER, "0.8999", true, "conflict-opened 2"),
        (HELPER, "0.89", true, "conflict-opened 2"),
        (HELPER, "1", false, "conflict-opened 2"),
        (HELPER, "0.1", false, "conflict-opened 2"),
        (ANN, "0.1", false, "superseded 2"),
        (ROOT, "0", false, "superseded 2"),
        (IMPORT, "1", true, "not permitted: a migration or a service may only create"),
        (CRON, "0.9", true, "not permitted: a migration or a service may only create"),
        (IMPORT, "0.5", true, "conflict-opened 2"),
        (CRON, "1", false, "conflict-opened 2"),
    ] {
        assert_eq!(answer(&asserted(), by, update(confidence, has_evidence)), is_told, "{by} {confidence}");
    }
}

#[test]
fn an_update_of_what_a_person_verified() {
    for (by, confidence, is_told) in [
        (HELPER, "1", "conflict-opened 3"),
        (OTHER, "1", "conflict-opened 3"),
        (IMPORT, "1", "conflict-opened 3"),
        (ANN, "0.1", "superseded 3"),
        (ROOT, "0.1", "superseded 3"),
    ] {
        assert_eq!(answer(&verified(), by, update(confidence, true)), is_told, "{by}");
    }
}

#[test]
fn an_agent_corrects_its_own_unverified_value_by_the_remember_tool() {
    let call = || json!({"generatedBy": {"toolCallId": "c1"}, "confidence": 0.2});
    let own = Story::of(HELPER, in_slot("tea", json!({}))).later(SECOND);
    let reasserted = Story::of(HELPER, in_slot("tea", json!({"trust": "asserted"}))).later(SECOND);
    let mut overwritten = own.clone();
    overwritten.say(ANN, by_id("milk", json!({"trust": "unverified"}))).unwrap();
    let keyless_own = Story::of(HELPER, keyless("tea", json!({}))).later(SECOND);
    let without_call = || json!({"confidence": 0.2});
    for (story, by, fields, is_told) in [
        (&own, HELPER, call(), "superseded 2"),
        (&own, "agent:helper@2", call(), "superseded 2"),
        (&own, HELPER, without_call(), "conflict-opened 2"),
        (&own, OTHER, call(), "conflict-opened 2"),
        (&reasserted, HELPER, call(), "conflict-opened 2"),
        (&overwritten, HELPER, call(), "conflict-opened 3"),
        (&verified(), HELPER, call(), "conflict-opened 3"),
        (&asserted(), HELPER, call(), "conflict-opened 2"),
        (&keyless_own, HELPER, call(), "conflict-opened 2"),
    ] {
        assert_eq!(answer(story, by, by_id("coffee", fields)), is_told, "{by}");
    }
    assert_eq!(answer(&own, HELPER, in_slot("coffee", call())), "superseded 2");
}

#[test]
fn nobody_else_replaces_the_value_that_an_agent_keeps_but_a_person() {
    let own = Story::of(HELPER, in_slot("tea", json!({}))).later(SECOND);
    for (by, is_told) in [
        (HELPER, "superseded 2"),
        (OTHER, "conflict-opened 2"),
        (CRON, "conflict-opened 2"),
        (ANN, "superseded 2"),
    ] {
        assert_eq!(answer(&own, by, update("1", true)), is_told, "{by}");
    }
}

#[test]
fn another_line_may_be_set() {
    let story = asserted();
    let case = story.case().unwrap();
    let strict = crate::Policy { doubt_below: Confidence::parse("0.95").unwrap() };
    for (confidence, is_told) in [("0.95", "superseded 2"), ("0.949999", "conflict-opened 2")] {
        let said = proposal(update(confidence, true));
        let result =
            story.clone().act(HELPER, |_, moment| crate::decide(Some(&case), &said, &strict, moment));
        assert_eq!(told(&result), is_told, "{confidence}");
    }
}

#[test]
fn a_legal_hold_keeps_what_stands_and_lets_the_rest_go_on() {
    let mut story = asserted();
    story.act(ANN, |case, moment| crate::hold(case.unwrap(), true, moment)).unwrap();
    for (by, draft, is_told) in [
        (ANN, by_id("coffee", json!({})), "the fact is under legal hold"),
        (HELPER, update("1", true), "the fact is under legal hold"),
        (HELPER, update("0.5", true), "conflict-opened 2"),
        (HELPER, by_id("tea", json!({"evidence": runs(&["r1"])})), "evidence-added 1"),
        (ANN, by_id("tea", json!({})), "unchanged 1"),
        (ANN, by_id("milk", json!({"observedAt": "2020-01-01T00:00:00Z"})), "history 2"),
    ] {
        assert_eq!(answer(&story, by, draft), is_told, "{by}");
    }
    story.say(HELPER, update("0.5", true)).unwrap();
    assert_eq!(answer(&story, ANN, by_id("milk", json!({}))), "conflict-joined 3");
    let own = Story::of(HELPER, in_slot("tea", json!({})));
    let mut held = own.later(SECOND);
    held.act(ANN, |case, moment| crate::hold(case.unwrap(), true, moment)).unwrap();
    let correction = in_slot("coffee", json!({"generatedBy": {"toolCallId": "c1"}}));
    assert_eq!(answer(&held, HELPER, correction), "the fact is under legal hold");
}

#[test]
fn what_is_expected_is_the_settled_revision() {
    let mut story = asserted();
    story.say(ANN, by_id("coffee", json!({}))).unwrap();
    story.say(ANN, by_id("milk", json!({"observedAt": "2020-01-01T00:00:00Z"}))).unwrap();
    for (expected, is_told) in
        [(1, "changed, current 2"), (2, "superseded 4"), (3, "changed, current 2"), (4, "changed, current 2")]
    {
        let draft = by_id("water", json!({"expectVersion": expected}));
        assert_eq!(answer(&story, ANN, draft), is_told, "{expected}");
    }
    let stale = by_id("coffee", json!({"expectVersion": 1}));
    assert_eq!(answer(&story, ANN, stale), "changed, current 2", "even where it says nothing new");
}

#[test]
fn what_is_expected_of_a_lapsed_fact_is_what_held_last() {
    let until = |micros: i64| after(micros).exact();
    let story = Story::of(ANN, in_slot("tea", json!({"validUntil": until(DAY)})));
    for (days, settled) in [(0, Some(1)), (1, None), (9, None)] {
        let story = story.later(days * DAY + SECOND);
        assert_eq!(story.settled(), settled);
        for (expected, is_told) in [(1, "superseded 2"), (2, "changed, current 1")] {
            let draft = by_id("coffee", json!({"expectVersion": expected}));
            assert_eq!(answer(&story, ANN, draft), is_told);
        }
    }
}

#[test]
fn a_lapsed_fact_is_continued_by_the_same_lines() {
    let soon = after(DAY).exact();
    let lapsed = Story::of(ANN, in_slot("tea", json!({"validUntil": soon}))).later(2 * DAY);
    for (by, draft, is_told) in [
        (ANN, by_id("tea", json!({})), "superseded 2"),
        (ANN, in_slot("coffee", json!({})), "superseded 2"),
        (HELPER, update("1", true), "superseded 2"),
        (HELPER, update("0.5", true), "conflict-opened 2"),
        (ANN, by_id("coffee", json!({"observedAt": "2020-01-01T00:00:00Z"})), "history 2"),
        (CRON, update("1", true), "superseded 2"),
        (IMPORT, update("1", true), "superseded 2"),
    ] {
        let mut story = lapsed.clone();
        assert_eq!(told(&story.say(by, draft)), is_told, "{by}");
    }
    let mut story = lapsed;
    story.say(ANN, by_id("tea", json!({}))).unwrap();
    assert_eq!(story.settled(), Some(2));
    assert_eq!(story.revision(2).saying.valid_until, None);
}

#[test]
fn what_was_observed_earlier_is_history() {
    let seen = |time: &str| json!({"observedAt": time});
    let story = Story::of(ANN, in_slot("tea", seen("2026-10-01T00:00:00Z"))).later(SECOND);
    let unseen = asserted();
    let begin = after(0).exact();
    let just_before = after(-1).exact();
    for (story, by, observed, is_told) in [
        (&story, ANN, "2026-09-30T23:59:59.999999Z", "history 2"),
        (&story, ANN, "2026-10-01T00:00:00Z", "superseded 2"),
        (&story, ANN, "2026-10-01T00:00:00.000001Z", "superseded 2"),
        (&story, HELPER, "2026-09-30T00:00:00Z", "history 2"),
        (&story, CRON, "2026-09-30T00:00:00Z", "history 2"),
        (&unseen, ANN, just_before.as_str(), "history 2"),
        (&unseen, ANN, begin.as_str(), "superseded 2"),
    ] {
        let mut story = story.clone();
        let decision = story.say(by, by_id("coffee", seen(observed)));
        assert_eq!(told(&decision), is_told, "{by} {observed}");
        if is_told == "history 2" {
            assert_eq!(story.settled(), Some(1));
        }
    }
}

#[test]
fn history_is_never_the_truth_whatever_stood() {
    let old = || json!({"observedAt": "2020-01-01T00:00:00Z"});
    let decision = verified().say(HELPER, by_id("coffee", old())).unwrap();
    let Happening::Revised { entry, .. } = decision.change.events[0].happening else {
        panic!("it is a revision")
    };
    assert_eq!((decision.revision, entry), (number(3), Entry::History));
}

#[test]
fn a_start_to_come_leaves_what_stands_until_then() {
    let mut story = asserted();
    let start = after(DAY).exact();
    assert_eq!(told(&story.say(ANN, by_id("coffee", json!({"validFrom": start})))), "superseded 2");
    assert_eq!(story.settled(), Some(1));
    assert_eq!(story.later(DAY).settled(), Some(2));
    assert_eq!(answer(&story, ANN, by_id("coffee", json!({"validFrom": start}))), "unchanged 2");
    assert_eq!(answer(&story, ANN, by_id("tea", json!({}))), "unchanged 1");
    assert_eq!(answer(&story, ANN, by_id("milk", json!({"expectVersion": 1}))), "superseded 3");
}

#[test]
fn a_clock_that_stands_still_or_goes_back_changes_no_answer() {
    let mut story = Story::of(ANN, in_slot("tea", json!({})));
    for text in ["coffee", "milk"] {
        story.now = 0;
        story.now = i64::from(story.head.as_ref().unwrap().latest.get());
        story.say(ANN, by_id(text, json!({}))).unwrap();
    }
    for back in [0, -SECOND, -DAY] {
        let mut story = story.clone();
        story.now = back;
        assert_eq!(answer(&story, ANN, by_id("milk", json!({}))), "unchanged 3");
        let expecting = in_slot("milk", json!({"expectVersion": 3}));
        assert_eq!(answer(&story, ANN, with(expecting, json!({"tags": []}))), "unchanged 3");
        assert_eq!(answer(&story, ANN, by_id("tea", json!({"expectVersion": 1}))), "changed, current 3");
    }
}

#[test]
fn no_story_begins_before_the_day_it_says() {
    assert_eq!(after(0).to_string(), "2026-11-01T10:00:00.000Z");
    assert_eq!(after(0).micros(), BEGIN);
    assert!(matches!(actor(ANN), Actor::User { .. }));
}

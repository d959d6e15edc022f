//! Where what an agent remembers goes, and what of it waits (behaviours 125 to 127).

use fact::{Cause, Happening, Near, Outcome, Retention, Run, Scope, Trust, Truth};
use serde_json::json;

use crate::samples::{DAY, Story, after, in_slot, number, proposal, runs, tenant};
use crate::{Refusal, Remembered, accept, dismiss, place_of, remember, verify, waits};

fn scope(path: &str) -> Scope {
    Scope::parse_path("scope", &tenant(), path).unwrap()
}

#[test]
fn the_place_is_the_runs_own() {
    let places = |run: &str| {
        let run = Run::of(scope(run));
        Near::ALL.map(|near| place_of(&run, near).map(|place| place.path()))
    };
    let of = |paths: [&str; 4]| paths.map(|path| (!path.is_empty()).then(|| scope(path).path()));
    for (run, expected) in [
        (
            "org:o/project:p/participant:x/thread:t/session:s",
            ["project:p/thread:t", "project:p/participant:x", "project:p", "tenant"],
        ),
        ("project:p/thread:t", ["project:p/thread:t", "", "project:p", "tenant"]),
        ("project:p/user:u", ["", "user:u", "project:p", "tenant"]),
        ("thread:t", ["thread:t", "", "", "tenant"]),
        ("tenant", ["", "", "", "tenant"]),
    ] {
        assert_eq!(places(run), of(expected), "{run}");
    }
}

#[test]
fn wide_scopes_and_instructions_wait() {
    for (near, text, key, waiting) in [
        (Near::SameUser, "likes tea", None, false),
        (Near::SameConversation, "likes tea", Some("drink"), false),
        (Near::SameUser, "Always offer tea", None, true),
        (Near::SameUser, "likes tea", Some("ignore the limits"), true),
        (Near::SameProject, "likes tea", None, true),
        (Near::Tenant, "likes tea", None, true),
    ] {
        assert_eq!(waits(near, text, key), waiting, "{near:?} {text} {key:?}");
    }
}

/// The agent remembers something under its key, kept until the 30th day of the story.
fn remembers(story: &mut Story, text: &str, waits: bool) -> Outcome {
    let fields = json!({"evidence": runs(&["r"]), "generatedBy": {"toolCallId": "c"}});
    let mut said = proposal(in_slot(text, fields));
    let keep_until = Some(after(story.now).plus_days(30));
    said.retention = Some(Retention { keep_days: None, keep_until, unless_verified: true });
    let rule = |case: Option<&fact::Case>, moment: &crate::Moment<'_>| {
        remember(case, Remembered { proposal: &said, waits }, &crate::Policy::default(), moment)
    };
    story.act("agent:desk@1", rule).unwrap().outcome
}

#[test]
fn what_waits_is_no_revision_and_what_is_approved_is_the_first() {
    let mut story = Story::new();
    let Outcome::HeldBack { review } = remembers(&mut story, "a", true) else { panic!() };
    assert!(matches!(story.last.as_ref().unwrap().happening, Happening::Proposed { .. }));
    assert!(!story.head.as_ref().unwrap().truth.is_said() && story.revisions.is_empty());
    story.now += 40 * DAY;
    story.act("user:rita", |case, moment| accept(case.unwrap(), review, moment)).unwrap();
    let first = &story.revisions[0];
    assert_eq!(
        (first.number, first.saying.trust, first.author().keeper().is_some()),
        (number(1), Trust::Unverified, true)
    );
    assert!(matches!(story.head.as_ref().unwrap().truth, Truth::Settled(_)));
    let expires = first.saying.retention.keep_until.unwrap();
    assert!(expires > after(story.now + 30 * DAY - 10) && expires <= after(story.now + 30 * DAY));
}

#[test]
fn only_a_person_approves_and_only_once() {
    let mut story = Story::new();
    let Outcome::HeldBack { review } = remembers(&mut story, "a", true) else { panic!() };
    for machine in ["agent:desk@1", "service:feed", "migration:old"] {
        let refused = story.act(machine, |case, moment| accept(case.unwrap(), review, moment));
        assert!(matches!(refused, Err(Refusal::NotPermitted { .. })), "{machine}");
    }
    story.act("operator:olga", |case, moment| dismiss(case.unwrap(), review, moment)).unwrap();
    let again = story.act("operator:olga", |case, moment| accept(case.unwrap(), review, moment));
    assert_eq!(again, Err(Refusal::NotWaiting));
    assert_eq!(remembers(&mut story, "a", true), Outcome::Dismissed { review });
    assert!(
        matches!(remembers(&mut story, "b", true), Outcome::HeldBack { .. }),
        "another text is another question"
    );
    assert_eq!(remembers(&mut story, "c", false), Outcome::Created);
}

#[test]
fn saying_it_again_is_evidence_and_verifying_lifts_its_end() {
    let mut story = Story::new();
    assert_eq!(remembers(&mut story, "a", false), Outcome::Created);
    story.now += DAY;
    assert_eq!(remembers(&mut story, "a", false), Outcome::Unchanged, "of the same run");
    assert_eq!(remembers(&mut story, "a", true), Outcome::Unchanged, "it is said already");
    assert_eq!(remembers(&mut story, "b", false), Outcome::Superseded);
    let kept = |story: &Story| story.revisions.last().unwrap().saying.retention.keep_until;
    assert!(kept(&story) > Some(after(31 * DAY - DAY / 2)));
    story.act("user:rita", |case, moment| verify(case.unwrap(), None, moment)).unwrap();
    assert_eq!(kept(&story), None);
    assert!(matches!(remembers(&mut story, "c", false), Outcome::ConflictOpened { .. }));
    let Outcome::HeldBack { review } = remembers(&mut story, "d", true) else { panic!() };
    let refused = story.act("user:rita", |case, moment| accept(case.unwrap(), review, moment));
    assert!(matches!(refused, Err(Refusal::Contested { .. })), "the conflict comes first");
    assert_eq!(story.said_again.iter().map(|said| said.cause).collect::<Vec<_>>(), [Cause::MemoryFact]);
}

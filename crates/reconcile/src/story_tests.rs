//! Any sequence of proposals and acts: what is decided always follows, and some things never happen.

use fact::{Content, Draft, NewEvent, Outcome, Proposal, RevisionNumber, Truth};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::samples::{
    DAY, FACT, SECOND, Story, after, by_id, in_slot, keyless, number, runs, tenant, told, with,
};
use crate::{
    Refusal, Settlement, Verdict, accept, admit, dismiss, expire, hold, quarantine, reopen, restore, retract,
    settle, verify,
};

const ACTORS: [&str; 6] =
    ["user:ann", "operator:root", "agent:helper", "agent:other", "migration:import", "service:cron"];

/// One step of a story.
#[derive(Debug, Clone)]
enum Step {
    Say { by_id: bool, text: u8, fields: Fields },
    Verify { expected: Option<u32> },
    Retract,
    Restore { revision: Option<u32> },
    Hold { on: bool },
    Admit,
    Quarantine,
    Settle { side: usize, version: i8 },
    Reword { text: u8 },
    Reopen,
    Accept { place: usize },
    Dismiss { place: usize },
    Expire,
    Erase { back: u32 },
}

/// What else is said, as offsets from the moment.
#[derive(Debug, Clone)]
struct Fields {
    confidence: u8,
    evidence: u8,
    expected: Option<u32>,
    from: Option<i64>,
    lasts: Option<i64>,
    observed: Option<i64>,
    days: Option<u32>,
    tag: Option<u8>,
    tool: bool,
    hold: bool,
}

fn any_fields() -> impl Strategy<Value = Fields> {
    let sparse = |values: std::ops::Range<i64>| prop_oneof![2 => Just(None), 1 => values.prop_map(Some)];
    let rare = prop_oneof![4 => Just(None), 1 => (1_u32..6).prop_map(Some)];
    (
        (0_u8..=10, 0_u8..3, rare, any::<bool>(), prop::bool::weighted(0.1)),
        (
            sparse(-9..9),
            sparse(1..12),
            sparse(-9..3),
            prop::option::weighted(0.2, 1_u32..20),
            prop::option::of(0_u8..2),
        ),
    )
        .prop_map(
            |((confidence, evidence, expected, tool, hold), (from, lasts, observed, days, tag))| Fields {
                confidence,
                evidence,
                expected,
                from,
                lasts,
                observed,
                days,
                tag,
                tool,
                hold,
            },
        )
}

fn any_step() -> impl Strategy<Value = (i64, usize, Step)> {
    let named = || prop::option::weighted(0.3, 1_u32..6);
    let step = prop_oneof![
        10 => (any::<bool>(), 0_u8..4, any_fields()).prop_map(|(by_id, text, fields)| Step::Say { by_id, text, fields }),
        2 => named().prop_map(|expected| Step::Verify { expected }),
        2 => Just(Step::Retract),
        2 => named().prop_map(|revision| Step::Restore { revision }),
        1 => any::<bool>().prop_map(|on| Step::Hold { on }),
        1 => Just(Step::Admit),
        1 => Just(Step::Quarantine),
        4 => (0_usize..4, prop_oneof![9 => Just(0_i8), 1 => Just(-1), 1 => Just(1)])
            .prop_map(|(side, version)| Step::Settle { side, version }),
        2 => (0_u8..5).prop_map(|text| Step::Reword { text }),
        2 => Just(Step::Reopen),
        1 => (0_usize..3).prop_map(|place| Step::Accept { place }),
        1 => (0_usize..3).prop_map(|place| Step::Dismiss { place }),
        2 => Just(Step::Expire),
        1 => (0_u32..3).prop_map(|back| Step::Erase { back }),
    ];
    (prop_oneof![Just(0), 1..SECOND, Just(DAY), 1..6 * DAY], 0..ACTORS.len(), step)
}

/// The proposal of a step as it is parsed at the moment, or none where the limits refuse it.
fn proposed(story: &Story, keyed: bool, step: &Step) -> Option<Proposal> {
    let Step::Say { by_id, text, fields } = step else { return None };
    let text = ["tea", "coffee", "milk", "water"][usize::from(*text)];
    let day = |offset: i64| after(story.now + offset * DAY).exact();
    let ids: Vec<String> = (0..fields.evidence).map(|one| format!("r{one}")).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let until = fields.lasts.map(|lasts| day(fields.from.unwrap_or(0) + lasts));
    let said = json!({
        "confidence": f64::from(fields.confidence) / 10.0,
        "evidence": runs(&ids),
        "expectVersion": fields.expected,
        "validFrom": fields.from.map(day),
        "validUntil": until,
        "observedAt": fields.observed.map(day),
        "retention": {"keepDays": fields.days, "legalHold": fields.hold},
        "tags": fields.tag.map(|tag| vec![format!("t{tag}")]),
        "generatedBy": {"toolCallId": fields.tool.then_some("c1")},
    });
    let place = if keyed { in_slot(text, said.clone()) } else { keyless(text, said.clone()) };
    let aimed = with(json!({"fact": FACT, "content": {"text": text}}), said);
    let draft: Value = if *by_id { aimed } else { place };
    let draft = Draft::from_json(draft, &tenant()).unwrap();
    Proposal::parse(draft, &tenant(), story.time()).ok()
}

fn take(story: &mut Story, keyed: bool, by: &str, step: &Step) -> Option<Result<fact::Decision, Refusal>> {
    let named = |revision: &Option<u32>| revision.map(number);
    if story.head.is_none() && !matches!(step, Step::Say { .. }) {
        return None;
    }
    match step {
        Step::Say { .. } => {
            let proposal = proposed(story, keyed, step)?;
            Some(story.propose(by, &proposal))
        }
        Step::Verify { expected } => {
            Some(story.act(by, |case, moment| verify(case.unwrap(), named(expected), moment)))
        }
        Step::Retract => Some(story.act(by, |case, moment| retract(case.unwrap(), None, None, moment))),
        Step::Restore { revision } => {
            Some(story.act(by, |case, moment| restore(case.unwrap(), named(revision), moment)))
        }
        Step::Hold { on } => Some(story.act(by, |case, moment| hold(case.unwrap(), *on, moment))),
        Step::Admit => Some(story.act(by, |case, moment| admit(case.unwrap(), moment))),
        Step::Quarantine => Some(story.act(by, |case, moment| quarantine(case.unwrap(), moment))),
        Step::Settle { .. } | Step::Reword { .. } => {
            let verdict = verdict(story, step)?;
            Some(story.act(by, |case, moment| settle(case.unwrap(), &verdict, moment)))
        }
        Step::Reopen => {
            let conflict = last_conflict(story)?;
            Some(story.act(by, |case, moment| reopen(case.unwrap(), conflict, moment)))
        }
        Step::Accept { place } => {
            let review = story.said_again.get(*place)?.review;
            Some(story.act(by, |case, moment| accept(case.unwrap(), review, moment)))
        }
        Step::Dismiss { place } => {
            let review = story.said_again.get(*place)?.review;
            Some(story.act(by, |case, moment| dismiss(case.unwrap(), review, moment)))
        }
        Step::Expire => Some(story.act(by, |case, moment| expire(case.unwrap(), moment))),
        Step::Erase { back } => {
            let latest = story.head.as_ref().unwrap().latest.get();
            story.erase(&[latest.saturating_sub(*back).max(1)]);
            None
        }
    }
}

/// The verdict of a step on the open conflict, or on the last one.
fn verdict(story: &Story, step: &Step) -> Option<Verdict> {
    let head = story.head.as_ref()?;
    let contest = match &head.truth {
        Truth::Contested(contest) => contest,
        Truth::Settled(_) | Truth::Ended(_) => head.reopenable.as_ref()?,
    };
    let (settlement, version) = if let Step::Settle { side, version } = step {
        (Settlement::Keep(contest.sides.get(*side).copied().unwrap_or(number(99))), *version)
    } else if let Step::Reword { text } = step {
        let text = ["tea", "coffee", "milk", "water", "cocoa"][usize::from(*text)];
        (Settlement::Reword(Box::new(crate::samples::proposal(by_id(text, json!({}))))), 0)
    } else {
        return None;
    };
    let version = contest.version.saturating_add_signed(version.into());
    Some(Verdict { conflict: contest.conflict, version, settlement, note: None })
}

fn last_conflict(story: &Story) -> Option<fact::ConflictId> {
    let head = story.head.as_ref()?;
    match &head.truth {
        Truth::Contested(contest) => Some(contest.conflict),
        Truth::Settled(_) | Truth::Ended(_) => head.reopenable.as_ref().map(|contest| contest.conflict),
    }
}

/// What the fact says at `micros`, where something is settled then.
fn said_at(story: &Story, micros: i64) -> Option<String> {
    let head = story.head.as_ref()?;
    let settled = head.truth.settled(after(micros))?;
    let words = story.revision(settled.get()).words.as_ref()?;
    words.content.as_ref().map(Content::canonical)
}

fn check(before: &Story, after_it: &Story, by: &str, keyed: bool, result: &Result<fact::Decision, Refusal>) {
    let is_person = by.starts_with("user") || by.starts_with("operator");
    let Ok(decision) = result else {
        assert_eq!(after_it.head, before.head, "a refusal changes nothing");
        return;
    };
    let head = after_it.head.as_ref().unwrap();
    assert!(decision.revision <= head.latest);
    check_words(&decision.change.events, keyed);
    if decision.outcome == Outcome::Unchanged {
        assert!(decision.change.events.is_empty());
    }
    if let (false, Some(Truth::Contested(contest))) =
        (is_person, before.head.as_ref().map(|head| &head.truth))
    {
        let Truth::Contested(now) = &head.truth else { panic!("a machine settled a conflict") };
        assert_eq!(now.conflict, contest.conflict);
        assert!(now.sides.starts_with(&contest.sides));
    }
    if before.head.as_ref().is_some_and(|head| head.held) {
        assert!(!matches!(decision.outcome, Outcome::Superseded | Outcome::Retracted), "{by}");
    }
    let sides = head.reopenable.iter().flat_map(|contest| contest.sides.clone());
    let named: Vec<RevisionNumber> = head.truth.revisions().into_iter().chain(sides).collect();
    let quarantined = |revision: &RevisionNumber| named.contains(revision);
    assert!(head.quarantined.iter().all(quarantined));
    check_outcome(before, after_it, decision);
}

fn check_words(events: &[NewEvent], keyed: bool) {
    for event in events {
        if event.happening.saying().is_some() {
            assert!(event.words.content.is_some());
            assert_eq!(event.words.key.is_some(), keyed, "the key stays in the words");
        }
    }
}

fn check_outcome(before: &Story, after_it: &Story, decision: &fact::Decision) {
    let now = after_it.now;
    match decision.outcome {
        Outcome::Verified | Outcome::Moved => {
            for days in 0..30 {
                assert_eq!(
                    said_at(before, now + days * DAY),
                    said_at(after_it, now + days * DAY),
                    "day {days}"
                );
            }
        }
        Outcome::Unchanged
        | Outcome::EvidenceAdded
        | Outcome::History
        | Outcome::HeldBack { .. }
        | Outcome::Dismissed { .. }
        | Outcome::Merged { .. }
        | Outcome::Split { .. } => {
            assert_eq!(said_at(before, now), said_at(after_it, now));
        }
        Outcome::Superseded | Outcome::Restored | Outcome::Created | Outcome::Accepted { .. } => {
            let revision = after_it.revision(decision.revision.get());
            assert_eq!(after_it.truth(), "settled");
            let is_in_force = revision.valid_from() <= after(now);
            let is_over = revision.saying.valid_until.is_some_and(|until| until <= after(now));
            if is_in_force && !is_over {
                assert_eq!(after_it.settled(), Some(decision.revision.get()));
            }
        }
        Outcome::ConflictOpened { .. } | Outcome::ConflictJoined { .. } => {
            assert_eq!((after_it.truth(), after_it.settled()), ("contested", None));
        }
        Outcome::Retracted => assert_eq!(after_it.truth(), "retracted"),
        Outcome::Settled { .. } => check_settled(before, after_it, decision),
        Outcome::Reopened { conflict } => {
            let Some(Truth::Contested(contest)) = after_it.head.as_ref().map(|head| &head.truth) else {
                panic!("it is open")
            };
            let settled = before.head.as_ref().and_then(|head| head.reopenable.as_ref()).unwrap();
            assert_eq!((contest.conflict, &contest.sides), (conflict, &settled.sides));
            assert!(contest.version > settled.version);
        }
        Outcome::Expired => {
            assert_eq!((after_it.truth(), after_it.settled()), ("expired", None));
            for days in -30..30 {
                let time = now + days * DAY;
                assert_eq!(said_at(before, time), said_at(after_it, time), "the past stays: day {days}");
            }
        }
        Outcome::Admitted | Outcome::Quarantined | Outcome::HoldPlaced | Outcome::HoldLifted => {
            let truth = |story: &Story| story.head.as_ref().map(|head| head.truth.revisions());
            assert_eq!(truth(before), truth(after_it));
        }
    }
}

/// Exactly what was kept is the truth, and the conflict can be opened again.
fn check_settled(before: &Story, after_it: &Story, decision: &fact::Decision) {
    let head = after_it.head.as_ref().unwrap();
    assert_eq!(head.truth.revisions(), [decision.revision]);
    let Some(Truth::Contested(contest)) = before.head.as_ref().map(|head| &head.truth) else {
        panic!("it was contested")
    };
    let settled = head.reopenable.as_ref().unwrap();
    assert_eq!((settled.conflict, &settled.sides), (contest.conflict, &contest.sides));
    let was_side = contest.sides.contains(&decision.revision);
    let is_new = decision.revision.get() > before.head.as_ref().unwrap().latest.get();
    assert!(was_side != is_new);
}

/// Saying the same again at once never writes another revision.
fn check_again(story: &Story, by: &str, proposal: &Proposal, outcome: Outcome) {
    if !matches!(outcome, Outcome::Created | Outcome::Superseded | Outcome::Restored) {
        return;
    }
    let same = Proposal { expected: None, ..proposal.clone() };
    let mut again = story.clone();
    let result = again.propose(by, &same);
    assert_eq!(again.revisions.len(), story.revisions.len(), "{}", told(&result));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn whatever_is_decided_follows(keyed in any::<bool>(), steps in prop::collection::vec(any_step(), 1..14)) {
        let mut story = Story::new();
        for (wait, by, step) in steps {
            story.now += wait;
            let before = story.clone();
            let by = ACTORS[by];
            let Some(result) = take(&mut story, keyed, by, &step) else { continue };
            check(&before, &story, by, keyed, &result);
            if let (Ok(decision), Some(proposal)) = (result, proposed(&before, keyed, &step)) {
                check_again(&story, by, &proposal, decision.outcome);
            }
        }
    }
}

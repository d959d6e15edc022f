//! Every truth of a fact, every rule, everyone who may ask: what each comes to, in one table.

use std::collections::HashMap;
use std::fmt::Write as _;

use fact::{
    Case, ConflictId, Contest, Decision, Event, FactId, Happening, Head, Id, NewEvent, Position, ReviewId,
    Scope, Truth, Words, apply,
};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::samples::{DAY, SECOND, Story, actor, after, by_id, in_slot, number, proposal, runs, told, with};
use crate::{
    Destination, Fresh, Moment, Policy, Refusal, Settlement, Verdict, Viewed, accept, admit, check_erasure,
    decide, dismiss, expire, hold, merge, move_fact, quarantine, reopen, restore, retract, settle, split,
    verify,
};

const ANN: &str = "user:ann";
const ROOT: &str = "operator:root";
const HELPER: &str = "agent:helper";
const IMPORT: &str = "migration:import";
const CRON: &str = "service:cron";
/// The owner, another person, an operator, and the machines.
const EVERYONE: [&str; 6] = [ANN, "user:bob", ROOT, HELPER, IMPORT, CRON];

type Rule = fn(&Case, &Moment<'_>) -> Result<Decision, Refusal>;

/// A draft in the slot of Ann's fact.
fn anns(text: &str, fields: Value) -> Value {
    with(in_slot(text, json!({"scope": {"userId": "ann"}})), fields)
}

fn said(by: &str, text: &str, fields: Value) -> Story {
    Story::of(by, anns(text, fields)).later(SECOND)
}

fn then(mut story: Story, by: &str, rule: Rule) -> Story {
    story.act(by, |case, moment| rule(case.unwrap(), moment)).unwrap();
    story.later(SECOND)
}

fn then_said(mut story: Story, by: &str, text: &str) -> Story {
    story.say(by, anns(text, json!({}))).unwrap();
    story.later(SECOND)
}

fn settled() -> Story {
    said(ANN, "tea", json!({}))
}

fn lapsed() -> Story {
    said(ANN, "tea", json!({"validUntil": after(DAY).exact()})).later(DAY)
}

fn contested() -> Story {
    then_said(settled(), HELPER, "coffee")
}

fn forgotten(by: &str) -> Story {
    then(settled(), by, |case, moment| retract(case, None, None, moment))
}

fn held(story: Story) -> Story {
    then(story, ANN, |case, moment| hold(case, true, moment))
}

fn settled_after_a_conflict() -> Story {
    then(contested(), ANN, KEEP)
}

fn erased() -> Story {
    let mut story = settled();
    story.erase(&[1]);
    story.later(SECOND)
}

/// Another fact of Ann's.
fn other() -> Case {
    let mut case = settled().case().unwrap();
    case.head.fact = FactId::new(Uuid::from_u128(76));
    case
}

fn merged() -> Story {
    then(settled(), ANN, |case, _| {
        let mut decision = crate::ask::unchanged(case, number(1));
        let happening = Happening::Merged { into: other().head.fact };
        decision.change.events.push(NewEvent { fact: case.head.fact, happening, words: Words::default() });
        Ok(decision)
    })
}

fn elsewhere(taken: bool) -> Destination {
    let taken = taken.then(|| other().head.fact);
    Destination {
        scope: Scope { project: Some(Id::parse("project", "p").unwrap()), ..other().head.scope },
        taken,
    }
}

fn every_truth() -> Vec<(&'static str, Story)> {
    vec![
        ("unknown", Story::new()),
        ("settled", settled()),
        ("to come", said(ANN, "tea", json!({"validFrom": after(DAY).exact()}))),
        ("lapsed", lapsed()),
        ("expired", then(lapsed(), CRON, expire)),
        ("contested", contested()),
        ("forgotten by a person, and said again", then_said(forgotten(ANN), HELPER, "coffee")),
        ("forgotten by a machine", forgotten(HELPER)),
        ("merged", merged()),
        ("erased", erased()),
        ("held", held(settled())),
        ("contested and held", held(contested())),
        ("quarantined", said(IMPORT, "tea", json!({}))),
        ("settled after a conflict", settled_after_a_conflict()),
        ("settled after a conflict, and held", held(settled_after_a_conflict())),
    ]
}

/// The conflict that is open, or was settled last; else one that nobody has.
fn conflict(case: &Case) -> (ConflictId, u32) {
    let contest: Option<&Contest> = match &case.head.truth {
        Truth::Contested(contest) => Some(contest),
        Truth::Settled(_) | Truth::Ended(_) => case.head.reopenable.as_ref(),
    };
    contest.map_or((ConflictId::new(Uuid::nil()), 1), |contest| (contest.conflict, contest.version))
}

fn ruled(case: &Case, moment: &Moment<'_>, stale: u32, settlement: Settlement) -> Result<Decision, Refusal> {
    let (conflict, version) = conflict(case);
    settle(case, &Verdict { conflict, version: version + stale, settlement, note: None }, moment)
}

fn review(case: &Case) -> ReviewId {
    case.said_again.first().map_or(ReviewId::new(Uuid::nil()), |said| said.review)
}

fn viewed(case: &Case) -> Viewed<'_> {
    Viewed { case, expected: None }
}

const KEEP: Rule = |case, moment| ruled(case, moment, 0, Settlement::Keep(number(1)));

/// What can be done to a fact that is there.
const RULES: [(&str, Rule); 22] = [
    ("verify", |case, moment| verify(case, None, moment)),
    ("forget", |case, moment| retract(case, None, None, moment)),
    ("restore", |case, moment| restore(case, None, moment)),
    ("hold", |case, moment| hold(case, true, moment)),
    ("lift the hold", |case, moment| hold(case, false, moment)),
    ("admit", admit),
    ("quarantine", quarantine),
    ("keep a side", KEEP),
    ("keep a side, seen before", |case, moment| ruled(case, moment, 1, Settlement::Keep(number(1)))),
    ("keep what is no side", |case, moment| ruled(case, moment, 0, Settlement::Keep(number(9)))),
    ("reword", |case, moment| {
        let cocoa = proposal(by_id("cocoa", json!({})));
        ruled(case, moment, 0, Settlement::Reword(Box::new(cocoa)))
    }),
    ("both are true", |case, moment| {
        ruled(case, moment, 0, Settlement::Both { keep: number(1), apart: number(2), said: None })
    }),
    ("reopen", |case, moment| reopen(case, conflict(case).0, moment)),
    ("accept", |case, moment| accept(case, review(case), moment)),
    ("dismiss", |case, moment| dismiss(case, review(case), moment)),
    ("move", |case, moment| move_fact(case, &elsewhere(false), None, moment)),
    ("move where its place is taken", |case, moment| move_fact(case, &elsewhere(true), None, moment)),
    ("merge another into it", |case, moment| merge(viewed(case), &[viewed(&other())], moment)),
    ("merge it into another", |case, moment| merge(viewed(&other()), &[viewed(case)], moment)),
    ("split", |case, moment| split(case, other().head.fact, Some(&other()), moment)),
    ("expire", expire),
    ("erase", |case, moment| {
        check_erasure(&case.head, moment.actor)?;
        Ok(crate::ask::unchanged(case, case.head.latest))
    }),
];

/// What can be said of it, known or not.
fn drafts() -> [(&'static str, Value); 5] {
    let sure = json!({"confidence": 1.0, "evidence": runs(&["r1"])});
    [
        ("say the same", anns("tea", json!({}))),
        ("say the same on new grounds", anns("tea", sure.clone())),
        ("doubt", anns("milk", json!({}))),
        ("update", anns("milk", sure.clone())),
        ("update by its id", by_id("milk", sure)),
    ]
}

/// Decides, and applies what was decided: a refusal and an unchanged fact have no events, and all others follow.
fn answer(
    story: &Story,
    by: &str,
    rule: impl FnOnce(Option<&Case>, &Moment<'_>) -> Result<Decision, Refusal>,
) -> String {
    let actor = actor(by);
    let fresh = Fresh {
        fact: FactId::new(Uuid::from_u128(77)),
        conflict: ConflictId::new(Uuid::from_u128(78)),
        review: ReviewId::new(Uuid::from_u128(79)),
    };
    let moment = Moment { now: story.time(), actor: &actor, fresh, sources: None };
    let result = rule(story.case().as_ref(), &moment);
    if let Ok(decision) = &result {
        let mut heads: HashMap<FactId, Head> = HashMap::from([(other().head.fact, other().head)]);
        heads.extend(story.head.clone().map(|head| (head.fact, head)));
        let mut position = story.head.as_ref().map_or(Position::START, |head| head.version);
        for (place, new) in decision.change.events.iter().enumerate() {
            position = position.next();
            let event = Event {
                position,
                fact: new.fact,
                recorded_at: after(story.now + i64::try_from(place).unwrap()),
                actor: actor.clone(),
                request: None,
                happening: new.happening.clone(),
            };
            let head = apply(heads.get(&new.fact), &event).unwrap();
            heads.insert(new.fact, head);
        }
    }
    let events = result.as_ref().map_or(0, |decision| decision.change.events.len());
    format!("{}{}", told(&result), "*".repeat(events))
}

/// Those who get the same answer stand on one line.
fn line(table: &mut String, what: &str, answer: impl Fn(&str) -> String) {
    let mut answers: Vec<(String, Vec<&str>)> = Vec::new();
    for by in EVERYONE {
        let name = by.split_once(':').map_or(by, |(_, name)| name);
        let told = answer(by);
        match answers.iter_mut().find(|(one, _)| *one == told) {
            Some((_, who)) => who.push(name),
            None => answers.push((told, vec![name])),
        }
    }
    writeln!(table, "  {what}").unwrap();
    for (told, who) in answers {
        let who = if who.len() == EVERYONE.len() { "everyone".to_owned() } else { who.join(", ") };
        writeln!(table, "    {told} <- {who}").unwrap();
    }
}

/// A star is an event that is appended.
#[test]
fn every_truth_every_rule_everyone() {
    let mut table = String::new();
    for (name, story) in every_truth() {
        writeln!(table, "{name}").unwrap();
        for (what, draft) in drafts() {
            let proposal = proposal(draft);
            line(&mut table, what, |by| {
                answer(&story, by, |case, moment| decide(case, &proposal, &Policy::default(), moment))
            });
        }
        if story.head.is_none() {
            continue;
        }
        for (what, rule) in RULES {
            line(&mut table, what, |by| answer(&story, by, |case, moment| rule(case.unwrap(), moment)));
        }
    }
    insta::assert_snapshot!(table);
}

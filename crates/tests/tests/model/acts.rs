//! What is done to a fact that is there: verified, forgotten, brought back, held, let into recall or taken out of it.

use truthkeeper::Trust;

use super::commands::{Act, Who};
use super::decide::{again, check_expected, hold, last_named, settle};
use super::facts::{Contest, Fact, Micros, Revision, Span, Truth, Words};
use super::world::{Done, Outcome, Why, World};

pub(super) fn act(world: &mut World, who: Who, fact: usize, act: &Act) -> Result<Done, Why> {
    if fact >= world.facts.len() {
        return Err(Why::NotFound);
    }
    let person = if who.is_person() { Ok(()) } else { Err(Why::NotPermitted) };
    let operator = if who == Who::Operator { Ok(()) } else { Err(Why::NotPermitted) };
    match act {
        Act::Verify { expect, .. } => person.and_then(|()| verify(world, who, fact, *expect)),
        Act::Restore { revision, .. } => person.and_then(|()| restore(world, who, fact, *revision)),
        Act::Forget { expect, why, .. } => forget(world, who, fact, *expect, *why),
        Act::Hold { on, .. } => person.map(|()| place_hold(world, fact, *on)),
        Act::Admit { .. } => operator.map(|()| admit(world, fact, true)),
        Act::Quarantine { .. } => operator.map(|()| admit(world, fact, false)),
        Act::Say(_)
        | Act::Settle { .. }
        | Act::Reopen { .. }
        | Act::Accept { .. }
        | Act::Dismiss { .. }
        | Act::Move { .. }
        | Act::Merge { .. }
        | Act::Split { .. } => unreachable!("done elsewhere"),
    }
}

fn place_hold(world: &mut World, fact: usize, on: bool) -> Done {
    let it = &world.facts[fact];
    let revision = last_named(it, world.now());
    let outcome = match (it.held == on, on) {
        (true, _) => Outcome::Unchanged,
        (false, true) => Outcome::HoldPlaced,
        (false, false) => Outcome::HoldLifted,
    };
    if outcome != Outcome::Unchanged {
        hold(world, fact, on);
    }
    Done { fact, revision, outcome }
}

/// Every revision of the truth is let into recall, or taken out of it.
fn admit(world: &mut World, fact: usize, into_recall: bool) -> Done {
    let now = world.now();
    let it = &world.facts[fact];
    let mut named = it.truth().names();
    named.retain(|number| it.revision(*number).quarantined == into_recall);
    let (revision, outcome) = match (named.last(), into_recall) {
        (None, _) => (last_named(it, now), Outcome::Unchanged),
        (Some(newest), true) => (*newest, Outcome::Admitted),
        (Some(_), false) => (last_named(it, now), Outcome::Quarantined),
    };
    for number in named {
        let (_, at) = world.event(now);
        let it = &mut world.facts[fact];
        it.revision_mut(number).quarantined = !into_recall;
        again(it, at);
    }
    Done { fact, revision, outcome }
}

/// Writes a revision once more, changed by `change`.
pub(super) fn copy(
    world: &mut World,
    fact: usize,
    who: Who,
    of: u32,
    now: Micros,
    change: impl Fn(&mut Revision),
) -> u32 {
    let (position, at) = world.event(now);
    let it = &mut world.facts[fact];
    let mut revision =
        Revision { position, recorded: at, by: who, left: Vec::new(), ..it.revision(of).clone() };
    change(&mut revision);
    let text = Some(revision.text);
    it.revisions.push(revision);
    let number = it.latest();
    for link in it.links.iter_mut().filter(|link| link.revision == of) {
        link.revision = number;
    }
    let (says, about) = (Some(number), Some(number));
    it.words.push(Words { says, about, text, gone: false, held_back: false });
    settle(it, number, at);
    number
}

/// The settled revision again, as verified; and what is to follow it, after it.
fn verify(world: &mut World, who: Who, fact: usize, expect: Option<u32>) -> Result<Done, Why> {
    let now = world.now();
    let it = &world.facts[fact];
    let spans = match it.truth() {
        Truth::Contested(_) => return Err(Why::Contested),
        Truth::Merged { .. } => return Err(Why::Merged),
        Truth::Forgotten { .. } | Truth::Erased => return Err(Why::NotCurrent),
        Truth::Settled(spans) => spans.clone(),
    };
    let settled = it.settled(now).ok_or(Why::NotCurrent)?;
    check_expected(it, expect, now)?;
    if it.revision(settled).trust == Trust::Verified {
        return Ok(Done { fact, revision: settled, outcome: Outcome::Unchanged });
    }
    let first = it.latest() + 1;
    write_again(world, fact, who, &spans, settled, |revision, number, _| {
        revision.author = who;
        if number == settled {
            revision.trust = Trust::Verified;
        }
    });
    Ok(Done { fact, revision: first, outcome: Outcome::Verified })
}

/// The revision that stands and what is to follow it, each once more.
pub(super) fn write_again(
    world: &mut World,
    fact: usize,
    who: Who,
    spans: &[Span],
    first: u32,
    change: impl Fn(&mut Revision, u32, Micros),
) {
    let now = world.now();
    let standing: Vec<Span> = spans.iter().copied().filter(|span| span.number >= first).collect();
    for (place, span) in standing.iter().enumerate().filter(|(_, span)| !span.gone) {
        let next = standing.get(place + 1).filter(|next| next.gone);
        let recorded = world.facts[fact].revision(span.number).recorded;
        let cut = next.map(|next| world.facts[fact].revision(next.number).from);
        copy(world, fact, who, span.number, now, |revision| {
            revision.until = revision.until.into_iter().chain(cut).min();
            change(revision, span.number, recorded);
        });
    }
}

fn forget(world: &mut World, who: Who, fact: usize, expect: Option<u32>, why: bool) -> Result<Done, Why> {
    let now = world.now();
    let it = &world.facts[fact];
    match it.truth() {
        Truth::Settled(_) if it.stands(now) => {}
        Truth::Contested(_) if who.is_person() => {}
        Truth::Contested(_) => return Err(Why::NotPermitted),
        Truth::Merged { .. } => return Err(Why::Merged),
        Truth::Settled(_) | Truth::Forgotten { .. } | Truth::Erased => return Err(Why::NotCurrent),
    }
    check_expected(it, expect, now)?;
    if it.held {
        return Err(Why::LegalHold);
    }
    let named = last_named(it, now);
    let (_, at) = world.event(now);
    let it = &mut world.facts[fact];
    if why {
        it.words.push(Words { says: None, about: None, text: None, gone: false, held_back: false });
    }
    let sides = it.sides(at);
    it.turn(at, Truth::Forgotten { sides, by_person: who.is_person() });
    Ok(Done { fact, revision: named, outcome: Outcome::Retracted })
}

/// What stood last again, from now on and without an end.
fn restore(world: &mut World, who: Who, fact: usize, revision: Option<u32>) -> Result<Done, Why> {
    let now = world.now();
    let it = &world.facts[fact];
    let last = match it.truth() {
        Truth::Contested(_) => return Err(Why::StillCurrent),
        Truth::Settled(_) if it.stands(now) => return Err(Why::StillCurrent),
        Truth::Merged { .. } => return Err(Why::Merged),
        other @ (Truth::Settled(_) | Truth::Forgotten { .. } | Truth::Erased) => {
            other.names().last().copied().ok_or(Why::NotCurrent)?
        }
    };
    if revision.is_some_and(|named| named != last) {
        return Err(Why::NotLatest);
    }
    if it.revision(last).gone {
        return Err(Why::NotCurrent);
    }
    let at = it_is_recorded(world, now);
    let number = copy(world, fact, who, last, now, |revision| {
        revision.author = who;
        revision.from = at;
        revision.until = None;
    });
    Ok(Done { fact, revision: number, outcome: Outcome::Restored })
}

/// When the next event of a change decided at `now` is recorded.
fn it_is_recorded(world: &World, now: Micros) -> Micros {
    world.recorded.map_or(now, |recorded| now.max(recorded + 1))
}

fn marked(fact: &Fact, spans: &[Span], gone: &[u32], at: Micros) -> Vec<Span> {
    let mark = |span: Span| Span { gone: span.gone || gone.contains(&span.number), ..span };
    fact.standing(spans, at).into_iter().map(mark).collect()
}

/// The truth after the words of these revisions are gone.
pub(super) fn without(fact: &mut Fact, numbers: &[u32], at: Micros) {
    let keep = |named: &[u32]| -> Vec<u32> {
        named.iter().copied().filter(|number| !numbers.contains(number)).collect()
    };
    let truth = match fact.truth().clone() {
        Truth::Settled(spans) => {
            let left = marked(fact, &spans, numbers, at);
            if left.iter().all(|span| span.gone) { Truth::Erased } else { Truth::Settled(left) }
        }
        Truth::Contested(contest) => {
            let sides = keep(&contest.sides);
            let version = contest.version + u32::from(sides.len() < contest.sides.len());
            if sides.is_empty() {
                Truth::Erased
            } else {
                Truth::Contested(Contest { version, sides, ..contest })
            }
        }
        Truth::Forgotten { sides, by_person } => {
            let left = keep(&sides);
            if left.is_empty() { Truth::Erased } else { Truth::Forgotten { sides: left, by_person } }
        }
        Truth::Merged { into, spans } => {
            let left = marked(fact, &spans, numbers, at);
            if left.iter().all(|span| span.gone) {
                Truth::Erased
            } else {
                Truth::Merged { into, spans: left }
            }
        }
        Truth::Erased => Truth::Erased,
    };
    let still_over = fact.swept && matches!(truth, Truth::Settled(_));
    fact.turn(at, truth);
    fact.swept = still_over;
    if fact.reopenable.as_ref().is_some_and(|contest| contest.sides.iter().any(|side| numbers.contains(side)))
    {
        fact.reopenable = None;
    }
}

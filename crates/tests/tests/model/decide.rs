//! The rules: what a draft, or an act of a person, does to the model.

use truthkeeper::{State, Trust};

use super::commands::{Act, Aim, Place, Said, Who};
use super::facts::{Fact, Micros, Revision, Span, Truth, Words};
use super::world::{Done, Outcome, Waiting, Why, World};

const DOUBT_BELOW: u32 = 900_000;

pub(super) fn act(world: &mut World, who: Who, act: &Act) -> Result<Done, Why> {
    let (fact, now) = match act {
        Act::Say(said) => return say(world, who, said),
        Act::Verify { fact, .. }
        | Act::Forget { fact, .. }
        | Act::Restore { fact, .. }
        | Act::Hold { fact, .. }
        | Act::Admit { fact } => (*fact, world.now()),
    };
    let Some(found) = world.facts.get(fact) else { return Err(Why::NotFound) };
    let done = |revision, outcome| Done { fact, revision, outcome };
    let person = if who.is_person() { Ok(()) } else { Err(Why::NotPermitted) };
    match act {
        Act::Say(_) => unreachable!("said above"),
        Act::Verify { expect, .. } => {
            person?;
            verify(world, who, fact, *expect)
        }
        Act::Restore { revision, .. } => {
            person?;
            restore(world, who, fact, *revision)
        }
        Act::Forget { expect, why, .. } => forget(world, who, fact, *expect, *why),
        Act::Hold { on, .. } => {
            person?;
            let named = last_named(found, now);
            if found.held == *on {
                return Ok(done(named, Outcome::Unchanged));
            }
            hold(world, fact, *on);
            Ok(done(named, if *on { Outcome::HoldPlaced } else { Outcome::HoldLifted }))
        }
        Act::Admit { .. } if who != Who::Operator => Err(Why::NotPermitted),
        Act::Admit { .. } => {
            let quarantined = found.quarantined();
            let Some(newest) = quarantined.last().copied() else {
                return Ok(done(last_named(found, now), Outcome::Unchanged));
            };
            for number in quarantined {
                let (_, at) = world.event(now);
                let fact = &mut world.facts[fact];
                fact.revision_mut(number).quarantined = false;
                again(fact, at);
            }
            Ok(done(newest, Outcome::Admitted))
        }
    }
}

/// The revision that the truth names last, or the last of all.
fn last_named(fact: &Fact, now: Micros) -> u32 {
    let named = fact.truth().names().last().copied();
    fact.current(now).map(|span| span.number).or(named).unwrap_or(fact.latest())
}

fn check_expected(fact: &Fact, expect: Option<u32>, now: Micros) -> Result<(), Why> {
    let current = fact.current(now).map(|span| span.number);
    if expect.is_none() || expect == current { Ok(()) } else { Err(Why::Changed) }
}

/// An event that leaves the truth as it is; an open conflict gets another version.
fn again(fact: &mut Fact, at: Micros) {
    let mut truth = fact.truth().clone();
    if let Truth::Contested { version, .. } = &mut truth {
        *version += 1;
    }
    fact.turn(at, truth);
}

fn hold(world: &mut World, fact: usize, on: bool) {
    let now = world.now();
    let (_, at) = world.event(now);
    let fact = &mut world.facts[fact];
    fact.held = on;
    let truth = fact.truth().clone();
    fact.turn(at, truth);
}

fn say(world: &mut World, who: Who, said: &Said) -> Result<Done, Why> {
    let now = world.now();
    let is_empty_span = said.until.is_some_and(|until| until <= said.from.unwrap_or(now));
    if is_empty_span {
        return Err(Why::BadInput);
    }
    let found = match said.aim {
        Aim::Fact(fact) if fact >= world.facts.len() => return Err(Why::NotFound),
        Aim::Fact(fact) => Some(fact),
        Aim::Place(place) => aimed_at(world, who, place, said),
    };
    if said.hold && !who.is_person() {
        return Err(Why::NotPermitted);
    }
    let Some(fact) = found else { return create(world, who, said) };
    check_expected(&world.facts[fact], said.expect, now)?;
    let mut done = match world.facts[fact].truth().clone() {
        Truth::Contested { conflict, sides, .. } => Ok(join(world, who, fact, said, conflict, &sides)),
        Truth::Settled(spans) => {
            let it = &world.facts[fact];
            let is_gone = it.current(now).is_none_or(|span| span.gone) && !it.stands(now);
            if is_gone {
                say_after_erasure(world, who, fact, said)
            } else {
                follow(world, who, fact, said, &spans)
            }
        }
        Truth::Forgotten { sides, by_person } => say_again(world, who, fact, said, &sides, by_person),
        Truth::Erased => say_after_erasure(world, who, fact, said),
    }?;
    if said.hold && !world.facts[fact].held {
        hold_with(world, fact, now);
        if done.outcome == Outcome::Unchanged {
            done.outcome = Outcome::HoldPlaced;
        }
    }
    Ok(done)
}

fn hold_with(world: &mut World, fact: usize, now: Micros) {
    let (_, at) = world.event(now);
    let fact = &mut world.facts[fact];
    fact.held = true;
    let truth = fact.truth().clone();
    fact.turn(at, truth);
}

/// The fact in the slot; without a key, the one that makes the statement: standing, contested or forgotten.
fn aimed_at(world: &World, who: Who, place: Place, said: &Said) -> Option<usize> {
    let numbered = || world.facts.iter().enumerate().filter(|(_, fact)| fact.place.is_anns == place.is_anns);
    if place.key.is_some() {
        let keeper = Some(who).filter(|who| who.is_agent());
        let in_slot =
            |fact: &Fact| fact.key() == place.key && fact.keeper == keeper && *fact.truth() != Truth::Erased;
        return numbered().find(|(_, fact)| in_slot(fact)).map(|(number, _)| number);
    }
    let saying = numbered().flat_map(|(number, fact)| {
        let named = fact.truth().names().into_iter().filter(|revision| fact.says(*revision, said));
        named.map(move |revision| (fact.revision(revision).position, number))
    });
    saying.min().map(|(_, number)| number)
}

fn create(world: &mut World, who: Who, said: &Said) -> Result<Done, Why> {
    let Aim::Place(place) = said.aim else { return Err(Why::NotFound) };
    if said.expect.is_some() {
        return Err(Why::Changed);
    }
    let keeper = Some(who).filter(|who| who.is_agent() && place.key.is_some());
    let fact = world.facts.len();
    world.facts.push(Fact {
        place,
        keeper,
        held: said.hold,
        revisions: Vec::new(),
        truths: Vec::new(),
        words: Vec::new(),
    });
    let (number, at) = write(world, fact, who, said, None, true);
    world.facts[fact].turn(at, Truth::Settled(vec![Span { number, gone: false }]));
    Ok(Done { fact, revision: number, outcome: Outcome::Created })
}

/// Another revision; what the draft leaves out comes from the one before.
fn write(
    world: &mut World,
    fact: usize,
    who: Who,
    said: &Said,
    before: Option<u32>,
    settles: bool,
) -> (u32, Micros) {
    let now = world.now();
    let (position, at) = world.event(now);
    let fact = &mut world.facts[fact];
    let before = before.map(|number| fact.revision(number).clone());
    let kept = before.as_ref().filter(|before| !before.gone).map(|before| before.tags.clone());
    let start = said.from.unwrap_or(now);
    let default_trust = if who.is_agent() { Trust::Unverified } else { Trust::Asserted };
    fact.revisions.push(Revision {
        position,
        recorded: at,
        by: who,
        text: said.text,
        gone: false,
        from: said.from.unwrap_or(at),
        until: said.until.or(before.and_then(|before| before.until).filter(|until| *until > start)),
        seen: said.seen,
        tags: said.tags.clone().or(kept).unwrap_or_default(),
        trust: said.trust.unwrap_or(default_trust),
        evidence: said.evidence.into_iter().collect(),
        quarantined: who == Who::Import,
        settles,
        left: (at, State::Superseded),
    });
    let number = fact.latest();
    let text = Some(said.text);
    let (says, about) = (Some(number), Some(number));
    fact.words.push(Words { says, about, text, gone: false, held_back: false });
    (number, at)
}

/// The revision becomes the truth from its start.
fn settle(fact: &mut Fact, number: u32, at: Micros) {
    let mut spans = match fact.truth() {
        Truth::Settled(spans) => spans.clone(),
        Truth::Contested { .. } | Truth::Forgotten { .. } | Truth::Erased => Vec::new(),
    };
    spans.push(Span { number, gone: false });
    let spans = fact.standing(&spans, at);
    fact.turn(at, Truth::Settled(spans));
}

fn join(world: &mut World, who: Who, fact: usize, said: &Said, conflict: usize, sides: &[u32]) -> Done {
    let outcome = Outcome::Joined(conflict);
    let it = &world.facts[fact];
    if let Some(side) = sides.iter().copied().find(|side| it.says(*side, said)) {
        add_evidence(world, fact, said, side);
        return Done { fact, revision: side, outcome };
    }
    let (number, at) = write(world, fact, who, said, sides.first().copied(), false);
    let it = &mut world.facts[fact];
    let mut truth = it.truth().clone();
    if let Truth::Contested { version, sides, .. } = &mut truth {
        *version += 1;
        sides.push(number);
    }
    it.turn(at, truth);
    Done { fact, revision: number, outcome }
}

/// True when the revision did not rest on it yet.
fn add_evidence(world: &mut World, fact: usize, said: &Said, revision: u32) -> bool {
    let new = said.evidence.filter(|one| !world.facts[fact].revision(revision).evidence.contains(one));
    let Some(new) = new else { return false };
    let now = world.now();
    let (_, at) = world.event(now);
    let it = &mut world.facts[fact];
    it.revision_mut(revision).evidence.push(new);
    it.words.push(Words { says: None, about: Some(revision), text: None, gone: false, held_back: false });
    again(it, at);
    true
}

fn follow(world: &mut World, who: Who, fact: usize, said: &Said, spans: &[Span]) -> Result<Done, Why> {
    let now = world.now();
    let it = &world.facts[fact];
    let done = |revision, outcome| Ok(Done { fact, revision, outcome });
    let in_force = it.settled(said.from.unwrap_or(now));
    let is_meant = |number: &u32| {
        let is_active = it.state(*number, now, now) == State::Active;
        in_force == Some(*number) || (said.is_by_statement() && is_active)
    };
    let mut meant = spans.iter().map(|span| span.number).filter(is_meant);
    if let Some(same) = meant.find(|number| repeats(it, *number, said)) {
        let added = add_evidence(world, fact, said, same);
        return done(same, if added { Outcome::EvidenceAdded } else { Outcome::Unchanged });
    }
    let current = it.current(now).map(|span| span.number);
    let readable = current.map(|number| it.revision(number));
    let seen_before = readable
        .is_some_and(|current| said.seen.is_some_and(|seen| seen < current.seen.unwrap_or(current.recorded)));
    if seen_before {
        let (number, at) = write(world, fact, who, said, current, false);
        let truth = world.facts[fact].truth().clone();
        world.facts[fact].turn(at, truth);
        return done(number, Outcome::History);
    }
    let corrects_itself = readable.is_some_and(|current| {
        let is_its_own = it.keeper == Some(who) && current.by == who;
        who.is_agent() && said.by_tool && is_its_own && current.trust == Trust::Unverified
    });
    let is_doubtful = readable.is_none_or(|current| current.trust == Trust::Verified)
        || it.keeper.is_some_and(|keeper| keeper != who)
        || said.millionths < DOUBT_BELOW
        || said.evidence.is_none();
    if !who.is_person() && !corrects_itself && is_doubtful {
        let (number, at) = write(world, fact, who, said, current, false);
        let conflict = world.conflicts;
        world.conflicts += 1;
        let it = &mut world.facts[fact];
        let sides = it.sides(at).into_iter().chain([number]).collect();
        it.turn(at, Truth::Contested { conflict, version: 1, opened: at, sides });
        return done(number, Outcome::Opened(conflict));
    }
    if who.only_creates() && it.stands(now) {
        return Err(Why::NotPermitted);
    }
    if it.held {
        return Err(Why::LegalHold);
    }
    let (number, at) = write(world, fact, who, said, current, true);
    settle(&mut world.facts[fact], number, at);
    done(number, Outcome::Superseded)
}

/// Equal content, validity, tags and trust; what the draft leaves out is equal.
fn repeats(fact: &Fact, number: u32, said: &Said) -> bool {
    let revision = fact.revision(number);
    fact.says(number, said)
        && said.from.is_none_or(|from| from == revision.from)
        && said.until.is_none_or(|until| Some(until) == revision.until)
        && said.tags.as_ref().is_none_or(|tags| *tags == revision.tags)
        && said.trust.is_none_or(|trust| trust == revision.trust)
}

fn say_again(
    world: &mut World,
    who: Who,
    fact: usize,
    said: &Said,
    sides: &[u32],
    by_person: bool,
) -> Result<Done, Why> {
    let last = sides.last().copied();
    if who.is_person() && matches!(said.aim, Aim::Fact(_)) {
        return Err(Why::NotCurrent);
    }
    if by_person && !who.is_person() {
        let now = world.now();
        let named = last_named(&world.facts[fact], now);
        let (_, at) = world.event(now);
        let it = &mut world.facts[fact];
        world.waiting.push(Waiting { fact, words: it.words.len() });
        it.words.push(Words { says: None, about: None, text: Some(said.text), gone: false, held_back: true });
        let truth = it.truth().clone();
        it.turn(at, truth);
        return Ok(Done { fact, revision: named, outcome: Outcome::HeldBack });
    }
    let (number, at) = write(world, fact, who, said, last, true);
    settle(&mut world.facts[fact], number, at);
    Ok(Done { fact, revision: number, outcome: Outcome::Restored })
}

fn say_after_erasure(world: &mut World, who: Who, fact: usize, said: &Said) -> Result<Done, Why> {
    if matches!(said.aim, Aim::Fact(_)) {
        return Err(Why::NotCurrent);
    }
    let (number, at) = write(world, fact, who, said, None, true);
    settle(&mut world.facts[fact], number, at);
    Ok(Done { fact, revision: number, outcome: Outcome::Created })
}

/// Writes a revision once more, changed by `change`.
fn copy(
    world: &mut World,
    fact: usize,
    who: Who,
    of: u32,
    now: Micros,
    change: impl Fn(&mut Revision),
) -> u32 {
    let (position, at) = world.event(now);
    let it = &mut world.facts[fact];
    let mut revision = Revision {
        position,
        recorded: at,
        by: who,
        settles: true,
        left: (at, State::Superseded),
        ..it.revision(of).clone()
    };
    change(&mut revision);
    let text = Some(revision.text);
    it.revisions.push(revision);
    let number = it.latest();
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
        Truth::Contested { .. } => return Err(Why::Contested),
        Truth::Forgotten { .. } | Truth::Erased => return Err(Why::NotCurrent),
        Truth::Settled(spans) => spans.clone(),
    };
    let settled = it.settled(now).ok_or(Why::NotCurrent)?;
    check_expected(it, expect, now)?;
    if it.revision(settled).trust == Trust::Verified {
        return Ok(Done { fact, revision: settled, outcome: Outcome::Unchanged });
    }
    let first = it.latest() + 1;
    let standing: Vec<Span> = spans.into_iter().filter(|span| span.number >= settled).collect();
    for (place, span) in standing.iter().enumerate().filter(|(_, span)| !span.gone) {
        let next = standing.get(place + 1).filter(|next| next.gone);
        let cut = next.map(|next| world.facts[fact].revision(next.number).from);
        copy(world, fact, who, span.number, now, |revision| {
            revision.until = revision.until.into_iter().chain(cut).min();
            if span.number == settled {
                revision.trust = Trust::Verified;
            }
        });
    }
    Ok(Done { fact, revision: first, outcome: Outcome::Verified })
}

fn forget(world: &mut World, who: Who, fact: usize, expect: Option<u32>, why: bool) -> Result<Done, Why> {
    let now = world.now();
    let it = &world.facts[fact];
    match it.truth() {
        Truth::Settled(_) if it.stands(now) => {}
        Truth::Contested { .. } if who.is_person() => {}
        Truth::Contested { .. } => return Err(Why::NotPermitted),
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
        Truth::Contested { .. } => return Err(Why::StillCurrent),
        Truth::Settled(_) if it.stands(now) => return Err(Why::StillCurrent),
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
        revision.from = at;
        revision.until = None;
    });
    Ok(Done { fact, revision: number, outcome: Outcome::Restored })
}

/// When the next event of a change decided at `now` is recorded.
fn it_is_recorded(world: &World, now: Micros) -> Micros {
    world.recorded.map_or(now, |recorded| now.max(recorded + 1))
}

/// The truth after the words of these revisions are gone.
pub(super) fn without(fact: &mut Fact, numbers: &[u32], at: Micros) {
    let keep = |named: &[u32]| -> Vec<u32> {
        named.iter().copied().filter(|number| !numbers.contains(number)).collect()
    };
    let truth = match fact.truth().clone() {
        Truth::Settled(spans) => {
            let standing = fact.standing(&spans, at);
            let left: Vec<Span> = standing
                .into_iter()
                .map(|span| Span { gone: span.gone || numbers.contains(&span.number), ..span })
                .collect();
            if left.iter().all(|span| span.gone) { Truth::Erased } else { Truth::Settled(left) }
        }
        Truth::Contested { conflict, version, opened, sides } => {
            let left = keep(&sides);
            let version = if left.len() < sides.len() { version + 1 } else { version };
            if left.is_empty() {
                Truth::Erased
            } else {
                Truth::Contested { conflict, version, opened, sides: left }
            }
        }
        Truth::Forgotten { sides, by_person } => {
            let left = keep(&sides);
            if left.is_empty() { Truth::Erased } else { Truth::Forgotten { sides: left, by_person } }
        }
        Truth::Erased => Truth::Erased,
    };
    fact.turn(at, truth);
}

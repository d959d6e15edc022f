//! The rules: what a draft does to the model.

use truthkeeper::{State, Trust};

use super::commands::{Aim, Place, Said, Who};
use super::facts::{Contest, Fact, Micros, Revision, Settling, Span, Truth, Words};
use super::world::{Done, Outcome, Why, World};
use super::{merge, review};

const DOUBT_BELOW: u32 = 900_000;

pub(super) fn say(world: &mut World, who: Who, said: &Said) -> Result<Done, Why> {
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
        Truth::Contested(contest) => Ok(join(world, who, fact, said, &contest)),
        Truth::Settled(spans) => {
            let it = &world.facts[fact];
            let is_gone = it.current(now).is_none_or(|span| span.gone) && !it.stands(now);
            if is_gone {
                say_after_erasure(world, who, fact, said)
            } else {
                follow(world, who, fact, said, &spans)
            }
        }
        Truth::Forgotten { sides, by_person } => review::say_again(world, who, fact, said, &sides, by_person),
        Truth::Merged { .. } if matches!(said.aim, Aim::Fact(_)) => Err(Why::Merged),
        Truth::Merged { .. } | Truth::Erased => say_after_erasure(world, who, fact, said),
    }?;
    if said.hold && !world.facts[fact].held {
        hold(world, fact, true);
        if done.outcome == Outcome::Unchanged {
            done.outcome = Outcome::HoldPlaced;
        }
    }
    Ok(done)
}

/// The fact in the slot; without a key, the one that makes the statement: standing, contested or forgotten.
fn aimed_at(world: &World, who: Who, place: Place, said: &Said) -> Option<usize> {
    let numbered = || world.facts.iter().enumerate().filter(|(_, fact)| fact.place.is_anns == place.is_anns);
    if place.key.is_some() {
        let keeper = Some(who).filter(|who| who.is_agent());
        let in_slot =
            |fact: &Fact| fact.key() == place.key && fact.keeper == keeper && *fact.truth() != Truth::Erased;
        let slot = numbered().find(|(_, fact)| in_slot(fact)).map(|(number, _)| merge::follow(world, number));
        let decides = slot.is_some_and(|slot| {
            matches!(world.facts[slot].truth(), Truth::Contested(_) | Truth::Forgotten { .. })
        });
        return if who.is_person() || decides {
            slot
        } else {
            forgotten(world, place, said.text.word).or(slot)
        };
    }
    saying(world, place, said.text.word).into_iter().next()
}

/// The facts that make a statement now, in the order in which they did: standing, contested or forgotten.
fn saying(world: &World, place: Place, word: u8) -> Vec<usize> {
    let numbered = world.facts.iter().enumerate().filter(|(_, fact)| fact.place.is_anns == place.is_anns);
    let saying = numbered.flat_map(|(number, fact)| {
        let says = |revision: &Revision| revision.text.word == word && !revision.gone;
        let named = fact
            .truth()
            .names()
            .into_iter()
            .map(|revision| fact.revision(revision))
            .filter(move |revision| says(revision));
        named.filter_map(move |revision| Some((revision.position, merge::speaks(world, number)?)))
    });
    let mut saying: Vec<(i64, usize)> = saying.collect();
    saying.sort_unstable();
    saying.into_iter().map(|(_, number)| number).collect()
}

/// What a person had forgotten and nothing else says: a machine does not bring it back under a key of its own.
fn forgotten(world: &World, place: Place, word: u8) -> Option<usize> {
    let saying = saying(world, place, word);
    let truth = |number: &usize| world.facts[*number].truth();
    let all = saying.iter().all(|number| matches!(truth(number), Truth::Forgotten { .. }));
    let by_person = |number: &&usize| matches!(truth(number), Truth::Forgotten { by_person: true, .. });
    saying.iter().find(by_person).copied().filter(|_| all)
}

fn create(world: &mut World, who: Who, said: &Said) -> Result<Done, Why> {
    let Aim::Place(place) = said.aim else { return Err(Why::NotFound) };
    if said.expect.is_some() {
        return Err(Why::Changed);
    }
    let keeper = Some(who).filter(|who| who.is_agent() && place.key.is_some());
    let fact = world.facts.len();
    world.facts.push(Fact::new(place, keeper, said.hold));
    let (number, at) = write(world, fact, who, said, None);
    begin(&mut world.facts[fact], at);
    Ok(Done { fact, revision: number, outcome: Outcome::Created })
}

/// The first revision is the truth.
pub(super) fn begin(fact: &mut Fact, at: Micros) {
    fact.settlings.push(Settling { number: 1, at, undone: None });
    fact.turn(at, Truth::Settled(vec![Span { number: 1, gone: false }]));
}

/// Another revision; what the draft leaves out comes from the one before.
pub(super) fn write(
    world: &mut World,
    fact: usize,
    who: Who,
    said: &Said,
    before: Option<u32>,
) -> (u32, Micros) {
    let now = world.now();
    let revision = composed(&world.facts[fact], who, said, before, now);
    let (position, at) = world.event(now);
    let fact = &mut world.facts[fact];
    fact.revisions.push(Revision { position, recorded: at, from: said.from.unwrap_or(at), ..revision });
    let number = fact.latest();
    let text = Some(said.text);
    let (says, about) = (Some(number), Some(number));
    fact.words.push(Words { says, about, text, gone: false, held_back: false });
    (number, at)
}

/// What the draft says, as if it were recorded now.
pub(super) fn composed(fact: &Fact, who: Who, said: &Said, before: Option<u32>, now: Micros) -> Revision {
    let before = before.map(|number| fact.revision(number));
    let kept = before.filter(|before| !before.gone).map(|before| before.tags.clone());
    let start = said.from.unwrap_or(now);
    let default_trust = if who.is_agent() { Trust::Unverified } else { Trust::Asserted };
    Revision {
        position: 0,
        recorded: now,
        by: who,
        author: who,
        text: said.text,
        gone: false,
        from: start,
        until: said.until.or(before.and_then(|before| before.until).filter(|until| *until > start)),
        seen: said.seen,
        tags: said.tags.clone().or(kept).unwrap_or_default(),
        trust: said.trust.unwrap_or(default_trust),
        evidence: said.evidence.into_iter().collect(),
        quarantined: who == Who::Import,
        left: Vec::new(),
    }
}

/// The revision becomes the truth from its start.
pub(super) fn settle(fact: &mut Fact, number: u32, at: Micros) {
    let mut spans = match fact.truth() {
        Truth::Settled(spans) => spans.clone(),
        Truth::Contested(_) | Truth::Forgotten { .. } | Truth::Merged { .. } | Truth::Erased => Vec::new(),
    };
    spans.push(Span { number, gone: false });
    fact.settlings.push(Settling { number, at, undone: None });
    let spans = fact.standing(&spans, at);
    fact.turn(at, Truth::Settled(spans));
}

fn join(world: &mut World, who: Who, fact: usize, said: &Said, contest: &Contest) -> Done {
    let Contest { conflict, sides, .. } = contest;
    let outcome = Outcome::Joined(*conflict);
    let it = &world.facts[fact];
    let by_merged = || {
        let of = |side: u32| merge::merged_into(world, fact, side);
        let says = |(other, number): (usize, u32)| world.facts[other].says(number, said);
        sides.iter().copied().find(|side| of(*side).into_iter().any(says))
    };
    if let Some(side) = sides.iter().copied().find(|side| it.says(*side, said)).or_else(by_merged) {
        add_evidence(world, fact, said, side);
        return Done { fact, revision: side, outcome };
    }
    let (number, at) = write(world, fact, who, said, sides.first().copied());
    let it = &mut world.facts[fact];
    let mut truth = it.truth().clone();
    if let Truth::Contested(contest) = &mut truth {
        contest.version += 1;
        contest.sides.push(number);
    }
    it.turn(at, truth);
    Done { fact, revision: number, outcome }
}

/// True when the revision did not rest on it yet.
fn add_evidence(world: &mut World, fact: usize, said: &Said, revision: u32) -> bool {
    let known = merge::evidence(world, fact, revision);
    let new = said.evidence.filter(|one| !known.contains(one));
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
    let readable = it.current(now).filter(|span| !span.gone && it.stands(now));
    if let Some(span) = readable.filter(|_| merge::says_merged(world, fact, said)) {
        let added = add_evidence(world, fact, said, span.number);
        return done(span.number, if added { Outcome::EvidenceAdded } else { Outcome::Unchanged });
    }
    let current = it.current(now).map(|span| span.number);
    let readable = current.map(|number| it.revision(number));
    let seen_before = readable
        .is_some_and(|current| said.seen.is_some_and(|seen| seen < current.seen.unwrap_or(current.recorded)));
    if seen_before {
        let (number, at) = write(world, fact, who, said, current);
        let truth = world.facts[fact].truth().clone();
        world.facts[fact].turn(at, truth);
        return done(number, Outcome::History);
    }
    let corrects_itself = readable.is_some_and(|current| {
        let is_its_own = it.keeper == Some(who) && current.author == who;
        who.is_agent() && said.by_tool && is_its_own && current.trust == Trust::Unverified
    });
    let is_doubtful = readable.is_none_or(|current| current.trust == Trust::Verified)
        || it.keeper.is_some_and(|keeper| keeper != who)
        || said.millionths < DOUBT_BELOW
        || said.evidence.is_none();
    if !who.is_person() && !corrects_itself && is_doubtful {
        let (number, at) = write(world, fact, who, said, current);
        let conflict = world.conflicts.len();
        world.conflicts.push(fact);
        let it = &mut world.facts[fact];
        let sides = it.sides(at).into_iter().chain([number]).collect();
        it.turn(at, Truth::Contested(Contest { conflict, version: 1, opened: at, sides }));
        return done(number, Outcome::Opened(conflict));
    }
    if who.only_creates() && it.stands(now) {
        return Err(Why::NotPermitted);
    }
    if it.held {
        return Err(Why::LegalHold);
    }
    let (number, at) = write(world, fact, who, said, current);
    settle(&mut world.facts[fact], number, at);
    done(number, Outcome::Superseded)
}

/// Equal content, validity, tags and trust; what the draft leaves out is equal.
pub(super) fn repeats(fact: &Fact, number: u32, said: &Said) -> bool {
    let revision = fact.revision(number);
    fact.says(number, said)
        && said.from.is_none_or(|from| from == revision.from)
        && said.until.is_none_or(|until| Some(until) == revision.until)
        && said.tags.as_ref().is_none_or(|tags| *tags == revision.tags)
        && said.trust.is_none_or(|trust| trust == revision.trust)
}

fn say_after_erasure(world: &mut World, who: Who, fact: usize, said: &Said) -> Result<Done, Why> {
    if matches!(said.aim, Aim::Fact(_)) {
        return Err(Why::NotCurrent);
    }
    let (number, at) = write(world, fact, who, said, None);
    settle(&mut world.facts[fact], number, at);
    Ok(Done { fact, revision: number, outcome: Outcome::Created })
}

/// The revision that the truth names last, or the last of all.
pub(super) fn last_named(fact: &Fact, now: Micros) -> u32 {
    let named = fact.truth().names().last().copied();
    fact.current(now).map(|span| span.number).or(named).unwrap_or(fact.latest())
}

pub(super) fn check_expected(fact: &Fact, expect: Option<u32>, now: Micros) -> Result<(), Why> {
    let current = fact.current(now).map(|span| span.number);
    if expect.is_none() || expect == current { Ok(()) } else { Err(Why::Changed) }
}

/// An event that leaves the truth as it is; an open conflict gets another version.
pub(super) fn again(fact: &mut Fact, at: Micros) {
    let mut truth = fact.truth().clone();
    if let Truth::Contested(contest) = &mut truth {
        contest.version += 1;
    }
    fact.turn(at, truth);
}

pub(super) fn hold(world: &mut World, fact: usize, on: bool) {
    let now = world.now();
    let (_, at) = world.event(now);
    let fact = &mut world.facts[fact];
    fact.held = on;
    let truth = fact.truth().clone();
    fact.turn(at, truth);
}

//! The rules of conflicts: settled by who may, each side or in other words, and opened again.

use super::commands::{Ruling, Said, Who};
use super::decide::{begin, hold, last_named, write};
use super::facts::{Contest, Fact, Micros, Revision, Settling, Span, Truth, Words};
use super::merge::speaks;
use super::world::{Done, Outcome, Why, World};

pub(super) fn settle(
    world: &mut World,
    who: Who,
    (conflict, version): (usize, u32),
    ruling: &Ruling,
    note: bool,
) -> Result<Done, Why> {
    let fact = *world.conflicts.get(conflict).ok_or(Why::NoSuchConflict)?;
    let now = world.now();
    if let Ruling::Reword(said) = ruling
        && said.until.is_some_and(|until| until <= said.from.unwrap_or(now))
    {
        return Err(Why::BadInput);
    }
    let it = &world.facts[fact];
    check_owner(it, who)?;
    let contest = match it.truth() {
        Truth::Contested(contest) if contest.conflict == conflict => contest.clone(),
        Truth::Contested(_)
        | Truth::Settled(_)
        | Truth::Forgotten { .. }
        | Truth::Merged { .. }
        | Truth::Erased => {
            return Err(Why::ConflictChanged(None));
        }
    };
    if contest.version != version {
        return Err(Why::ConflictChanged(Some(contest.version)));
    }
    if it.held {
        return Err(Why::LegalHold);
    }
    let is_side = |side: u32| if contest.sides.contains(&side) { Ok(side) } else { Err(Why::BadInput) };
    match ruling {
        Ruling::Keep(side) => Ok(keep(world, fact, &contest, is_side(*side)?, note)),
        Ruling::Reword(said) => Ok(reword(world, who, fact, &contest, said, note)),
        Ruling::Both { keep: side, apart } => {
            let (side, apart) = (is_side(*side)?, is_side(*apart)?);
            if side == apart {
                return Err(Why::BadInput);
            }
            both(world, who, fact, &contest, (side, apart), note)
        }
    }
}

/// Only Ann decides about what is hers, and any person about what is everyone's.
pub(super) fn check_owner(fact: &Fact, who: Who) -> Result<(), Why> {
    let may = if fact.place.is_anns { who == Who::Ann } else { who.is_person() };
    if may { Ok(()) } else { Err(Why::NotPermitted) }
}

fn keep(world: &mut World, fact: usize, contest: &Contest, side: u32, note: bool) -> Done {
    let now = world.now();
    let (_, at) = world.event(now);
    let it = &mut world.facts[fact];
    if note {
        it.words.push(Words { says: None, about: Some(side), text: None, gone: false, held_back: false });
    }
    close(it, contest, side, at);
    done(world, fact, contest, side, None)
}

/// The wording of a side keeps that side; any other is a revision of its own.
fn reword(world: &mut World, who: Who, fact: usize, contest: &Contest, said: &Said, note: bool) -> Done {
    let it = &world.facts[fact];
    let same = contest.sides.iter().copied().find(|side| it.says(*side, said));
    let done = if let Some(side) = same {
        keep(world, fact, contest, side, note)
    } else {
        let (number, at) = write(world, fact, who, said, contest.sides.first().copied());
        close(&mut world.facts[fact], contest, number, at);
        done(world, fact, contest, number, None)
    };
    if said.hold {
        hold(world, fact, true);
    }
    done
}

/// The other side as a fact of its own, unless another fact says it; one that is over stands in the way.
fn both(
    world: &mut World,
    who: Who,
    fact: usize,
    contest: &Contest,
    (side, apart): (u32, u32),
    note: bool,
) -> Result<Done, Why> {
    let place = world.facts[fact].place;
    let copied = world.facts[fact].revision(apart).clone();
    let now = world.now();
    let said = says(world, fact, copied.text.word);
    if said.is_some_and(|by| !world.facts[by].stands(now) && !is_contested(&world.facts[by])) {
        return Err(Why::Taken);
    }
    let kept = keep(world, fact, contest, side, note);
    if said.is_some() {
        return Ok(kept);
    }
    let now = world.now();
    let (position, at) = world.event(now);
    let number = world.facts.len();
    let text = Some(copied.text);
    let mut new = Fact::new(super::commands::Place { key: None, ..place }, None, false);
    new.revisions.push(Revision { position, recorded: at, by: who, author: who, left: Vec::new(), ..copied });
    new.words.push(Words { says: Some(1), about: Some(1), text, gone: false, held_back: false });
    begin(&mut new, at);
    world.facts.push(new);
    Ok(done(world, fact, contest, side, Some(number)))
}

fn is_contested(fact: &Fact) -> bool {
    matches!(fact.truth(), Truth::Contested(_))
}

/// Another fact that makes a statement in the same scope, or goes on for one that does.
fn says(world: &World, but: usize, word: u8) -> Option<usize> {
    let is_anns = world.facts[but].place.is_anns;
    let others = world.facts.iter().enumerate();
    let others = others.filter(|(number, other)| *number != but && other.place.is_anns == is_anns);
    let saying = others.flat_map(|(number, other)| {
        let named = other.truth().names().into_iter().map(|revision| other.revision(revision));
        let same = named.filter(|revision| !revision.gone && revision.text.word == word);
        same.filter_map(move |revision| Some((revision.position, speaks(world, number)?)))
    });
    saying.filter(|(_, number)| *number != but).min().map(|(_, number)| number)
}

/// Nothing but this revision is the truth now.
fn close(fact: &mut Fact, contest: &Contest, number: u32, at: Micros) {
    fact.settlings.push(Settling { number, at, undone: None });
    fact.turn(at, Truth::Settled(vec![Span { number, gone: false }]));
    fact.reopenable = Some(Contest { version: contest.version + 1, ..contest.clone() });
}

fn done(world: &World, fact: usize, contest: &Contest, revision: u32, apart: Option<usize>) -> Done {
    let quarantined = world.facts[fact].revision(revision).quarantined;
    let outcome = Outcome::Settled { conflict: contest.conflict, quarantined, apart };
    Done { fact, revision, outcome }
}

pub(super) fn reopen(world: &mut World, who: Who, conflict: usize) -> Result<Done, Why> {
    let fact = *world.conflicts.get(conflict).ok_or(Why::NoSuchConflict)?;
    let now = world.now();
    let it = &world.facts[fact];
    check_owner(it, who)?;
    let settled = it.reopenable.clone().filter(|settled| settled.conflict == conflict);
    let settled = settled.ok_or(Why::NotReopenable)?;
    if it.held {
        return Err(Why::LegalHold);
    }
    let revision = last_named(it, now);
    let (_, at) = world.event(now);
    let it = &mut world.facts[fact];
    for settling in it.settlings.iter_mut().filter(|one| one.at > settled.opened && one.undone.is_none()) {
        settling.undone = Some(at);
    }
    it.turn(at, Truth::Contested(Contest { version: settled.version + 1, ..settled }));
    Ok(Done { fact, revision, outcome: Outcome::Reopened(conflict) })
}

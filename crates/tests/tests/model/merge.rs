//! The rules of facts that move, become one, or are told apart.

use super::acts::write_again;
use super::commands::{Said, Who};
use super::decide::{again, check_expected, last_named, repeats};
use super::facts::{Fact, Link, Truth};
use super::settle::check_owner;
use super::world::{Done, Outcome, Why, World};

/// Why nothing can be done about a fact of which nothing is settled.
fn ended(fact: &Fact) -> Why {
    match fact.truth() {
        Truth::Contested(_) => Why::Contested,
        Truth::Merged { .. } => Why::Merged,
        Truth::Settled(_) | Truth::Forgotten { .. } | Truth::Erased => Why::NotCurrent,
    }
}

pub(super) fn move_fact(
    world: &mut World,
    who: Who,
    (fact, expect): (usize, Option<u32>),
    to_ann: bool,
) -> Result<Done, Why> {
    let it = world.facts.get(fact).ok_or(Why::NotFound)?;
    let now = world.now();
    check_owner(it, who)?;
    let Truth::Settled(spans) = it.truth().clone() else { return Err(ended(it)) };
    let first = it.current(now).filter(|_| it.stands(now)).ok_or(Why::NotCurrent)?;
    check_expected(it, expect, now)?;
    if first.gone {
        return Err(Why::NotCurrent);
    }
    let done = |revision, outcome| Ok(Done { fact, revision, outcome });
    if it.place.is_anns == to_ann {
        return done(first.number, Outcome::Unchanged);
    }
    if it.held {
        return Err(Why::LegalHold);
    }
    if is_taken(world, fact, to_ann) {
        return Err(Why::Taken);
    }
    let number = it.latest() + 1;
    world.facts[fact].place.is_anns = to_ann;
    write_again(world, fact, who, &spans, first.number, |revision, _, recorded| {
        revision.seen = revision.seen.or(Some(recorded));
    });
    done(number, Outcome::Moved)
}

/// Whether another fact has its slot there, or makes one of its statements.
fn is_taken(world: &World, fact: usize, to_ann: bool) -> bool {
    let it = &world.facts[fact];
    let there = |other: &Fact| other.place.is_anns == to_ann;
    let others = || world.facts.iter().enumerate().filter(|(number, other)| *number != fact && there(other));
    if it.key().is_some() {
        let has_it = |other: &Fact| {
            other.key() == it.key() && other.keeper == it.keeper && *other.truth() != Truth::Erased
        };
        return others().any(|(_, other)| has_it(other));
    }
    let words = |of: &Fact| -> Vec<u8> {
        let named = of.truth().names().into_iter().map(|number| of.revision(number));
        named.filter(|revision| !revision.gone).map(|revision| revision.text.word).collect()
    };
    let own = words(it);
    others().any(|(number, other)| {
        let speaks = speaks(world, number).filter(|speaks| *speaks != fact);
        speaks.is_some() && words(other).iter().any(|word| own.contains(word))
    })
}

pub(super) fn merge(
    world: &mut World,
    who: Who,
    into: usize,
    others: &[(usize, Option<u32>)],
) -> Result<Done, Why> {
    let now = world.now();
    if into >= world.facts.len() || others.iter().any(|(other, _)| *other >= world.facts.len()) {
        return Err(Why::NotFound);
    }
    let it = &world.facts[into];
    check_owner(it, who)?;
    let is_named_twice = |(place, other): (usize, &(usize, Option<u32>))| {
        other.0 == into || others[..place].iter().any(|before| before.0 == other.0)
    };
    if others.iter().enumerate().any(is_named_twice) {
        return Err(Why::BadInput);
    }
    let revision = it.settled(now).ok_or(ended(it))?;
    let mut links = Vec::new();
    for (fact, expect) in others {
        let other = &world.facts[*fact];
        if other.place.is_anns != it.place.is_anns {
            return Err(Why::BadInput);
        }
        let of = other.settled(now).ok_or(ended(other))?;
        check_expected(other, *expect, now)?;
        if other.held {
            return Err(Why::LegalHold);
        }
        links.push(Link { revision, fact: *fact, of });
    }
    for link in links {
        let (_, at) = world.event(now);
        let other = &mut world.facts[link.fact];
        let Truth::Settled(spans) = other.truth().clone() else { unreachable!("it is settled") };
        other.turn(at, Truth::Merged { into, spans });
        let (_, at) = world.event(now);
        let it = &mut world.facts[into];
        it.links.push(link);
        again(it, at);
    }
    Ok(Done { fact: into, revision, outcome: Outcome::Merged(u32::try_from(others.len()).unwrap()) })
}

pub(super) fn split(world: &mut World, who: Who, fact: usize, from: Option<usize>) -> Result<Done, Why> {
    let now = world.now();
    let it = world.facts.get(fact).ok_or(Why::NotFound)?;
    let merged = match it.truth() {
        Truth::Merged { into, spans } => Some((*into, spans.clone())),
        Truth::Settled(_) | Truth::Contested(_) | Truth::Forgotten { .. } | Truth::Erased => None,
    };
    let from = from.or(merged.as_ref().map(|(into, _)| *into)).ok_or(Why::NotMerged)?;
    let other = world.facts.get(from).ok_or(Why::NotFound)?;
    check_owner(it, who)?;
    if fact == from {
        return Err(Why::BadInput);
    }
    let revision = last_named(it, now);
    let is_linked = other.links.iter().any(|link| link.fact == fact);
    let is_apart = it.apart.contains(&from) || other.apart.contains(&fact);
    match &merged {
        Some((into, _)) if *into != from => return Err(Why::Merged),
        Some(_) if it.held || other.held => return Err(Why::LegalHold),
        None if is_apart => return Ok(Done { fact, revision, outcome: Outcome::Unchanged }),
        Some(_) | None => {}
    }
    let (_, at) = world.event(now);
    let it = &mut world.facts[fact];
    it.apart.push(from);
    let truth = merged.map_or(it.truth().clone(), |(_, spans)| Truth::Settled(spans));
    it.turn(at, truth);
    if is_linked {
        let (_, at) = world.event(now);
        let other = &mut world.facts[from];
        other.links.retain(|link| link.fact != fact);
        again(other, at);
    }
    Ok(Done { fact, revision, outcome: Outcome::Split(from) })
}

/// The fact that goes on for a merged one, as long as it is there.
pub(super) fn follow(world: &World, fact: usize) -> usize {
    let mut last = fact;
    while let Truth::Merged { into, .. } = world.facts[last].truth() {
        let next = &world.facts[*into];
        if *next.truth() == Truth::Erased || next.place.is_anns != world.facts[fact].place.is_anns {
            return fact;
        }
        last = *into;
    }
    last
}

/// The fact that says today what a merged one said.
pub(super) fn speaks(world: &World, fact: usize) -> Option<usize> {
    let mut last = fact;
    while let Truth::Merged { into, .. } = world.facts[last].truth() {
        let next = &world.facts[*into];
        let is_gone = *next.truth() == Truth::Erased || next.place.is_anns != world.facts[fact].place.is_anns;
        let named = next.truth().names();
        let counts = next.links.iter().any(|link| link.fact == last && named.contains(&link.revision));
        if is_gone || !counts {
            return None;
        }
        last = *into;
    }
    Some(last)
}

/// The revisions of other facts that one rests on, through others too.
pub(super) fn merged_into(world: &World, fact: usize, revision: u32) -> Vec<(usize, u32)> {
    let is_anns = world.facts[fact].place.is_anns;
    let mut found = Vec::new();
    let mut open = vec![(fact, revision)];
    while let Some((fact, revision)) = open.pop() {
        for link in world.facts[fact].links.iter().filter(|link| link.revision == revision) {
            let other = &world.facts[link.fact];
            let is_merged = matches!(other.truth(), Truth::Merged { into, .. } if *into == fact);
            if other.place.is_anns == is_anns && is_merged {
                found.push((link.fact, link.of));
                open.push((link.fact, link.of));
            }
        }
    }
    found
}

/// What a revision rests on, by itself and through what was merged into it.
pub(super) fn evidence(world: &World, fact: usize, revision: u32) -> Vec<u8> {
    let merged = merged_into(world, fact, revision).into_iter();
    let all = [(fact, revision)].into_iter().chain(merged);
    let readable = all.map(|(fact, number)| world.facts[fact].revision(number)).filter(|one| !one.gone);
    readable.flat_map(|revision| revision.evidence.clone()).collect()
}

/// Whether the draft says what was merged into the fact.
pub(super) fn says_merged(world: &World, fact: usize, said: &Said) -> bool {
    let named = world.facts[fact].truth().names().into_iter();
    let mut merged = named.flat_map(|number| merged_into(world, fact, number));
    merged.any(|(other, number)| repeats(&world.facts[other], number, said))
}

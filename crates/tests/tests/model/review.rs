//! The rules of what is said again after it was forgotten: it comes back, or waits for who may decide.

use super::commands::{Aim, Said, Who};
use super::decide::{composed, last_named, settle, write};
use super::facts::{Fact, Micros, Revision, Text, Truth, Words};
use super::settle::check_owner;
use super::world::{Done, Outcome, Why, World};

/// A proposal that was held back.
#[derive(Debug, Clone)]
pub(super) struct Review {
    pub(super) fact: usize,
    /// The event in which it was said last.
    pub(super) position: i64,
    pub(super) proposed: Revision,
    /// Which of the fact's words it is.
    pub(super) words: usize,
    pub(super) fate: Fate,
    /// Its start, where it has one of its own.
    from: Option<Micros>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Waits,
    Dismissed,
    /// It was accepted, or the fact is back in another way.
    Over,
}

impl Review {
    pub(super) fn text(&self, fact: &Fact) -> Option<Text> {
        let words = &fact.words[self.words];
        assert!(words.held_back);
        words.text.filter(|_| !words.gone)
    }
}

pub(super) fn say_again(
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
        return Ok(hold_back(world, who, fact, said, last));
    }
    let (number, at) = write(world, fact, who, said, last);
    settle(&mut world.facts[fact], number, at);
    Ok(Done { fact, revision: number, outcome: Outcome::Restored })
}

/// The same content waits once, on all the grounds on which it was said.
fn hold_back(world: &mut World, who: Who, fact: usize, said: &Said, last: Option<u32>) -> Done {
    let now = world.now();
    let it = &world.facts[fact];
    let revision = last_named(it, now);
    let done = |outcome| Done { fact, revision, outcome };
    let says_it = |review: &Review| {
        let same = |text: Text| {
            if said.is_by_statement() { text.word == said.text.word } else { text == said.text }
        };
        review.fact == fact && review.fate != Fate::Over && review.text(it).is_some_and(same)
    };
    let numbered = world.reviews.iter().enumerate().filter(|(_, review)| says_it(review));
    let known = numbered.min_by_key(|(_, review)| review.position).map(|(number, _)| number);
    let mut proposed = composed(it, who, said, last, now);
    if let Some(number) = known {
        let review = &world.reviews[number];
        let grounds = &review.proposed.evidence;
        let new = said.evidence.filter(|one| !grounds.contains(one));
        if review.fate == Fate::Dismissed {
            return done(Outcome::Dismissed(number));
        }
        if new.is_none() {
            return done(Outcome::HeldBack(number));
        }
        proposed.evidence = grounds.iter().copied().chain(new).collect();
    }
    let (position, at) = world.event(now);
    let it = &mut world.facts[fact];
    let words = it.words.len();
    it.words.push(Words { says: None, about: None, text: Some(said.text), gone: false, held_back: true });
    let truth = it.truth().clone();
    it.turn(at, truth);
    let review = Review { fact, position, proposed, words, fate: Fate::Waits, from: said.from };
    match known {
        Some(number) => world.reviews[number] = review,
        None => world.reviews.push(review),
    }
    done(Outcome::HeldBack(known.unwrap_or(world.reviews.len() - 1)))
}

pub(super) fn accept(world: &mut World, who: Who, number: usize) -> Result<Done, Why> {
    let review = waiting(world, who, number)?;
    let fact = review.fact;
    let text = review.text(&world.facts[fact]).ok_or(Why::NotWaiting)?;
    let now = world.now();
    closed(world, number, Fate::Over, now);
    let (position, at) = world.event(now);
    let it = &mut world.facts[fact];
    let from = review.from.unwrap_or(at);
    let until = review.proposed.until.filter(|until| *until > now);
    it.revisions.push(Revision {
        position,
        recorded: at,
        by: who,
        author: who,
        from,
        until,
        ..review.proposed
    });
    let revision = it.latest();
    let (says, about) = (Some(revision), Some(revision));
    it.words.push(Words { says, about, text: Some(text), gone: false, held_back: false });
    settle(it, revision, at);
    Ok(Done { fact, revision, outcome: Outcome::Accepted(number) })
}

pub(super) fn dismiss(world: &mut World, who: Who, number: usize) -> Result<Done, Why> {
    let fact = waiting(world, who, number)?.fact;
    let now = world.now();
    let revision = last_named(&world.facts[fact], now);
    closed(world, number, Fate::Dismissed, now);
    Ok(Done { fact, revision, outcome: Outcome::Dismissed(number) })
}

fn waiting(world: &World, who: Who, number: usize) -> Result<Review, Why> {
    let review = world.reviews.get(number).ok_or(Why::NoSuchReview)?;
    check_owner(&world.facts[review.fact], who)?;
    if review.fate == Fate::Waits { Ok(review.clone()) } else { Err(Why::NotWaiting) }
}

fn closed(world: &mut World, number: usize, fate: Fate, now: Micros) {
    let (_, at) = world.event(now);
    let review = &mut world.reviews[number];
    review.fate = fate;
    let it = &mut world.facts[review.fact];
    let truth = it.truth().clone();
    it.turn(at, truth);
}

/// What waits about a fact that is back needs no answer any more.
pub(super) fn drop_moot(world: &mut World) {
    for review in world.reviews.iter_mut().filter(|review| review.fate == Fate::Waits) {
        if !matches!(world.facts[review.fact].truth(), Truth::Forgotten { .. }) {
            review.fate = Fate::Over;
        }
    }
}

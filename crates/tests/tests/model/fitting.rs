//! What only some facts allow, which chance alone would seldom meet.

use proptest::prelude::*;
use proptest::strategy::Union;

use super::commands::{Act, Aim, Command, Place, REQUEST_KEYS, Ruling, Said, Who, done, say};
use super::facts::{Contest, Fact, Text, Truth};
use super::review::Fate;
use super::world::World;

type Choices = Vec<(u32, BoxedStrategy<Command>)>;

/// More conflicts are tried than a settlement names, so that one that nobody has comes up.
const UNKNOWN: usize = 1;

pub(super) fn choices(world: &World) -> Choices {
    let mut choices = to_restore(world);
    choices.extend(to_settle(world));
    choices.extend(to_reopen(world));
    choices.extend(to_review(world));
    choices.extend(to_merge(world));
    choices
}

fn such(world: &World, is_such: fn(&Fact) -> bool) -> Vec<usize> {
    let numbered = world.facts.iter().enumerate();
    numbered.filter(|(_, fact)| is_such(fact)).map(|(number, _)| number).collect()
}

fn to_restore(world: &World) -> Choices {
    let one_of = |facts: Vec<usize>, who: Who, act: fn(usize) -> Act| {
        done(Just(who), Just(None), prop::sample::select(facts).prop_map(act))
    };
    let mut choices = Vec::new();
    let forgotten = such(world, |fact| matches!(fact.truth(), Truth::Forgotten { .. }));
    if !forgotten.is_empty() {
        choices.push((3, one_of(forgotten.clone(), Who::Ann, |fact| Act::Restore { fact, revision: None })));
        let first = |fact| Act::Restore { fact, revision: Some(1) };
        choices.push((8, one_of(forgotten.clone(), Who::Operator, first)));
        let aim = prop::sample::select(forgotten.clone()).prop_map(Aim::Fact);
        choices.push((10, done(machine(), seldom(), say(aim, world.clock))));
        let clock = world.clock;
        let said: Vec<(bool, Text)> = forgotten
            .iter()
            .map(|fact| &world.facts[*fact])
            .map(|fact| (fact.place.is_anns, fact.revision(*fact.truth().names().last().unwrap()).text))
            .collect();
        let keyed = prop::sample::select(said).prop_flat_map(move |(is_anns, text)| {
            say_this(Aim::Place(Place { is_anns, key: Some(0) }), text, clock)
        });
        choices.push((6, done(machine(), seldom(), keyed)));
    }
    let quarantined = such(world, |fact| !fact.quarantined().is_empty());
    if !quarantined.is_empty() {
        choices.push((4, one_of(quarantined, Who::Operator, |fact| Act::Admit { fact })));
    }
    let held = such(world, |fact| fact.held);
    if !held.is_empty() {
        choices.push((3, one_of(held, Who::Ann, |fact| Act::Hold { fact, on: false })));
    }
    choices
}

fn say_this(aim: Aim, text: Text, clock: i64) -> impl Strategy<Value = Act> {
    say(Just(aim), clock).prop_map(move |act| {
        let Act::Say(said) = act else { unreachable!("it is said") };
        Act::Say(Said { text, expect: None, ..said })
    })
}

/// A key that was used before refuses what few facts allow.
fn seldom() -> impl Strategy<Value = Option<u8>> {
    prop_oneof![5 => Just(None), 1 => (0..REQUEST_KEYS).prop_map(Some)]
}

fn machine() -> impl Strategy<Value = Who> {
    prop_oneof![4 => Just(Who::Helper), 1 => Just(Who::Scout), 1 => Just(Who::Import), 1 => Just(Who::Ann)]
}

fn owner_mostly() -> impl Strategy<Value = Who> {
    prop_oneof![7 => Just(Who::Ann), 2 => Just(Who::Operator), 1 => Just(Who::Helper)]
}

/// An open conflict is settled, mostly as it is; and one that is over or unknown is not.
fn to_settle(world: &World) -> Choices {
    let mut choices = Vec::new();
    let open = world.facts.iter().enumerate().filter_map(|(number, fact)| match fact.truth() {
        Truth::Contested(contest) => Some((number, contest.clone())),
        Truth::Settled(_) | Truth::Forgotten { .. } | Truth::Merged { .. } | Truth::Erased => None,
    });
    let open: Vec<(usize, Contest)> = open.collect();
    if !open.is_empty() {
        let clock = world.clock;
        let act = prop::sample::select(open).prop_flat_map(move |(fact, contest)| {
            let version =
                prop_oneof![8 => Just(contest.version), 1 => Just(contest.version + 1), 1 => Just(0)];
            (Just(contest.conflict), version, ruling(fact, contest.sides, clock), any::<bool>())
        });
        let act =
            act.prop_map(|(conflict, version, ruling, note)| Act::Settle { conflict, version, ruling, note });
        choices.push((16, done(owner_mostly(), seldom(), act)));
    }
    if !world.conflicts.is_empty() {
        let act =
            (0..world.conflicts.len() + UNKNOWN, 1..4_u32, 1..4_u32).prop_map(|(conflict, version, side)| {
                let (ruling, note) = (Ruling::Both { keep: 1, apart: side }, false);
                Act::Settle { conflict, version, ruling, note }
            });
        choices.push((1, done(owner_mostly(), seldom(), act)));
    }
    choices
}

fn ruling(fact: usize, sides: Vec<u32>, clock: i64) -> BoxedStrategy<Ruling> {
    let side = move || prop_oneof![12 => prop::sample::select(sides.clone()), 1 => Just(99)];
    let reword = say(Just(Aim::Fact(fact)), clock).prop_map(|act| {
        let Act::Say(said) = act else { unreachable!("it is said") };
        Ruling::Reword(Said { expect: None, ..said })
    });
    Union::new_weighted(vec![
        (5, side().prop_map(Ruling::Keep).boxed()),
        (3, reword.boxed()),
        (3, (side(), side()).prop_map(|(keep, apart)| Ruling::Both { keep, apart }).boxed()),
    ])
    .boxed()
}

fn to_reopen(world: &World) -> Choices {
    let mut choices = Vec::new();
    let settled: Vec<usize> =
        world.facts.iter().filter_map(|fact| fact.reopenable.as_ref()).map(|one| one.conflict).collect();
    if !settled.is_empty() {
        let act = prop::sample::select(settled).prop_map(|conflict| Act::Reopen { conflict });
        choices.push((8, done(owner_mostly(), seldom(), act)));
    }
    if !world.conflicts.is_empty() {
        let any = 0..world.conflicts.len() + UNKNOWN;
        choices.push((2, done(owner_mostly(), seldom(), any.prop_map(|conflict| Act::Reopen { conflict }))));
    }
    choices
}

/// Facts move, are merged and split, mostly as they can be; and what was merged is said once more.
fn to_merge(world: &World) -> Choices {
    let facts = world.facts.len();
    if facts == 0 {
        return Vec::new();
    }
    let one_of = move || 0..facts + UNKNOWN;
    let expect = || prop_oneof![5 => Just(None), 1 => (1..4_u32).prop_map(Some)];
    let moved = (one_of(), expect(), any::<bool>()).prop_map(|(fact, expect, to_ann)| Act::Move {
        fact,
        expect,
        to_ann,
    });
    let others = prop::collection::vec((one_of(), expect()), 1..3);
    let merged = (one_of(), others).prop_map(|(into, others)| Act::Merge { into, others });
    let split = (one_of(), prop::option::of(one_of())).prop_map(|(fact, from)| Act::Split { fact, from });
    let mut choices = vec![
        (4, done(owner_mostly(), seldom(), moved)),
        (4, done(owner_mostly(), seldom(), merged)),
        (2, done(owner_mostly(), seldom(), split)),
    ];
    let now = world.now();
    let mut pairs = Vec::new();
    for (into, one) in world.facts.iter().enumerate().filter(|(_, fact)| fact.settled(now).is_some()) {
        let others = world.facts.iter().enumerate().filter(|(other, _)| *other != into);
        let fits = |other: &Fact| {
            other.settled(now).is_some() && !other.held && other.place.is_anns == one.place.is_anns
        };
        pairs.extend(others.filter(|(_, other)| fits(other)).map(|(other, _)| (into, other)));
    }
    if !pairs.is_empty() {
        let act = prop::sample::select(pairs);
        let act = act.prop_map(|(into, other)| Act::Merge { into, others: vec![(other, None)] });
        choices.push((14, done(owner_mostly(), seldom(), act)));
    }
    let settled = such(world, |fact| matches!(fact.truth(), Truth::Settled(_)));
    if !settled.is_empty() {
        let anns: Vec<bool> = world.facts.iter().map(|fact| fact.place.is_anns).collect();
        let act = prop::sample::select(settled);
        let act = act.prop_map(move |fact| Act::Move { fact, expect: None, to_ann: !anns[fact] });
        choices.push((3, done(owner_mostly(), seldom(), act)));
    }
    let ended = such(world, |fact| matches!(fact.truth(), Truth::Merged { .. }));
    if !ended.is_empty() {
        let one = || prop::sample::select(ended.clone());
        let split = one().prop_map(|fact| Act::Split { fact, from: None });
        choices.push((6, done(owner_mostly(), Just(None), split)));
        let clock = world.clock;
        let placed: Vec<_> = ended
            .iter()
            .map(|fact| (world.facts[*fact].place, world.facts[*fact].revisions.last().unwrap().text))
            .collect();
        let again = prop::sample::select(placed)
            .prop_flat_map(move |(place, text)| say_this(Aim::Place(place), text, clock));
        choices.push((8, done(machine(), seldom(), again)));
        let aim = one().prop_map(Aim::Fact);
        choices.push((3, done(machine(), seldom(), say(aim, clock))));
        let forgotten = one().prop_map(|fact| Act::Forget { fact, expect: None, why: false });
        choices.push((2, done(machine(), seldom(), forgotten)));
    }
    choices
}

/// What waits is taken back up or dismissed, and what was ever held back is said once more.
fn to_review(world: &World) -> Choices {
    if world.reviews.is_empty() {
        return Vec::new();
    }
    let numbered = || world.reviews.iter().enumerate();
    let waits: Vec<usize> =
        numbered().filter(|(_, review)| review.fate == Fate::Waits).map(|(number, _)| number).collect();
    let said: Vec<(usize, Text)> =
        world.reviews.iter().map(|review| (review.fact, review.proposed.text)).collect();
    let clock = world.clock;
    let again =
        prop::sample::select(said).prop_flat_map(move |(fact, text)| say_this(Aim::Fact(fact), text, clock));
    let any = || 0..world.reviews.len() + UNKNOWN;
    let mut choices = vec![
        (8, done(owner_mostly(), seldom(), any().prop_map(|review| Act::Accept { review }))),
        (8, done(owner_mostly(), seldom(), any().prop_map(|review| Act::Dismiss { review }))),
        (10, done(machine(), seldom(), again)),
    ];
    let over: Vec<usize> =
        numbered().filter(|(_, review)| review.fate != Fate::Waits).map(|(number, _)| number).collect();
    if !over.is_empty() {
        let act = prop::sample::select(over).prop_map(|review| Act::Accept { review });
        choices.push((10, done(Just(Who::Ann), Just(None), act)));
    }
    if !waits.is_empty() {
        let one = || prop::sample::select(waits.clone());
        choices.push((24, done(owner_mostly(), Just(None), one().prop_map(|review| Act::Accept { review }))));
        choices
            .push((16, done(owner_mostly(), Just(None), one().prop_map(|review| Act::Dismiss { review }))));
    }
    choices
}

//! What can be done to a memory, and how the next thing to do is drawn.

use proptest::prelude::*;
use proptest::strategy::Union;
use truthkeeper::Trust;

use super::facts::{Micros, Text};
use super::fitting;
use super::world::World;

pub(super) const HOUR: Micros = 3_600_000_000;
const WORDS: u8 = 3;
pub(super) const REQUEST_KEYS: u8 = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Who {
    Ann,
    Operator,
    Helper,
    Scout,
    Import,
    Feed,
}

impl Who {
    pub(super) fn is_person(self) -> bool {
        matches!(self, Self::Ann | Self::Operator)
    }

    pub(super) fn is_agent(self) -> bool {
        matches!(self, Self::Helper | Self::Scout)
    }

    pub(super) fn only_creates(self) -> bool {
        matches!(self, Self::Import | Self::Feed)
    }
}

/// Where a fact is kept: for Ann, or for the whole tenant; in a slot, or in none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) is_anns: bool,
    pub(super) key: Option<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Aim {
    Place(Place),
    Fact(usize),
}

/// A draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) aim: Aim,
    pub(super) text: Text,
    pub(super) millionths: u32,
    pub(super) evidence: Option<u8>,
    pub(super) by_tool: bool,
    pub(super) from: Option<Micros>,
    pub(super) until: Option<Micros>,
    pub(super) seen: Option<Micros>,
    pub(super) expect: Option<u32>,
    pub(super) tags: Option<Vec<u8>>,
    pub(super) trust: Option<Trust>,
    pub(super) hold: bool,
}

impl Said {
    pub(super) fn is_by_statement(&self) -> bool {
        matches!(self.aim, Aim::Place(Place { key: None, .. }))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Act {
    Say(Said),
    Verify { fact: usize, expect: Option<u32> },
    Forget { fact: usize, expect: Option<u32>, why: bool },
    Restore { fact: usize, revision: Option<u32> },
    Hold { fact: usize, on: bool },
    Admit { fact: usize },
    Quarantine { fact: usize },
    Settle { conflict: usize, version: u32, ruling: Ruling, note: bool },
    Reopen { conflict: usize },
    Accept { review: usize },
    Dismiss { review: usize },
    Move { fact: usize, expect: Option<u32>, to_ann: bool },
    Merge { into: usize, others: Vec<(usize, Option<u32>)> },
    Split { fact: usize, from: Option<usize> },
}

/// What the owner says is true.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ruling {
    Keep(u32),
    Reword(Said),
    Both { keep: u32, apart: u32 },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Command {
    Do {
        who: Who,
        key: Option<u8>,
        act: Act,
    },
    Erase {
        who: Who,
        fact: usize,
        revision: Option<u32>,
    },
    /// The clock of the machine jumps.
    Clock(Micros),
    Sweep,
    Reopen,
}

/// Draws what to do next in `world`.
pub(super) fn next(world: &World) -> BoxedStrategy<Command> {
    let facts = world.facts.len();
    let mut choices = vec![
        (8, done(who(), request_key(), say(place().prop_map(Aim::Place), world.clock))),
        (3, clock()),
        (1, Just(Command::Reopen).boxed()),
        (1, Just(Command::Sweep).boxed()),
    ];
    if facts > 0 {
        choices.push((8, done(who(), request_key(), say((0..facts).prop_map(Aim::Fact), world.clock))));
        choices.push((8, done(person_mostly(), request_key(), act(facts))));
        choices.push((2, erase(facts)));
    }
    choices.extend(fitting::choices(world));
    let asked: Vec<Command> = world.asked().collect();
    if !asked.is_empty() {
        choices.push((2, prop::sample::select(asked).boxed()));
    }
    Union::new_weighted(choices).boxed()
}

pub(super) fn done(
    who: impl Strategy<Value = Who> + 'static,
    key: impl Strategy<Value = Option<u8>> + 'static,
    act: impl Strategy<Value = Act> + 'static,
) -> BoxedStrategy<Command> {
    (who, key, act).prop_map(|(who, key, act)| Command::Do { who, key, act }).boxed()
}

fn who() -> impl Strategy<Value = Who> {
    prop_oneof![
        5 => Just(Who::Ann),
        1 => Just(Who::Operator),
        5 => Just(Who::Helper),
        2 => Just(Who::Scout),
        2 => Just(Who::Import),
        1 => Just(Who::Feed),
    ]
}

fn person_mostly() -> impl Strategy<Value = Who> {
    prop_oneof![5 => Just(Who::Ann), 3 => Just(Who::Operator), 2 => Just(Who::Helper), 1 => Just(Who::Import)]
}

/// Few keys, so that one is used again by chance.
fn request_key() -> impl Strategy<Value = Option<u8>> {
    prop_oneof![3 => Just(None), 2 => (0..REQUEST_KEYS).prop_map(Some)]
}

fn place() -> impl Strategy<Value = Place> {
    (any::<bool>(), prop_oneof![1 => Just(None), 1 => Just(Some(0))])
        .prop_map(|(is_anns, key)| Place { is_anns, key })
}

pub(super) fn say(aim: impl Strategy<Value = Aim> + 'static, clock: Micros) -> BoxedStrategy<Act> {
    let text = (0..WORDS, prop::bool::weighted(0.15)).prop_map(|(word, wide)| Text { word, wide });
    let sure = prop_oneof![
        2 => Just(1_000_000), 2 => Just(900_000), 1 => Just(899_999), 1 => Just(500_000)
    ];
    let times = (
        rare(4, times(clock, &[-30, -2, 0, 1, 4])),
        rare(5, times(clock, &[-1, 1, 2, 5, 30])),
        rare(6, times(clock, &[-40, -1, 0, 3])),
    );
    let grounds = (prop::option::weighted(0.6, 0..3_u8), prop::bool::weighted(0.4));
    let rest = (
        rare(10, (1..4_u32).boxed()),
        rare(4, prop::sample::subsequence(vec![0_u8, 1], 0..=2).boxed()),
        rare(8, prop_oneof![Just(Trust::Asserted), Just(Trust::Unverified)].boxed()),
        prop::bool::weighted(0.05),
    );
    (aim, text, sure, times, grounds, rest)
        .prop_map(|(aim, text, millionths, (from, until, seen), (evidence, by_tool), rest)| {
            let (expect, tags, trust, hold) = rest;
            Act::Say(Said {
                aim,
                text,
                millionths,
                evidence,
                by_tool,
                from,
                until,
                seen,
                expect,
                tags,
                trust,
                hold,
            })
        })
        .boxed()
}

/// One time in so many.
fn rare<T: std::fmt::Debug + Clone + 'static>(
    times: u32,
    some: impl Strategy<Value = T> + 'static,
) -> impl Strategy<Value = Option<T>> {
    prop_oneof![times - 1 => Just(None), 1 => some.prop_map(Some)]
}

/// So many hours from the clock.
fn times(clock: Micros, hours: &[Micros]) -> BoxedStrategy<Micros> {
    let times: Vec<Micros> = hours.iter().map(|hours| clock + hours * HOUR).collect();
    prop::sample::select(times).boxed()
}

fn act(facts: usize) -> BoxedStrategy<Act> {
    let fact = move || 0..facts;
    let expect = || rare(5, 1..4_u32);
    prop_oneof![
        3 => (fact(), expect()).prop_map(|(fact, expect)| Act::Verify { fact, expect }),
        3 => (fact(), expect(), any::<bool>())
            .prop_map(|(fact, expect, why)| Act::Forget { fact, expect, why }),
        3 => (fact(), expect()).prop_map(|(fact, revision)| Act::Restore { fact, revision }),
        2 => (fact(), any::<bool>()).prop_map(|(fact, on)| Act::Hold { fact, on }),
        2 => fact().prop_map(|fact| Act::Admit { fact }),
        2 => fact().prop_map(|fact| Act::Quarantine { fact }),
    ]
    .boxed()
}

fn erase(facts: usize) -> BoxedStrategy<Command> {
    (0..facts, prop_oneof![1 => Just(None), 2 => (1..4_u32).prop_map(Some)])
        .prop_map(|(fact, revision)| Command::Erase { who: Who::Ann, fact, revision })
        .boxed()
}

fn clock() -> BoxedStrategy<Command> {
    prop_oneof![
        4 => prop::sample::select(vec![HOUR, 2 * HOUR, 5 * HOUR, 31 * HOUR]),
        1 => prop::sample::select(vec![-HOUR, -6 * HOUR]),
        1 => Just(1),
    ]
    .prop_map(Command::Clock)
    .boxed()
}

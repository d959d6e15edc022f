//! Cases that the memory once failed, as drawn cases were brought down to.

use super::commands::{Act, Aim, Command, HOUR, Place, Said, Who};
use super::facts::{Micros, Text};
use super::world::World;

pub(super) fn cases() -> Vec<Vec<Command>> {
    vec![forgotten_and_said_again(), erased_before_it_begins()]
}

/// What was true before the first revision of a fact was replaced came back for a time after that, once the second
/// one was forgotten.
fn forgotten_and_said_again() -> Vec<Command> {
    let keyed = Aim::Place(Place { is_anns: true, key: Some(0) });
    vec![
        say(keyed, 0, None),
        say(Aim::Fact(0), 1, Some(-30 * HOUR)),
        done(Act::Forget { fact: 0, expect: None, why: false }),
        say(keyed, 1, None),
    ]
}

/// A revision that is ended by one whose words are gone was still counted as active.
fn erased_before_it_begins() -> Vec<Command> {
    vec![
        say(Aim::Place(Place { is_anns: false, key: None }), 1, None),
        say(Aim::Fact(0), 0, Some(HOUR)),
        Command::Erase { who: Who::Ann, fact: 0, revision: Some(2) },
        Command::Clock(HOUR),
    ]
}

fn done(act: Act) -> Command {
    Command::Do { who: Who::Ann, key: None, act }
}

/// A start is so long after the beginning of the case.
fn say(aim: Aim, word: u8, from: Option<Micros>) -> Command {
    done(Act::Say(Said {
        aim,
        text: Text { word, wide: false },
        millionths: 1_000_000,
        evidence: None,
        by_tool: false,
        from: from.map(|after| World::new().clock + after),
        until: None,
        seen: None,
        expect: None,
        tags: None,
        trust: None,
        hold: false,
    }))
}

//! Cases that the memory once failed, as drawn cases were brought down to.

use super::commands::{Act, Aim, Command, HOUR, Place, Ruling, Said, Who};
use super::facts::{Micros, Text};
use super::world::World;

pub(super) fn cases() -> Vec<Vec<Command>> {
    vec![
        forgotten_and_said_again(),
        erased_before_it_begins(),
        kept_and_still_to_come(),
        planned_and_lost(),
        unknown_with_a_key_that_was_used(),
        merged_and_said_again(),
        opened_again_after_what_was_kept_began(),
        opened_again_and_kept_again(),
        forgotten_and_said_with_a_key(),
    ]
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

/// Where the side that was kept is to begin later, another side was read as current until then.
fn kept_and_still_to_come() -> Vec<Command> {
    vec![
        say(Aim::Place(Place { is_anns: true, key: None }), 0, None),
        doubt(1, Some(2 * HOUR)),
        Command::Clock(HOUR),
        keep(2),
        Command::Clock(2 * HOUR),
        say(Aim::Fact(0), 2, None),
    ]
}

/// What was to follow the side that was kept, and lost the conflict, was read for times after its start.
fn planned_and_lost() -> Vec<Command> {
    vec![
        say(Aim::Place(Place { is_anns: true, key: None }), 0, None),
        say(Aim::Fact(0), 1, Some(HOUR)),
        doubt(2, None),
        keep(1),
        Command::Clock(2 * HOUR),
        say(Aim::Fact(0), 2, None),
    ]
}

/// A key that was used for something else was not looked at where the conflict or the review is unknown.
fn unknown_with_a_key_that_was_used() -> Vec<Command> {
    let with_key = |act| Command::Do { who: Who::Ann, key: Some(0), act };
    vec![
        with_key(Act::Verify { fact: 0, expect: None }),
        say(Aim::Place(Place { is_anns: true, key: None }), 0, None),
        with_key(Act::Verify { fact: 0, expect: None }),
        with_key(Act::Reopen { conflict: 0 }),
        with_key(Act::Accept { review: 0 }),
        with_key(Act::Dismiss { review: 0 }),
    ]
}

/// As it was known while what was kept was still to come, nothing was true until then; once the conflict was opened
/// again, the other side was read for that time.
fn opened_again_after_what_was_kept_began() -> Vec<Command> {
    vec![
        say(Aim::Place(Place { is_anns: false, key: None }), 2, None),
        doubt(1, Some(4 * HOUR)),
        keep(2),
        Command::Clock(5 * HOUR),
        done(Act::Reopen { conflict: 0 }),
    ]
}

/// A settlement that was taken back and made again counted from the first time: between the two, nothing was read for
/// times before what was kept is to begin, though the other side held until the second.
fn opened_again_and_kept_again() -> Vec<Command> {
    vec![
        say(Aim::Place(Place { is_anns: true, key: None }), 0, None),
        doubt(1, Some(6 * HOUR)),
        keep(2),
        Command::Clock(2 * HOUR),
        done(Act::Reopen { conflict: 0 }),
        keep_at(3, 2),
    ]
}

/// An agent said with a key what a person had forgotten, and it was back as a fact of the agent's own.
fn forgotten_and_said_with_a_key() -> Vec<Command> {
    let with_key = |word| by_helper(say(Aim::Place(Place { is_anns: true, key: Some(0) }), word, None));
    vec![
        say(Aim::Place(Place { is_anns: true, key: None }), 0, None),
        done(Act::Forget { fact: 0, expect: None, why: false }),
        with_key(0),
        with_key(1),
        with_key(0),
        done(Act::Accept { review: 0 }),
        with_key(0),
    ]
}

fn keep(side: u32) -> Command {
    keep_at(1, side)
}

fn keep_at(version: u32, side: u32) -> Command {
    done(Act::Settle { conflict: 0, version, ruling: Ruling::Keep(side), note: false })
}

/// An agent says something else, on no evidence.
fn doubt(word: u8, from: Option<Micros>) -> Command {
    by_helper(say(Aim::Fact(0), word, from))
}

fn by_helper(command: Command) -> Command {
    let Command::Do { key, act, .. } = command else { unreachable!("it is done by somebody") };
    Command::Do { who: Who::Helper, key, act }
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

/// Whether a fact that was merged, and is said again once nobody goes on for it, held in between.
fn merged_and_said_again() -> Vec<Command> {
    let keyed = Aim::Place(Place { is_anns: true, key: Some(0) });
    vec![
        say(keyed, 0, None),
        say(Aim::Place(Place { is_anns: true, key: None }), 1, None),
        done(Act::Merge { into: 1, others: vec![(0, None)] }),
        Command::Erase { who: Who::Ann, fact: 1, revision: None },
        say(keyed, 0, None),
    ]
}

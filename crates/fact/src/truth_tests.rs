//! Truth over time: a revision holds until the earliest of its own end and the start of any recorded later.

use proptest::prelude::*;

use crate::samples::{at, created, erased, event, fold, number, person, revised, valid};
use crate::{Entry, Head, State, Timestamp, apply};
use crate::{Reign, Span, Truth};

/// A statement of the model: when it was recorded, from when it is true, until when.
type Said = (i64, Option<i64>, Option<i64>);

/// The revision that holds at `at`, by the rule as the design says it.
fn model(said: &[Said], at: i64) -> Option<u32> {
    let start = |one: &Said| one.1.unwrap_or(one.0);
    let holds = |(place, one): &(usize, &Said)| {
        let cut = said[place + 1..].iter().map(start).min();
        let end = one.2.into_iter().chain(cut).min();
        start(one) <= at && end.is_none_or(|end| at < end)
    };
    let holding: Vec<usize> = said.iter().enumerate().filter(holds).map(|(place, _)| place).collect();
    assert!(holding.len() <= 1, "two revisions hold at {at}");
    holding.first().map(|place| u32::try_from(place + 1).unwrap())
}

fn folded(said: &[Said]) -> Head {
    let mut head = None;
    for (place, (recorded, from, until)) in (1..).zip(said) {
        let saying = valid(*from, *until);
        let happening = if place == 1 { created(saying) } else { revised(place, Entry::Settles, saying) };
        head = Some(apply(head.as_ref(), &event(*recorded, person(), happening)).unwrap());
    }
    head.unwrap()
}

fn any_said() -> impl Strategy<Value = Vec<Said>> {
    let from = prop_oneof![2 => Just(None), 3 => (-30_i64..40).prop_map(Some)];
    let lasts = prop_oneof![1 => Just(None), 1 => (1_i64..40).prop_map(Some)];
    let one = (1_i64..15, from, lasts);
    prop::collection::vec(one, 1..8).prop_map(|steps| {
        let mut recorded = 0;
        steps
            .into_iter()
            .map(|(step, from, lasts)| {
                recorded += step;
                let from = from.map(|from| recorded + from);
                (recorded, from, lasts.map(|lasts| from.unwrap_or(recorded) + lasts))
            })
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn what_is_settled_equals_the_model(said in any_said()) {
        let head = folded(&said);
        let last = said.last().unwrap().0;
        for time in last..last + 100 {
            prop_assert_eq!(head.truth.settled(at(time)).map(|n| n.get()), model(&said, time), "at {}", time);
        }
    }

    #[test]
    fn the_next_turn_is_when_the_answer_changes(said in any_said(), after in 0_i64..60) {
        let head = folded(&said);
        let now = said.last().unwrap().0 + after;
        let changes = (now + 1..now + 200).find(|time| model(&said, *time) != model(&said, now));
        prop_assert_eq!(head.truth.next_turn(at(now)).map(Timestamp::micros), changes);
    }

    #[test]
    fn a_state_follows_from_when_a_revision_holds(said in any_said(), after in 0_i64..60) {
        let head = folded(&said);
        let now = said.last().unwrap().0 + after;
        let holds_later = |revision: u32| (now..now + 200).any(|time| model(&said, time) == Some(revision));
        for revision in head.truth.revisions() {
            let is_active = head.truth.state(revision, at(now)) == Some(State::Active);
            prop_assert_eq!(is_active, holds_later(revision.get()), "{} at {}", revision, now);
        }
    }

    #[test]
    fn starts_rise_with_revisions(said in any_said()) {
        let Truth::Settled(reign) = folded(&said).truth else { unreachable!() };
        let rises = |pair: &[Span]| pair[0].from < pair[1].from && pair[0].revision < pair[1].revision;
        prop_assert!(!reign.spans().is_empty() && reign.spans().windows(2).all(rises));
    }
}

#[test]
fn a_period_holds_from_its_start_up_to_its_end() {
    let reign = Reign::of(Span { revision: number(1), from: at(10), until: Some(at(20)), erased: false });
    let truth = Truth::Settled(reign.clone());
    for (time, settled, begun, state) in [
        (9, None, true, State::Active),
        (10, Some(1), true, State::Active),
        (19, Some(1), true, State::Active),
        (20, None, true, State::Expired),
    ] {
        assert_eq!(truth.settled(at(time)).map(|n| n.get()), settled, "at {time}");
        assert_eq!(reign.latest_at(at(time)).is_some(), begun);
        assert_eq!(truth.state(number(1), at(time)), Some(state), "at {time}");
    }
    assert_eq!(truth.state(number(2), at(10)), None);
}

#[test]
fn what_is_to_come_ends_what_stands_only_then() {
    let head = fold(vec![created(valid(None, None)), revised(2, Entry::Settles, valid(Some(50), Some(60)))]);
    for (time, settled, states) in [
        (49, Some(1), [State::Active, State::Active]),
        (50, Some(2), [State::Superseded, State::Active]),
        (60, None, [State::Superseded, State::Expired]),
    ] {
        assert_eq!(head.truth.settled(at(time)).map(|n| n.get()), settled, "at {time}");
        let found = [1, 2].map(|revision| head.truth.state(number(revision), at(time)).unwrap());
        assert_eq!(found, states, "at {time}");
    }
}

#[test]
fn an_end_before_the_next_start_expires() {
    let head = fold(vec![created(valid(None, Some(30))), revised(2, Entry::Settles, valid(Some(50), None))]);
    for (time, settled, state) in [
        (29, Some(1), State::Active),
        (30, None, State::Expired),
        (49, None, State::Expired),
        (50, Some(2), State::Expired),
    ] {
        assert_eq!(head.truth.settled(at(time)).map(|n| n.get()), settled, "at {time}");
        assert_eq!(head.truth.state(number(1), at(time)), Some(state), "at {time}");
    }
}

#[test]
fn a_later_word_takes_the_place_of_what_starts_no_earlier() {
    for (start, spans) in [(49, 2), (50, 2), (51, 3)] {
        let truth = fold(vec![
            created(valid(None, None)),
            revised(2, Entry::Settles, valid(Some(50), None)),
            revised(3, Entry::Settles, valid(Some(start), None)),
        ])
        .truth;
        assert_eq!(truth.revisions().len(), spans, "from {start}");
        assert_eq!(truth.settled(at(51)), Some(number(3)));
    }
}

#[test]
fn an_erased_revision_still_ends_what_was_before_it() {
    let said =
        || vec![created(valid(None, None)), revised(2, Entry::Settles, valid(Some(50), None)), erased(&[2])];
    let truth = fold(said()).truth;
    assert_eq!(truth.settled(at(49)), Some(number(1)));
    assert_eq!(truth.settled(at(50)), None);
    assert_eq!(truth.state(number(2), at(50)), Some(State::Retracted));
    assert_eq!(truth.next_turn(at(10)), Some(at(50)));
    let mut all = said();
    all.push(erased(&[1]));
    assert_eq!(fold(all).truth.name(), "erased");
}

#[test]
fn erasing_what_holds_ends_the_fact_though_an_older_one_is_still_named() {
    let head = fold(vec![created(valid(None, None)), revised(2, Entry::Settles, valid(Some(25), None))]);
    let after = apply(Some(&head), &event(30, person(), erased(&[2]))).unwrap();
    assert_eq!(after.truth.name(), "erased");
    let before = apply(Some(&head), &event(24, person(), erased(&[2]))).unwrap();
    assert_eq!(before.truth.settled(at(24)), Some(number(1)));
}

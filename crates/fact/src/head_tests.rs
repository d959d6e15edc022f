//! The fold: what may follow what (behaviour 20), and the states that follow from it.

use std::collections::BTreeMap;

use proptest::prelude::*;
use uuid::Uuid;

use crate::limits::CONFLICT_SIDES_MAX;
use crate::samples::{
    agent, at, conflict, created, created_as, erased, event, fold, number, numbers, person, review, revised,
    saying, valid,
};
use crate::{
    Admission, Cause, Ending, Entry, FactId, Happening, Id, Link, RevisionNumber, Saying, Scope, Span, Truth,
};
use crate::{Head, State, Verdict, apply, turned};

fn quarantined() -> Saying {
    Saying { admission: Admission::Quarantined, ..saying() }
}

fn held_back() -> Happening {
    Happening::HeldBack { review: review(), cause: Cause::SaidAgainAfterForgotten, saying: saying() }
}

/// A head of every kind, each with two revisions, all but the erased one with the first quarantined.
fn heads() -> [Option<Head>; 8] {
    let first = || created(quarantined());
    let settled = || vec![first(), revised(2, Entry::History, saying())];
    let contested = vec![first(), revised(2, Entry::Opens(conflict(1)), saying())];
    let ended = |last| {
        let mut happenings = settled();
        happenings.push(last);
        happenings
    };
    [
        None,
        Some(fold(settled())),
        Some(fold(contested)),
        Some(fold(ended(Happening::Retracted))),
        Some(fold(ended(erased(&[1])))),
        Some(fold(vec![created(over()), revised(2, Entry::History, saying()), Happening::Expired])),
        Some(fold(vec![first(), revised(2, Entry::Opens(conflict(1)), saying()), kept(1)])),
        Some(fold(ended(Happening::Merged { into: other(71) }))),
    ]
}

/// What is over at 15, and may not be recalled yet.
fn over() -> Saying {
    Saying { admission: Admission::Quarantined, ..valid(None, Some(15)) }
}

/// That side of the first conflict was kept.
fn kept(side: u32) -> Happening {
    let kept = Span { revision: number(side), from: at(10), until: None, erased: false };
    Happening::Settled { conflict: conflict(1), kept }
}

fn other(number: u128) -> FactId {
    FactId::new(Uuid::from_u128(number))
}

fn link(revision: u32) -> Link {
    Link { revision: number(revision), fact: other(71), of: number(1) }
}

fn moved(revision: u32) -> Happening {
    let scope =
        Scope { user: Some(Id::parse("user", "ann").unwrap()), ..fold(vec![created(saying())]).scope };
    Happening::Moved { revision: number(revision), scope, saying: saying() }
}

fn closed() -> Happening {
    Happening::ReviewClosed { review: review(), verdict: Verdict::Dismissed }
}

#[track_caller]
fn check(heads: &[Option<Head>; 8], happening: &Happening, allowed: &str) {
    let found: String = heads
        .iter()
        .map(|head| match apply(head.as_ref(), &event(90, person(), happening.clone())) {
            Ok(_) => 'y',
            Err(_) => '.',
        })
        .collect();
    assert_eq!(found, allowed, "{happening:?}");
}

#[test]
fn every_happening_on_every_truth() {
    let revised = |entry| revised(3, entry, saying());
    let evidence = |revision| Happening::EvidenceAdded { revision: number(revision) };
    let admitted = |revision| Happening::Admitted { revision: number(revision) };
    let quarantined = |revision| Happening::Quarantined { revision: number(revision) };
    let reopened = |number| Happening::Reopened { conflict: conflict(number) };
    // unknown, settled, contested, retracted, erased, expired, settled after a conflict, merged into the first other
    for (happening, allowed) in [
        (created(saying()), "y......."),
        (revised(Entry::Settles), ".y.yyyyy"),
        (revised(Entry::History), ".yyyyyyy"),
        (revised(Entry::Opens(conflict(2))), ".y...yy."),
        (revised(Entry::Joins(conflict(1))), "..y....."),
        (revised(Entry::Joins(conflict(2))), "........"),
        (revised(Entry::Resolves(conflict(1))), "..y....."),
        (revised(Entry::Resolves(conflict(2))), "........"),
        (evidence(1), ".yyyyyyy"),
        (evidence(2), ".yyyyyyy"),
        (evidence(3), "........"),
        (Happening::Retracted, ".yy...y."),
        (Happening::Expired, "........"),
        (held_back(), "...y...."),
        (closed(), "........"),
        (kept(1), "..y....."),
        (kept(3), "........"),
        (reopened(1), "......y."),
        (reopened(2), "........"),
        (admitted(1), ".yyy.yyy"),
        (admitted(2), "........"),
        (quarantined(1), "........"),
        (quarantined(2), "..y....."),
        (quarantined(3), "........"),
        (moved(3), ".y....y."),
        (moved(2), "........"),
        (Happening::Merged { into: other(72) }, ".y....y."),
        (Happening::Absorbed(link(2)), ".yyyyyyy"),
        (Happening::Absorbed(link(3)), "........"),
        (Happening::Released { fact: other(71) }, "........"),
        (Happening::Split { from: other(71) }, ".yyyyyyy"),
        (Happening::Split { from: other(72) }, ".yyyyyy."),
        (Happening::HoldPlaced, ".yyyyyyy"),
        (Happening::HoldLifted, "........"),
        (erased(&[1]), ".yyyyyyy"),
    ] {
        check(&heads(), &happening, allowed);
    }
}

#[test]
fn a_hold_is_placed_once_and_lifted_once() {
    let held = heads().map(|head| {
        head.map(|head| apply(Some(&head), &event(80, person(), Happening::HoldPlaced)).unwrap())
    });
    check(&held, &Happening::HoldPlaced, "........");
    check(&held, &Happening::HoldLifted, ".yyyyyyy");
}

#[test]
fn only_the_next_number_may_follow() {
    for wrong in [1, 2, 4] {
        for entry in [Entry::Settles, Entry::History, Entry::Opens(conflict(2)), Entry::Joins(conflict(1))] {
            check(&heads(), &revised(wrong, entry, saying()), "........");
        }
    }
}

#[test]
fn a_refusal_names_the_event_and_the_state_and_leaves_the_head() {
    let [_, settled, ..] = heads();
    let before = settled.clone();
    let refused = apply(settled.as_ref(), &event(90, person(), held_back())).unwrap_err();
    assert_eq!(refused.to_string(), "event 90 (heldBack) is not possible for a fact that is settled");
    assert_eq!(settled, before);
    let unknown = apply(None, &event(90, person(), Happening::Retracted)).unwrap_err();
    assert_eq!(unknown.state, "unknown");
}

#[test]
fn a_conflict_takes_sides_up_to_its_limit() {
    let mut happenings = vec![created(saying()), revised(2, Entry::Opens(conflict(1)), saying())];
    for side in 3..=u32::try_from(CONFLICT_SIDES_MAX).unwrap() {
        happenings.push(revised(side, Entry::Joins(conflict(1)), saying()));
    }
    let head = fold(happenings);
    let Truth::Contested(contest) = &head.truth else { panic!("it is contested") };
    assert_eq!(contest.sides.len(), CONFLICT_SIDES_MAX);
    assert_eq!(contest.version, 32);
    let next = revised(34, Entry::Joins(conflict(1)), saying());
    assert!(apply(Some(&head), &event(9_000, person(), next)).is_err());
}

#[test]
fn the_version_of_a_conflict_rises_with_all_that_changes_it() {
    let version = |head: &Head| match &head.truth {
        Truth::Contested(contest) => contest.version,
        Truth::Settled(_) | Truth::Ended(_) => panic!("it is contested"),
    };
    let [_, _, contested, ..] = heads();
    let mut head = contested.unwrap();
    for (expected, happening) in [
        (2, Happening::EvidenceAdded { revision: number(1) }),
        (3, Happening::Admitted { revision: number(1) }),
        (4, revised(3, Entry::Joins(conflict(1)), saying())),
        (4, revised(4, Entry::History, saying())),
        (4, Happening::HoldPlaced),
        (4, erased(&[4])),
        (5, erased(&[1])),
    ] {
        head = apply(Some(&head), &event(i64::from(expected) + 90, person(), happening)).unwrap();
        assert_eq!(version(&head), expected);
    }
    let Truth::Contested(contest) = &head.truth else { panic!("it is contested") };
    assert_eq!(contest.sides, numbers(&[2, 3]));
}

#[test]
fn what_another_one_replaced_by_the_clock_takes_no_part_in_what_comes_next() {
    let head = fold(vec![
        created(saying()),
        revised(2, Entry::Settles, valid(Some(40), None)),
        revised(3, Entry::Settles, valid(Some(60), None)),
    ]);
    for (time, sides) in [(39, vec![1, 2, 3, 4]), (40, vec![2, 3, 4]), (60, vec![3, 4]), (99, vec![3, 4])] {
        let opens = revised(4, Entry::Opens(conflict(1)), saying());
        let opened = apply(Some(&head), &event(time, person(), opens)).unwrap();
        assert_eq!(opened.truth.revisions(), numbers(&sides), "at {time}");
        let retracted = apply(Some(&head), &event(time, person(), Happening::Retracted)).unwrap();
        assert_eq!(retracted.truth.revisions(), numbers(&sides[..sides.len() - 1]), "at {time}");
        for after in [opened, retracted] {
            let replaced: Vec<_> =
                (1..sides[0]).map(|revision| (number(revision), State::Superseded)).collect();
            assert_eq!(turned(Some(&head), &after)[..replaced.len()], replaced, "at {time}");
        }
    }
}

#[test]
fn nothing_is_contested_or_forgotten_where_nothing_is_left() {
    let head = fold(vec![created(saying()), revised(2, Entry::Settles, valid(Some(40), None)), erased(&[2])]);
    assert_eq!(head.truth.name(), "settled");
    let opens = || revised(3, Entry::Opens(conflict(1)), saying());
    assert!(apply(Some(&head), &event(39, person(), opens())).is_ok());
    assert!(apply(Some(&head), &event(40, person(), opens())).is_err());
    assert!(apply(Some(&head), &event(39, person(), Happening::Retracted)).is_ok());
    assert!(apply(Some(&head), &event(40, person(), Happening::Retracted)).is_err());
}

#[test]
fn an_ending_remembers_what_stood_when_and_whether_a_person_did_it() {
    let [_, settled, contested, ..] = heads();
    for (head, actor, revisions, by_person) in [
        (&settled, person(), vec![1], true),
        (&settled, agent(), vec![1], false),
        (&contested, person(), vec![1, 2], true),
    ] {
        let after = apply(head.as_ref(), &event(90, actor, Happening::Retracted)).unwrap();
        assert_eq!(
            after.truth,
            Truth::Ended(Ending::Retracted { revisions: numbers(&revisions), at: at(90), by_person })
        );
    }
}

#[test]
fn quarantine_lasts_as_long_as_the_truth_names_the_revision() {
    let [_, settled, contested, retracted, erased, ..] = heads();
    for head in [&settled, &contested, &retracted].into_iter().flatten() {
        assert_eq!(head.quarantined, numbers(&[1]));
    }
    assert!(erased.unwrap().quarantined.is_empty());
    let settled = settled.unwrap();
    let after =
        apply(Some(&settled), &event(90, person(), revised(3, Entry::Settles, quarantined()))).unwrap();
    assert_eq!(after.quarantined, numbers(&[3]));
    let history =
        apply(Some(&settled), &event(90, person(), revised(3, Entry::History, quarantined()))).unwrap();
    assert_eq!(history.quarantined, numbers(&[1]));
}

#[test]
fn a_key_is_kept_by_the_agent_that_made_it() {
    let keeper = |actor, happening| apply(None, &event(1, actor, happening)).unwrap().keeper;
    assert!(keeper(agent(), created(saying())).is_some());
    assert!(keeper(person(), created(saying())).is_none());
    assert!(keeper(agent(), created_as(false, saying())).is_none());
}

#[test]
fn states_turn_with_each_event() {
    use State::{Active, Conflicted, Expired, Retracted, Superseded};
    let check = |happenings: Vec<Happening>, expected: Vec<(u32, State)>| {
        let (last, before) = happenings.split_last().unwrap();
        let head = (!before.is_empty()).then(|| fold(before.to_vec()));
        let after = apply(head.as_ref(), &event(90, person(), last.clone())).unwrap();
        let expected: Vec<_> =
            expected.into_iter().map(|(revision, state)| (number(revision), state)).collect();
        assert_eq!(turned(head.as_ref(), &after), expected, "{last:?}");
    };
    let first = || created(saying());
    let next = |entry| revised(2, entry, saying());
    let opens = || next(Entry::Opens(conflict(1)));
    check(vec![first()], vec![(1, Active)]);
    check(vec![first(), next(Entry::Settles)], vec![(1, Superseded), (2, Active)]);
    check(vec![first(), next(Entry::History)], vec![(2, Superseded)]);
    check(vec![first(), opens()], vec![(1, Conflicted), (2, Conflicted)]);
    check(vec![first(), opens(), revised(3, Entry::Joins(conflict(1)), saying())], vec![(3, Conflicted)]);
    check(vec![first(), opens(), revised(3, Entry::History, saying())], vec![(3, Superseded)]);
    check(vec![first(), opens(), Happening::Retracted], vec![(1, Retracted), (2, Retracted)]);
    check(vec![first(), opens(), erased(&[1])], vec![(1, Retracted)]);
    check(vec![first(), Happening::Retracted], vec![(1, Retracted)]);
    check(vec![first(), Happening::Retracted, next(Entry::Settles)], vec![(2, Active)]);
    check(vec![first(), Happening::Retracted, held_back()], vec![]);
    check(vec![first(), Happening::Retracted, erased(&[1])], vec![]);
    check(vec![first(), erased(&[1])], vec![(1, Retracted)]);
    check(vec![first(), erased(&[1]), next(Entry::Settles)], vec![(2, Active)]);
    check(vec![first(), Happening::HoldPlaced], vec![]);
    check(vec![first(), opens(), kept(1)], vec![(1, Active), (2, Superseded)]);
    check(vec![first(), opens(), kept(2)], vec![(1, Superseded), (2, Active)]);
    let resolves = || revised(3, Entry::Resolves(conflict(1)), saying());
    check(vec![first(), opens(), resolves()], vec![(1, Superseded), (2, Superseded), (3, Active)]);
    let reopened = || Happening::Reopened { conflict: conflict(1) };
    check(vec![first(), opens(), kept(2), reopened()], vec![(1, Conflicted), (2, Conflicted)]);
    check(
        vec![first(), opens(), resolves(), reopened()],
        vec![(1, Conflicted), (2, Conflicted), (3, Superseded)],
    );
    let brief = || created(valid(None, Some(15)));
    check(vec![brief(), Happening::Expired], vec![(1, Expired)]);
    check(vec![brief(), Happening::Expired, next(Entry::Settles)], vec![(1, Superseded), (2, Active)]);
    check(vec![brief(), Happening::Expired, opens()], vec![(1, Conflicted), (2, Conflicted)]);
    check(vec![brief(), Happening::Expired, erased(&[1])], vec![(1, Retracted)]);
    let later = || revised(2, Entry::Settles, valid(Some(95), None));
    check(vec![first(), later()], vec![(2, Active)]);
    check(vec![first(), later(), erased(&[2])], vec![(2, Retracted)]);
    check(vec![first(), later(), erased(&[2]), Happening::Retracted], vec![(1, Retracted)]);
}

/// Something that may happen, and its time after the one before.
fn any_happening() -> impl Strategy<Value = (i64, u8, Option<i64>, Option<i64>, u32)> {
    let from = prop::option::of(-20_i64..40);
    (1_i64..20, 0_u8..19, from, prop::option::of(1_i64..40), 0_u32..3)
}

fn happening(kind: u8, latest: u32, said: &Saying, back: u32) -> Happening {
    let entry = |entry| revised(latest + 1, entry, said.clone());
    let named = number(latest.saturating_sub(back).max(1));
    match kind {
        0 => Happening::Retracted,
        1 => entry(Entry::Opens(conflict(1))),
        2 | 3 => entry(Entry::Joins(conflict(1))),
        4 => entry(Entry::History),
        5 => Happening::Erased { revisions: vec![named], positions: Vec::new() },
        6 => Happening::Admitted { revision: named },
        7 => Happening::EvidenceAdded { revision: named },
        8 => held_back(),
        9 => entry(Entry::Resolves(conflict(1))),
        10 => {
            let kept = Span { revision: named, from: at(1), until: None, erased: false };
            Happening::Settled { conflict: conflict(1), kept }
        }
        11 => Happening::Reopened { conflict: conflict(1) },
        12 => Happening::Expired,
        13 => Happening::Quarantined { revision: named },
        14 => moved(latest + 1),
        15 => Happening::Merged { into: other(71) },
        16 => Happening::Split { from: other(71) },
        _ => entry(Entry::Settles),
    }
}

/// What the `state` column of every revision is, when it is only ever written by what turned.
fn check_column(column: &BTreeMap<RevisionNumber, State>, head: &Head) {
    let numbers: Vec<u32> = column.keys().map(|revision| revision.get()).collect();
    assert_eq!(numbers, (1..=head.latest.get()).collect::<Vec<_>>(), "every revision has a state");
    for (revision, state) in column {
        let named = head.truth.revisions().contains(revision);
        let fits = match (&head.truth, named) {
            (Truth::Settled(_), true) => matches!(state, State::Active | State::Retracted),
            (Truth::Contested(_), true) => *state == State::Conflicted,
            (Truth::Ended(Ending::Expired { .. }), true) => {
                matches!(state, State::Expired | State::Retracted | State::Superseded)
            }
            (Truth::Ended(Ending::Merged { .. }), true) => {
                matches!(state, State::Superseded | State::Retracted)
            }
            (Truth::Ended(_), true) => *state == State::Retracted,
            (_, false) => matches!(state, State::Superseded | State::Retracted),
        };
        assert!(fits, "revision {revision} is {} in {:?}", state.name(), head.truth);
    }
}

proptest! {
    #[test]
    fn the_column_of_states_follows_the_truth(steps in prop::collection::vec(any_happening(), 0..14)) {
        let mut now = 1;
        let mut head = apply(None, &event(now, person(), created(saying()))).unwrap();
        let mut column: BTreeMap<_, _> = turned(None, &head).into_iter().collect();
        for (step, kind, from, lasts, back) in steps {
            now += step;
            let from = from.map(|from| now + from);
            let said = valid(from, lasts.map(|lasts| from.unwrap_or(now) + lasts));
            let next = event(now, person(), happening(kind, head.latest.get(), &said, back));
            let Ok(after) = apply(Some(&head), &next) else { continue };
            let turns = turned(Some(&head), &after);
            for (revision, state) in &turns {
                prop_assert_ne!(column.insert(*revision, *state), Some(*state), "it turned to what it was");
            }
            prop_assert!(turns.is_sorted_by_key(|(revision, _)| *revision));
            check_column(&column, &after);
            if let (Truth::Settled(_), Some(settled)) = (&after.truth, after.truth.settled(at(now))) {
                prop_assert_eq!(column[&settled], State::Active);
            }
            head = after;
        }
    }
}

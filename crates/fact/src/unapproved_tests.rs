//! A fact that waits before it begins: what may follow, and that nothing of it is true before it is approved.

use crate::samples::{
    at, conflict, created, erased, event, fold, number, person, review, revised, saying, valid,
};
use crate::{Cause, Ending, Entry, Happening, Head, State, Truth, Verdict, apply, turned};

fn proposed() -> Happening {
    let Happening::Created { kind, scope, keyed, held: _, saying } = created(saying()) else { panic!() };
    Happening::Proposed { kind, scope, keyed, review: review(), saying }
}

fn asked_again() -> Happening {
    Happening::HeldBack { review: review(), cause: Cause::MemoryFact, saying: saying() }
}

fn closed(verdict: Verdict) -> Happening {
    Happening::ReviewClosed { review: review(), verdict }
}

fn is_unapproved(head: &Head) -> bool {
    matches!(head.truth, Truth::Ended(Ending::Unapproved { .. }))
}

#[test]
fn nothing_of_it_is_true_before_it_is_approved() {
    for happenings in [
        vec![proposed()],
        vec![proposed(), asked_again()],
        vec![proposed(), closed(Verdict::Dismissed)],
        vec![proposed(), closed(Verdict::Dismissed), asked_again()],
    ] {
        let head = fold(happenings);
        assert!(is_unapproved(&head) && !head.truth.is_said() && !head.truth.stands(at(99)));
        assert_eq!((head.truth.settled(at(99)), head.truth.revisions()), (None, Vec::new()));
        assert_eq!(head.truth.name(), "unapproved");
        assert_eq!(head.next_revision(), number(1));
    }
    assert_eq!(fold(vec![proposed()]).asked, [review()]);
    assert!(fold(vec![proposed(), closed(Verdict::Dismissed)]).asked.is_empty());
}

#[test]
fn only_its_first_revision_makes_it_one() {
    let waiting = fold(vec![proposed()]);
    let follows = |happening: Happening| apply(Some(&waiting), &event(99, person(), happening)).is_ok();
    assert!(follows(revised(1, Entry::Settles, saying())));
    for happening in [
        created(saying()),
        proposed(),
        revised(2, Entry::Settles, saying()),
        revised(1, Entry::History, saying()),
        revised(1, Entry::Opens(conflict(1)), saying()),
        revised(1, Entry::Joins(conflict(1)), saying()),
        Happening::EvidenceAdded { revision: number(1) },
        Happening::Retracted,
        Happening::Expired,
        Happening::Quarantined { revision: number(1) },
        Happening::HeldBack { review: review(), cause: Cause::SaidAgainAfterForgotten, saying: saying() },
    ] {
        let name = happening.name();
        assert!(!follows(happening), "{name}");
    }
    let approved = apply(Some(&waiting), &event(99, person(), revised(1, Entry::Settles, saying()))).unwrap();
    assert_eq!(turned(Some(&waiting), &approved), [(number(1), State::Active)]);
    assert_eq!((approved.latest, approved.next_revision()), (number(1), number(2)));
}

#[test]
fn what_waits_stays_while_the_fact_changes_and_goes_with_its_words() {
    let first = || vec![created(saying()), asked_again()];
    let then = |last: Happening| {
        let mut happenings = first();
        happenings.push(last);
        fold(happenings).asked
    };
    assert_eq!(then(revised(2, Entry::Settles, valid(None, None))), [review()]);
    assert_eq!(then(Happening::Retracted), [review()]);
    assert!(then(closed(Verdict::Accepted)).is_empty());
    assert!(then(erased(&[1])).is_empty());
    assert!(fold(vec![proposed(), erased(&[])]).asked.is_empty());
}

//! Ranks count, scores do not.

use fact::{FactId, RevisionNumber};
use index::Candidate;

use super::{Fusion, Leg, fuse};

fn fact(number: u8) -> FactId {
    FactId::parse(&format!("01981f6e-6a1c-7c3e-8f0a-0123456789{number:02x}")).unwrap()
}

fn leg(weight: f64, facts: &[u8]) -> Leg {
    let candidate = |number: &u8| Candidate {
        fact: fact(*number),
        revision: RevisionNumber::FIRST,
        score: f64::from(*number) * 1_000.0,
    };
    Leg { weight, candidates: facts.iter().map(candidate).collect() }
}

fn order(legs: &[Leg]) -> Vec<FactId> {
    fuse(legs, Fusion::default().k).into_iter().map(|candidate| candidate.fact).collect()
}

#[test]
fn one_leg_keeps_its_order() {
    assert_eq!(order(&[leg(1.0, &[3, 1, 2])]), [3, 1, 2].map(fact));
    assert_eq!(order(&[leg(1.0, &[3, 1, 2]), leg(1.0, &[])]), [3, 1, 2].map(fact));
    assert_eq!(order(&[]), []);
}

#[test]
fn what_both_find_comes_before_what_one_finds() {
    assert_eq!(order(&[leg(1.0, &[1, 9, 2]), leg(1.0, &[3, 9, 4])]), [9, 3, 1, 4, 2].map(fact));
}

#[test]
fn a_weight_of_nothing_takes_a_leg_out() {
    let fused = fuse(&[leg(1.0, &[1, 2]), leg(0.0, &[2, 1, 3])], 60.0);
    assert_eq!(fused.iter().map(|one| one.fact).collect::<Vec<_>>(), [1, 2, 3].map(fact));
    assert!(fused[2].score.abs() < f64::EPSILON);
}

#[test]
fn the_order_of_legs_does_not_matter() {
    let legs = |swapped: bool| {
        let (one, other) = (leg(1.0, &[1, 2, 3, 4]), leg(0.7, &[4, 3, 5]));
        if swapped { [other, one] } else { [one, other] }
    };
    assert_eq!(order(&legs(false)), order(&legs(true)));
}

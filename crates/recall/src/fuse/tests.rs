//! What becomes of several orders, by rank and by score.

use fact::{FactId, RevisionNumber};
use index::{Candidate, Parts};

use super::{By, Fusion, Leg, Order, fuse};

const RANK: By = By::Rank { k: 60.0 };

fn fact(number: u8) -> FactId {
    FactId::parse(&format!("01981f6e-6a1c-7c3e-8f0a-0123456789{number:02x}")).unwrap()
}

/// A whole order with made up scores, which no rank depends on.
fn leg(weight: f64, facts: &[u8]) -> Leg {
    let scored: Vec<_> =
        facts.iter().zip((1_u8..=200).rev()).map(|(one, score)| (*one, f64::from(score))).collect();
    scored_leg(weight, &scored)
}

fn scored_leg(weight: f64, facts: &[(u8, f64)]) -> Leg {
    let candidate = |(number, score): &(u8, f64)| Candidate {
        fact: fact(*number),
        revision: RevisionNumber::FIRST,
        score: *score,
        parts: Parts { own: *score, ..Parts::default() },
    };
    let candidates = facts.iter().map(candidate).collect();
    Leg { order: Order::Words, weight, usual: 0.0, candidates, is_cut: false }
}

#[track_caller]
fn check(by: By, legs: &[Leg], expected: &[u8]) {
    let order: Vec<_> = fuse(legs, by).into_iter().map(|candidate| candidate.fact).collect();
    assert_eq!(order, expected.iter().copied().map(fact).collect::<Vec<_>>());
}

/// What the candidates of the fused order count, in hundredths.
fn hundredths(legs: &[Leg]) -> Vec<f64> {
    fuse(legs, By::Score).into_iter().map(|candidate| (candidate.score * 100.0).round()).collect()
}

#[test]
fn one_leg_keeps_its_order() {
    for by in [RANK, By::Score] {
        check(by, &[leg(1.0, &[3, 1, 2])], &[3, 1, 2]);
        check(by, &[leg(1.0, &[3, 1, 2]), leg(1.0, &[])], &[3, 1, 2]);
        check(by, &[], &[]);
    }
}

#[test]
fn what_both_find_comes_before_what_one_finds() {
    for by in [RANK, By::Score] {
        check(by, &[leg(1.0, &[1, 9, 2]), leg(1.0, &[3, 9, 4])], &[9, 3, 1, 4, 2]);
    }
}

#[test]
fn a_rank_counts_as_published() {
    let fused = fuse(&[leg(1.0, &[1, 2]), leg(0.5, &[2])], RANK);
    let [both, one] = [1.0 / 62.0 + 0.5 / 61.0, 1.0 / 61.0];
    assert!((fused[0].score - both).abs() < f64::EPSILON && (fused[1].score - one).abs() < f64::EPSILON);
}

#[test]
fn a_weight_of_nothing_takes_a_leg_out() {
    for by in [RANK, By::Score] {
        let fused = fuse(&[leg(1.0, &[1, 2]), leg(0.0, &[2, 1, 3])], by);
        assert_eq!(fused.iter().map(|one| one.fact).collect::<Vec<_>>(), [1, 2, 3].map(fact));
        assert!(fused[2].score.abs() < f64::EPSILON);
    }
}

#[test]
fn the_order_of_legs_does_not_matter() {
    for by in [RANK, By::Score] {
        let (one, other) = (|| leg(1.0, &[1, 2, 3, 4]), || leg(0.7, &[4, 3, 5]));
        let order = |legs: &[Leg]| fuse(legs, by).into_iter().map(|one| one.fact).collect::<Vec<_>>();
        assert_eq!(order(&[one(), other()]), order(&[other(), one()]));
    }
}

#[test]
fn the_best_of_a_leg_counts_one_and_the_usual_nothing() {
    let words = scored_leg(1.0, &[(1, 8.0), (2, 2.0)]);
    let meaning = Leg { usual: 0.2, ..scored_leg(1.0, &[(2, 0.6), (3, 0.3)]) };
    assert_eq!(hundredths(&[words, meaning]), [125.0, 100.0, 25.0]);
}

#[test]
fn what_was_cut_off_counts_as_the_last_that_was_not() {
    let words = || scored_leg(1.0, &[(1, 8.0), (2, 6.0)]);
    let meaning = || scored_leg(1.0, &[(3, 0.5)]);
    assert_eq!(hundredths(&[words(), meaning()]), [100.0, 100.0, 75.0]);
    assert_eq!(hundredths(&[Leg { is_cut: true, ..words() }, meaning()]), [175.0, 100.0, 75.0]);
}

#[test]
fn where_all_are_as_usual_nothing_stands_out() {
    let meaning = Leg { usual: 0.4, ..scored_leg(1.0, &[(2, 0.4), (1, 0.4)]) };
    assert_eq!(hundredths(&[meaning, scored_leg(1.0, &[(1, 3.0)])]), [100.0, 0.0]);
    assert_eq!(Fusion::default().by, By::Score);
}

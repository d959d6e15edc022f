//! The measures against figures computed by hand.

use std::collections::BTreeSet;
use std::time::Duration;

use super::ask::StaleVersions;
use super::dataset::{DocumentNumber, Versions};
use super::score::{Figures, Score, percentile, ranking};

fn documents(numbers: &[usize]) -> BTreeSet<DocumentNumber> {
    numbers.iter().copied().map(DocumentNumber).collect()
}

/// The places of found facts, each given as the documents that it stands for.
fn places(found: &[&[usize]]) -> Vec<BTreeSet<DocumentNumber>> {
    ranking(found.iter().map(|numbers| documents(numbers)))
}

/// What `found` scores against `gold`: R@1, R@5, R@10, MRR@10.
#[track_caller]
fn check(found: &[&[usize]], gold: &[usize], expected: [f64; 4]) {
    let Score { r1, r5, r10, mrr10 } = Score::of(&places(found), &documents(gold));
    assert_eq!([r1, r5, r10, mrr10], expected, "{found:?} for {gold:?}");
}

const NOISE: [&[usize]; 9] = [&[90], &[91], &[92], &[93], &[94], &[95], &[96], &[97], &[98]];

#[test]
fn one_gold_scores_by_its_place() {
    check(&[&[7]], &[7], [1.0, 1.0, 1.0, 1.0]);
    check(&[&[1], &[7]], &[7], [0.0, 1.0, 1.0, 0.5]);
    check(&[&NOISE[..4], &[&[7]]].concat(), &[7], [0.0, 1.0, 1.0, 0.2]);
    check(&[&NOISE[..5], &[&[7]]].concat(), &[7], [0.0, 0.0, 1.0, 1.0 / 6.0]);
    check(&[&NOISE[..], &[&[7]]].concat(), &[7], [0.0, 0.0, 1.0, 0.1]);
}

#[test]
fn nothing_after_the_tenth_place_counts() {
    check(&[&NOISE[..], &[&[99], &[7]]].concat(), &[7], [0.0; 4]);
}

#[test]
fn what_is_missing_scores_nothing() {
    check(&[], &[7], [0.0; 4]);
    check(&NOISE, &[7], [0.0; 4]);
}

#[test]
fn of_several_gold_the_share_counts_and_the_first_ranks() {
    check(&[&[1], &[7], &[2], &[8]], &[7, 8, 9, 10], [0.0, 0.5, 0.5, 0.5]);
    check(&[&[7], &[8], &[1], &[2], &[3], &[9]], &[7, 8, 9, 10], [1.0, 0.5, 0.75, 1.0]);
}

#[test]
fn parts_of_a_document_take_its_best_place_once() {
    assert_eq!(places(&[&[1], &[2], &[1], &[1], &[3]]), places(&[&[1], &[2], &[3]]));
    check(&[&[1], &[1], &[1], &[1], &[1], &[7]], &[7], [0.0, 1.0, 1.0, 0.5]);
}

#[test]
fn documents_that_say_the_same_share_a_place() {
    check(&[&[1], &[7, 8]], &[7], [0.0, 1.0, 1.0, 0.5]);
    check(&[&[1], &[7, 8]], &[7, 8], [0.0, 1.0, 1.0, 0.5]);
    check(&[&[7, 8], &[1]], &[8], [1.0, 1.0, 1.0, 1.0]);
    // A shared part and one of its own: the second brings nothing new, the third does.
    assert_eq!(places(&[&[7, 8], &[7], &[8, 9]]), [documents(&[7, 8]), documents(&[9])]);
}

#[test]
fn figures_are_means_over_questions() {
    let found = |found: &[&[usize]]| Score::of(&places(found), &documents(&[7]));
    let scores = [found(&[&[7]]), found(&[&[1], &[7]]), found(&[]), found(&NOISE)];
    let figures = Figures::mean(scores.iter());
    assert_eq!(figures, Figures { n: 4, r1: 0.25, r5: 0.5, r10: 0.5, mrr10: 0.375 });
    assert_eq!(Figures::mean([].iter()), Figures::default());
}

#[test]
fn a_percentile_is_a_time_that_was_taken() {
    let times: Vec<_> = (1..=200).rev().map(Duration::from_millis).collect();
    assert_eq!([50, 99, 100].map(|percent| percentile(&times, percent)), [100.0, 198.0, 200.0]);
    assert_eq!(percentile(&times[..1], 50), 200.0);
    assert_eq!(percentile(&[], 50), 0.0);
}

#[test]
fn a_stale_version_is_first_when_no_newer_one_stands_before_it() {
    let versions = Versions { original: documents(&[1, 2]), updated: documents(&[7]) };
    for (found, shown, first) in [
        (&[&[7][..], &[1]][..], 1, false),
        (&[&[1], &[7], &[2]], 2, true),
        (&[&[9], &[2]], 1, true),
        (&[&[7]], 0, false),
        (&[&[9]], 0, false),
        (&[&[1, 7]], 1, false),
    ] {
        let expected = StaleVersions { shown, first };
        assert_eq!(StaleVersions::of(&places(found), &versions), expected, "{found:?}");
    }
}

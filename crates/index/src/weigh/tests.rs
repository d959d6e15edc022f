//! What stands around a text changes its score as the rules say, and nothing else does.

use super::{Said, scores};
use crate::around::Spot;
use crate::score::{Parts, Stock};

const STOCK: Stock = Stock { rows: 100, length: 1_000 };
const WEIGHTS: [f64; 3] = [4.0, 2.0, 1.0];

/// A text of usual length that has the words at these places once, outside of any conversation.
fn lone(places: &[usize]) -> Said {
    let counts = places.iter().map(|place| (*place, 1)).collect();
    Said { length: 10, counts, conversation: None, spot: None, is_named: false }
}

/// The same as a turn of a conversation.
fn turn(conversation: u32, sequence: i64, places: &[usize]) -> Said {
    let spot = Spot::of(Some(conversation), Some(sequence), None);
    Said { conversation: Some(conversation), spot, ..lone(places) }
}

fn totals(said: &[Said]) -> Vec<f64> {
    scores(said, &WEIGHTS, STOCK).into_iter().map(Parts::total).collect()
}

/// The scores in hundredths.
#[track_caller]
fn check(said: &[Said], expected: &[f64]) {
    let hundredths: Vec<_> = totals(said).into_iter().map(|score| (score * 100.0).round()).collect();
    assert_eq!(hundredths, expected);
}

#[test]
fn alone_a_text_scores_by_its_words() {
    check(&[], &[]);
    check(&[lone(&[0]), lone(&[1, 2]), lone(&[0, 1, 2])], &[400.0, 300.0, 700.0]);
}

#[test]
fn a_word_that_is_missing_is_taken_from_a_neighbour_at_half() {
    let message =
        |number, places: &[usize]| Said { spot: Spot::of(None, None, Some(number)), ..lone(places) };
    check(&[message(1, &[0]), message(1, &[1]), message(2, &[1])], &[500.0, 400.0, 200.0]);
}

#[test]
fn a_neighbour_that_repeats_adds_nothing() {
    let message = |places: &[usize]| Said { spot: Some(Spot::Message(1)), ..lone(places) };
    check(&[message(&[0, 1]), message(&[0, 1])], &[600.0, 600.0]);
    // As often as it is said: each of ten has the words once.
    let same: Vec<_> = (0..10).map(|_| message(&[0])).collect();
    check(&same, &[400.0; 10]);
}

#[test]
fn neighbours_stand_one_apart() {
    // Both conversations say the same, so that only neighbours differ.
    let near = [turn(1, 1, &[0]), turn(1, 2, &[1])];
    let far = [turn(2, 1, &[0]), turn(2, 3, &[1])];
    let all: Vec<_> = near.into_iter().chain(far).collect();
    check(&all, &[700.0, 600.0, 600.0, 400.0]);
}

#[test]
fn a_conversation_counts_for_each_of_its_texts_beside_others() {
    let said = [turn(1, 1, &[0]), turn(1, 9, &[1]), turn(2, 1, &[1]), lone(&[1])];
    let scores = totals(&said);
    assert!(scores[1] > scores[2], "the conversation is about more of the query: {scores:?}");
    assert_eq!(scores[2].to_bits(), scores[3].to_bits(), "a text outside of any is its own conversation");
    assert!((scores[0] - 6.0).abs() < 1e-9, "at most half of the best: {scores:?}");
}

#[test]
fn a_long_conversation_has_words_by_chance() {
    let mut said: Vec<_> = (0..50).map(|sequence| turn(1, sequence * 2, &[2])).collect();
    said.push(turn(1, 200, &[1]));
    said.push(turn(2, 1, &[1]));
    said.push(turn(2, 9, &[2]));
    let scores = totals(&said);
    assert!(scores[51] > scores[50], "{scores:?}");
}

#[test]
fn what_the_named_one_said_counts_half_of_the_best_more() {
    let named = Said { is_named: true, ..lone(&[2]) };
    check(&[lone(&[0]), named, lone(&[2])], &[400.0, 300.0, 100.0]);
}

#[test]
fn a_score_says_what_it_comes_from() {
    let said = [turn(1, 1, &[0]), Said { is_named: true, ..turn(1, 2, &[1]) }, lone(&[1])];
    let [parts, .., alone] = &scores(&said, &WEIGHTS, STOCK)[..] else { panic!("three scores") };
    assert!((parts.own - 4.0).abs() < 1e-9 && (parts.beside - 1.0).abs() < 1e-9, "{parts:?}");
    assert!((parts.conversation - 2.0).abs() < 1e-9 && parts.speaker == 0.0, "{parts:?}");
    assert!(alone.beside == 0.0 && alone.speaker == 0.0 && alone.conversation > 0.0, "{alone:?}");
    assert!((scores(&said, &WEIGHTS, STOCK)[1].speaker - 2.0).abs() < 1e-9);
}

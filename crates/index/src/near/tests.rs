//! The nearest, by the definition.

use fact::{Access, FactType, Id, Reader, Sight, Text};

use super::{Nearing, ROUNDING, Total, dot};
use crate::Nearest;
use crate::shelf::{Shelf, StoredVector, bytes};

fn fact(number: usize) -> String {
    format!("01981f6e-6a1c-7c3e-8f0a-0123456789{number:02x}")
}

fn query(limit: usize) -> Nearest {
    let text = Text::stored("What did Ann say?".to_owned());
    Nearest { text, model: "m".to_owned(), vector: vec![1.0, 0.0], kinds: Vec::new(), limit }
}

/// The candidates of a search in these scopes, with their scores in hundredths.
fn scored(shelf: &Shelf, scopes: &[(i64, i64)], query: &Nearest) -> Vec<(String, f64)> {
    let sight = Sight::Within(Access::default());
    let reader = Reader { tenant: Id::parse("tenant", "local").unwrap(), sight };
    let mut nearing = Nearing::new(&reader, query);
    for (scope, changes) in scopes {
        nearing.add(shelf.get("m", *scope, *changes).unwrap());
    }
    let scored = nearing.best().candidates.into_iter();
    scored.map(|candidate| (candidate.fact.to_string(), (candidate.score * 100.0).round())).collect()
}

fn found(shelf: &Shelf, scopes: &[(i64, i64)], query: &Nearest) -> Vec<String> {
    scored(shelf, scopes, query).into_iter().map(|(fact, _)| fact).collect()
}

fn stored(scope: i64, number: usize, kind: &str, vector: [f32; 2]) -> StoredVector {
    (scope, fact(number), 1, kind.to_owned(), None, None, None, None, bytes(&vector))
}

/// The same as a turn.
fn turn(scope: i64, number: usize, sequence: i64, speaker: &str, cosine: f32) -> StoredVector {
    let (_, fact, revision, kind, ..) = stored(scope, number, "a", [0.0, 0.0]);
    let vector = bytes(&[cosine, 0.0]);
    (
        scope,
        fact,
        revision,
        kind,
        Some("t".to_owned()),
        Some(sequence),
        None,
        Some(speaker.to_owned()),
        vector,
    )
}

#[test]
fn the_nearest_come_first_and_a_fact_comes_once() {
    let shelf = Shelf::default();
    let vectors = vec![
        stored(1, 1, "a", [0.0, 1.0]),
        stored(1, 1, "a", [0.8, 0.6]),
        stored(1, 2, "acme.b", [0.6, 0.8]),
        stored(2, 3, "a", [1.0, 0.0]),
        stored(2, 4, "a", [1.0, 0.0]),
    ];
    shelf.put("m", &[(1, 7), (2, 8), (3, 9)], vectors).unwrap();
    let scopes = [(1, 7), (2, 8), (3, 9)];
    assert_eq!(found(&shelf, &scopes, &query(9)), [4, 3, 1, 2].map(fact));
    assert_eq!(found(&shelf, &scopes, &query(2)), [4, 3].map(fact));
    assert_eq!(found(&shelf, &scopes, &query(0)), Vec::<String>::new());
    let kinds = vec![FactType::parse("acme.b").unwrap()];
    assert_eq!(found(&shelf, &scopes, &Nearest { kinds, ..query(9) }), [fact(2)]);
}

#[test]
fn a_vector_of_another_size_is_no_neighbour() {
    let shelf = Shelf::default();
    let (scope, number, revision, kind, ..) = stored(1, 1, "a", [0.0, 0.0]);
    let short = (scope, number, revision, kind, None, None, None, None, bytes(&[1.0]));
    shelf.put("m", &[(1, 7)], vec![short]).unwrap();
    assert_eq!(found(&shelf, &[(1, 7)], &query(9)), Vec::<String>::new());
}

#[test]
fn what_stands_beside_counts_half_as_far_as_it_is_nearer_than_usual() {
    let shelf = Shelf::default();
    // The mean is 0.25; ann and bob both speak and bob is not named: no speaker counts but ann.
    let vectors = vec![
        turn(1, 1, 1, "bob", 0.65),
        turn(1, 2, 2, "bob", 0.1),
        turn(1, 3, 3, "bob", 0.2),
        turn(2, 4, 2, "bob", 0.05),
    ];
    shelf.put("m", &[(1, 7), (2, 7)], vectors).unwrap();
    let expected = [(1, 65.0), (2, 30.0), (3, 20.0), (4, 5.0)].map(|(number, score)| (fact(number), score));
    assert_eq!(scored(&shelf, &[(1, 7), (2, 7)], &query(9)), expected);
}

#[test]
fn texts_at_one_spot_stand_beside_each_other_but_not_beside_themselves() {
    let shelf = Shelf::default();
    let vectors = vec![turn(1, 1, 1, "bob", 0.6), turn(1, 2, 1, "bob", 0.0), turn(1, 3, 1, "bob", 0.0)];
    shelf.put("m", &[(1, 7)], vectors).unwrap();
    let expected = [(1, 60.0), (3, 20.0), (2, 20.0)].map(|(number, score)| (fact(number), score));
    assert_eq!(scored(&shelf, &[(1, 7)], &query(9)), expected);
}

#[test]
fn what_the_named_one_said_counts_half_of_the_best_more() {
    let shelf = Shelf::default();
    let vectors = vec![turn(1, 1, 1, "bob", 0.8), turn(1, 2, 9, "ann", 0.2), turn(1, 3, 20, "bob", 0.2)];
    shelf.put("m", &[(1, 7)], vectors).unwrap();
    let expected = [(1, 80.0), (2, 40.0), (3, 20.0)].map(|(number, score)| (fact(number), score));
    assert_eq!(scored(&shelf, &[(1, 7)], &query(9)), expected);
}

#[test]
fn a_mean_does_not_depend_on_the_order() {
    let numbers: Vec<f64> = (0_u32..10_000).map(|n| f64::from(n).sin()).collect();
    let mean = |numbers: &mut dyn Iterator<Item = &f64>| {
        let mut total = Total::default();
        numbers.for_each(|number| total.add(*number));
        total.mean()
    };
    assert_eq!(mean(&mut numbers.iter()).to_bits(), mean(&mut numbers.iter().rev()).to_bits());
    assert!((mean(&mut numbers.iter()) - numbers.iter().sum::<f64>() / 10_000.0).abs() < 1e-8);
    assert_eq!((1.0 + ROUNDING) - ROUNDING, 1.0);
}

#[test]
fn a_product_is_the_sum_of_products() {
    let numbers: Vec<f32> = (0_u8..37).map(f32::from).collect();
    let plain: f32 = numbers.iter().map(|number| number * number).sum();
    assert!((dot(&numbers, &numbers) - plain).abs() < 0.01);
}

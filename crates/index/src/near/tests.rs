//! The nearest, by the definition.

use fact::FactType;

use super::{Nearing, Shelf, bytes, dot};
use crate::Nearest;

fn fact(number: usize) -> String {
    format!("01981f6e-6a1c-7c3e-8f0a-0123456789{number:02x}")
}

fn query(limit: usize) -> Nearest {
    Nearest { model: "m".to_owned(), vector: vec![1.0, 0.0], kinds: Vec::new(), limit }
}

fn found(shelf: &Shelf, scopes: &[(i64, i64)], query: &Nearest) -> Vec<String> {
    let mut nearing = Nearing::new(query);
    for (scope, changes) in scopes {
        nearing.add(&shelf.get("m", *scope, *changes).unwrap());
    }
    nearing.best().into_iter().map(|candidate| candidate.fact.to_string()).collect()
}

fn stored(scope: i64, number: usize, kind: &str, vector: [f32; 2]) -> super::StoredVector {
    (scope, fact(number), 1, kind.to_owned(), bytes(&vector))
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
fn what_changed_is_read_again() {
    let shelf = Shelf::default();
    shelf.put("m", &[(1, 7)], vec![stored(1, 1, "a", [1.0, 0.0])]).unwrap();
    assert!(shelf.get("m", 1, 7).is_some());
    assert!(shelf.get("m", 1, 8).is_none(), "it changed");
    assert!(shelf.get("other", 1, 7).is_none(), "another model made no vectors yet");
    shelf.put("m", &[(1, 8)], Vec::new()).unwrap();
    assert!(shelf.get("m", 1, 7).is_none());
    assert_eq!(found(&shelf, &[(1, 8)], &query(9)), Vec::<String>::new());
}

#[test]
fn a_vector_of_another_size_is_no_neighbour() {
    let shelf = Shelf::default();
    let short = (1, fact(1), 1, "a".to_owned(), bytes(&[1.0]));
    shelf.put("m", &[(1, 7)], vec![short]).unwrap();
    assert_eq!(found(&shelf, &[(1, 7)], &query(9)), Vec::<String>::new());
    let broken = (1, fact(1), 1, "a".to_owned(), vec![0, 0, 0]);
    assert!(shelf.put("m", &[(1, 7)], vec![broken]).is_err());
}

#[test]
fn a_product_is_the_sum_of_products() {
    let numbers: Vec<f32> = (0_u8..37).map(f32::from).collect();
    let plain: f32 = numbers.iter().map(|number| number * number).sum();
    assert!((dot(&numbers, &numbers) - plain).abs() < 0.01);
}

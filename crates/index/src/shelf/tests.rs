//! What was read stays as long as nothing changed.

use super::{Shelf, StoredVector, bytes};

const FACT: &str = "01981f6e-6a1c-7c3e-8f0a-012345678901";

fn stored(vector: Vec<u8>) -> StoredVector {
    (1, FACT.to_owned(), 1, "a".to_owned(), None, None, None, None, vector)
}

#[test]
fn what_changed_is_read_again() {
    let shelf = Shelf::default();
    shelf.put("m", &[(1, 7)], vec![stored(bytes(&[1.0, 0.0]))]).unwrap();
    assert!(shelf.get("m", 1, 7).is_some());
    assert!(shelf.get("m", 1, 8).is_none(), "it changed");
    assert!(shelf.get("other", 1, 7).is_none(), "another model made no vectors yet");
    shelf.put("m", &[(1, 8)], Vec::new()).unwrap();
    assert!(shelf.get("m", 1, 7).is_none());
    assert!(shelf.get("m", 1, 8).is_some_and(|kept| kept.texts.is_empty()));
}

#[test]
fn half_a_number_is_damage() {
    assert!(Shelf::default().put("m", &[(1, 7)], vec![stored(vec![0, 0, 0])]).is_err());
}

//! Unit length, and what has none.

use super::{Unusable, unit};

#[test]
fn a_vector_comes_out_at_unit_length() {
    assert_eq!(unit(vec![3.0, -4.0]), Ok(vec![0.6, -0.8]));
    for vector in [vec![f32::MAX, f32::MAX], vec![f32::MIN_POSITIVE; 2], vec![1e-45, 0.0]] {
        let vector = unit(vector).unwrap();
        let length: f32 = vector.iter().map(|number| number * number).sum();
        assert!((length - 1.0).abs() < 1e-6, "{vector:?}");
    }
}

#[test]
fn what_points_nowhere_is_no_vector() {
    assert_eq!(unit(vec![0.0, -0.0]), Err(Unusable::Zero));
    assert_eq!(unit(Vec::new()), Err(Unusable::Zero));
    for number in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        assert_eq!(unit(vec![1.0, number]), Err(Unusable::NotFinite));
    }
}

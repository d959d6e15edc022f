//! What BM25 promises.

use proptest::prelude::*;

use super::Stock;

fn stock() -> impl Strategy<Value = Stock> {
    (1..1_000_000_u64, 1..200_u64).prop_map(|(rows, average)| Stock { rows, length: rows * average })
}

proptest! {
    #[test]
    fn a_rarer_word_tells_more(stock in stock(), found in 1..1_000_u64) {
        prop_assert!(stock.weight(found) > stock.weight(found + 1));
        prop_assert!(stock.weight(found) > 0.0);
    }

    #[test]
    fn more_of_a_word_counts_more_but_ever_less(stock in stock(), count in 1..1_000_u32, length in 1..10_000_u32) {
        let share = |count| stock.share(count, length);
        prop_assert!(share(count + 1) > share(count));
        prop_assert!(share(count + 2) - share(count + 1) < share(count + 1) - share(count));
        prop_assert!(share(count) < super::SATURATION + 1.0);
    }

    #[test]
    fn a_longer_text_counts_less(stock in stock(), count in 1..1_000_u32, length in 1..10_000_u32) {
        prop_assert!(stock.share(count, length + 1) < stock.share(count, length));
    }
}

#[test]
fn a_known_score() {
    // N = 10, df = 2, tf = 3, length 8, average 10: ln(1 + 8.5 / 2.5) * 3 * 2.2 / (3 + 1.2 * (0.25 + 0.75 * 0.8))
    let stock = Stock { rows: 10, length: 100 };
    let score = stock.weight(2) * stock.share(3, 8);
    assert!((score - 2.432_485_067).abs() < 1e-6, "{score}");
}

#[test]
fn texts_of_stop_words_only_have_a_score() {
    let stock = Stock { rows: 3, length: 0 };
    assert!(stock.share(1, 0).is_finite());
    assert!(stock.weight(3) > 0.0);
}

#[test]
fn large_counts_become_floats() {
    for number in [0, 1, 1 << 31, (1 << 32) - 1, 1 << 32, (1 << 53) - 1] {
        assert_eq!(format!("{:.0}", super::float(number)), number.to_string());
    }
}

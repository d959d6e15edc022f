//! Which texts are computed together.

use super::{BATCH_TOKENS_MAX, batches};

fn rows(lengths: &[usize]) -> Vec<Vec<u32>> {
    lengths.iter().map(|length| vec![0; *length]).collect()
}

#[test]
fn texts_of_like_length_go_together() {
    assert_eq!(batches(&rows(&[])), Vec::<Vec<usize>>::new());
    assert_eq!(batches(&rows(&[5, 2, 9])), [vec![1, 0, 2]]);
    let long = BATCH_TOKENS_MAX / 2;
    assert_eq!(batches(&rows(&[long, 2, long, 3])), [vec![1, 3], vec![0, 2]]);
}

#[test]
fn no_batch_is_padded_beyond_its_limit() {
    let rows = rows(&(0..300).map(|at| 2 + at * 37 % 255).collect::<Vec<_>>());
    let batches = batches(&rows);
    for batch in &batches {
        let longest = batch.iter().map(|place| rows[*place].len()).max().unwrap();
        assert!(batch.len() * longest <= BATCH_TOKENS_MAX);
    }
    let mut places = batches.concat();
    places.sort_unstable();
    assert_eq!(places, (0..300).collect::<Vec<_>>());
}

//! Both engines give the same floats.

use std::sync::Mutex;

use crate::support::{found, on_both, put, reader};

static SCORES: Mutex<Vec<Vec<u64>>> = Mutex::new(Vec::new());

#[tokio::test]
async fn both_engines_score_alike_to_the_last_bit() {
    on_both(|index| async move {
        let words = ["tea", "milk", "cup", "home", "green", "设备", "清单"];
        let writes: Vec<_> = (1..200_u128)
            .map(|n| {
                let picked = words.iter().zip([1_u128, 2, 3, 5, 7, 11, 13]);
                let picked = picked.filter(|(_, step)| n.is_multiple_of(*step));
                put(n, "user:ann", &picked.map(|(word, _)| format!("{word} ")).collect::<String>())
            })
            .collect();
        index.replace(&writes).await.unwrap();
        let found = found(&index, &reader("user:ann"), "green tea at home, 设备清单, milk").await;
        let scores = found.iter().map(|candidate| candidate.score.to_bits()).collect();
        SCORES.lock().unwrap().push(scores);
    })
    .await;
    let scores = SCORES.lock().unwrap();
    assert!(scores.iter().all(|one| one == &scores[0] && one.len() == 10));
}

//! Scores follow from what is there, and from nothing else: neither from the engine nor from what was there before.

use std::sync::Mutex;

use fact::Id;
use truthkeeper_index::Write;

use crate::support::{found, id, on_both, put, reader, remove, row};

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

const TEXTS: [&str; 5] = ["green tea", "tea with milk", "a cup of coffee", "the", "tea tea tea at home"];

/// What remains of the churn below, in `tenant`.
fn remains(tenant: &Id) -> Vec<Write> {
    let rows = (1_u128..).zip(TEXTS).map(|(n, text)| {
        let mut row = row(n, if n == 2 { "tenant" } else { "user:ann" }, text);
        row.scope.tenant = tenant.clone();
        Write::put(row)
    });
    rows.collect()
}

#[tokio::test]
async fn what_was_there_before_leaves_no_mark_on_a_score() {
    on_both(|index| async move {
        let (churned, fresh) = (id("local"), id("fresh"));
        for n in 1..=9 {
            let scopes = ["user:bob", "user:ann", "user:ann/session:s", "project:p/participant:ann"];
            for (turn, path) in (1..).zip(scopes) {
                index.replace(&[put(n, path, &"tea and long talk ".repeat(turn))]).await.unwrap();
            }
        }
        index.replace(&(6..=9).map(remove).collect::<Vec<_>>()).await.unwrap();
        index.replace(&remains(&churned)).await.unwrap();
        index.replace(&remains(&fresh)).await.unwrap();
        let mut ann = reader("user:ann");
        let mine = found(&index, &ann, "green tea with the milk").await;
        ann.tenant = fresh;
        assert_eq!(mine.len(), 3);
        assert_eq!(found(&index, &ann, "green tea with the milk").await, mine);
    })
    .await;
}

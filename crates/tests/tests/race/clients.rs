//! Two clients that expect the same revision: one is told that it worked (LED-10).

use serde_json::json;
use truthkeeper::{Draft, FactId, Memory, MemoryError, State};
use truthkeeper_tests::{on_both_engines, script};

const ROUNDS: u32 = 200;

on_both_engines! {
    async fn of_two_clients_that_expect_one_revision_one_wins(store: Store) {
        let (one, other) =
            (Memory::open(&store.address).await.unwrap(), Memory::open(&store.address).await.unwrap());
        let caller = script::caller().unwrap();
        let first = Draft {
            kind: Some("acme.common".to_owned()),
            content: Some(json!("nobody has won yet")),
            ..Draft::default()
        };
        let fact = one.remember(&caller, None, first).await.unwrap().fact;
        for round in 1..=ROUNDS {
            // Each comes first every other time.
            let (one, other) = if round % 2 == 0 { (&one, &other) } else { (&other, &one) };
            let (first, second) = tokio::join!(
                one.remember(&caller, None, next(fact, round, "one")),
                other.remember(&caller, None, next(fact, round, "other")),
            );
            let (won, lost) = if first.is_ok() { (first, second) } else { (second, first) };
            assert_eq!(won.unwrap().revision.get(), round + 1);
            assert!(
                matches!(&lost, Err(MemoryError::Refused(reconcile::Refusal::Changed { .. }))),
                "round {round}: {lost:?}"
            );
        }
        let mut left = ROUNDS + 1;
        let mut before = None;
        loop {
            let page = one.revisions(&caller, fact, before, 100).await.unwrap();
            let Some(last) = page.last() else { break };
            before = Some(last.revision.number);
            for seen in &page {
                assert_eq!(seen.revision.number.get(), left);
                assert_eq!(seen.state == State::Active, left == ROUNDS + 1);
                left -= 1;
            }
        }
        assert_eq!(left, 0);
        assert_eq!(one.check(|_| {}).await.unwrap().problems, []);
    }
}

fn next(fact: FactId, round: u32, who: &str) -> Draft {
    Draft {
        fact: Some(fact),
        expect_version: Some(round),
        content: Some(json!(format!("{who} won round {round}"))),
        ..Draft::default()
    }
}

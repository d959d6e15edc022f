//! Callers that go away in the middle of a call: what was acknowledged stays, and the rest is whole or not there.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use serde_json::json;
use truthkeeper::{Clock, Draft, Memory, Receipt, RequestKey};
use truthkeeper_tests::{on_both_engines, script};

const CALLS: u32 = 300;
const POLLS_MAX: u32 = 40;

/// Polls `call` so many times at most, letting others run in between.
async fn given_up<T>(call: impl Future<Output = T>, polls: u32) -> Option<T> {
    let mut call = pin!(call);
    for _ in 0..polls {
        if let Poll::Ready(done) = call.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return Some(done);
        }
        tokio::time::sleep(std::time::Duration::from_micros(300)).await;
    }
    None
}

fn draft(number: u32) -> Draft {
    Draft {
        kind: Some("acme.call".to_owned()),
        key: Some(format!("key {}", number % 50)),
        content: Some(json!(format!("call number {number}"))),
        ..Draft::default()
    }
}

on_both_engines! {
    async fn callers_that_go_away_leave_all_or_nothing(store: Store) {
        let memory = Memory::open(&store.address).await.unwrap();
        let caller = script::caller().unwrap();
        let request = |number: u32| Some(RequestKey::parse(&format!("call {number}")).unwrap());
        let mut acknowledged: Vec<(u32, Receipt)> = Vec::new();
        for number in 0..CALLS {
            let call = memory.remember(&caller, request(number), draft(number));
            // A prime step makes every count of polls come up; every sixth caller waits for the answer.
            let polls = if number % 6 == 0 { u32::MAX } else { number * 7 % POLLS_MAX };
            if let Some(receipt) = given_up(call, polls).await {
                acknowledged.push((number, receipt.unwrap()));
            }
        }
        let kept = acknowledged.len();
        assert!(kept > 0 && kept < usize::try_from(CALLS).unwrap(), "{kept} of {CALLS} were acknowledged");
        assert_eq!(memory.check(|_| {}).await.unwrap().problems, []);
        for (number, receipt) in &acknowledged {
            let again = memory.remember(&caller, request(*number), draft(*number)).await.unwrap();
            assert!(again.replayed, "call {number}");
            assert_eq!((again.fact, again.revision), (receipt.fact, receipt.revision));
        }
        // The writer and the copy go on as if nothing had happened.
        for number in CALLS..CALLS + 50 {
            let receipt = memory.remember(&caller, None, draft(number)).await.unwrap();
            assert!(receipt.searchable);
        }
        memory.project_all(truthkeeper_tests::after_leases()).await.unwrap();
        assert_eq!(memory.check(|_| {}).await.unwrap().problems, []);
        assert_eq!(memory.ledger().waiting(caller.tenant(), Clock::system().now()).await.unwrap(), 0);
    }
}

//! Many facts, written by many at once, for tests of what works through all of them.

use serde_json::json;
use tokio::task::JoinSet;
use truthkeeper::{Caller, Draft, FactId, Memory};

const WRITERS: usize = 64;

/// Writes so many facts, each as `draft` makes it of its number; gives them in no particular order.
pub async fn write(
    memory: &Memory,
    caller: &Caller,
    count: usize,
    draft: impl Fn(usize) -> Draft + Copy + Send + 'static,
) -> Vec<FactId> {
    let mut writers = JoinSet::new();
    for writer in 0..WRITERS {
        let (memory, caller) = (memory.clone(), caller.clone());
        writers.spawn(async move {
            let mut facts = Vec::new();
            for number in (writer..count).step_by(WRITERS) {
                let receipt = memory.remember(&caller, None, draft(number)).await;
                facts.push(receipt.expect("the store takes every fact").fact);
            }
            facts
        });
    }
    writers.join_all().await.concat()
}

/// A fact of the tenant's that has only its number to tell it from the others.
pub fn numbered(number: usize) -> Draft {
    Draft {
        kind: Some("acme.crate".to_owned()),
        content: Some(json!(format!("crate number {number}"))),
        ..Draft::default()
    }
}

//! What others do while an index keeps one process waiting: past its lease, another takes its work over.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use serde_json::json;
use truthkeeper::{Caller, Draft, Filter, Memory, Times, Timestamp};

use super::index::Meanwhile;

/// More than a lease.
const DELAY_MICROS: i64 = 11_000_000;

/// Time passes on `hand`, and `other` changes a fact and carries out what is due by then. One process is slow at a time:
/// `slow` is shared by all of them.
pub(super) fn goes_on(
    other: Memory,
    caller: Caller,
    hand: Arc<AtomicI64>,
    slow: Arc<AtomicBool>,
) -> Meanwhile {
    Arc::new(move || {
        let (other, caller) = (other.clone(), caller.clone());
        let (hand, slow) = (Arc::clone(&hand), Arc::clone(&slow));
        Box::pin(async move {
            if slow.swap(true, Ordering::SeqCst) {
                return;
            }
            hand.fetch_add(DELAY_MICROS, Ordering::SeqCst);
            let now = other.now(caller.tenant()).await.unwrap();
            change_newest(&other, &caller, now).await;
            // Its own index may fail as well.
            drop(other.project_all(now).await);
            slow.store(false, Ordering::SeqCst);
        })
    })
}

/// What a slow process has planned is then no longer true.
async fn change_newest(memory: &Memory, caller: &Caller, now: Timestamp) {
    let page = memory.list(caller, &Filter::current(), Times::default(), None, 1).await.unwrap();
    let Some(newest) = page.items.first() else { return };
    let content = Some(json!({ "text": format!("tea at {}", now.micros()) }));
    let draft = Draft { fact: Some(newest.head.fact), content, ..Draft::default() };
    memory.remember(caller, None, draft).await.unwrap();
}

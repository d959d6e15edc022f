//! Those who wait for the copy of what they just recorded: what has queued up is projected together.

use std::sync::Arc;

use fact::{FactId, Id, Timestamp};
use tokio::sync::{mpsc, oneshot};

use crate::Desk;

/// Requests waiting at most; more wait at the door.
const QUEUE_REQUESTS_MAX: usize = 1_024;

/// The door to the task that projects.
#[derive(Clone)]
pub(crate) struct Queue(mpsc::Sender<Request>);

struct Request {
    tenant: Id,
    fact: FactId,
    now: Timestamp,
    reply: oneshot::Sender<Answer>,
}

/// Whether the copy is as the fact is.
struct Answer(bool);

impl Queue {
    /// Starts the task, which ends with the last door.
    pub(crate) fn start(desk: Arc<Desk>) -> Self {
        let (queue, requests) = mpsc::channel(QUEUE_REQUESTS_MAX);
        tokio::spawn(serve(desk, requests));
        Self(queue)
    }

    /// Waits until the copy of a fact was made, or was not.
    pub(crate) async fn ask(&self, tenant: Id, fact: FactId, now: Timestamp) -> bool {
        let (reply, answer) = oneshot::channel();
        if self.0.send(Request { tenant, fact, now, reply }).await.is_err() {
            return false;
        }
        answer.await.is_ok_and(|Answer(made)| made)
    }
}

async fn serve(desk: Arc<Desk>, mut requests: mpsc::Receiver<Request>) {
    let batch = usize::try_from(desk.settings.batch_operations).unwrap_or(1).max(1);
    let mut waiting = Vec::with_capacity(batch);
    while requests.recv_many(&mut waiting, batch).await > 0 {
        project(&desk, &waiting).await;
        for Request { tenant, fact, now, reply } in waiting.drain(..) {
            let left = desk.ledger.operation_of(&tenant, fact, now).await;
            // Who asked may have gone away; what was made stays.
            drop(reply.send(Answer(matches!(left, Ok(None)))));
        }
    }
}

/// What fails is left to the next step: it stays an operation.
async fn project(desk: &Desk, waiting: &[Request]) {
    let mut held = Vec::with_capacity(waiting.len());
    for Request { tenant, fact, .. } in waiting {
        match desk.ledger.held(tenant, *fact, &desk.holder).await {
            Ok(Some(operation)) if !held.contains(&operation) => held.push(operation),
            Ok(Some(_) | None) | Err(_) => {}
        }
    }
    if let Some(now) = waiting.iter().map(|request| request.now).max() {
        drop(desk.carry_out(held, now).await);
    }
}

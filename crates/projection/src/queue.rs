//! Those who wait for the copy: what has queued up is projected together, and goes on when they wait no longer.

use std::sync::Arc;
use std::time::Duration;

use fact::{FactId, Id, Timestamp};
use tokio::sync::{mpsc, oneshot};

use crate::{Desk, ProjectionError};

/// Requests waiting at most; more wait at the door.
const QUEUE_REQUESTS_MAX: usize = 1_024;
/// How long a caller waits for the copy. A model that takes longer keeps nobody.
const PATIENCE: Duration = Duration::from_secs(5);

/// The door to the task that projects.
#[derive(Clone)]
pub(crate) struct Queue(mpsc::Sender<Request>);

struct Request {
    what: What,
    now: Timestamp,
    reply: oneshot::Sender<Result<Answer, ProjectionError>>,
}

enum What {
    /// A fact that was just recorded with our lease.
    Fact(Id, FactId),
    /// Everything that is due.
    Due,
    /// Nothing any more: what came before it is done first.
    End,
}

/// Whether the copy is as the facts are.
struct Answer(bool);

impl Queue {
    /// Starts the task, which ends with the last door.
    pub(crate) fn start(desk: Arc<Desk>) -> Self {
        let (queue, requests) = mpsc::channel(QUEUE_REQUESTS_MAX);
        tokio::spawn(serve(desk, requests));
        Self(queue)
    }

    /// Waits until the copy of a fact was made, or was not; not for ever.
    pub(crate) async fn fact(&self, tenant: Id, fact: FactId, now: Timestamp) -> bool {
        self.ask(What::Fact(tenant, fact), now).await.unwrap_or(false)
    }

    /// Waits until everything that was due is done, or could not be; not for ever.
    pub(crate) async fn due(&self, now: Timestamp) -> Result<bool, ProjectionError> {
        self.ask(What::Due, now).await
    }

    /// Takes nothing more, and waits until what it works on is done; not for ever.
    pub(crate) async fn close(&self, now: Timestamp) -> Result<bool, ProjectionError> {
        self.ask(What::End, now).await
    }

    async fn ask(&self, what: What, now: Timestamp) -> Result<bool, ProjectionError> {
        let (reply, answer) = oneshot::channel();
        if self.0.send(Request { what, now, reply }).await.is_err() {
            return Ok(false);
        }
        match tokio::time::timeout(PATIENCE, answer).await {
            Ok(Ok(answer)) => answer.map(|Answer(made)| made),
            Ok(Err(_)) | Err(_) => Ok(false),
        }
    }
}

async fn serve(desk: Arc<Desk>, mut requests: mpsc::Receiver<Request>) {
    let batch = usize::try_from(desk.settings.batch_operations).unwrap_or(1).max(1);
    let mut waiting = Vec::with_capacity(batch);
    while requests.recv_many(&mut waiting, batch).await > 0 {
        project(&desk, &waiting).await;
        for Request { what, now, reply } in waiting.drain(..) {
            let answer = match what {
                What::Fact(tenant, fact) => {
                    let left = desk.ledger.operation_of(&tenant, fact, now).await;
                    left.map(|left| Answer(left.is_none())).map_err(ProjectionError::from)
                }
                What::Due => desk.all(now).await.map(|()| Answer(true)),
                What::End => {
                    requests.close();
                    Ok(Answer(true))
                }
            };
            // Who asked may have gone away; what was made stays.
            drop(reply.send(answer));
        }
    }
}

/// What fails is left to the next step: it stays an operation.
async fn project(desk: &Desk, waiting: &[Request]) {
    let mut held = Vec::with_capacity(waiting.len());
    for request in waiting {
        let What::Fact(tenant, fact) = &request.what else { continue };
        match desk.ledger.held(tenant, *fact, &desk.holder).await {
            Ok(Some(operation)) if !held.contains(&operation) => held.push(operation),
            Ok(Some(_) | None) | Err(_) => {}
        }
    }
    if let Some(now) = waiting.iter().map(|request| request.now).max() {
        drop(desk.carry_out(held, now).await);
    }
}

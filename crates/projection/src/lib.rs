//! Makes the searchable copy equal to the truth of the ledger: it looks at both and never replays a difference.
//!
//! It does not decide what is current, and holds no SQL.

mod check;
mod drift;
mod error;
mod meaning;
mod models;
mod pause;
mod plan;
mod queue;
mod rebuild;
mod retry;
mod settings;
mod step;

use std::sync::Arc;

use fact::{FactId, Id, Timestamp};
use index::SearchIndex;
use ledger::{Lease, Ledger};

pub use check::Checked;
pub use error::ProjectionError;
pub use models::{Models, Searching};
pub use rebuild::Rebuilt;
pub use retry::Retried;
pub use settings::Settings;
pub use step::Step;

use pause::Pause;
use queue::Queue;

/// Carries operations from the ledger out on the index. Clones share its pause and its queue.
#[derive(Clone)]
pub struct Projector {
    desk: Arc<Desk>,
    queue: Queue,
}

/// What it works with.
struct Desk {
    ledger: Ledger,
    index: Arc<dyn SearchIndex>,
    holder: String,
    models: Models,
    settings: Settings,
    pause: Pause,
    embedder_pause: Pause,
    former_pause: Pause,
}

impl Projector {
    /// Projects from `ledger` to `index`, under a name that no other process has. Needs a running tokio runtime.
    pub fn new(
        ledger: Ledger,
        index: Arc<dyn SearchIndex>,
        models: Models,
        holder: String,
        settings: Settings,
    ) -> Self {
        let (pause, embedder_pause, former_pause) = (Pause::default(), Pause::default(), Pause::default());
        let desk = Desk { ledger, index, holder, models, settings, pause, embedder_pause, former_pause };
        let desk = Arc::new(desk);
        Self { queue: Queue::start(Arc::clone(&desk)), desk }
    }

    /// How it works.
    pub fn settings(&self) -> &Settings {
        &self.desk.settings
    }

    /// What a change is recorded with so that `project` makes its copy.
    pub fn lease(&self, now: Timestamp) -> Lease {
        self.desk.lease(now)
    }

    /// Makes the copy of a fact that was just recorded with our lease, together with others that wait for theirs. True
    /// when the copy is as the fact is; what fails is tried again later.
    pub async fn project(&self, tenant: Id, fact: FactId, now: Timestamp) -> bool {
        self.queue.fact(tenant, fact, now).await
    }

    /// Carries out everything that is due at `now`, after what waits already. True when it was done in time; what takes
    /// longer goes on.
    pub async fn catch_up(&self, now: Timestamp) -> Result<bool, ProjectionError> {
        self.queue.due(now).await
    }

    /// Takes nothing more, and lets the step that runs come to its end. What was not begun stays an operation.
    pub async fn close(&self, now: Timestamp) -> Result<bool, ProjectionError> {
        self.queue.close(now).await
    }

    /// Takes a batch of the operations that are due at `now`, and carries them out. Nothing is left to do when it took
    /// none.
    pub async fn step(&self, now: Timestamp) -> Result<Step, ProjectionError> {
        self.desk.step(now).await
    }

    /// Looks at index and embedder again although they could not be reached a moment ago.
    pub fn resume(&self) {
        self.desk.pause.end();
        self.desk.embedder_pause.end();
        self.desk.former_pause.end();
    }
}

impl Desk {
    fn lease(&self, now: Timestamp) -> Lease {
        Lease { holder: self.holder.clone(), until: settings::later(now, self.settings.lease_micros) }
    }
}

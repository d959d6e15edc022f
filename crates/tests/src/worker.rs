//! A process that shares the projection of a store with others, and that can be caught in the middle of its work.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use projection::{Models, ProjectionError, Projector, Settings};
use truthkeeper::{Address, Clock, EmbedError, Embedder, ModelId, Role, Which};

use crate::FewWords;

const PAUSE: Duration = Duration::from_millis(20);
/// Looks after which it waits for something that never comes.
const LOOKS_MAX: u32 = 3_000;

/// How a worker works.
pub struct Work {
    /// The index that it writes.
    pub index: String,
    /// How much it takes at a time, and for how long.
    pub settings: Settings,
    /// Whether it stops between looking at the truth and writing the copy, until it is told a line.
    pub holds: bool,
}

/// The model that workers embed by.
pub fn model() -> FewWords {
    FewWords::named("of the workers")
}

/// Steps until nothing waits in the whole store. Says what each step came to: `step DONE FAILED UNMADE`.
pub async fn work(address: &str, work: Work, say: fn(&str)) -> Result<(), ProjectionError> {
    let ledger = ledger::Ledger::open(Address::parse(address)).await.expect("the test made the store");
    let index = index::open(&work.index);
    let holding = AtomicBool::new(work.holds);
    let embedder: Arc<dyn Embedder> = Arc::new(Holding { model: model(), holding, say });
    let models = Models { embedder: Some(embedder), former: None };
    let (holder, attempts) = (format!("process {}", std::process::id()), work.settings.attempts_max);
    let projector = Projector::new(ledger.clone(), index, models, holder, work.settings);
    say("ready");
    for _ in 0..LOOKS_MAX {
        let now = Clock::system().now();
        match projector.step(now).await {
            Ok(step) if step.is_idle() => {
                let outbox = ledger.outbox(&Which::default(), attempts, now).await?;
                if outbox.waiting + outbox.failed == 0 {
                    return Ok(());
                }
            }
            Ok(step) => {
                say(&format!("step {} {} {}", step.done, step.failed, step.unmade));
            }
            // Where many write one file, some find it busy; that is tried again.
            Err(ProjectionError::Index(_) | ProjectionError::Paused { .. }) => {}
            Err(error @ ProjectionError::Ledger(_)) => return Err(error),
        }
        tokio::time::sleep(PAUSE).await;
    }
    panic!("something waits that nobody can take");
}

/// A model that the first texts are slow for: it says `holding`, and waits for a line.
struct Holding {
    model: FewWords,
    holding: AtomicBool,
    say: fn(&str),
}

#[async_trait]
impl Embedder for Holding {
    async fn model(&self) -> Result<ModelId, EmbedError> {
        self.model.model().await
    }

    async fn embed(&self, role: Role, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        if self.holding.swap(false, Ordering::SeqCst) {
            (self.say)("holding");
            let line = tokio::task::spawn_blocking(|| io::stdin().read_line(&mut String::new()));
            line.await.expect("reading does not panic").expect("the test writes a line");
        }
        self.model.embed(role, texts).await
    }

    fn pieces(&self, text: &str) -> Vec<String> {
        self.model.pieces(text)
    }
}

//! An index that fails by a seed: before the work, after it, for one fact, or on reading; or that is slow.

use std::pin::Pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use fact::{FactId, Id, Reader};
use index::{
    Damage, Entry, IndexError, Matches, Nearby, Nearest, Query, RowKey, SearchIndex, Source, Span, Version,
    Write,
};

use super::seed::Seed;

/// What may go wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Faults {
    /// Nothing.
    None,
    /// The index cannot be reached: nothing is done, or all is done and the answer is lost.
    Outages,
    /// It refuses some facts.
    Refusals,
    /// It writes or answers so late that another process has taken the work over.
    Slowness,
    /// All of that, and reads that come upon damage.
    All,
}

/// What happens while the index keeps its caller waiting.
pub(super) type Meanwhile = Arc<dyn Fn() -> BoxFuture<'static, ()> + Send + Sync>;
type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

pub(crate) struct Faulty {
    inner: Arc<dyn SearchIndex>,
    seed: Mutex<Seed>,
    faults: Mutex<Faults>,
    /// Nothing, where no other process is there to go on.
    meanwhile: Mutex<Option<Meanwhile>>,
    /// Faults that were planted.
    planted: AtomicU32,
    /// Writes that came too late, and were refused.
    refused: AtomicU32,
}

impl Faulty {
    pub(crate) fn over(inner: Arc<dyn SearchIndex>, seed: u64) -> Self {
        Self {
            inner,
            seed: Mutex::new(Seed::new(seed)),
            faults: Mutex::new(Faults::None),
            meanwhile: Mutex::new(None),
            planted: AtomicU32::new(0),
            refused: AtomicU32::new(0),
        }
    }

    pub(super) fn while_it_is_slow(&self, meanwhile: Option<Meanwhile>) {
        *self.meanwhile.lock().unwrap() = meanwhile;
    }

    pub(crate) fn plant(&self, faults: Faults) {
        *self.faults.lock().unwrap() = faults;
    }

    pub(super) fn planted(&self) -> u32 {
        self.planted.load(Ordering::Relaxed)
    }

    pub(super) fn refused(&self) -> u32 {
        self.refused.load(Ordering::Relaxed)
    }

    fn faults(&self) -> Faults {
        *self.faults.lock().unwrap()
    }

    fn once_in(&self, times: u64) -> bool {
        self.seed.lock().unwrap().once_in(times)
    }

    fn fault(&self, error: IndexError) -> IndexError {
        self.planted.fetch_add(1, Ordering::Relaxed);
        error
    }

    fn unreachable(&self) -> IndexError {
        self.fault(IndexError::Unreachable("planted".into()))
    }

    /// A fault before anything is done.
    fn before(&self) -> Result<(), IndexError> {
        match self.faults() {
            Faults::Outages | Faults::All if self.once_in(3) => Err(self.unreachable()),
            Faults::All if self.once_in(8) => Err(self.fault(IndexError::Corrupt("planted".into()))),
            Faults::None | Faults::Outages | Faults::Refusals | Faults::Slowness | Faults::All => Ok(()),
        }
    }

    /// Now and then it takes longer than a lease.
    async fn delay(&self) {
        let slow = matches!(self.faults(), Faults::Slowness | Faults::All) && self.once_in(3);
        let meanwhile = self.meanwhile.lock().unwrap().clone().filter(|_| slow);
        if let Some(meanwhile) = meanwhile {
            self.planted.fetch_add(1, Ordering::Relaxed);
            meanwhile().await;
        }
    }

    /// A fault after all was done.
    fn after(&self) -> Result<(), IndexError> {
        match self.faults() {
            Faults::Outages | Faults::All if self.once_in(5) => Err(self.unreachable()),
            Faults::None | Faults::Outages | Faults::Refusals | Faults::Slowness | Faults::All => Ok(()),
        }
    }
}

/// Every third fact is poison while refusals are planted.
fn is_poison(write: &Write) -> bool {
    let bytes = format!("{write:?}").bytes().fold(0_u64, |sum, byte| sum.wrapping_mul(31) + u64::from(byte));
    bytes.is_multiple_of(3)
}

#[async_trait::async_trait]
impl SearchIndex for Faulty {
    async fn replace(&self, writes: &[Write]) -> Result<Vec<bool>, IndexError> {
        self.before()?;
        let refuses = matches!(self.faults(), Faults::Refusals | Faults::All);
        if refuses && writes.iter().any(is_poison) {
            return Err(self.fault(IndexError::Refused("planted".into())));
        }
        self.delay().await;
        let made = self.inner.replace(writes).await?;
        let late = made.iter().filter(|made| !**made).count();
        self.refused.fetch_add(late.try_into().unwrap(), Ordering::Relaxed);
        self.delay().await;
        self.after()?;
        Ok(made)
    }

    async fn versions(&self, source: Source, facts: &[(Id, FactId)]) -> Result<Vec<Version>, IndexError> {
        self.before()?;
        self.inner.versions(source, facts).await
    }

    async fn rows(&self, tenant: &Id, fact: FactId) -> Result<Vec<RowKey>, IndexError> {
        self.before()?;
        self.inner.rows(tenant, fact).await
    }

    async fn entries(&self, span: &Span) -> Result<Vec<Entry>, IndexError> {
        self.before()?;
        self.inner.entries(span).await
    }

    async fn damage(&self) -> Result<Vec<Damage>, IndexError> {
        self.before()?;
        self.inner.damage().await
    }

    async fn mend(&self) -> Result<(), IndexError> {
        self.before()?;
        self.inner.mend().await
    }

    async fn remake(&self) -> Result<(), IndexError> {
        self.before()?;
        self.inner.remake().await
    }

    async fn search(&self, reader: &Reader, query: &Query) -> Result<Matches, IndexError> {
        self.before()?;
        self.inner.search(reader, query).await
    }

    async fn nearest(&self, reader: &Reader, query: &Nearest) -> Result<Nearby, IndexError> {
        self.before()?;
        self.inner.nearest(reader, query).await
    }

    async fn embedded(&self, model: &str, digests: &[String]) -> Result<Vec<bool>, IndexError> {
        self.before()?;
        self.inner.embedded(model, digests).await
    }

    async fn vectors(&self, model: &str, digests: &[String]) -> Result<Vec<Vec<Vec<f32>>>, IndexError> {
        self.before()?;
        self.inner.vectors(model, digests).await
    }

    async fn serving(&self) -> Result<Option<String>, IndexError> {
        self.before()?;
        self.inner.serving().await
    }

    async fn serve(&self, model: &str) -> Result<bool, IndexError> {
        self.before()?;
        let serves = self.inner.serve(model).await?;
        self.after()?;
        Ok(serves)
    }

    async fn purge(&self) -> Result<(), IndexError> {
        self.before()?;
        self.inner.purge().await
    }

    async fn close(&self) {
        self.inner.close().await;
    }
}

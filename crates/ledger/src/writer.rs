//! The one task that writes: what has queued up is committed together.
//!
//! A caller that goes away changes nothing: its work is done or not done all the same. After an error inside a
//! transaction the connection is dropped, because SQLite may have rolled back by itself without saying so.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use fact::Id;
use futures_core::future::BoxFuture;
use sqlx::{AnyConnection, Connection as _, Executor as _};
use tokio::sync::{mpsc, oneshot};

use crate::address::{Address, Engine};
use crate::batch::Batch;
use crate::connection;
use crate::error::StoreError;
use crate::tenant::Tip;

/// Works committed together at most.
const GROUP_WORKS_MAX: usize = 256;
/// Works waiting at most; more wait at the door.
const QUEUE_WORKS_MAX: usize = 1_024;
/// How long another process may keep the store before we give up, when the caller does not say.
pub(crate) const BUSY_WAIT_DEFAULT: Duration = Duration::from_secs(30);
/// How long we write without a gap while others may be waiting, and how long the gap is. A waiting process looks
/// every `BUSY_POLL`, so it finds the gap.
const BURST: Duration = Duration::from_millis(20);
const GAP: Duration = Duration::from_millis(2);
const BUSY_POLL: Duration = Duration::from_micros(700);

/// The transaction that works share.
pub(crate) struct Tx {
    pub(crate) connection: AnyConnection,
    pub(crate) tips: HashMap<Id, Tip>,
    /// Rows that are written before the next work looks, or with the tips at the end.
    pub(crate) pending: Batch,
}

impl Tx {
    /// A transaction that has begun on `connection`.
    pub(crate) fn over(connection: AnyConnection) -> Self {
        Self { connection, tips: HashMap::new(), pending: Batch::default() }
    }

    /// Writes the rows that are pending.
    pub(crate) async fn flush(&mut self) -> Result<(), StoreError> {
        std::mem::take(&mut self.pending).run(&mut self.connection).await
    }
}

/// Who is told how the last connection closed.
type Closed = oneshot::Sender<Result<(), StoreError>>;

/// The door to the task that writes.
#[derive(Clone)]
pub(crate) struct Writer {
    queue: mpsc::Sender<Box<dyn Work>>,
    closing: mpsc::Sender<Closed>,
    groups: Arc<AtomicU64>,
}

/// One piece of work. It may run again when the group around it failed, so it must depend on nothing but its input.
trait Work: Send {
    fn run<'t>(&'t mut self, tx: &'t mut Tx) -> BoxFuture<'t, Result<(), StoreError>>;
    fn answer(self: Box<Self>, outcome: Result<(), StoreError>);
}

struct Job<F, T> {
    work: F,
    done: Option<T>,
    reply: oneshot::Sender<Result<T, StoreError>>,
}

impl<F, T> Work for Job<F, T>
where
    F: for<'t> Fn(&'t mut Tx) -> BoxFuture<'t, Result<T, StoreError>> + Send + Sync,
    T: Send,
{
    fn run<'t>(&'t mut self, tx: &'t mut Tx) -> BoxFuture<'t, Result<(), StoreError>> {
        Box::pin(async move {
            self.done = Some((self.work)(tx).await?);
            Ok(())
        })
    }

    fn answer(self: Box<Self>, outcome: Result<(), StoreError>) {
        let Self { done, reply, work: _ } = *self;
        let answer = outcome.and_then(|()| done.ok_or(StoreError::Closed));
        // The caller may have gone away; what was committed stays.
        drop(reply.send(answer));
    }
}

impl Writer {
    /// Starts the task.
    pub(crate) fn start(address: Address, busy_wait: Duration) -> Self {
        let (queue, works) = mpsc::channel(QUEUE_WORKS_MAX);
        let (closing, told) = mpsc::channel(1);
        let groups = Arc::new(AtomicU64::new(0));
        tokio::spawn(serve(address, busy_wait, (works, told), Arc::clone(&groups)));
        Self { queue, closing, groups }
    }

    /// A door that stays closed.
    pub(crate) fn closed() -> Self {
        let ((queue, _), (closing, _)) = (mpsc::channel(1), mpsc::channel(1));
        Self { queue, closing, groups: Arc::default() }
    }

    /// Takes no more works, and is done once those that were taken are committed or refused. Where it is closed already,
    /// there is nothing to do.
    pub(crate) async fn close(&self) -> Result<(), StoreError> {
        let (reply, closed) = oneshot::channel();
        match self.closing.send(reply).await {
            Ok(()) => closed.await.unwrap_or(Ok(())),
            Err(_) => Ok(()),
        }
    }

    /// Does `work` inside the next transaction and answers once that is committed.
    pub(crate) async fn run<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: for<'t> Fn(&'t mut Tx) -> BoxFuture<'t, Result<T, StoreError>> + Send + Sync + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let job = Job { work, done: None, reply };
        self.queue.send(Box::new(job)).await.map_err(|_| StoreError::Closed)?;
        answer.await.map_err(|_| StoreError::Closed)?
    }

    /// How many groups were committed since the start.
    pub(crate) fn groups(&self) -> u64 {
        self.groups.load(Ordering::Relaxed)
    }
}

async fn serve(
    address: Address,
    busy_wait: Duration,
    (mut works, mut told): (mpsc::Receiver<Box<dyn Work>>, mpsc::Receiver<Closed>),
    groups: Arc<AtomicU64>,
) {
    let mut connection = None;
    let mut burst = Instant::now();
    let mut closed_by = None;
    loop {
        let first = tokio::select! {
            first = works.recv() => first,
            Some(reply) = told.recv(), if closed_by.is_none() => {
                works.close();
                closed_by = Some(reply);
                continue;
            }
        };
        let Some(first) = first else { break };
        let mut group = vec![first];
        while group.len() < GROUP_WORKS_MAX {
            let Ok(next) = works.try_recv() else { break };
            group.push(next);
        }
        crate::crash::point("append.taken");
        crate::measures::grouped(group.len());
        commit(&address, busy_wait, &mut connection, group).await;
        groups.fetch_add(1, Ordering::Relaxed);
        if address.engine() == Engine::Sqlite && burst.elapsed() > BURST {
            tokio::time::sleep(if works.is_empty() { Duration::ZERO } else { GAP }).await;
            burst = Instant::now();
        }
    }
    let left = leave(&address, connection).await;
    // Who told it to close may have gone away.
    drop(closed_by.map(|reply| reply.send(left)));
}

/// Closes the connection, after what its log holds went into the file. Where others use the file, that is left to the
/// last of them.
async fn leave(address: &Address, connection: Option<AnyConnection>) -> Result<(), StoreError> {
    let Some(mut connection) = connection else { return Ok(()) };
    if address.engine() == Engine::Sqlite {
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").await?;
    }
    Ok(connection.close().await?)
}

/// Commits a group; when something in it fails before the commit, each work gets a transaction of its own, so that
/// one cannot fail its neighbours.
async fn commit(
    address: &Address,
    busy_wait: Duration,
    connection: &mut Option<AnyConnection>,
    mut group: Vec<Box<dyn Work>>,
) {
    let outcome = transact(address, busy_wait, connection, &mut group).await;
    let again = match &outcome {
        Err(Fault::Before(error)) => group.len() > 1 || gave_way(address, error),
        Err(Fault::During(_)) | Ok(()) => false,
    };
    if !again {
        let outcome = outcome.map_err(Fault::into_error);
        group.into_iter().for_each(|work| work.answer(outcome.clone()));
        return;
    }
    for work in group {
        let mut alone = vec![work];
        let outcome = commit_alone(address, busy_wait, connection, &mut alone).await;
        let outcome = outcome.map_err(Fault::into_error);
        alone.into_iter().for_each(|work| work.answer(outcome.clone()));
    }
}

/// Commits one work, again and again while it has to give way to another process.
async fn commit_alone(
    address: &Address,
    busy_wait: Duration,
    connection: &mut Option<AnyConnection>,
    work: &mut [Box<dyn Work>],
) -> Result<(), Fault> {
    let start = Instant::now();
    loop {
        match transact(address, busy_wait, connection, work).await {
            Err(Fault::Before(error)) if gave_way(address, &error) && start.elapsed() < busy_wait => {}
            done => return done,
        }
    }
}

/// Whether PostgreSQL undid the transaction because another process waited for this one and it for that one: a group
/// may hold the work order of a fact and wait for the tenant, which another holds that waits for the work order.
fn gave_way(address: &Address, error: &StoreError) -> bool {
    address.engine() == Engine::Postgres && *error == StoreError::Busy
}

enum Fault {
    /// Nothing was committed.
    Before(StoreError),
    /// The commit itself failed: what it left is not known.
    During(StoreError),
}

impl Fault {
    fn into_error(self) -> StoreError {
        match self {
            Self::Before(error) => error,
            Self::During(StoreError::Unreachable(why)) => StoreError::Unconfirmed(why),
            Self::During(error) => error,
        }
    }
}

/// One transaction. The connection goes back only when all of it went well.
async fn transact(
    address: &Address,
    busy_wait: Duration,
    connection: &mut Option<AnyConnection>,
    group: &mut [Box<dyn Work>],
) -> Result<(), Fault> {
    let mut tx = open(address, busy_wait, connection.take()).await.map_err(Fault::Before)?;
    for work in group {
        tx.flush().await.map_err(Fault::Before)?;
        work.run(&mut tx).await.map_err(Fault::Before)?;
        crate::crash::point("append.worked");
    }
    crate::tenant::save(&mut tx).await.map_err(Fault::Before)?;
    crate::crash::point("append.before-commit");
    tx.connection.execute("COMMIT").await.map_err(|error| Fault::During(error.into()))?;
    crate::crash::point("append.committed");
    *connection = Some(tx.connection);
    Ok(())
}

async fn open(address: &Address, busy_wait: Duration, kept: Option<AnyConnection>) -> Result<Tx, StoreError> {
    if let Some(mut connection) = kept {
        match begin(&mut connection, address.engine(), busy_wait).await {
            Ok(()) => {
                return Ok(Tx::over(connection));
            }
            Err(StoreError::Busy) => return Err(StoreError::Busy),
            // The server may have closed an idle connection: a new one decides.
            Err(_) => drop(connection),
        }
    }
    let mut connection = connection::writer(address).await?;
    begin(&mut connection, address.engine(), busy_wait).await?;
    Ok(Tx::over(connection))
}

/// Begins a transaction that may write. IMMEDIATE, because a deferred one fails at once when it is upgraded.
pub(crate) async fn begin(
    connection: &mut AnyConnection,
    engine: Engine,
    busy_wait: Duration,
) -> Result<(), StoreError> {
    let statement = match engine {
        Engine::Sqlite => "BEGIN IMMEDIATE",
        Engine::Postgres => "BEGIN",
    };
    let start = Instant::now();
    loop {
        match connection.execute(statement).await.map_err(StoreError::from) {
            Err(StoreError::Busy) if start.elapsed() < busy_wait => tokio::time::sleep(BUSY_POLL).await,
            Err(error) => return Err(error),
            Ok(_) => return Ok(()),
        }
    }
}

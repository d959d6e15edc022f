//! Erasing words for ever: from the contents, and from everything that was derived from them.

use fact::{
    Actor, Event, FactId, Happening, Head, Id, Position, RequestKey, RevisionNumber, Timestamp, Words, apply,
    canonical,
};
use futures_core::future::BoxFuture;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::{Executor as _, Row as _};

use crate::batch::Batch;
use crate::derive::Step;
use crate::error::StoreError;
use crate::operations::SEARCH_COPY;
use crate::tenant::{self, Tip};
use crate::writer::Tx;
use crate::{Ledger, commitment, find, legacy, replay, requests, row, tables};

/// Rounds of trying to empty the log while others read.
const EMPTY_LOG_TRIES: u32 = 50;
const EMPTY_LOG_PAUSE: std::time::Duration = std::time::Duration::from_millis(100);

/// What to erase.
#[derive(Debug, Clone)]
pub struct Erase {
    /// The tenant.
    pub tenant: Id,
    /// The fact.
    pub fact: FactId,
    /// Its revision; every one, and all that was said about the fact, when none is given.
    pub revision: Option<RevisionNumber>,
    /// Who asks for it.
    pub actor: Actor,
    /// When.
    pub now: Timestamp,
    /// Names the request.
    pub request: Option<RequestKey>,
}

/// What an erasure came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Erased {
    /// The revisions whose words are gone: the one named, and those that repeated it.
    pub revisions: Vec<RevisionNumber>,
    /// The event that says so.
    pub position: Position,
}

/// Why nothing was erased.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EraseError {
    /// There is no such fact or revision, or its words are gone already.
    #[error("there is nothing to erase")]
    NotFound,
    /// The fact is under legal hold.
    #[error("the fact is under legal hold")]
    LegalHold,
    /// The request's key was used for another request.
    #[error("the idempotency key was used for another request")]
    KeyReused,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The words are gone from the tables, but old pages of the log could not be cleared yet.
    #[error("erased, but another process still reads old pages of the log: erase again or check point it")]
    LogInUse,
}

impl Ledger {
    /// Erases the words of a revision, and of every revision of that fact that repeats them: salt, text, and every
    /// digest derived from them. The ledger still verifies afterwards. Where there is nothing left to erase, it still
    /// clears what the log kept of an erasure that another process was in the way of.
    pub async fn erase(&self, erase: Erase) -> Result<Erased, EraseError> {
        let outcome =
            self.writer.run(move |tx| -> BoxFuture<'_, Result<Result<Erased, EraseError>, StoreError>> {
                let erase = erase.clone();
                Box::pin(async move { erase_in(tx, &erase).await })
            });
        let erased = outcome.await?;
        match &erased {
            Ok(_) | Err(EraseError::NotFound) => self.empty_log().await?,
            Err(
                EraseError::LegalHold | EraseError::KeyReused | EraseError::Store(_) | EraseError::LogInUse,
            ) => {}
        }
        erased
    }

    /// Erases a legacy row: no import brings it back.
    pub async fn erase_legacy(&self, tenant: Id, row: FactId, now: Timestamp) -> Result<(), EraseError> {
        self.drop_legacy(tenant, vec![row], now).await?;
        self.empty_log().await
    }

    /// Clears what SQLite's log and PostgreSQL's dead rows still hold.
    async fn empty_log(&self) -> Result<(), EraseError> {
        crate::crash::point("erase.log");
        let mut connection = crate::connection::writer(&self.address).await?;
        match self.address.engine() {
            crate::address::Engine::Postgres => {
                connection.execute("VACUUM contents, legacy_rows").await.map_err(StoreError::from)?;
                Ok(())
            }
            crate::address::Engine::Sqlite => {
                for _ in 0..EMPTY_LOG_TRIES {
                    let row = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)")
                        .fetch_one(&mut connection)
                        .await
                        .map_err(StoreError::from)?;
                    let busy: i64 = row.try_get(0).map_err(StoreError::from)?;
                    if busy == 0 {
                        return Ok(());
                    }
                    tokio::time::sleep(EMPTY_LOG_PAUSE).await;
                }
                Err(EraseError::LogInUse)
            }
        }
    }
}

async fn erase_in(tx: &mut Tx, erase: &Erase) -> Result<Result<Erased, EraseError>, StoreError> {
    // Looked up before the lock too, which would begin a tenant that does not exist.
    if find::head(&mut tx.connection, &erase.tenant, erase.fact).await?.is_none() {
        return Ok(Err(EraseError::NotFound));
    }
    let tip = tenant::lock(tx, &erase.tenant, &[0; 32]).await?.clone();
    if let Some(answer) = answered(tx, erase, &tip).await? {
        return Ok(answer);
    }
    let Some(head) = find::head(&mut tx.connection, &erase.tenant, erase.fact).await? else {
        return Ok(Err(EraseError::NotFound));
    };
    if head.held {
        return Ok(Err(EraseError::LegalHold));
    }
    let (revisions, positions, gone) = affected(tx, erase).await?;
    if positions.is_empty() {
        return Ok(Err(EraseError::NotFound));
    }
    let position = append(tx, erase, &head, &tip, (&revisions, &positions)).await?;
    crate::crash::point("erase.event");
    for gone in positions {
        sqlx::query(include_str!("sql/content_erase.sql"))
            .bind(erase.tenant.as_str())
            .bind(gone.get())
            .execute(&mut tx.connection)
            .await?;
        crate::crash::point("erase.words");
    }
    let mut rows = legacy::own_cited(tx, &head.scope, gone.iter().flat_map(legacy::cited).collect()).await?;
    for content in gone.iter().filter_map(|words| words.content.as_ref()) {
        rows.extend(legacy::saying(tx, &tip.secret, &head.scope, content).await?);
    }
    legacy::drop_rows(tx, &erase.tenant, &rows, erase.now).await?;
    sqlx::query(include_str!("sql/operation_renew.sql"))
        .bind(erase.tenant.as_str())
        .bind(SEARCH_COPY)
        .bind(erase.fact.to_string())
        .bind(0)
        .bind(erase.now.micros())
        .execute(&mut tx.connection)
        .await?;
    let erased = Erased { revisions, position };
    if let Some(key) = &erase.request {
        let digest = commitment::request(&tip.secret, &erase.meaning());
        let answer = canonical(&erased);
        requests::insert(&mut tx.pending, &erase.tenant, key.as_str(), &digest, &answer, erase.now);
    }
    Ok(Ok(erased))
}

/// What the same request was answered before; a refusal where its key named another one.
async fn answered(
    tx: &mut Tx,
    erase: &Erase,
    tip: &Tip,
) -> Result<Option<Result<Erased, EraseError>>, StoreError> {
    let Some(key) = &erase.request else { return Ok(None) };
    let Some(answered) = requests::find(&mut tx.connection, &erase.tenant, key).await? else {
        return Ok(None);
    };
    if !answered.means(&tip.secret, &erase.meaning()) {
        return Ok(Some(Err(EraseError::KeyReused)));
    }
    row::json("requests", "answer", &answered.answer).map(|erased| Some(Ok(erased)))
}

impl Erase {
    /// What it asks for, without the time.
    fn meaning(&self) -> String {
        canonical(&json!({ "act": "erase", "by": self.actor, "fact": self.fact, "revision": self.revision }))
    }
}

/// The revisions that say what the named one says, the events that hold words about any of them, and those words.
async fn affected(tx: &mut Tx, erase: &Erase) -> Result<Affected, StoreError> {
    let rows = sqlx::query(include_str!("sql/fact_events.sql"))
        .bind(erase.tenant.as_str())
        .bind(erase.fact.to_string())
        .fetch_all(&mut tx.connection)
        .await?;
    let mut with_words: Vec<(Position, Happening, Words)> = Vec::new();
    for found in &rows {
        let stored = replay::stored(&erase.tenant, found)?;
        if let (Some(words), Some(_)) = (stored.event.open(stored.words.as_ref())?, &stored.words) {
            with_words.push((stored.event.event.position, stored.event.event.happening, words));
        }
    }
    let says = |happening: &Happening| happening.recorded().map(|(number, _)| number);
    let named = |wanted: RevisionNumber| {
        with_words.iter().find(|(_, happening, _)| says(happening) == Some(wanted)).map(|(_, _, words)| words)
    };
    let Some(wanted) = erase.revision else {
        let revisions = with_words.iter().filter_map(|(_, happening, _)| says(happening)).collect();
        let (positions, gone) = with_words.into_iter().map(|(position, _, words)| (position, words)).unzip();
        return Ok((revisions, positions, gone));
    };
    let Some(content) = named(wanted).and_then(|words| words.content.as_ref()) else {
        return Ok(Affected::default());
    };
    let repeats =
        |words: &Words| words.content.as_ref().is_some_and(|one| one.statement() == content.statement());
    let revisions: Vec<RevisionNumber> = with_words
        .iter()
        .filter(|(_, _, words)| repeats(words))
        .filter_map(|(_, happening, _)| says(happening))
        .collect();
    let about =
        |happening: &Happening| happening.revision().is_some_and(|number| revisions.contains(&number));
    let gone = with_words.iter().filter(|(_, happening, words)| about(happening) || repeats(words));
    let (positions, gone) = gone.map(|(position, _, words)| (*position, words.clone())).unzip();
    Ok((revisions, positions, gone))
}

/// Revisions and events that lose their words, and the words.
type Affected = (Vec<RevisionNumber>, Vec<Position>, Vec<Words>);

async fn append(
    tx: &mut Tx,
    erase: &Erase,
    head: &Head,
    tip: &Tip,
    (revisions, positions): (&[RevisionNumber], &[Position]),
) -> Result<Position, StoreError> {
    let event = Event {
        position: tip.position.next(),
        fact: erase.fact,
        recorded_at: erase.now.max(tip.recorded_at.next()),
        actor: erase.actor.clone(),
        request: erase.request.clone(),
        happening: Happening::Erased { revisions: revisions.to_vec(), positions: positions.to_vec() },
    };
    let after =
        apply(Some(head), &event).map_err(|error| StoreError::damaged("events", event.position, error))?;
    let mut batch = Batch::default();
    let digest = tables::append(&mut batch, &erase.tenant, &event, None, &tip.digest);
    let step = Step::of(&erase.tenant, &event, &Words::default(), &tip.secret, Some(head), &after);
    tables::write(&mut batch, &step);
    tables::want(&mut batch, &erase.tenant, &event, None);
    batch.run(&mut tx.connection).await?;
    tenant::lock(tx, &erase.tenant, &[0; 32]).await?.follow(&event, digest);
    Ok(event.position)
}

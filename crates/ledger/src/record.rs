//! The only writer of facts: one compare-and-set on everything that a change was decided on.

use std::collections::HashMap;

use fact::{
    Actor, Admission, Change, Event, FactId, Forbidden, Ground, Happening, Head, Id, NewEvent, Position,
    RequestKey, Timestamp, Words, apply, canonical,
};
use futures_core::future::BoxFuture;

use crate::batch::Batch;
use crate::commitment;
use crate::derive::Step;
use crate::error::StoreError;
use crate::operations::Lease;
use crate::tenant::{self, Tip};
use crate::writer::Tx;
use crate::{Ledger, find, legacy, measures, requests, tables};

/// What to record.
#[derive(Debug, Clone)]
pub struct Record {
    /// The tenant.
    pub tenant: Id,
    /// Who acts.
    pub actor: Actor,
    /// When, as the caller's clock has it; the ledger's own time never goes back.
    pub now: Timestamp,
    /// Fresh randomness, for salts.
    pub entropy: [u8; 32],
    /// The change.
    pub change: Change,
    /// The request that asked for it.
    pub request: Option<Request>,
    /// Who makes the copy of what it changes, and until when; anybody, where it is none.
    pub lease: Option<Lease>,
}

/// A request that may be sent again.
#[derive(Debug, Clone)]
pub struct Request {
    /// Its key.
    pub key: RequestKey,
    /// What it means, in one canonical form without times that the engine sets itself. Only an HMAC of it is kept.
    pub meaning: String,
    /// What to answer when it is sent again: ids and names, never content.
    pub answer: String,
}

/// What became of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recorded {
    /// It is in the ledger up to that position.
    Appended {
        /// The last event of the change, or of the tenant where it had none.
        position: Position,
        /// When that was recorded.
        at: Timestamp,
    },
    /// The request was answered before; nothing was appended.
    Replayed {
        /// The first answer.
        answer: String,
    },
}

/// Why a change was not recorded. Nothing was appended.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// Something that it was decided on has moved: decide again.
    #[error("the fact has changed since")]
    Stale,
    /// The request's key was used for another request.
    #[error("the idempotency key was used for another request")]
    KeyReused,
    /// The events do not follow from the ledger: a fault of the rules.
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

type Outcome = Result<Recorded, Refused>;

#[derive(Debug, Clone)]
enum Refused {
    Stale,
    KeyReused,
    Forbidden(Forbidden),
}

impl Ledger {
    /// Appends a change, its tables and its work order in one transaction, or nothing at all.
    pub async fn record(&self, record: Record) -> Result<Recorded, RecordError> {
        let tenant = record.tenant.clone();
        let outcome = self.writer.run(move |tx| -> BoxFuture<'_, Result<Outcome, StoreError>> {
            let record = record.clone();
            Box::pin(async move { record_in(tx, &record).await })
        });
        let outcome = outcome.await?;
        if let Ok(Recorded::Appended { .. }) = outcome {
            measures::appended();
        }
        outcome.map_err(|refused| match refused {
            Refused::Stale => {
                self.secrets.forget(&tenant);
                RecordError::Stale
            }
            Refused::KeyReused => RecordError::KeyReused,
            Refused::Forbidden(forbidden) => RecordError::Forbidden(forbidden),
        })
    }
}

/// Everything that can refuse comes before the first write, so that a refusal leaves nothing in the transaction.
async fn record_in(tx: &mut Tx, record: &Record) -> Result<Outcome, StoreError> {
    let tip = tenant::lock(tx, &record.tenant, &record.entropy).await?.clone();
    if let Some(request) = &record.request
        && let Some(answered) = requests::find(&mut tx.connection, &record.tenant, &request.key).await?
    {
        let same = answered.means(&tip.secret, &request.meaning);
        return Ok(if same {
            Ok(Recorded::Replayed { answer: answered.answer })
        } else {
            Err(Refused::KeyReused)
        });
    }
    if !grounds_hold(tx, &record.tenant, &tip.secret, &record.change.grounds).await? {
        return Ok(Err(Refused::Stale));
    }
    let plan = match plan(tx, record, &tip).await? {
        Ok(plan) => plan,
        Err(forbidden) => return Ok(Err(Refused::Forbidden(forbidden))),
    };
    crate::crash::point("append.planned");
    Ok(Ok(write(tx, record, plan).await?))
}

async fn grounds_hold(
    tx: &mut Tx,
    tenant: &Id,
    secret: &[u8],
    grounds: &[Ground],
) -> Result<bool, StoreError> {
    for ground in grounds {
        let holds = match ground {
            Ground::Head { fact, version } => find::head(&mut tx.connection, tenant, *fact)
                .await?
                .is_some_and(|head| head.version == *version),
            Ground::SlotEmpty(slot) => {
                find::in_slot(&mut tx.connection, tenant, secret, slot).await?.is_none()
            }
            Ground::Unsaid(statement) => {
                find::saying(&mut tx.connection, tenant, secret, statement, None).await?.is_none()
            }
            Ground::UnsaidBut { statement, fact } => {
                find::saying(&mut tx.connection, tenant, secret, statement, Some(*fact)).await?.is_none()
            }
        };
        if !holds {
            return Ok(false);
        }
    }
    Ok(true)
}

/// An event with its place, folded, ready to be written.
struct Planned {
    event: Event,
    words: Words,
    before: Option<Head>,
    after: Head,
    /// The legacy rows that it rests on.
    cited: Vec<FactId>,
}

async fn plan(
    tx: &mut Tx,
    record: &Record,
    tip: &Tip,
) -> Result<Result<Vec<Planned>, Forbidden>, StoreError> {
    let mut heads: HashMap<FactId, Option<Head>> = HashMap::new();
    let mut steps = Vec::new();
    let (mut position, mut at) = (tip.position, tip.recorded_at);
    for NewEvent { fact, happening, words } in &record.change.events {
        position = position.next();
        at = record.now.max(at.next());
        let event = Event {
            position,
            fact: *fact,
            recorded_at: at,
            actor: record.actor.clone(),
            request: record.request.as_ref().map(|request| request.key.clone()),
            happening: happening.clone(),
        };
        let before = match heads.get(fact) {
            Some(head) => head.clone(),
            None if matches!(happening, Happening::Created { .. }) => None,
            None => find::head(&mut tx.connection, &record.tenant, *fact).await?,
        };
        let after = match apply(before.as_ref(), &event) {
            Ok(after) => after,
            Err(forbidden) => return Ok(Err(forbidden)),
        };
        heads.insert(*fact, Some(after.clone()));
        let cited = match counts_as_grounds(&event) {
            true => legacy::own_cited(tx, &after.scope, legacy::cited(words)).await?,
            false => Vec::new(),
        };
        steps.push(Planned { event, words: words.clone(), before, after, cited });
    }
    Ok(Ok(steps))
}

/// Whether what it rests on is taken up by it: what is quarantined takes nothing up, and nothing that a machine adds.
fn counts_as_grounds(event: &Event) -> bool {
    match event.happening.recorded() {
        Some((_, saying)) => saying.admission == Admission::Admitted,
        None => event.actor.is_person(),
    }
}

/// Hands the rows of the change to the transaction and moves the tenant's tip.
async fn write(tx: &mut Tx, record: &Record, plan: Vec<Planned>) -> Result<Recorded, StoreError> {
    let mut batch = Batch::default();
    let tip = tenant::lock(tx, &record.tenant, &record.entropy).await?;
    for (number, Planned { event, words, before, after, cited }) in plan.into_iter().enumerate() {
        let salt = commitment::derived(&record.entropy, &format!("salt {number}"));
        let digest = append(&mut batch, &record.tenant, &event, &words, &salt, &tip.digest);
        tables::write(
            &mut batch,
            &Step::of(&record.tenant, &event, &words, &tip.secret, before.as_ref(), &after),
        );
        tables::want(&mut batch, &record.tenant, &event, record.lease.as_ref());
        legacy::cite(&mut batch, &record.tenant, event.position, &cited, event.recorded_at);
        tip.follow(&event, digest);
    }
    if let Some(request) = &record.request {
        requests::add(&mut batch, &record.tenant, request, &tip.secret, tip.recorded_at);
    }
    let recorded = Recorded::Appended { position: tip.position, at: tip.recorded_at };
    tx.pending = batch;
    Ok(recorded)
}

/// Adds the event and its words; gives the event's digest.
fn append(
    batch: &mut Batch,
    tenant: &Id,
    event: &Event,
    words: &Words,
    salt: &[u8],
    previous: &[u8],
) -> Vec<u8> {
    let doc = (!words.is_empty()).then(|| canonical(words));
    let commitment = doc.as_deref().map(|doc| commitment::commit(salt, doc));
    let digest = tables::append(batch, tenant, event, commitment.as_deref(), previous);
    if let Some(doc) = doc {
        tables::keep_words(batch, tenant, event.position, &doc, words, salt);
    }
    digest
}

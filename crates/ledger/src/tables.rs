//! Writing an event, its words, and the rows that follow from it.

use fact::{Event, FactId, Id, Position, Timestamp, Words, canonical};
use sqlx::{Any, AnyConnection};

use crate::commitment::Sealed;
use crate::derive::{ConflictRow, FactRow, Put, RevisionRow, SlotMove, Step, rows};
use crate::error::StoreError;
use crate::operations::SEARCH_COPY;
use crate::row::{self, EVENT_VERSION};

/// Appends an event; gives its digest.
pub(crate) async fn append(
    connection: &mut AnyConnection,
    tenant: &Id,
    event: &Event,
    commitment: Option<Vec<u8>>,
    previous: Vec<u8>,
) -> Result<Vec<u8>, StoreError> {
    let body = canonical(&event.happening);
    let actor = canonical(&event.actor);
    let fact = event.fact.to_string();
    let request = event.request.as_ref().map(|request| request.as_str());
    let revision = event.happening.revision().map_or(0, |number| i64::from(number.get()));
    let sealed = Sealed {
        tenant: tenant.as_str(),
        position: event.position.get(),
        fact: &fact,
        revision,
        version: EVENT_VERSION,
        body: &body,
        actor: &actor,
        recorded_at: event.recorded_at.micros(),
        request,
        commitment: commitment.as_deref(),
        previous: &previous,
    };
    let digest = sealed.digest();
    insert_event(connection, &sealed, &digest).await?;
    Ok(digest)
}

/// Writes an event as it is, digest included.
pub(crate) async fn insert_event(
    connection: &mut AnyConnection,
    sealed: &Sealed<'_>,
    digest: &[u8],
) -> Result<(), StoreError> {
    sqlx::query(include_str!("sql/event_add.sql"))
        .bind(sealed.tenant)
        .bind(sealed.position)
        .bind(sealed.fact)
        .bind(sealed.revision)
        .bind(sealed.version)
        .bind(sealed.body)
        .bind(sealed.actor)
        .bind(sealed.recorded_at)
        .bind(sealed.request)
        .bind(sealed.commitment.map(<[u8]>::to_vec))
        .bind(sealed.previous.to_vec())
        .bind(digest.to_vec())
        .execute(connection)
        .await?;
    Ok(())
}

/// Keeps the words of an event apart from it.
pub(crate) async fn keep_words(
    connection: &mut AnyConnection,
    tenant: &Id,
    position: Position,
    doc: &str,
    words: &Words,
    salt: &[u8],
) -> Result<(), StoreError> {
    let (body, tags) = row::columns(words);
    sqlx::query(include_str!("sql/content_add.sql"))
        .bind(tenant.as_str())
        .bind(position.get())
        .bind(doc)
        .bind(body)
        .bind(words.key.as_ref().map_or("", |key| key.as_str()))
        .bind(tags)
        .bind(salt.to_vec())
        .execute(connection)
        .await?;
    Ok(())
}

/// Writes every row that follows from the step.
pub(crate) async fn write(connection: &mut AnyConnection, step: &Step<'_>) -> Result<(), StoreError> {
    for put in rows(step) {
        let (table, query) = query(put, step.tenant.as_str().to_owned());
        let touched = query.execute(&mut *connection).await?.rows_affected();
        if touched != 1 {
            let problem = format!("{touched} rows were touched where one was meant");
            return Err(StoreError::damaged(table, step.event.fact, problem));
        }
    }
    Ok(())
}

/// Orders the copy to be made equal to the fact as of this event: what is wanted only rises.
pub(crate) async fn want(
    connection: &mut AnyConnection,
    tenant: &Id,
    fact: FactId,
    position: Position,
    at: Timestamp,
) -> Result<(), StoreError> {
    sqlx::query(include_str!("sql/operation_want.sql"))
        .bind(tenant.as_str())
        .bind(SEARCH_COPY)
        .bind(fact.to_string())
        .bind(position.get())
        .bind(at.micros())
        .execute(connection)
        .await?;
    Ok(())
}

type Query = sqlx::query::Query<'static, Any, <Any as sqlx::Database>::Arguments>;

/// The table and the statement of one row.
fn query(put: Put, tenant: String) -> (&'static str, Query) {
    match put {
        Put::Fact(row) => ("facts", add_fact(tenant, row)),
        Put::FactMoved { fact, before, version, head, slot } => {
            let query = sqlx::query(include_str!("sql/fact_update.sql")).bind(tenant).bind(fact);
            ("facts", bind_slot(query.bind(version).bind(head).bind(before), slot))
        }
        Put::Access { token, fact } => {
            ("access", sqlx::query(include_str!("sql/access_add.sql")).bind(tenant).bind(token).bind(fact))
        }
        Put::Revision(row) => ("revisions", add_revision(tenant, row)),
        Put::RevisionTurned { fact, revision, state, turned_at, ended_at } => {
            let query = sqlx::query(include_str!("sql/revision_turn.sql")).bind(tenant).bind(fact);
            ("revisions", query.bind(revision).bind(state.name()).bind(turned_at).bind(ended_at))
        }
        Put::RevisionUnsaid { fact, revision } => {
            let query = sqlx::query(include_str!("sql/revision_unsay.sql")).bind(tenant);
            ("revisions", query.bind(fact).bind(revision))
        }
        Put::Truth { fact, recorded_at, position, truth } => {
            let query = sqlx::query(include_str!("sql/truth_add.sql")).bind(tenant).bind(fact);
            ("truths", query.bind(recorded_at).bind(position).bind(truth))
        }
        Put::Conflict(row) => ("conflicts", put_conflict(tenant, row)),
        Put::ConflictClosed { conflict, closed } => {
            let query = sqlx::query(include_str!("sql/conflict_close.sql")).bind(tenant);
            ("conflicts", query.bind(conflict).bind(closed))
        }
        Put::Review { review, fact, position, cause } => {
            let query = sqlx::query(include_str!("sql/review_add.sql")).bind(tenant).bind(review);
            ("reviews", query.bind(fact).bind(position).bind(cause))
        }
        Put::Erasure { position, erased_by } => {
            let query = sqlx::query(include_str!("sql/erasure_add.sql")).bind(tenant);
            ("erasures", query.bind(position).bind(erased_by))
        }
    }
}

fn bind_slot(query: Query, slot: SlotMove) -> Query {
    match slot {
        SlotMove::Stays => query.bind(None::<String>).bind(0_i64),
        SlotMove::Is(slot) => query.bind(Some(slot)).bind(0_i64),
        SlotMove::Free => query.bind(None::<String>).bind(1_i64),
    }
}

fn add_fact(tenant: String, row: FactRow) -> Query {
    sqlx::query(include_str!("sql/fact_add.sql"))
        .bind(tenant)
        .bind(row.fact)
        .bind(row.kind)
        .bind(row.scope)
        .bind(row.slot)
        .bind(row.created)
        .bind(row.version)
        .bind(row.head)
}

fn add_revision(tenant: String, row: RevisionRow) -> Query {
    sqlx::query(include_str!("sql/revision_add.sql"))
        .bind(tenant)
        .bind(row.fact)
        .bind(row.revision)
        .bind(row.position)
        .bind(row.recorded_at)
        .bind(row.state.name())
        .bind(row.turned_at)
        .bind(row.ended_at)
        .bind(row.settled_at)
        .bind(row.valid_from)
        .bind(row.valid_until)
        .bind(row.statement)
}

fn put_conflict(tenant: String, row: ConflictRow) -> Query {
    sqlx::query(include_str!("sql/conflict_put.sql"))
        .bind(tenant)
        .bind(row.conflict)
        .bind(row.fact)
        .bind(row.anchor)
        .bind(row.people)
        .bind(row.opened)
        .bind(row.opened_at)
        .bind(row.version)
}

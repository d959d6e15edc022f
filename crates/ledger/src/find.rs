//! Looking up the fact that a proposal is aimed at: by id, by the slot of its key, by the statement it makes.

use fact::{Ending, FactId, Head, Id, RevisionNumber, Slot, Statement, Truth};
use sqlx::AnyConnection;
use sqlx::Row as _;

use crate::commitment;
use crate::error::StoreError;
use crate::{merged, row};

/// The head of a fact.
pub(crate) async fn head(
    connection: &mut AnyConnection,
    tenant: &Id,
    fact: FactId,
) -> Result<Option<Head>, StoreError> {
    let found = sqlx::query(include_str!("sql/head_read.sql"))
        .bind(tenant.as_str())
        .bind(fact.to_string())
        .fetch_optional(connection)
        .await?;
    found.map(|found| of(fact, row::head(&found, 0)?)).transpose()
}

/// The head of a fact that another one names: facts never go.
pub(crate) async fn present(
    connection: &mut AnyConnection,
    tenant: &Id,
    fact: FactId,
) -> Result<Head, StoreError> {
    let head = head(connection, tenant, fact).await?;
    head.ok_or_else(|| StoreError::damaged("facts", fact, "it is missing"))
}

/// The head, where it is that of the fact whose row it lies in.
pub(crate) fn of(fact: FactId, head: Head) -> Result<Head, StoreError> {
    if head.fact == fact {
        Ok(head)
    } else {
        Err(StoreError::damaged("facts", fact, "its head is another's"))
    }
}

/// The head of the fact that has a slot, or of the one that goes on for it.
pub(crate) async fn in_slot(
    connection: &mut AnyConnection,
    tenant: &Id,
    secret: &[u8],
    slot: &Slot,
) -> Result<Option<Head>, StoreError> {
    let found = sqlx::query(include_str!("sql/head_in_slot.sql"))
        .bind(tenant.as_str())
        .bind(commitment::slot(secret, slot))
        .fetch_optional(&mut *connection)
        .await?;
    match found {
        Some(found) => merged::follow(connection, tenant, row::head(&found, 0)?).await.map(Some),
        None => Ok(None),
    }
}

/// The head of the fact that has a slot, unless that is settled or there is none, and a person had another fact forgotten
/// that makes one of the statements: then that one.
pub(crate) async fn in_slot_or_forgotten(
    connection: &mut AnyConnection,
    tenant: &Id,
    secret: &[u8],
    (slot, statements): (&Slot, &[Statement]),
) -> Result<Option<Head>, StoreError> {
    let in_slot = in_slot(connection, tenant, secret, slot).await?;
    if in_slot.as_ref().is_some_and(|head| matches!(head.truth, Truth::Contested(_)) || is_forgotten(head)) {
        return Ok(in_slot);
    }
    for statement in statements {
        let mut forgotten = None;
        let stands = first_saying(connection, tenant, secret, (statement, None), |head| {
            if forgotten.is_none() && is_forgotten_by_person(head) {
                forgotten = Some(head.clone());
            }
            !is_forgotten(head)
        });
        if stands.await?.is_none() && forgotten.is_some() {
            return Ok(forgotten);
        }
    }
    Ok(in_slot)
}

fn is_forgotten(head: &Head) -> bool {
    matches!(head.truth, Truth::Ended(Ending::Retracted { .. }))
}

fn is_forgotten_by_person(head: &Head) -> bool {
    matches!(head.truth, Truth::Ended(Ending::Retracted { by_person: true, .. }))
}

/// The head of the first fact that makes a statement now, but for one: it stands, is contested or was forgotten. Of one
/// that was merged, the fact that goes on for it.
pub(crate) async fn saying(
    connection: &mut AnyConnection,
    tenant: &Id,
    secret: &[u8],
    statement: &Statement,
    but: Option<FactId>,
) -> Result<Option<Head>, StoreError> {
    first_saying(connection, tenant, secret, (statement, but), |_| true).await
}

async fn first_saying(
    connection: &mut AnyConnection,
    tenant: &Id,
    secret: &[u8],
    (statement, but): (&Statement, Option<FactId>),
    mut is_it: impl FnMut(&Head) -> bool,
) -> Result<Option<Head>, StoreError> {
    let found = sqlx::query(include_str!("sql/heads_saying.sql"))
        .bind(tenant.as_str())
        .bind(commitment::statement(secret, statement))
        .fetch_all(&mut *connection)
        .await?;
    for found in found {
        let head = row::head(&found, 0)?;
        let revision: i64 = found.try_get(1)?;
        let number = u32::try_from(revision).ok().and_then(RevisionNumber::new);
        let makes_it = number.is_some_and(|number| head.truth.revisions().contains(&number));
        if !makes_it || but == Some(head.fact) {
            continue;
        }
        // What was merged speaks through the fact that goes on for it, as long as that is there.
        let speaks = merged::speaks(connection, tenant, head).await?;
        if let Some(speaks) = speaks.filter(|speaks| but != Some(speaks.fact) && is_it(speaks)) {
            return Ok(Some(speaks));
        }
    }
    Ok(None)
}

//! Replaying a tenant's events in order, from the first to the last.

use std::collections::HashMap;

use fact::{FactId, Forbidden, Head, Id, Position, Words, apply};
use sqlx::AnyConnection;
use sqlx::Row as _;
use sqlx::any::AnyRow;

use crate::error::StoreError;
use crate::row::{self, StoredEvent, StoredWords};

/// Events taken at a time.
const BATCH_EVENTS: i64 = 1_000;

/// An event with its words as they are stored.
pub(crate) struct Stored {
    pub(crate) event: StoredEvent,
    pub(crate) words: Option<StoredWords>,
}

/// A batch of rows after `after`; `stored` reads one.
pub(crate) async fn batch(
    connection: &mut AnyConnection,
    tenant: &Id,
    after: Position,
) -> Result<Vec<AnyRow>, StoreError> {
    let rows = sqlx::query(include_str!("sql/events_after.sql"))
        .bind(tenant.as_str())
        .bind(after.get())
        .bind(BATCH_EVENTS)
        .fetch_all(connection)
        .await?;
    Ok(rows)
}

/// The position of a row, readable even where the rest is not.
pub(crate) fn position(found: &AnyRow) -> Result<Position, StoreError> {
    Ok(Position::new(found.try_get(0)?))
}

pub(crate) fn stored(tenant: &Id, found: &AnyRow) -> Result<Stored, StoreError> {
    Ok(Stored { event: row::event(tenant, found, 0)?, words: row::words(found, 11)? })
}

/// Every tenant of the ledger, in the order of their bytes: a database may order text in its own way.
pub(crate) async fn tenants(connection: &mut AnyConnection) -> Result<Vec<Id>, StoreError> {
    let rows = sqlx::query(include_str!("sql/tenant_list.sql")).fetch_all(connection).await?;
    let mut tenants = rows.iter().map(tenant).collect::<Result<Vec<Id>, StoreError>>()?;
    tenants.sort_unstable();
    Ok(tenants)
}

/// The tenant that a row begins with.
pub(crate) fn tenant(found: &AnyRow) -> Result<Id, StoreError> {
    let tenant: String = found.try_get(0)?;
    Id::parse("tenant", &tenant).map_err(|bad| StoreError::damaged("tenants", &tenant, bad))
}

/// The heads of all facts so far.
#[derive(Default)]
pub(crate) struct Fold {
    heads: HashMap<FactId, Head>,
}

impl Fold {
    /// Folds an event; gives its fact's head before, and after.
    pub(crate) fn step(&mut self, stored: &StoredEvent) -> Result<(Option<Head>, &Head), Forbidden> {
        let event = &stored.event;
        let after = apply(self.heads.get(&event.fact), event)?;
        let before = self.heads.insert(event.fact, after);
        Ok((before, &self.heads[&event.fact]))
    }
}

/// What the rows of an event are derived from besides its fact: the words, or none where they are erased.
pub(crate) fn known(words: Option<Words>) -> Words {
    words.unwrap_or_default()
}

//! What happened to the facts of a reader, in order: ids, numbers and states, never words.

use fact::{Event, Happening, Head, Position, Reader};
use sqlx::any::AnyRow;

use crate::error::StoreError;
use crate::{Ledger, find, row};

/// Events looked at together.
const BATCH_EVENTS: i64 = 256;

/// An event, with its fact as it is today.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Happened {
    /// What happened.
    pub event: Event,
    /// The fact, as it is today.
    pub head: Head,
}

/// Changes in the order in which they were recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changes {
    /// The changes.
    pub items: Vec<Happened>,
    /// The position after which the next ones come.
    pub after: Position,
    /// Whether there are more by now.
    pub more: bool,
}

impl Ledger {
    /// What changed facts that the reader may read today, after a position, at most `limit` of it. Proposals that wait for
    /// their owner changed nothing.
    pub async fn changes_after(
        &self,
        reader: &Reader,
        after: Position,
        limit: usize,
    ) -> Result<Changes, StoreError> {
        let tokens = reader.tokens().map(|tokens| tokens.into_iter().collect::<String>());
        let (mut items, mut after) = (Vec::new(), after);
        let mut connection = self.reader().await?;
        loop {
            let rows = sqlx::query(include_str!("sql/changes_after.sql"))
                .bind(reader.tenant.as_str())
                .bind(after.get())
                .bind(BATCH_EVENTS)
                .bind(tokens.clone())
                .fetch_all(&mut *connection)
                .await?;
            for found in &rows {
                let one = happened(reader, found)?;
                let position = one.event.position;
                if reader.may_read(&one.head.scope) && changes_a_fact(&one.event.happening) {
                    if items.len() == limit {
                        return Ok(Changes { items, after, more: true });
                    }
                    items.push(one);
                }
                after = position;
            }
            if i64::try_from(rows.len()).map_or(true, |rows| rows < BATCH_EVENTS) {
                return Ok(Changes { items, after, more: false });
            }
        }
    }
}

fn happened(reader: &Reader, found: &AnyRow) -> Result<Happened, StoreError> {
    let event = row::event(&reader.tenant, found, 0)?.event;
    let head = find::of(event.fact, row::head(found, 11)?)?;
    Ok(Happened { event, head })
}

/// Whether anything is otherwise afterwards than it was.
fn changes_a_fact(happening: &Happening) -> bool {
    happening.held_back().is_none() && !matches!(happening, Happening::ReviewClosed { .. })
}

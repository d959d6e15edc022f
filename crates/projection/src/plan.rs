//! What makes the copy of one fact equal to its truth.

use fact::{FactId, Id, Reader, Sight, Timestamp};
use index::{Row, Source, Version, Write};
use ledger::{Operation, Sought, StoreError};

use crate::Desk;

/// An operation with what has to be written for it.
pub(crate) struct Plan {
    pub(crate) operation: Operation,
    pub(crate) write: Write,
    /// When the clock alone will change it.
    pub(crate) next: Option<Timestamp>,
}

impl Desk {
    /// The version must have been read before: who writes about the fact in between comes first.
    pub(crate) async fn plan(
        &self,
        operation: Operation,
        version: Version,
        now: Timestamp,
    ) -> Result<Plan, (Operation, StoreError)> {
        match self.row(&operation.tenant, operation.fact, now).await {
            Ok((row, next)) => {
                let gone = || Write::remove(operation.tenant.clone(), Source::Fact, operation.fact);
                let write = row.map_or_else(gone, Write::put).after(version);
                Ok(Plan { operation, write, next })
            }
            Err(error) => Err((operation, error)),
        }
    }

    /// The row that a fact has at `now`, and until when.
    async fn row(
        &self,
        tenant: &Id,
        fact: FactId,
        now: Timestamp,
    ) -> Result<(Option<Row>, Option<Timestamp>), StoreError> {
        let reader = Reader { tenant: tenant.clone(), sight: Sight::Admin };
        let Some(case) = self.ledger.case(&reader, &Sought::Fact(fact)).await? else {
            return Ok((None, None));
        };
        let head = &case.head;
        let settled = head.truth.settled(now).filter(|number| !head.quarantined.contains(number));
        let row = settled.and_then(|number| {
            let content = case.revision(number)?.content()?;
            Some(Row {
                source: Source::Fact,
                fact: head.fact,
                revision: number,
                kind: head.kind.clone(),
                scope: head.scope.clone(),
                digest: content.hash(),
                text: content.text(),
            })
        });
        Ok((row, head.truth.next_turn(now)))
    }
}

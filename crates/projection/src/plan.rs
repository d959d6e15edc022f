//! What makes the copy of one fact equal to its truth.

use fact::{FactId, Id, Reader, Scope, Sight, Timestamp};
use index::{Row, Source, Version, Write};
use ledger::{Operation, Sought, StoreError};

use crate::Desk;

/// An operation with what has to be written for it.
pub(crate) struct Plan {
    pub(crate) operation: Operation,
    pub(crate) write: Write,
    /// Whose it is, where the ledger knows the fact.
    pub(crate) owner: Option<String>,
    /// When the clock alone will change it.
    pub(crate) next: Option<Timestamp>,
}

/// What the copy of a fact must be.
#[derive(Default)]
pub(crate) struct Image {
    pub(crate) row: Option<Row>,
    /// When the clock alone will change it.
    pub(crate) next: Option<Timestamp>,
    /// Whose it is; none where the ledger does not know the fact.
    pub(crate) scope: Option<Scope>,
}

impl Desk {
    /// The version must have been read before: who writes about the fact in between comes first.
    pub(crate) async fn plan(
        &self,
        operation: Operation,
        version: Version,
        now: Timestamp,
    ) -> Result<Plan, (Operation, StoreError)> {
        match self.image(&operation.tenant, operation.fact, now).await {
            Ok(Image { row, next, scope }) => {
                let gone = || Write::remove(operation.tenant.clone(), Source::Fact, operation.fact);
                let write = row.map_or_else(gone, Write::put).after(version);
                let owner = scope.map(|scope| scope.anchor().to_string());
                Ok(Plan { operation, write, owner, next })
            }
            Err(error) => Err((operation, error)),
        }
    }

    /// What the copy of a fact must be at `now`.
    pub(crate) async fn image(&self, tenant: &Id, fact: FactId, now: Timestamp) -> Result<Image, StoreError> {
        let reader = Reader { tenant: tenant.clone(), sight: Sight::Admin };
        let Some(case) = self.ledger.case(&reader, &Sought::Fact(fact)).await? else {
            return Ok(Image::default());
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
                vectors: None,
            })
        });
        Ok(Image { row, next: head.truth.next_turn(now), scope: Some(head.scope.clone()) })
    }
}

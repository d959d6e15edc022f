//! What makes the copy of one fact equal to its truth.

use fact::{Content, FactId, Id, LegacyRow, Reader, RevisionNumber, Scope, Sight, Timestamp};
use index::{Around, Row, Source, Vectors, Version, Write};
use ledger::{Operation, Sought, StoreError};

use crate::Desk;

/// An operation with what has to be written for it.
pub(crate) struct Plan {
    pub(crate) operation: Operation,
    /// The row that it must have; none where nothing of it is current.
    pub(crate) row: Option<Row>,
    version: Version,
    /// Why nobody knows what it means.
    pub(crate) unembedded: Option<Unembedded>,
    /// Whose it is, where the ledger knows the fact.
    pub(crate) owner: Option<String>,
    /// When the clock alone will change it.
    pub(crate) next: Option<Timestamp>,
}

/// Why a row has no vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unembedded {
    /// The embedder takes nothing from anyone.
    Later {
        /// The class of error.
        error: &'static str,
        /// When to try again.
        next: Timestamp,
    },
    /// It takes others, but not this.
    Refused,
}

impl Plan {
    /// What makes the copy equal to the truth.
    pub(crate) fn write(&self) -> Write {
        let Operation { tenant, fact, .. } = &self.operation;
        let gone = || Write::remove(tenant.clone(), Source::of(*fact), *fact);
        self.row.clone().map_or_else(gone, Write::put).after(self.version)
    }

    /// Says why its row has no vectors.
    pub(crate) fn lacks_vectors(&mut self, why: Unembedded) {
        self.unembedded = self.row.as_ref().map(|_| why);
    }

    pub(crate) fn give(&mut self, vectors: Vectors) {
        if let Some(row) = &mut self.row {
            row.vectors.push(vectors);
        }
    }
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

impl Image {
    /// What may not be recalled has no copy.
    fn of_legacy(legacy: &LegacyRow, now: Timestamp) -> Self {
        let row = legacy.copied(now).is_ok().then(|| {
            let content = Content::of_text(&legacy.legacy.text);
            Row {
                source: Source::Legacy,
                fact: legacy.row,
                revision: RevisionNumber::FIRST,
                kind: legacy.legacy.kind(),
                scope: legacy.scope.clone(),
                digest: content.hash(),
                text: content.text(),
                around: Around::default(),
                vectors: Vec::new(),
            }
        });
        Self { row, next: legacy.next_turn(now), scope: Some(legacy.scope.clone()) }
    }
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
                let owner = scope.map(|scope| scope.anchor().to_string());
                Ok(Plan { operation, row, version, unembedded: None, owner, next })
            }
            Err(error) => Err((operation, error)),
        }
    }

    /// What the copy of a fact, or of a legacy row, must be at `now`.
    pub(crate) async fn image(&self, tenant: &Id, fact: FactId, now: Timestamp) -> Result<Image, StoreError> {
        if fact.is_legacy() {
            let row = self.ledger.legacy(tenant, fact).await?;
            return Ok(row.map_or_else(Image::default, |row| Image::of_legacy(&row, now)));
        }
        let reader = Reader { tenant: tenant.clone(), sight: Sight::Admin };
        let Some(case) = self.ledger.case(&reader, &Sought::Fact(fact)).await? else {
            return Ok(Image::default());
        };
        let head = &case.head;
        let settled = head.truth.settled(now).filter(|number| !head.quarantined.contains(number));
        let row = settled.and_then(|number| {
            let revision = case.revision(number)?;
            let content = revision.content()?;
            Some(Row {
                source: Source::Fact,
                fact: head.fact,
                revision: number,
                kind: head.kind.clone(),
                scope: head.scope.clone(),
                digest: content.hash(),
                text: content.text(),
                around: Around::of(&head.scope, &revision.saying.provenance),
                vectors: Vec::new(),
            })
        });
        Ok(Image { row, next: head.truth.next_turn(now), scope: Some(head.scope.clone()) })
    }
}

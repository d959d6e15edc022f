//! Proposals that wait for an owner, and what became of them.

use fact::{
    Cause, Ending, FactId, FactType, Happening, Head, Id, Reader, ReviewId, Revision, SaidAgain, Scope,
    Truth, Verdict, canonical,
};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row as _};

use crate::error::StoreError;
use crate::{Ledger, row};

/// A proposal that waits for the owner.
#[derive(Debug, Clone)]
pub struct HeldBack {
    /// What waits.
    pub review: ReviewId,
    /// The fact it was aimed at.
    pub fact: FactId,
    /// What kind of fact that is, or would be.
    pub kind: FactType,
    /// Whose that is.
    pub scope: Scope,
    /// Why it waits.
    pub cause: Cause,
    /// What was proposed: its number stands for nothing yet.
    pub proposed: Revision,
}

impl Ledger {
    /// Proposals that wait for this reader's decision, newest first.
    pub async fn held_back(&self, reader: &Reader) -> Result<Vec<HeldBack>, StoreError> {
        let mut connection = self.reader().await?;
        let rows = sqlx::query(include_str!("sql/reviews_open.sql"))
            .bind(reader.tenant.as_str())
            .fetch_all(&mut *connection)
            .await?;
        let mut all = Vec::new();
        for found in &rows {
            let head = row::head(found, 0)?;
            if !reader.may_read(&head.scope) {
                continue;
            }
            let review = review_id(&found.try_get::<String, _>(1)?)?;
            let (cause, proposed) = proposed(&reader.tenant, &head, found, 2)?;
            let Head { fact, kind, scope, .. } = head;
            all.push(HeldBack { review, fact, kind, scope, cause, proposed });
        }
        Ok(all)
    }

    /// Everything that was held back of a fact, whatever became of the fact.
    pub async fn held_of(&self, tenant: &Id, head: &Head) -> Result<Vec<SaidAgain>, StoreError> {
        held(&mut *self.reader().await?, tenant, head).await
    }

    /// What an agent proposed of one kind for one scope that never became a fact: the facts that it would be, newest last.
    pub async fn unapproved(
        &self,
        tenant: &Id,
        kind: &FactType,
        scope: &Scope,
    ) -> Result<Vec<FactId>, StoreError> {
        let mut connection = self.reader().await?;
        let rows = sqlx::query(include_str!("sql/facts_unapproved.sql"))
            .bind(tenant.as_str())
            .bind(Cause::MemoryFact.name())
            .bind(kind.as_str())
            .bind(canonical(scope))
            .fetch_all(&mut *connection)
            .await?;
        rows.iter().map(|found| row::fact_id("reviews", &found.try_get::<String, _>(0)?)).collect()
    }

    /// The fact that a review is, or was, about. None where it is unknown or not this reader's.
    pub async fn fact_of_review(
        &self,
        reader: &Reader,
        review: ReviewId,
    ) -> Result<Option<FactId>, StoreError> {
        self.fact_of(reader, include_str!("sql/review_find.sql"), &review.to_string()).await
    }
}

/// What was held back of a fact that is forgotten, or of which something waits: what waits, and what was dismissed for good.
pub(crate) async fn said_again(
    connection: &mut AnyConnection,
    tenant: &Id,
    head: &Head,
) -> Result<Vec<SaidAgain>, StoreError> {
    match &head.truth {
        Truth::Ended(Ending::Retracted { .. } | Ending::Unapproved { .. }) => {}
        Truth::Settled(_) | Truth::Contested(_) | Truth::Ended(_) if head.asked.is_empty() => {
            return Ok(Vec::new());
        }
        Truth::Settled(_) | Truth::Contested(_) | Truth::Ended(_) => {}
    }
    held(connection, tenant, head).await
}

async fn held(
    connection: &mut AnyConnection,
    tenant: &Id,
    head: &Head,
) -> Result<Vec<SaidAgain>, StoreError> {
    let rows = sqlx::query(include_str!("sql/reviews_of.sql"))
        .bind(tenant.as_str())
        .bind(head.fact.to_string())
        .fetch_all(connection)
        .await?;
    let mut said = Vec::new();
    for found in &rows {
        let closed: Option<String> = found.try_get(14)?;
        let dismissed = closed.is_some_and(|body| is_dismissal(&body));
        if dismissed || found.try_get::<Option<i64>, _>(15)?.is_none() {
            let review = review_id(&found.try_get::<String, _>(0)?)?;
            let (cause, proposed) = proposed(tenant, head, found, 1)?;
            said.push(SaidAgain { review, cause, proposed, dismissed });
        }
    }
    Ok(said)
}

/// Whether the event that closed a review dismissed it.
fn is_dismissal(body: &str) -> bool {
    let closed: Result<Happening, _> = serde_json::from_str(body);
    matches!(closed, Ok(Happening::ReviewClosed { verdict: Verdict::Dismissed, .. }))
}

fn review_id(stored: &str) -> Result<ReviewId, StoreError> {
    ReviewId::parse(stored).map_err(|bad| StoreError::damaged("reviews", stored, bad))
}

/// What was proposed; its event and words begin at that column.
fn proposed(tenant: &Id, head: &Head, found: &AnyRow, at: usize) -> Result<(Cause, Revision), StoreError> {
    let stored = row::event(tenant, found, at)?;
    let (position, held) = (stored.event.position, stored.event.happening.held_back());
    let (_, cause) = held.ok_or_else(|| StoreError::damaged("reviews", position, "nothing waits there"))?;
    let words = stored.open(row::words(found, at + 11)?.as_ref())?;
    Ok((cause, stored.numbered(head.next_revision(), words)?))
}

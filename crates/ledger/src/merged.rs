//! Facts that were merged into another one: who goes on for them, and what that one rests on through them.

use fact::{Ending, Head, Id, Merged, RevisionNumber, Truth};
use sqlx::AnyConnection;

use crate::error::StoreError;
use crate::{find, read};

/// The fact that goes on for a merged one. It itself where it was not merged, or where that one is gone or belongs to
/// another scope by now.
pub(crate) async fn follow(
    connection: &mut AnyConnection,
    tenant: &Id,
    head: Head,
) -> Result<Head, StoreError> {
    let mut last = head.clone();
    while last.truth.merged_into().is_some() {
        let Some(next) = next(connection, tenant, &last).await? else { return Ok(head) };
        last = next;
    }
    Ok(last)
}

/// The fact that says today what a merged one said: as `follow`, as long as what it was merged into still counts.
pub(crate) async fn speaks(
    connection: &mut AnyConnection,
    tenant: &Id,
    head: Head,
) -> Result<Option<Head>, StoreError> {
    let mut last = head;
    while last.truth.merged_into().is_some() {
        let Some(next) = next(connection, tenant, &last).await? else { return Ok(None) };
        let named = next.truth.revisions();
        let mut links = next.absorbed.iter().filter(|link| link.fact == last.fact);
        if !links.any(|link| named.contains(&link.revision)) {
            return Ok(None);
        }
        last = next;
    }
    Ok(Some(last))
}

/// The fact that one was merged into, where it is there and of the same scope.
async fn next(
    connection: &mut AnyConnection,
    tenant: &Id,
    merged: &Head,
) -> Result<Option<Head>, StoreError> {
    let Some(into) = merged.truth.merged_into() else { return Ok(None) };
    let next = find::present(connection, tenant, into).await?;
    let is_gone = matches!(next.truth, Truth::Ended(Ending::Erased { .. }));
    Ok((!is_gone && next.scope == merged.scope).then_some(next))
}

/// The revisions of other facts that a revision rests on because they were merged into it, and of those that had been
/// merged into these before. What belongs to another scope by now, or stands by itself again, is left out.
pub(crate) async fn into(
    connection: &mut AnyConnection,
    tenant: &Id,
    head: &Head,
    number: RevisionNumber,
) -> Result<Vec<Merged>, StoreError> {
    let mut merged = Vec::new();
    let mut open = vec![(head.clone(), number)];
    while let Some((by, of)) = open.pop() {
        for link in by.absorbed.iter().filter(|link| link.revision == of) {
            let other = find::present(connection, tenant, link.fact).await?;
            if other.scope == head.scope && other.truth.merged_into() == Some(by.fact) {
                let revision = read::alone(connection, tenant, link.fact, link.of).await?;
                merged.push(Merged { into: number, fact: link.fact, revision });
                open.push((other, link.of));
            }
        }
    }
    Ok(merged)
}

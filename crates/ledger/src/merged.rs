//! Facts that were merged into another one: who goes on for them, and what that one rests on through them.

use fact::{Ending, FactId, Head, Id, Revision, RevisionNumber, Truth};
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
    let (scope, mut last) = (head.scope.clone(), head.clone());
    while let Some(into) = last.truth.merged_into() {
        let Some(next) = find::head(connection, tenant, into).await? else { return Ok(head) };
        let is_gone = matches!(next.truth, Truth::Ended(Ending::Erased { .. }));
        if is_gone || next.scope != scope {
            return Ok(head);
        }
        last = next;
    }
    Ok(last)
}

/// The revisions of other facts that a revision rests on because they were merged into it, and of those that had been
/// merged into these before. What belongs to another scope by now is left out.
pub(crate) async fn into(
    connection: &mut AnyConnection,
    tenant: &Id,
    head: &Head,
    number: RevisionNumber,
) -> Result<Vec<Revision>, StoreError> {
    let mut merged = Vec::new();
    let mut open = linked(head, number);
    while let Some((fact, number)) = open.pop() {
        let Some(other) = find::head(connection, tenant, fact).await? else { continue };
        if other.scope == head.scope {
            merged.push(read::alone(connection, tenant, fact, number).await?);
            open.extend(linked(&other, number));
        }
    }
    Ok(merged)
}

fn linked(head: &Head, number: RevisionNumber) -> Vec<(FactId, RevisionNumber)> {
    let links = head.absorbed.iter().filter(|link| link.revision == number);
    links.map(|link| (link.fact, link.of)).collect()
}

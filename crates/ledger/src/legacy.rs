//! Legacy rows: memories from before the ledger, kept beside its events until a review has decided about each of them.

use std::collections::BTreeSet;

use fact::{
    Content, Evidence, EvidenceKind, FactId, Id, Legacy, Position, Scope, Timestamp, Words, canonical, hex,
};
use futures_core::future::BoxFuture;
use sqlx::{AnyConnection, Row as _};

use crate::batch::Batch;
use crate::error::StoreError;
use crate::operations::{SEARCH_COPY, order};
use crate::writer::Tx;
use crate::{Ledger, commitment, older, row, tenant};

/// What was brought in of one legacy memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Imported {
    /// Its row.
    pub row: FactId,
    /// What became of it.
    pub fate: ImportFate,
}

/// What became of a memory that was to be brought in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportFate {
    /// It is a row now.
    New,
    /// It was one before. As long as nobody has decided about it, it says what its source says now.
    Known,
    /// It was let go of for ever, and does not come back.
    Gone,
}

impl Ledger {
    /// Brings memories in for the readers of a scope: those that are new become rows, and their copies are ordered. What
    /// says the same from the same place of the same source, for the same scope, is the same row.
    pub async fn import_legacy(
        &self,
        scope: Scope,
        memories: Vec<Legacy>,
        now: Timestamp,
        entropy: [u8; 32],
    ) -> Result<Vec<Imported>, StoreError> {
        self.writer
            .run(move |tx| -> BoxFuture<'_, Result<Vec<Imported>, StoreError>> {
                let (scope, memories) = (scope.clone(), memories.clone());
                Box::pin(async move {
                    let mut imported = Vec::with_capacity(memories.len());
                    let secret = tenant::lock(tx, &scope.tenant, &entropy).await?.secret.clone();
                    for (number, memory) in memories.iter().enumerate() {
                        let row = id_of(&secret, &scope, memory);
                        let salt = commitment::derived(&entropy, &format!("legacy salt {number}"));
                        let fate = bring(tx, (&scope, row), memory, (&secret, &salt), now).await?;
                        crate::crash::point("import.row");
                        imported.push(Imported { row, fate });
                    }
                    Ok(imported)
                })
            })
            .await
    }

    /// What `import_legacy` would make of them. Nothing changes.
    pub async fn find_legacy(&self, scope: &Scope, memories: &[Legacy]) -> Result<Vec<Imported>, StoreError> {
        let mut connection = self.reader().await?;
        let secret = self.secret(&mut connection, &scope.tenant).await?.unwrap_or_default();
        let mut found = Vec::with_capacity(memories.len());
        for memory in memories {
            let row = id_of(&secret, scope, memory);
            let known = older::find(&mut connection, &scope.tenant, row).await?;
            let fate = match known.transpose()? {
                Some(_) => ImportFate::Known,
                None if is_gone(&mut connection, &scope.tenant, row).await? => ImportFate::Gone,
                None => ImportFate::New,
            };
            found.push(Imported { row, fate });
        }
        Ok(found)
    }

    /// Lets go of legacy rows, words and all, and orders their copies to go. Gives how many there were.
    pub async fn drop_legacy(
        &self,
        tenant: Id,
        rows: Vec<FactId>,
        now: Timestamp,
    ) -> Result<u64, StoreError> {
        self.writer
            .run(move |tx| -> BoxFuture<'_, Result<u64, StoreError>> {
                let (tenant, rows) = (tenant.clone(), rows.clone());
                Box::pin(async move { drop_rows(tx, &tenant, &rows, now).await })
            })
            .await
    }
}

/// Lets go of rows, words and all, for ever: no import brings them back.
pub(crate) async fn drop_rows(
    tx: &mut Tx,
    tenant: &Id,
    rows: &[FactId],
    now: Timestamp,
) -> Result<u64, StoreError> {
    let mut dropped = 0;
    for row in rows {
        if remove(tx, tenant, *row, now).await? {
            for sql in [include_str!("sql/legacy_gone.sql"), include_str!("sql/legacy_uncite_all.sql")] {
                let query = sqlx::query(sql).bind(tenant.as_str()).bind(row.to_string());
                query.execute(&mut tx.connection).await?;
            }
            dropped += 1;
        }
    }
    Ok(dropped)
}

/// Removes a row, and orders its copy to go.
async fn remove(tx: &mut Tx, tenant: &Id, row: FactId, now: Timestamp) -> Result<bool, StoreError> {
    let gone = sqlx::query(include_str!("sql/legacy_drop.sql"))
        .bind(tenant.as_str())
        .bind(row.to_string())
        .execute(&mut tx.connection)
        .await?;
    if gone.rows_affected() == 0 {
        return Ok(false);
    }
    order(tx, tenant, row, now).await?;
    Ok(true)
}

/// The rows of the same owner that say what a fact said.
pub(crate) async fn saying(
    tx: &mut Tx,
    secret: &[u8],
    scope: &Scope,
    content: &Content,
) -> Result<Vec<FactId>, StoreError> {
    let rows = sqlx::query(include_str!("sql/legacy_saying.sql"))
        .bind(scope.tenant.as_str())
        .bind(commitment::says(secret, scope, content))
        .fetch_all(&mut tx.connection)
        .await?;
    rows.iter().map(|found| row::fact_id("legacy_rows", &found.try_get::<String, _>(0)?)).collect()
}

/// Those of the rows that the words rest on which are the same owner's: nobody disposes of another's by naming it.
pub(crate) async fn own_cited(
    tx: &mut Tx,
    scope: &Scope,
    cited: BTreeSet<FactId>,
) -> Result<Vec<FactId>, StoreError> {
    let mut own = Vec::new();
    for row in cited {
        let found = sqlx::query(include_str!("sql/legacy_owner.sql"))
            .bind(scope.tenant.as_str())
            .bind(row.to_string())
            .fetch_optional(&mut tx.connection)
            .await?;
        let owner: Option<String> = found.map(|found| found.try_get(0)).transpose()?;
        own.extend((owner == Some(scope.anchor().token())).then_some(row));
    }
    Ok(own)
}

/// The legacy rows that words rest on.
pub(crate) fn cited(words: &Words) -> BTreeSet<FactId> {
    let cited = |evidence: &Evidence| match evidence.kind {
        EvidenceKind::Legacy => FactId::parse(evidence.id.as_str()).ok().filter(FactId::is_legacy),
        EvidenceKind::Message | EvidenceKind::Run | EvidenceKind::Operator => None,
    };
    words.evidence.iter().filter_map(cited).collect()
}

/// Notes which legacy rows an event's fact rests on, and orders their copies to go.
pub(crate) fn cite(batch: &mut Batch, tenant: &Id, position: Position, cited: &[FactId], now: Timestamp) {
    for row in cited {
        let row = row.to_string();
        let cited = vec![tenant.as_str().into(), row.as_str().into(), position.get().into()];
        batch.add("legacy_citations", include_str!("sql/legacy_cite.sql"), cited);
        let ordered = vec![tenant.as_str().into(), SEARCH_COPY.into(), row.into(), now.micros().into()];
        batch.add("operations", include_str!("sql/operation_order.sql"), ordered);
    }
}

/// Makes a memory a row, or finds that it is one.
async fn bring(
    tx: &mut Tx,
    (scope, row): (&Scope, FactId),
    memory: &Legacy,
    (secret, salt): (&[u8], &[u8]),
    now: Timestamp,
) -> Result<ImportFate, StoreError> {
    let tenant = &scope.tenant;
    let place = place_of(secret, scope, memory);
    let (scope_text, doc) = (canonical(scope), canonical(memory));
    let promise = commitment::legacy(salt, &scope_text, &doc);
    let added = sqlx::query(include_str!("sql/legacy_add.sql"))
        .bind(tenant.as_str())
        .bind(row.to_string())
        .bind(scope.anchor().token())
        .bind(scope_text)
        .bind(commitment::says(secret, scope, &Content::of_text(&memory.text)))
        .bind(place.clone())
        .bind(doc.as_str())
        .bind(salt.to_vec())
        .bind(promise.clone())
        .bind(now.micros())
        .execute(&mut tx.connection)
        .await?;
    if added.rows_affected() > 0 {
        order(tx, tenant, row, now).await?;
        if let Some(place) = place {
            replaced(tx, tenant, (&place, row), now).await?;
        }
        return Ok(ImportFate::New);
    }
    if is_gone(&mut tx.connection, tenant, row).await? {
        return Ok(ImportFate::Gone);
    }
    let renewed = sqlx::query(include_str!("sql/legacy_renew.sql"))
        .bind(tenant.as_str())
        .bind(row.to_string())
        .bind(doc)
        .bind(salt.to_vec())
        .bind(promise)
        .execute(&mut tx.connection)
        .await?;
    if renewed.rows_affected() > 0 {
        order(tx, tenant, row, now).await?;
    }
    Ok(ImportFate::Known)
}

/// Its source says something else in the place of a row that nobody has decided about.
async fn replaced(
    tx: &mut Tx,
    tenant: &Id,
    (place, by): (&str, FactId),
    now: Timestamp,
) -> Result<(), StoreError> {
    let rows = sqlx::query(include_str!("sql/legacy_at_place.sql"))
        .bind(tenant.as_str())
        .bind(place)
        .bind(by.to_string())
        .fetch_all(&mut tx.connection)
        .await?;
    for found in &rows {
        remove(tx, tenant, row::fact_id("legacy_rows", &found.try_get::<String, _>(0)?)?, now).await?;
    }
    Ok(())
}

async fn is_gone(connection: &mut AnyConnection, tenant: &Id, row: FactId) -> Result<bool, StoreError> {
    let found = sqlx::query(include_str!("sql/legacy_is_gone.sql"))
        .bind(tenant.as_str())
        .bind(row.to_string())
        .fetch_optional(connection)
        .await?;
    Ok(found.is_some())
}

/// Where it stands, as it can be looked up, for sources in which a place holds one memory.
fn place_of(secret: &[u8], scope: &Scope, memory: &Legacy) -> Option<String> {
    let image = canonical(&(memory.source, scope, memory.sole_place()?));
    Some(hex(&commitment::name(secret, &format!("legacy place\0{image}"))))
}

/// The same memory has the same id in this ledger, and nobody can guess it from the words.
fn id_of(secret: &[u8], scope: &Scope, memory: &Legacy) -> FactId {
    let image = canonical(&(memory.source, scope, memory.origin_place(), &memory.text));
    let digest = commitment::name(secret, &format!("legacy\0{image}"));
    let mut short = [0; 16];
    short.copy_from_slice(&digest[..16]);
    FactId::legacy(short)
}

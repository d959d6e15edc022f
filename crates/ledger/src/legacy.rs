//! Legacy rows: memories from before the ledger, kept beside its events until a review has decided about each of them.

use std::collections::BTreeSet;

use fact::{
    Container, Evidence, EvidenceKind, FactId, Id, Legacy, LegacyDecision, LegacyRow, Position, Reader,
    Scope, Standing, Text, Timestamp, Words, canonical, hex,
};
use futures_core::future::BoxFuture;
use sqlx::Row as _;
use sqlx::any::AnyRow;

use crate::batch::Batch;
use crate::error::StoreError;
use crate::operations::SEARCH_COPY;
use crate::writer::Tx;
use crate::{Ledger, commitment, row, tenant};

/// Rows read at a time.
const ROWS_A_PAGE: i64 = 1_000;

/// What was brought in of one legacy memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Imported {
    /// Its row.
    pub row: FactId,
    /// Whether it was not there before.
    pub is_new: bool,
}

/// A legacy row with the digest that a review names it by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptLegacy {
    /// The row.
    pub row: LegacyRow,
    /// Digest of what it says, under a salt of its own.
    pub digest: String,
}

/// How the legacy rows of one owner stand.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Census {
    /// Nobody has decided about them, and no review of this owner's was applied.
    pub legacy: u64,
    /// A fact rests on them, or they were kept as records of what happened.
    pub absorbed: u64,
    /// A review rejected them.
    pub rejected: u64,
    /// A review left them to another one.
    pub deferred: u64,
    /// A review of this owner's was applied, and nobody has decided about them.
    pub unclassified: u64,
}

impl Census {
    /// All of them.
    pub fn rows(&self) -> u64 {
        let Self { legacy, absorbed, rejected, deferred, unclassified } = self;
        legacy + absorbed + rejected + deferred + unclassified
    }

    /// Counts others with them.
    pub fn add(&mut self, other: &Self) {
        let Self { legacy, absorbed, rejected, deferred, unclassified } = other;
        self.legacy += legacy;
        self.absorbed += absorbed;
        self.rejected += rejected;
        self.deferred += deferred;
        self.unclassified += unclassified;
    }
}

/// The census of one owner's rows, or of those of one scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnerCensus {
    /// The tenant.
    pub tenant: Id,
    /// Their scope, or one of those of their owner.
    pub scope: Scope,
    /// Whether a review of theirs was applied, or has begun to be: none of them is recalled any more.
    pub is_reconciled: bool,
    /// How they stand.
    pub census: Census,
}

impl OwnerCensus {
    /// Whose they are.
    pub fn owner(&self) -> Container {
        self.scope.anchor()
    }

    fn is_of(&self, other: &Self) -> bool {
        self.tenant == other.tenant && self.owner() == other.owner()
    }

    /// Those of one owner as one, in the order of tenants and owners.
    pub fn joined(several: Vec<Self>) -> Vec<Self> {
        let mut owners: Vec<Self> = Vec::new();
        for one in several {
            match owners.iter_mut().find(|known| known.is_of(&one)) {
                Some(known) => known.census.add(&one.census),
                None => owners.push(one),
            }
        }
        owners.sort_by_key(|one| (one.tenant.clone(), one.owner().to_string()));
        owners
    }
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
                        let is_new = insert(tx, &scope, row, memory, &salt, now).await?;
                        if is_new {
                            order(tx, &scope.tenant, row, now).await?;
                        }
                        crate::crash::point("import.row");
                        imported.push(Imported { row, is_new });
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
        drop(connection);
        let mut found = Vec::with_capacity(memories.len());
        for memory in memories {
            let row = id_of(&secret, scope, memory);
            let is_new = self.legacy(&scope.tenant, row).await?.is_none();
            found.push(Imported { row, is_new });
        }
        Ok(found)
    }

    /// A legacy row, whoever may read it.
    pub async fn legacy(&self, tenant: &Id, row: FactId) -> Result<Option<LegacyRow>, StoreError> {
        let mut connection = self.reader().await?;
        let found = sqlx::query(include_str!("sql/legacy_find.sql"))
            .bind(tenant.as_str())
            .bind(row.to_string())
            .fetch_optional(&mut *connection)
            .await?;
        found.map(|found| kept(tenant, &found).map(|kept| kept.row)).transpose()
    }

    /// Legacy rows in the order of their ids, from beyond `after` on: of one owner, by its token, where it is given.
    pub async fn legacy_after(
        &self,
        tenant: &Id,
        owner: Option<&str>,
        after: Option<FactId>,
        limit: u32,
    ) -> Result<Vec<KeptLegacy>, StoreError> {
        let mut connection = self.reader().await?;
        let rows = sqlx::query(include_str!("sql/legacy_after.sql"))
            .bind(tenant.as_str())
            .bind(after.map_or_else(String::new, |row| row.to_string()))
            .bind(owner.map(str::to_owned))
            .bind(i64::from(limit))
            .fetch_all(&mut *connection)
            .await?;
        rows.iter().map(|found| kept(tenant, found)).collect()
    }

    /// Legacy rows that this reader may be shown at `now`. What is decided about, or reviewed, is not looked at.
    pub async fn recallable_legacy(
        &self,
        reader: &Reader,
        now: Timestamp,
    ) -> Result<Vec<LegacyRow>, StoreError> {
        let (mut recallable, mut after) = (Vec::new(), String::new());
        loop {
            let mut connection = self.reader().await?;
            let rows = sqlx::query(include_str!("sql/legacy_recallable.sql"))
                .bind(reader.tenant.as_str())
                .bind(after.as_str())
                .bind(ROWS_A_PAGE)
                .fetch_all(&mut *connection)
                .await?;
            drop(connection);
            for found in &rows {
                after = found.try_get(0)?;
                let row = kept(&reader.tenant, found)?.row;
                if reader.may_read(&row.scope) && row.admission(now).is_ok() {
                    recallable.push(row);
                }
            }
            if i64::try_from(rows.len()).map_or(true, |rows| rows < ROWS_A_PAGE) {
                return Ok(recallable);
            }
        }
    }

    /// How the rows of each scope stand, of one tenant or of all.
    pub async fn legacy_census(&self, tenant: Option<&Id>) -> Result<Vec<OwnerCensus>, StoreError> {
        let mut connection = self.reader().await?;
        let rows = sqlx::query(include_str!("sql/legacy_census.sql"))
            .bind(tenant.map(|tenant| tenant.as_str().to_owned()))
            .fetch_all(&mut *connection)
            .await?;
        rows.iter().map(census).collect()
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

/// Lets go of rows, words and all.
pub(crate) async fn drop_rows(
    tx: &mut Tx,
    tenant: &Id,
    rows: &[FactId],
    now: Timestamp,
) -> Result<u64, StoreError> {
    let mut dropped = 0;
    for row in rows {
        let gone = sqlx::query(include_str!("sql/legacy_drop.sql"))
            .bind(tenant.as_str())
            .bind(row.to_string())
            .execute(&mut tx.connection)
            .await?
            .rows_affected();
        if gone > 0 {
            order(tx, tenant, *row, now).await?;
        }
        dropped += gone;
    }
    Ok(dropped)
}

/// Orders the copy of a row to be made again.
pub(crate) async fn order(tx: &mut Tx, tenant: &Id, row: FactId, now: Timestamp) -> Result<(), StoreError> {
    sqlx::query(include_str!("sql/operation_order.sql"))
        .bind(tenant.as_str())
        .bind(SEARCH_COPY)
        .bind(row.to_string())
        .bind(now.micros())
        .execute(&mut tx.connection)
        .await?;
    Ok(())
}

/// The legacy rows that words rest on.
pub(crate) fn cited(words: &Words) -> BTreeSet<FactId> {
    let cited = |evidence: &Evidence| match evidence.kind {
        EvidenceKind::Legacy => FactId::parse(evidence.id.as_str()).ok().filter(FactId::is_legacy),
        EvidenceKind::Message | EvidenceKind::Run | EvidenceKind::Operator => None,
    };
    words.evidence.iter().filter_map(cited).collect()
}

/// Notes which legacy rows the words of an event rest on, and orders their copies to go.
pub(crate) fn cite(batch: &mut Batch, tenant: &Id, position: Position, words: &Words, now: Timestamp) {
    for row in cited(words) {
        let row = row.to_string();
        let cited = vec![tenant.as_str().into(), row.as_str().into(), position.get().into()];
        batch.add("legacy_citations", include_str!("sql/legacy_cite.sql"), cited);
        let ordered = vec![tenant.as_str().into(), SEARCH_COPY.into(), row.into(), now.micros().into()];
        batch.add("operations", include_str!("sql/operation_order.sql"), ordered);
    }
}

async fn insert(
    tx: &mut Tx,
    scope: &Scope,
    row: FactId,
    memory: &Legacy,
    salt: &[u8],
    now: Timestamp,
) -> Result<bool, StoreError> {
    let (doc, scope_text) = (canonical(memory), canonical(scope));
    let promise = commitment::commit(salt, &format!("{scope_text}\0{doc}"));
    let added = sqlx::query(include_str!("sql/legacy_add.sql"))
        .bind(scope.tenant.as_str())
        .bind(row.to_string())
        .bind(scope.anchor().token())
        .bind(scope_text)
        .bind(doc)
        .bind(salt.to_vec())
        .bind(promise)
        .bind(now.micros())
        .execute(&mut tx.connection)
        .await?;
    Ok(added.rows_affected() > 0)
}

/// The same memory has the same id in this ledger, and nobody can guess it from the words.
fn id_of(secret: &[u8], scope: &Scope, memory: &Legacy) -> FactId {
    let image = canonical(&(memory.source, scope, memory.origin_place(), &memory.text));
    let digest = commitment::name(secret, &format!("legacy\0{image}"));
    let mut short = [0; 16];
    short.copy_from_slice(&digest[..16]);
    FactId::legacy(short)
}

/// Refuses a row whose words are not those that were brought in.
pub(crate) fn check_words(
    row: &str,
    scope: &str,
    doc: &str,
    salt: &[u8],
    promise: &[u8],
) -> Result<(), StoreError> {
    if commitment::commit(salt, &format!("{scope}\0{doc}")) == promise {
        return Ok(());
    }
    Err(StoreError::damaged("legacy_rows", row, "its words are not those that were brought in"))
}

/// A stored row, where its words are those that were brought in.
pub(crate) fn kept(tenant: &Id, found: &AnyRow) -> Result<KeptLegacy, StoreError> {
    let id: String = found.try_get(0)?;
    let (scope, doc): (String, String) = (found.try_get(1)?, found.try_get(2)?);
    let (salt, promise): (Vec<u8>, Vec<u8>) = (found.try_get(3)?, found.try_get(4)?);
    check_words(&id, &scope, &doc, &salt, &promise)?;
    let decision: Option<String> = found.try_get(6)?;
    let decision = decision.map(|name| decided(&id, &name)).transpose()?;
    let scope: Scope = row::json("legacy_rows", &id, &scope)?;
    if scope.tenant != *tenant {
        return Err(StoreError::damaged("legacy_rows", id, "its scope is of another tenant"));
    }
    let row = LegacyRow {
        row: row::fact_id("legacy_rows", &id)?,
        scope,
        legacy: row::json("legacy_rows", &id, &doc)?,
        imported_at: Timestamp::from_micros(found.try_get(5)?),
        standing: Standing {
            is_reconciled: found.try_get::<i64, _>(9)? > 0,
            is_cited: found.try_get::<i64, _>(8)? > 0,
            decision,
            note: found.try_get::<Option<String>, _>(7)?.map(Text::stored),
            was_rolled_back: found.try_get::<i64, _>(10)? > 0,
        },
    };
    Ok(KeptLegacy { row, digest: hex(&promise) })
}

fn decided(row: &str, name: &str) -> Result<LegacyDecision, StoreError> {
    LegacyDecision::parse(name)
        .ok_or_else(|| StoreError::damaged("legacy_rows", row, "its decision is none that there is"))
}

/// One line of the census: the rows of a scope that stand alike.
fn census(found: &AnyRow) -> Result<OwnerCensus, StoreError> {
    let (tenant, scope): (String, String) = (found.try_get(0)?, found.try_get(1)?);
    let (decision, is_cited): (Option<String>, i64) = (found.try_get(2)?, found.try_get(3)?);
    let is_reconciled = found.try_get::<i64, _>(4)? > 0;
    let rows = u64::try_from(found.try_get::<i64, _>(5)?).unwrap_or(0);
    let scope: Scope = row::json("legacy_rows", "scope", &scope)?;
    let decision = decision.map(|name| decided("decision", &name)).transpose()?;
    let mut census = Census::default();
    let place = match (decision, is_cited > 0, is_reconciled) {
        (Some(LegacyDecision::Adopted | LegacyDecision::Kept), _, _) | (_, true, _) => &mut census.absorbed,
        (Some(LegacyDecision::Rejected), false, _) => &mut census.rejected,
        (Some(LegacyDecision::Deferred), false, _) => &mut census.deferred,
        (None, false, true) => &mut census.unclassified,
        (None, false, false) => &mut census.legacy,
    };
    *place = rows;
    let tenant =
        Id::parse("tenant", &tenant).map_err(|bad| StoreError::damaged("legacy_rows", &tenant, bad))?;
    Ok(OwnerCensus { tenant, scope, is_reconciled, census })
}

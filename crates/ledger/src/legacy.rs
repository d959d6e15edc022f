//! Legacy rows: memories from before the ledger, kept beside its events until a review has decided about each of them.

use std::collections::BTreeSet;

use fact::{
    Container, Content, Evidence, EvidenceKind, FactId, Held, Id, Legacy, LegacyDecision, LegacyRow,
    Position, Reader, Scope, Standing, Text, Timestamp, Words, canonical, hex,
};
use futures_core::future::BoxFuture;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row as _};

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

/// A legacy row with the digest that a review names it by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptLegacy {
    /// The row.
    pub row: LegacyRow,
    /// Digest of what it says, under a salt of its own.
    pub digest: String,
}

/// A page of legacy rows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LegacyPage {
    /// The rows.
    pub rows: Vec<KeptLegacy>,
    /// Rows beside them that are damaged.
    pub damaged: u64,
    /// The row beyond which the next page begins; none where this was the last.
    pub next: Option<FactId>,
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
        drop(connection);
        let mut found = Vec::with_capacity(memories.len());
        for memory in memories {
            let row = id_of(&secret, scope, memory);
            let mut connection = self.reader().await?;
            let is_gone = is_gone(&mut connection, &scope.tenant, row).await?;
            drop(connection);
            let fate = match self.legacy(&scope.tenant, row).await? {
                Some(_) => ImportFate::Known,
                None if is_gone => ImportFate::Gone,
                None => ImportFate::New,
            };
            found.push(Imported { row, fate });
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

    /// Legacy rows in the order of their ids, from beyond `after` on: of one owner, by its token, where it is given. A
    /// damaged one is counted, and does not stand in the way of the others.
    pub async fn legacy_after(
        &self,
        tenant: &Id,
        owner: Option<&str>,
        after: Option<FactId>,
        limit: u32,
    ) -> Result<LegacyPage, StoreError> {
        let mut connection = self.reader().await?;
        let statement = match owner {
            Some(_) => include_str!("sql/legacy_of_owner.sql"),
            None => include_str!("sql/legacy_after.sql"),
        };
        let query = sqlx::query(statement)
            .bind(tenant.as_str())
            .bind(after.map_or_else(String::new, |row| row.to_string()))
            .bind(i64::from(limit));
        let query = match owner {
            Some(owner) => query.bind(owner.to_owned()),
            None => query,
        };
        let found = query.fetch_all(&mut *connection).await?;
        let last = found.last().map(|last| last.try_get::<String, _>(0)).transpose()?;
        let is_full = u32::try_from(found.len()).is_ok_and(|count| count == limit);
        let next = last.filter(|_| is_full).map(|last| row::fact_id("legacy_rows", &last)).transpose()?;
        let mut page = LegacyPage { next, ..LegacyPage::default() };
        for found in &found {
            match kept(tenant, found) {
                Ok(kept) => page.rows.push(kept),
                Err(StoreError::Damaged { .. }) => page.damaged += 1,
                Err(error) => return Err(error),
            }
        }
        Ok(page)
    }

    /// The legacy rows that a fact rests on.
    pub async fn cited_by(&self, tenant: &Id, fact: FactId) -> Result<Vec<FactId>, StoreError> {
        let mut connection = self.reader().await?;
        let rows = sqlx::query(include_str!("sql/legacy_cited_by.sql"))
            .bind(tenant.as_str())
            .bind(fact.to_string())
            .fetch_all(&mut *connection)
            .await?;
        rows.iter().map(|found| row::fact_id("legacy_citations", &found.try_get::<String, _>(0)?)).collect()
    }

    /// The facts of the same owner that say, or have said, what a row says.
    pub async fn facts_saying(&self, row: &LegacyRow) -> Result<Vec<FactId>, StoreError> {
        let mut connection = self.reader().await?;
        let rows = sqlx::query(include_str!("sql/facts_saying.sql"))
            .bind(row.scope.tenant.as_str())
            .bind(row.row.to_string())
            .fetch_all(&mut *connection)
            .await?;
        rows.iter().map(|found| row::fact_id("revisions", &found.try_get::<String, _>(0)?)).collect()
    }

    /// Legacy rows that this reader may be shown at `now`, and how many damaged ones there are. What is decided about, or
    /// reviewed, is not looked at.
    pub async fn recallable_legacy(
        &self,
        reader: &Reader,
        now: Timestamp,
    ) -> Result<(Vec<LegacyRow>, u64), StoreError> {
        let (mut recallable, mut damaged, mut after) = (Vec::new(), 0, String::new());
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
                match kept(&reader.tenant, found) {
                    Ok(KeptLegacy { row, .. }) => {
                        let is_shown = reader.may_read(&row.scope) && row.admission(now).is_ok();
                        recallable.extend(is_shown.then_some(row));
                    }
                    Err(StoreError::Damaged { .. }) => damaged += 1,
                    Err(error) => return Err(error),
                }
            }
            if i64::try_from(rows.len()).map_or(true, |rows| rows < ROWS_A_PAGE) {
                return Ok((recallable, damaged));
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
    if insert(tx, (scope, row), memory, (secret, salt), place.as_deref(), now).await? {
        order(tx, tenant, row, now).await?;
        if let Some(place) = place {
            replaced(tx, tenant, (&place, row), now).await?;
        }
        return Ok(ImportFate::New);
    }
    if is_gone(&mut tx.connection, tenant, row).await? {
        return Ok(ImportFate::Gone);
    }
    let (scope_text, doc) = (canonical(scope), canonical(memory));
    let renewed = sqlx::query(include_str!("sql/legacy_renew.sql"))
        .bind(tenant.as_str())
        .bind(row.to_string())
        .bind(doc.as_str())
        .bind(salt.to_vec())
        .bind(commitment::commit(salt, &format!("{scope_text}\0{doc}")))
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

async fn insert(
    tx: &mut Tx,
    (scope, row): (&Scope, FactId),
    memory: &Legacy,
    (secret, salt): (&[u8], &[u8]),
    place: Option<&str>,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let (doc, scope_text) = (canonical(memory), canonical(scope));
    let promise = commitment::commit(salt, &format!("{scope_text}\0{doc}"));
    let added = sqlx::query(include_str!("sql/legacy_add.sql"))
        .bind(scope.tenant.as_str())
        .bind(row.to_string())
        .bind(scope.anchor().token())
        .bind(scope_text)
        .bind(commitment::says(secret, scope, &Content::of_text(&memory.text)))
        .bind(place.map(str::to_owned))
        .bind(doc)
        .bind(salt.to_vec())
        .bind(promise)
        .bind(now.micros())
        .execute(&mut tx.connection)
        .await?;
    Ok(added.rows_affected() > 0)
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
    if scope.tenant != *tenant || scope.anchor().token() != found.try_get::<String, _>(12)? {
        return Err(StoreError::damaged("legacy_rows", id, "it is listed as another owner's"));
    }
    let row = LegacyRow {
        row: row::fact_id("legacy_rows", &id)?,
        scope,
        legacy: row::json("legacy_rows", &id, &doc)?,
        imported_at: Timestamp::from_micros(found.try_get(5)?),
        standing: Standing {
            is_reconciled: found.try_get::<i64, _>(9)? > 0,
            held: match (found.try_get::<i64, _>(8)?, found.try_get::<i64, _>(11)?) {
                (0, 0) => Held::Nothing,
                (0, _) => Held::Said,
                (_, _) => Held::Cited,
            },
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

//! Reading legacy rows: each is believed only where its words are those that were brought in.

use fact::{FactId, Held, Id, LegacyDecision, LegacyRow, Reader, Scope, Standing, Text, Timestamp, hex};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row as _};

use crate::error::StoreError;
use crate::{Ledger, commitment, row};

/// Rows read at a time.
const ROWS_A_PAGE: i64 = 1_000;

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

impl Ledger {
    /// A legacy row, whoever may read it.
    pub async fn legacy(&self, tenant: &Id, row: FactId) -> Result<Option<LegacyRow>, StoreError> {
        let mut connection = self.reader().await?;
        let found = find(&mut connection, tenant, row).await?;
        found.map(|kept| kept.map(|kept| kept.row)).transpose()
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
        let (mut recallable, mut damaged) = (Vec::new(), 0);
        let owners: Vec<Option<String>> = match reader.tokens() {
            Some(tokens) => tokens.into_iter().map(Some).collect(),
            None => vec![None],
        };
        for owner in owners {
            let mut after = String::new();
            loop {
                let rows = self.open_legacy(&reader.tenant, owner.as_deref(), &after).await?;
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
                    break;
                }
            }
        }
        Ok((recallable, damaged))
    }

    /// A page of what may still be recalled, of one owner by its token, or of all.
    async fn open_legacy(
        &self,
        tenant: &Id,
        owner: Option<&str>,
        after: &str,
    ) -> Result<Vec<AnyRow>, StoreError> {
        let mut connection = self.reader().await?;
        let statement = match owner {
            Some(_) => include_str!("sql/legacy_recallable_of.sql"),
            None => include_str!("sql/legacy_recallable.sql"),
        };
        let query = sqlx::query(statement).bind(tenant.as_str()).bind(after.to_owned()).bind(ROWS_A_PAGE);
        let query = match owner {
            Some(owner) => query.bind(owner.to_owned()),
            None => query,
        };
        Ok(query.fetch_all(&mut *connection).await?)
    }
}

/// A stored row, and whether it can be believed.
pub(crate) async fn find(
    connection: &mut AnyConnection,
    tenant: &Id,
    row: FactId,
) -> Result<Option<Result<KeptLegacy, StoreError>>, StoreError> {
    let found = sqlx::query(include_str!("sql/legacy_find.sql"))
        .bind(tenant.as_str())
        .bind(row.to_string())
        .fetch_optional(connection)
        .await?;
    Ok(found.map(|found| kept(tenant, &found)))
}

/// Refuses a row whose words are not those that were brought in.
pub(crate) fn check_words(
    row: &str,
    scope: &str,
    doc: &str,
    salt: &[u8],
    promise: &[u8],
) -> Result<(), StoreError> {
    if commitment::legacy(salt, scope, doc) == promise {
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

pub(crate) fn decided(row: &str, name: &str) -> Result<LegacyDecision, StoreError> {
    LegacyDecision::parse(name)
        .ok_or_else(|| StoreError::damaged("legacy_rows", row, "its decision is none that there is"))
}

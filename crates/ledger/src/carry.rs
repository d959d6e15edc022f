//! Legacy rows and adoptions as lines of a dump: they are no events, and would be lost otherwise.

use fact::{Id, Scope, Timestamp, hex};
use serde::{Deserialize, Serialize};
use sqlx::any::{AnyArguments, AnyRow};
use sqlx::{AnyConnection, Row as _};

use crate::error::StoreError;
use crate::operations::order;
use crate::transfer::unhex;
use crate::writer::Tx;
use crate::{older, row};

/// A row of one of these tables, every column as it is stored.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "of", deny_unknown_fields)]
pub(crate) enum Carried {
    #[serde(rename_all = "camelCase")]
    Legacy {
        legacy: String,
        owner: String,
        scope: String,
        says: String,
        place: Option<String>,
        doc: String,
        salt: String,
        commitment: String,
        imported_at: i64,
        decision: Option<String>,
        note: Option<String>,
        adoption: Option<String>,
    },
    #[serde(rename_all = "camelCase")]
    Gone { legacy: String },
    #[serde(rename_all = "camelCase")]
    Citation { legacy: String, position: i64 },
    #[serde(rename_all = "camelCase")]
    Adoption {
        adoption: String,
        owner: String,
        scope: String,
        reviewer: String,
        steps: i64,
        sealed_at: i64,
        begun_at: Option<i64>,
        applied_at: Option<i64>,
        closing_at: Option<i64>,
        rolled_back_at: Option<i64>,
    },
    #[serde(rename_all = "camelCase")]
    Step {
        adoption: String,
        step: i64,
        outcome: String,
        legacy: String,
        fact: Option<String>,
        revision: Option<i64>,
        done_at: i64,
    },
}

type Read = fn(&AnyRow) -> Result<Carried, StoreError>;

/// Everything that a tenant has in these tables. Refuses a row whose words are not those that were brought in.
pub(crate) async fn carried(connection: &mut AnyConnection, tenant: &Id) -> Result<Vec<Carried>, StoreError> {
    let tables: [(&'static str, Read); 5] = [
        (include_str!("sql/carry_legacy.sql"), legacy_row),
        (include_str!("sql/carry_gone.sql"), gone),
        (include_str!("sql/carry_citations.sql"), citation),
        (include_str!("sql/carry_adoptions.sql"), adoption),
        (include_str!("sql/carry_steps.sql"), step),
    ];
    let mut all = Vec::new();
    for (sql, read) in tables {
        let rows = sqlx::query(sql).bind(tenant.as_str()).fetch_all(&mut *connection).await?;
        for found in &rows {
            all.push(read(found)?);
        }
    }
    Ok(all)
}

impl Carried {
    /// Writes the row, and orders the copy of a legacy row; none where a field has another form than its own.
    pub(crate) async fn put(self, tx: &mut Tx, tenant: &Id) -> Result<Option<()>, StoreError> {
        let copied = match &self {
            Self::Legacy { legacy, scope, doc, salt, commitment, imported_at, owner, .. } => {
                let (Some(salt), Some(commitment)) = (unhex(salt), unhex(commitment)) else {
                    return Ok(None);
                };
                older::check_words(legacy, scope, doc, &salt, &commitment)?;
                let scope: Scope = row::json("legacy_rows", legacy, scope)?;
                if scope.anchor().token() != *owner {
                    return Err(StoreError::damaged(
                        "legacy_rows",
                        legacy,
                        "it is listed as another owner's",
                    ));
                }
                Some((row::fact_id("legacy_rows", legacy)?, *imported_at))
            }
            Self::Gone { .. } | Self::Citation { .. } | Self::Adoption { .. } | Self::Step { .. } => None,
        };
        let Some(query) = self.query(tenant) else { return Ok(None) };
        query.execute(&mut tx.connection).await?;
        if let Some((row, at)) = copied {
            order(tx, tenant, row, Timestamp::from_micros(at)).await?;
        }
        Ok(Some(()))
    }

    fn query(self, tenant: &Id) -> Option<sqlx::query::Query<'static, sqlx::Any, AnyArguments>> {
        let begun = |sql: &'static str| sqlx::query(sql).bind(tenant.as_str().to_owned());
        Some(match self {
            Self::Legacy {
                legacy,
                owner,
                scope,
                says,
                place,
                doc,
                salt,
                commitment,
                imported_at,
                decision,
                note,
                adoption,
            } => begun(include_str!("sql/carry_legacy_in.sql"))
                .bind(legacy)
                .bind(owner)
                .bind(scope)
                .bind(says)
                .bind(place)
                .bind(doc)
                .bind(unhex(&salt)?)
                .bind(unhex(&commitment)?)
                .bind(imported_at)
                .bind(decision)
                .bind(note)
                .bind(adoption),
            Self::Gone { legacy } => begun(include_str!("sql/legacy_gone.sql")).bind(legacy),
            Self::Citation { legacy, position } => {
                begun(include_str!("sql/legacy_cite.sql")).bind(legacy).bind(position)
            }
            Self::Adoption {
                adoption,
                owner,
                scope,
                reviewer,
                steps,
                sealed_at,
                begun_at,
                applied_at,
                closing_at,
                rolled_back_at,
            } => begun(include_str!("sql/carry_adoption_in.sql"))
                .bind(adoption)
                .bind(owner)
                .bind(scope)
                .bind(reviewer)
                .bind(steps)
                .bind(sealed_at)
                .bind(begun_at)
                .bind(applied_at)
                .bind(closing_at)
                .bind(rolled_back_at),
            Self::Step { adoption, step, outcome, legacy, fact, revision, done_at } => {
                begun(include_str!("sql/adoption_step_add.sql"))
                    .bind(adoption)
                    .bind(step)
                    .bind(outcome)
                    .bind(legacy)
                    .bind(fact)
                    .bind(revision)
                    .bind(done_at)
            }
        })
    }
}

fn legacy_row(found: &AnyRow) -> Result<Carried, StoreError> {
    let (legacy, scope, doc): (String, String, String) =
        (found.try_get(0)?, found.try_get(2)?, found.try_get(5)?);
    let (salt, promise): (Vec<u8>, Vec<u8>) = (found.try_get(6)?, found.try_get(7)?);
    older::check_words(&legacy, &scope, &doc, &salt, &promise)?;
    Ok(Carried::Legacy {
        legacy,
        owner: found.try_get(1)?,
        scope,
        says: found.try_get(3)?,
        place: found.try_get(4)?,
        doc,
        salt: hex(&salt),
        commitment: hex(&promise),
        imported_at: found.try_get(8)?,
        decision: found.try_get(9)?,
        note: found.try_get(10)?,
        adoption: found.try_get(11)?,
    })
}

fn gone(found: &AnyRow) -> Result<Carried, StoreError> {
    Ok(Carried::Gone { legacy: found.try_get(0)? })
}

fn citation(found: &AnyRow) -> Result<Carried, StoreError> {
    Ok(Carried::Citation { legacy: found.try_get(0)?, position: found.try_get(1)? })
}

fn adoption(found: &AnyRow) -> Result<Carried, StoreError> {
    Ok(Carried::Adoption {
        adoption: found.try_get(0)?,
        owner: found.try_get(1)?,
        scope: found.try_get(2)?,
        reviewer: found.try_get(3)?,
        steps: found.try_get(4)?,
        sealed_at: found.try_get(5)?,
        begun_at: found.try_get(6)?,
        applied_at: found.try_get(7)?,
        closing_at: found.try_get(8)?,
        rolled_back_at: found.try_get(9)?,
    })
}

fn step(found: &AnyRow) -> Result<Carried, StoreError> {
    Ok(Carried::Step {
        adoption: found.try_get(0)?,
        step: found.try_get(1)?,
        outcome: found.try_get(2)?,
        legacy: found.try_get(3)?,
        fact: found.try_get(4)?,
        revision: found.try_get(5)?,
        done_at: found.try_get(6)?,
    })
}

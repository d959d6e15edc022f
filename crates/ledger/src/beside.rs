//! What is wrong with what is kept beside the events: memories from before the ledger, and the reviews of them.

use std::collections::HashSet;

use fact::{AdoptionId, Content, Id};
use sqlx::{AnyConnection, Row as _};

use crate::error::StoreError;
use crate::{adoption, commitment, older, tenant};

/// Rows read at a time.
const ROWS_A_PAGE: i64 = 1_000;

/// Each row that cannot be read, or does not match its words or the others.
pub(crate) async fn faults(connection: &mut AnyConnection, tenant: &Id) -> Result<Vec<String>, StoreError> {
    let mut faults = Vec::new();
    let adoptions = of_adoptions(connection, tenant, &mut faults).await?;
    let row = sqlx::query(include_str!("sql/tenant_read.sql")).bind(tenant.as_str());
    let Some(row) = row.fetch_optional(&mut *connection).await? else { return Ok(faults) };
    let secret = tenant::tip(&row)?.secret;
    let mut after = String::new();
    loop {
        let rows = sqlx::query(include_str!("sql/legacy_after.sql"))
            .bind(tenant.as_str())
            .bind(after.as_str())
            .bind(ROWS_A_PAGE)
            .fetch_all(&mut *connection)
            .await?;
        for found in &rows {
            after = found.try_get(0)?;
            let (says, adoption): (String, Option<String>) = (found.try_get(13)?, found.try_get(14)?);
            match older::kept(tenant, found) {
                Err(error @ StoreError::Damaged { .. }) => faults.push(error.to_string()),
                Err(error) => return Err(error),
                Ok(kept) => {
                    let content = Content::of_text(&kept.row.legacy.text);
                    if commitment::says(&secret, &kept.row.scope, &content) != says {
                        faults.push(format!(
                            "table legacy_rows, row {after} is found by other words than its own"
                        ));
                    }
                    if adoption.is_some_and(|adoption| !adoptions.contains(&adoption)) {
                        faults.push(format!(
                            "table legacy_rows, row {after} was decided by no review that there is"
                        ));
                    }
                }
            }
        }
        if i64::try_from(rows.len()).map_or(true, |rows| rows < ROWS_A_PAGE) {
            return Ok(faults);
        }
    }
}

/// The adoptions that there are, as they are named.
async fn of_adoptions(
    connection: &mut AnyConnection,
    tenant: &Id,
    faults: &mut Vec<String>,
) -> Result<HashSet<String>, StoreError> {
    let rows = sqlx::query(include_str!("sql/adoptions_list.sql"))
        .bind(tenant.as_str())
        .fetch_all(&mut *connection)
        .await?;
    let mut named = HashSet::new();
    for found in &rows {
        let id: String = found.try_get(0)?;
        if let Err(error) = adoption::adoption(found) {
            faults.push(error.to_string());
        }
        if AdoptionId::parse(&id).is_ok() {
            let steps = sqlx::query(include_str!("sql/adoption_steps_list.sql"))
                .bind(tenant.as_str())
                .bind(id.as_str())
                .fetch_all(&mut *connection)
                .await?;
            let broken = steps.iter().filter_map(|found| adoption::step(found).err());
            faults.extend(broken.map(|error| error.to_string()));
        }
        named.insert(id);
    }
    Ok(named)
}

//! How a tenant's facts turned, and how often something was recalled, day by day: counts alone.

use std::collections::BTreeMap;

use fact::{Id, MICROS_PER_DAY, Position, Timestamp};
use sqlx::{AnyConnection, Row as _};

use crate::Ledger;
use crate::error::StoreError;

/// How a fact stands by what is on record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stand {
    /// One version of it is settled on.
    Settled,
    /// Several versions are contested.
    Contested,
    /// It was forgotten, ran out, or went into another.
    Ended,
}

/// Facts that turned alike on one day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turned {
    /// The day, counted in UTC from 1970.
    pub day: i64,
    /// How they stood; none where they came to be.
    pub was: Option<Stand>,
    /// How they stood afterwards.
    pub became: Stand,
    /// How many.
    pub facts: u64,
}

impl Ledger {
    /// How many facts of a tenant stand how; what stands nowhere is left out.
    pub async fn facts_standing(&self, tenant: &Id) -> Result<BTreeMap<Stand, u64>, StoreError> {
        let mut connection = self.reader().await?;
        let rows = sqlx::query(include_str!("sql/facts_standing.sql"))
            .bind(tenant.as_str())
            .fetch_all(&mut *connection)
            .await?;
        let counted = |found| Ok((stand(&text(found, 0)?)?, count(found, 1)?));
        rows.iter().map(counted).collect()
    }

    /// What turned since that time, in the order of the days.
    pub async fn facts_turned(&self, tenant: &Id, since: Timestamp) -> Result<Vec<Turned>, StoreError> {
        let mut connection = self.reader().await?;
        let before = last_before(&mut connection, tenant, since).await?;
        let rows = sqlx::query(include_str!("sql/facts_turned.sql"))
            .bind(tenant.as_str())
            .bind(before.get())
            .bind(MICROS_PER_DAY)
            .fetch_all(&mut *connection)
            .await?;
        let turned = |found| {
            let was = text(found, 1)?;
            let was = if was == "none" { None } else { Some(stand(&was)?) };
            Ok(Turned {
                day: found.try_get(0)?,
                was,
                became: stand(&text(found, 2)?)?,
                facts: count(found, 3)?,
            })
        };
        rows.iter().map(turned).collect()
    }

    /// How many recalls there were on each day since that time, by the receipts that are not over at `now`.
    pub async fn recalls_daily(
        &self,
        tenant: &Id,
        since: Timestamp,
        now: Timestamp,
    ) -> Result<BTreeMap<i64, u64>, StoreError> {
        let mut connection = self.reader().await?;
        let rows = sqlx::query(include_str!("sql/receipts_daily.sql"))
            .bind(tenant.as_str())
            .bind(since.micros())
            .bind(now.micros())
            .bind(MICROS_PER_DAY)
            .fetch_all(&mut *connection)
            .await?;
        rows.iter().map(|found| Ok((found.try_get(0)?, count(found, 1)?))).collect()
    }
}

/// The last event before a time. Later events were recorded later: it is found by halves.
async fn last_before(
    connection: &mut AnyConnection,
    tenant: &Id,
    since: Timestamp,
) -> Result<Position, StoreError> {
    let tip = sqlx::query(include_str!("sql/tenant_read.sql"))
        .bind(tenant.as_str())
        .fetch_optional(&mut *connection)
        .await?;
    let Some(tip) = tip else { return Ok(Position::START) };
    let (mut before, mut after) = (Position::START.get(), tip.try_get::<i64, _>(0)? + 1);
    while after - before > 1 {
        let middle = before + (after - before) / 2;
        let found = sqlx::query(include_str!("sql/event_time.sql"))
            .bind(tenant.as_str())
            .bind(middle)
            .fetch_optional(&mut *connection)
            .await?;
        let is_before = found.map(|found| found.try_get::<i64, _>(0)).transpose()?;
        match is_before.is_some_and(|recorded_at| recorded_at < since.micros()) {
            true => before = middle,
            false => after = middle,
        }
    }
    Ok(Position::new(before))
}

fn stand(name: &str) -> Result<Stand, StoreError> {
    match name {
        "settled" => Ok(Stand::Settled),
        "contested" => Ok(Stand::Contested),
        "ended" => Ok(Stand::Ended),
        other => Err(StoreError::damaged("truths", other, "is no truth")),
    }
}

fn text(found: &sqlx::any::AnyRow, at: usize) -> Result<String, StoreError> {
    Ok(found.try_get(at)?)
}

fn count(found: &sqlx::any::AnyRow, at: usize) -> Result<u64, StoreError> {
    Ok(u64::try_from(found.try_get::<i64, _>(at)?).unwrap_or(0))
}

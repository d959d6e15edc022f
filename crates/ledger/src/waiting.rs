//! What waits for owners, and counts: conflicts, revisions by state.

use std::collections::BTreeMap;

use fact::{ConflictId, FactId, FactType, Head, Id, Reader, Scope, State, Timestamp};
use sqlx::Row as _;

use crate::error::StoreError;
use crate::operations::SEARCH_COPY;
use crate::read;
use crate::{Ledger, row};

/// An open conflict, without any content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenConflict {
    /// The conflict.
    pub conflict: ConflictId,
    /// The fact.
    pub fact: FactId,
    /// Whose that is.
    pub scope: Scope,
    /// Its kind.
    pub kind: FactType,
    /// Its key, where it has one.
    pub key: Option<fact::Text>,
    /// Its version.
    pub version: u32,
    /// When it was opened.
    pub opened_at: Timestamp,
}

impl Ledger {
    /// Open conflicts that this reader may see, newest first, of these kinds (any when none is given): at most
    /// `limit` of them, and how many there are.
    pub async fn open_conflicts(
        &self,
        reader: &Reader,
        kinds: &[FactType],
        limit: usize,
    ) -> Result<(Vec<OpenConflict>, usize), StoreError> {
        let mut connection = self.reader().await?;
        let tokens = reader.tokens();
        let statement = match &tokens {
            Some(_) => include_str!("sql/conflicts_within.sql"),
            None => include_str!("sql/conflicts_all.sql"),
        };
        let rows = sqlx::query(statement)
            .bind(reader.tenant.as_str())
            .bind(tokens.unwrap_or_default().into_iter().collect::<String>())
            .fetch_all(&mut *connection)
            .await?;
        let (mut shown, mut count) = (Vec::new(), 0);
        for found in &rows {
            let head = row::head(found, 0)?;
            if !reader.may_read(&head.scope) || !(kinds.is_empty() || kinds.contains(&head.kind)) {
                continue;
            }
            count += 1;
            let fact::Truth::Contested(contest) = &head.truth else {
                continue;
            };
            if shown.len() < limit {
                let oldest = contest.sides.first().copied().unwrap_or(head.latest);
                let side = read::revision(&mut connection, &reader.tenant, &head, oldest).await?;
                shown.push(OpenConflict {
                    conflict: contest.conflict,
                    fact: head.fact,
                    scope: head.scope.clone(),
                    kind: head.kind.clone(),
                    key: side.words.and_then(|words| words.key),
                    version: contest.version,
                    opened_at: contest.opened_at,
                });
            }
        }
        Ok((shown, count))
    }

    /// The fact that a conflict is, or was, about. None where it is unknown or not this reader's.
    pub async fn fact_of_conflict(
        &self,
        reader: &Reader,
        conflict: ConflictId,
    ) -> Result<Option<FactId>, StoreError> {
        self.fact_of(reader, include_str!("sql/conflict_find.sql"), &conflict.to_string()).await
    }

    /// Facts of this reader that the copy does not show as they are at `now`, those that changed last first: at most
    /// `limit` of them, and how many there are among the last thousand of the tenant's.
    pub async fn unsearchable(
        &self,
        reader: &Reader,
        now: Timestamp,
        limit: usize,
    ) -> Result<(Vec<FactId>, usize), StoreError> {
        /// Operations that are looked at.
        const LOOKED_AT: i64 = 1_000;
        let mut connection = self.reader().await?;
        let rows = sqlx::query(include_str!("sql/heads_unsearchable.sql"))
            .bind(SEARCH_COPY)
            .bind(now.micros())
            .bind(reader.tenant.as_str())
            .bind(LOOKED_AT)
            .fetch_all(&mut *connection)
            .await?;
        let heads: Vec<Head> = rows.iter().map(|found| row::head(found, 0)).collect::<Result<_, _>>()?;
        let mut facts: Vec<FactId> = heads
            .iter()
            .filter(|head| head.truth.is_said() && reader.may_read(&head.scope))
            .map(|head| head.fact)
            .collect();
        let count = facts.len();
        facts.truncate(limit);
        Ok((facts, count))
    }

    /// Revisions of a tenant by state at `now`, the clock included.
    pub async fn counts(&self, tenant: &Id, now: Timestamp) -> Result<BTreeMap<State, u64>, StoreError> {
        let mut connection = self.reader().await?;
        let mut counts: BTreeMap<State, u64> = State::ALL.into_iter().map(|state| (state, 0)).collect();
        let rows = sqlx::query(include_str!("sql/states_count.sql"))
            .bind(tenant.as_str())
            .fetch_all(&mut *connection)
            .await?;
        for found in rows {
            let count: i64 = found.try_get(1)?;
            let state = read::state(&found.try_get::<String, _>(0)?)?;
            counts.insert(state, u64::try_from(count).unwrap_or(0));
        }
        let clocked = sqlx::query(include_str!("sql/states_clocked.sql"))
            .bind(tenant.as_str())
            .bind(now.micros())
            .fetch_all(&mut *connection)
            .await?;
        for found in &clocked {
            let head = row::head(found, 0)?;
            let number = read::revision_number(found.try_get(1)?)?;
            let state = head.truth.state(number, now).unwrap_or(State::Active);
            *counts.entry(State::Active).or_default() -= 1;
            *counts.entry(state).or_default() += 1;
        }
        Ok(counts)
    }
}

//! The record of reviewed adoptions: which was begun, what each of its steps came to, and what was taken back.

use fact::{
    Actor, AdoptionId, FactId, Id, LegacyDecision, RevisionNumber, Scope, Text, Timestamp, canonical,
};
use futures_core::future::BoxFuture;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row as _};

use crate::error::StoreError;
use crate::older::{self, KeptLegacy};
use crate::operations::{SEARCH_COPY, order};
use crate::writer::Tx;
use crate::{Ledger, row, tenant};

/// A review that is sealed: only such a one is ever applied.
#[derive(Debug, Clone)]
pub struct Seal {
    /// The adoption that it becomes.
    pub adoption: AdoptionId,
    /// A scope of the owner whose rows were reviewed; its tenant is the adoption's.
    pub scope: Scope,
    /// Who reviewed them.
    pub reviewer: Actor,
    /// How many steps it has.
    pub steps: u32,
}

/// How an adoption that is applied finds itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Begun {
    /// It begins, or goes on: those steps are done.
    Open {
        /// Their numbers.
        done: Vec<u32>,
    },
    /// It was applied before.
    Applied,
    /// It was applied and taken back.
    RolledBack,
}

/// Why an adoption did not begin. Nothing changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AdoptionError {
    /// It was not sealed here, or was changed since.
    #[error("this review was not sealed in this ledger, or was changed since")]
    NotSealed,
    /// Another one of this owner's has not ended.
    #[error(
        "adoption {adoption} of this owner's rows is unfinished: finish that one first, by the review it was begun with"
    )]
    Unfinished {
        /// Which.
        adoption: AdoptionId,
    },
    /// Rows are gone, are not as they were reviewed, or were decided about since.
    #[error("{} reviewed rows are not as they were: {}", rows.len(), listed(rows))]
    Changed {
        /// Which.
        rows: Vec<FactId>,
    },
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Rows that an error names; there may be more.
const NAMED_MAX: usize = 5;

fn listed(rows: &[FactId]) -> String {
    let named: Vec<String> = rows.iter().take(NAMED_MAX).map(ToString::to_string).collect();
    let more = if rows.len() > NAMED_MAX { ", …" } else { "" };
    format!("{}{more}", named.join(", "))
}

/// What one step came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StepOutcome {
    /// A fact was made.
    Adopted,
    /// It went to a fact that was there before, which rests on the rows, too.
    Already,
    /// It could not be done; the rows wait for another review, with the reason as their note.
    Refused,
    /// The row was kept as a record of what happened.
    Kept,
    /// The rows were rejected.
    Rejected,
    /// The rows were left to another review.
    Deferred,
    /// It was done, and taken back.
    TakenBack,
    /// It was done, and stays, for the owner changed the fact since.
    Left,
}

impl StepOutcome {
    const ALL: [Self; 8] = [
        Self::Adopted,
        Self::Already,
        Self::Refused,
        Self::Kept,
        Self::Rejected,
        Self::Deferred,
        Self::TakenBack,
        Self::Left,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Adopted => "adopted",
            Self::Already => "already-known",
            Self::Refused => "refused",
            Self::Kept => "kept",
            Self::Rejected => "rejected",
            Self::Deferred => "deferred",
            Self::TakenBack => "taken-back",
            Self::Left => "left",
        }
    }

    fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.name() == name)
    }

    /// What it decides about the rows.
    fn decides(self) -> Option<LegacyDecision> {
        match self {
            Self::Adopted | Self::Already | Self::Left => Some(LegacyDecision::Adopted),
            Self::Kept => Some(LegacyDecision::Kept),
            Self::Rejected => Some(LegacyDecision::Rejected),
            Self::Deferred | Self::Refused => Some(LegacyDecision::Deferred),
            Self::TakenBack => None,
        }
    }
}

/// A step that is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepDone {
    /// Its number, from 1.
    pub step: u32,
    /// What it came to.
    pub outcome: StepOutcome,
    /// The rows that it decided about.
    pub rows: Vec<FactId>,
    /// The fact that was made or rests on them.
    pub fact: Option<(FactId, RevisionNumber)>,
}

/// An adoption that was sealed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adoption {
    /// Its id.
    pub adoption: AdoptionId,
    /// A scope of the owner whose rows it is about.
    pub scope: Scope,
    /// Who reviewed them.
    pub reviewer: Actor,
    /// How many steps it has.
    pub steps: u32,
    /// When it was sealed.
    pub sealed_at: Timestamp,
    /// When it was begun.
    pub begun_at: Option<Timestamp>,
    /// When its last step was done.
    pub applied_at: Option<Timestamp>,
    /// When it began to be taken back: no step is done any more.
    pub closing_at: Option<Timestamp>,
    /// When it was taken back.
    pub rolled_back_at: Option<Timestamp>,
}

impl Adoption {
    /// Whether it has begun, or begun to be taken back, and not ended.
    pub fn is_unfinished(&self) -> bool {
        match (self.begun_at, self.applied_at, self.closing_at, self.rolled_back_at) {
            (None, ..) | (_, _, _, Some(_)) | (_, Some(_), None, None) => false,
            (Some(_), None, _, None) | (Some(_), Some(_), Some(_), None) => true,
        }
    }
}

impl Ledger {
    /// Keeps that a review was sealed.
    pub async fn seal(&self, seal: Seal, now: Timestamp) -> Result<(), StoreError> {
        self.writer
            .run(move |tx| -> BoxFuture<'_, Result<(), StoreError>> {
                let seal = seal.clone();
                Box::pin(async move {
                    sqlx::query(include_str!("sql/adoption_add.sql"))
                        .bind(seal.scope.tenant.as_str())
                        .bind(seal.adoption.to_string())
                        .bind(seal.scope.anchor().token())
                        .bind(canonical(&seal.scope))
                        .bind(canonical(&seal.reviewer))
                        .bind(i64::from(seal.steps))
                        .bind(now.micros())
                        .execute(&mut tx.connection)
                        .await?;
                    Ok(())
                })
            })
            .await
    }

    /// Begins an adoption of rows that were reviewed, each with the digest that it had; or finds how far it came. From here
    /// on no row of that owner is recalled without a review.
    pub async fn begin_adoption(
        &self,
        tenant: Id,
        adoption: AdoptionId,
        rows: Vec<(FactId, String)>,
        now: Timestamp,
    ) -> Result<Begun, AdoptionError> {
        self.writer
            .run(move |tx| -> BoxFuture<'_, Result<Result<Begun, AdoptionError>, StoreError>> {
                let (tenant, rows) = (tenant.clone(), rows.clone());
                Box::pin(async move { begin_in(tx, (&tenant, adoption), &rows, now).await })
            })
            .await?
    }

    /// Records that a step is done, once, with what it decides about its rows. The note is kept with each of them. Says
    /// whether it was: nothing is recorded of an adoption that is taken back meanwhile.
    pub async fn adoption_step(
        &self,
        tenant: Id,
        adoption: AdoptionId,
        done: StepDone,
        note: Option<Text>,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        self.writer
            .run(move |tx| -> BoxFuture<'_, Result<bool, StoreError>> {
                let (tenant, done, note) = (tenant.clone(), done.clone(), note.clone());
                Box::pin(async move {
                    tenant::lock(tx, &tenant, &[0; 32]).await?;
                    let known = adoptions(&mut tx.connection, &tenant).await?;
                    if known.iter().any(|one| one.adoption == adoption && one.closing_at.is_some()) {
                        return Ok(false);
                    }
                    let add = include_str!("sql/adoption_step_add.sql");
                    if put_step(tx, add, (&tenant, adoption), &done, now).await? {
                        decide(tx, (&tenant, adoption), &done, note.as_ref(), now).await?;
                    }
                    crate::crash::point("adopt.step");
                    Ok(true)
                })
            })
            .await
    }

    /// Begins to take an adoption back: no other step of it is done from here on.
    pub async fn close_adoption(
        &self,
        tenant: Id,
        adoption: AdoptionId,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.turn(tenant, adoption, include_str!("sql/adoption_close.sql"), now).await
    }

    /// Records what taking a step back came to. What was taken back cites its rows no more; what another review has decided
    /// about its rows since stays.
    pub async fn adoption_step_back(
        &self,
        tenant: Id,
        adoption: AdoptionId,
        done: StepDone,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.writer
            .run(move |tx| -> BoxFuture<'_, Result<(), StoreError>> {
                let (tenant, done) = (tenant.clone(), done.clone());
                Box::pin(async move {
                    tenant::lock(tx, &tenant, &[0; 32]).await?;
                    let turn = include_str!("sql/adoption_step_turn.sql");
                    put_step(tx, turn, (&tenant, adoption), &done, now).await?;
                    if done.outcome == StepOutcome::TakenBack {
                        take_back(tx, (&tenant, adoption), &done, now).await?;
                    }
                    crate::crash::point("rollback.step");
                    Ok(())
                })
            })
            .await
    }

    /// Records that an adoption is applied.
    pub async fn adoption_applied(
        &self,
        tenant: Id,
        adoption: AdoptionId,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.turn(tenant, adoption, include_str!("sql/adoption_apply.sql"), now).await
    }

    /// Records that an adoption is taken back.
    pub async fn adoption_rolled_back(
        &self,
        tenant: Id,
        adoption: AdoptionId,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.turn(tenant, adoption, include_str!("sql/adoption_roll_back.sql"), now).await
    }

    async fn turn(
        &self,
        tenant: Id,
        adoption: AdoptionId,
        sql: &'static str,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.writer
            .run(move |tx| -> BoxFuture<'_, Result<(), StoreError>> {
                let tenant = tenant.clone();
                Box::pin(async move {
                    tenant::lock(tx, &tenant, &[0; 32]).await?;
                    sqlx::query(sql)
                        .bind(tenant.as_str())
                        .bind(adoption.to_string())
                        .bind(now.micros())
                        .execute(&mut tx.connection)
                        .await?;
                    Ok(())
                })
            })
            .await
    }

    /// The adoptions of a tenant, in the order in which they were sealed.
    pub async fn adoptions(&self, tenant: &Id) -> Result<Vec<Adoption>, StoreError> {
        let mut adoptions = adoptions(&mut *self.reader().await?, tenant).await?;
        adoptions.sort_by_key(|adoption: &Adoption| (adoption.sealed_at, adoption.adoption));
        Ok(adoptions)
    }

    /// What the steps of an adoption came to, in their order.
    pub async fn adoption_steps(
        &self,
        tenant: &Id,
        adoption: AdoptionId,
    ) -> Result<Vec<StepDone>, StoreError> {
        steps_of(&mut *self.reader().await?, tenant, adoption).await
    }
}

async fn begin_in(
    tx: &mut Tx,
    (tenant, adoption): (&Id, AdoptionId),
    rows: &[(FactId, String)],
    now: Timestamp,
) -> Result<Result<Begun, AdoptionError>, StoreError> {
    // Two that begin wait for each other.
    tenant::lock(tx, tenant, &[0; 32]).await?;
    let known = adoptions(&mut tx.connection, tenant).await?;
    let Some(sealed) = known.iter().find(|one| one.adoption == adoption) else {
        return Ok(Err(AdoptionError::NotSealed));
    };
    match (sealed.begun_at, sealed.applied_at, sealed.closing_at) {
        (_, _, Some(_)) => return Ok(Ok(Begun::RolledBack)),
        (_, Some(_), None) => return Ok(Ok(Begun::Applied)),
        (Some(_), None, None) => {
            let steps = steps_of(&mut tx.connection, tenant, adoption).await?;
            return Ok(Ok(Begun::Open { done: steps.iter().map(|done| done.step).collect() }));
        }
        (None, None, None) => {}
    }
    let owner = sealed.scope.anchor();
    let of_owner = |one: &&Adoption| one.is_unfinished() && one.scope.anchor() == owner;
    if let Some(open) = known.iter().find(of_owner) {
        return Ok(Err(AdoptionError::Unfinished { adoption: open.adoption }));
    }
    let changed = changed(tx, tenant, rows).await?;
    if !changed.is_empty() {
        return Ok(Err(AdoptionError::Changed { rows: changed }));
    }
    sqlx::query(include_str!("sql/adoption_begin.sql"))
        .bind(tenant.as_str())
        .bind(adoption.to_string())
        .bind(now.micros())
        .execute(&mut tx.connection)
        .await?;
    sqlx::query(include_str!("sql/legacy_order_all.sql"))
        .bind(tenant.as_str())
        .bind(SEARCH_COPY)
        .bind(owner.token())
        .bind(now.micros())
        .execute(&mut tx.connection)
        .await?;
    crate::crash::point("adopt.begun");
    Ok(Ok(Begun::Open { done: Vec::new() }))
}

async fn adoptions(connection: &mut AnyConnection, tenant: &Id) -> Result<Vec<Adoption>, StoreError> {
    let rows = sqlx::query(include_str!("sql/adoptions_list.sql"))
        .bind(tenant.as_str())
        .fetch_all(connection)
        .await?;
    rows.iter().map(adoption).collect()
}

async fn steps_of(
    connection: &mut AnyConnection,
    tenant: &Id,
    adoption: AdoptionId,
) -> Result<Vec<StepDone>, StoreError> {
    let rows = sqlx::query(include_str!("sql/adoption_steps_list.sql"))
        .bind(tenant.as_str())
        .bind(adoption.to_string())
        .fetch_all(connection)
        .await?;
    rows.iter().map(step).collect()
}

/// The reviewed rows that are not as they were.
async fn changed(tx: &mut Tx, tenant: &Id, rows: &[(FactId, String)]) -> Result<Vec<FactId>, StoreError> {
    let mut changed = Vec::new();
    for (id, digest) in rows {
        let kept = match older::find(&mut tx.connection, tenant, *id).await? {
            None | Some(Err(StoreError::Damaged { .. })) => None,
            Some(kept) => Some(kept?),
        };
        let is_same = |kept: KeptLegacy| kept.digest == *digest && kept.row.standing.is_open();
        if !kept.is_some_and(is_same) {
            changed.push(*id);
        }
    }
    Ok(changed)
}

/// Says whether the statement touched a row.
async fn put_step(
    tx: &mut Tx,
    sql: &'static str,
    (tenant, adoption): (&Id, AdoptionId),
    done: &StepDone,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let put = sqlx::query(sql)
        .bind(tenant.as_str())
        .bind(adoption.to_string())
        .bind(i64::from(done.step))
        .bind(done.outcome.name())
        .bind(canonical(&done.rows))
        .bind(done.fact.map(|(fact, _)| fact.to_string()))
        .bind(done.fact.map(|(_, revision)| i64::from(revision.get())))
        .bind(now.micros())
        .execute(&mut tx.connection)
        .await?;
    Ok(put.rows_affected() > 0)
}

/// Keeps what was decided about rows, and orders their copies to be made again.
async fn decide(
    tx: &mut Tx,
    (tenant, adoption): (&Id, AdoptionId),
    done: &StepDone,
    note: Option<&Text>,
    now: Timestamp,
) -> Result<(), StoreError> {
    for one in &done.rows {
        sqlx::query(include_str!("sql/legacy_decide.sql"))
            .bind(tenant.as_str())
            .bind(one.to_string())
            .bind(done.outcome.decides().map(LegacyDecision::name))
            .bind(note.map(|note| note.as_str().to_owned()))
            .bind(adoption.to_string())
            .execute(&mut tx.connection)
            .await?;
        order(tx, tenant, *one, now).await?;
    }
    Ok(())
}

/// The rows wait for another review, unless one has decided about them since; and the fact rests on them no more.
async fn take_back(
    tx: &mut Tx,
    (tenant, adoption): (&Id, AdoptionId),
    done: &StepDone,
    now: Timestamp,
) -> Result<(), StoreError> {
    for one in &done.rows {
        sqlx::query(include_str!("sql/legacy_decide_back.sql"))
            .bind(tenant.as_str())
            .bind(one.to_string())
            .bind(adoption.to_string())
            .execute(&mut tx.connection)
            .await?;
        if let Some((fact, _)) = done.fact {
            sqlx::query(include_str!("sql/legacy_uncite.sql"))
                .bind(tenant.as_str())
                .bind(one.to_string())
                .bind(fact.to_string())
                .execute(&mut tx.connection)
                .await?;
        }
        order(tx, tenant, *one, now).await?;
    }
    Ok(())
}

pub(crate) fn adoption(found: &AnyRow) -> Result<Adoption, StoreError> {
    let id: String = found.try_get(0)?;
    let (scope, reviewer): (String, String) = (found.try_get(1)?, found.try_get(2)?);
    let at = |at: Option<i64>| at.map(Timestamp::from_micros);
    Ok(Adoption {
        adoption: AdoptionId::parse(&id).map_err(|bad| StoreError::damaged("adoptions", &id, bad))?,
        scope: row::json("adoptions", &id, &scope)?,
        reviewer: row::json("adoptions", &id, &reviewer)?,
        steps: number("adoptions", found.try_get(3)?)?,
        sealed_at: Timestamp::from_micros(found.try_get(4)?),
        begun_at: at(found.try_get(5)?),
        applied_at: at(found.try_get(6)?),
        closing_at: at(found.try_get(7)?),
        rolled_back_at: at(found.try_get(8)?),
    })
}

pub(crate) fn step(found: &AnyRow) -> Result<StepDone, StoreError> {
    let step = number("adoption_steps", found.try_get(0)?)?;
    let (outcome, rows): (String, String) = (found.try_get(1)?, found.try_get(2)?);
    let (fact, revision): (Option<String>, Option<i64>) = (found.try_get(3)?, found.try_get(4)?);
    let broken = |what: &str| StoreError::damaged("adoption_steps", step, what);
    let fact = fact.map(|fact| row::fact_id("adoption_steps", &fact)).transpose()?;
    let revision = revision.and_then(|number| u32::try_from(number).ok()).and_then(RevisionNumber::new);
    Ok(StepDone {
        step,
        outcome: StepOutcome::parse(&outcome).ok_or_else(|| broken("its outcome is none that there is"))?,
        rows: row::json("adoption_steps", step, &rows)?,
        fact: fact.zip(revision),
    })
}

fn number(table: &'static str, number: i64) -> Result<u32, StoreError> {
    u32::try_from(number).map_err(|_| StoreError::damaged(table, number, "a number is out of range"))
}

//! A conflict as programs read it.

use serde::Serialize;
use truthkeeper::{
    Admission, Case, ConflictId, Contest, FactId, FactType, OpenConflict, Revision, RevisionNumber, Scope,
    Text, Truth,
};
use utoipa::ToSchema;

use super::{Said, shown};
use crate::described::shapes;

/// An open conflict, without what its sides say.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Conflict<'a> {
    #[schema(value_type = String, format = Uuid)]
    conflict: ConflictId,
    #[schema(value_type = String, format = Uuid)]
    fact: FactId,
    #[serde(rename = "type")]
    #[schema(value_type = String)]
    kind: &'a FactType,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    key: Option<&'a Text>,
    version: u32,
    #[schema(format = DateTime)]
    opened_at: String,
}

/// A conflict with what its versions say.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConflictShown<'a> {
    #[schema(value_type = String, format = Uuid)]
    conflict: ConflictId,
    #[schema(value_type = String, format = Uuid)]
    fact: FactId,
    #[serde(rename = "type")]
    #[schema(value_type = String)]
    kind: &'a FactType,
    #[schema(value_type = shapes::Scope)]
    scope: &'a Scope,
    state: ConflictStanding,
    /// What `--expect-conflict` takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    opened_at: Option<String>,
    versions: Vec<Side<'a>>,
}

/// One version.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Side<'a> {
    #[schema(value_type = u64, minimum = 1, maximum = 4_294_967_295_u32)]
    version: RevisionNumber,
    #[schema(format = DateTime)]
    recorded_at: String,
    #[schema(value_type = shapes::Admission)]
    admission: Admission,
    #[serde(flatten)]
    said: Said<'a>,
}

/// Where a conflict is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ConflictStanding {
    /// It waits for its owner.
    Open,
    /// It is settled, and can be opened again.
    Settled,
    /// The fact changed since it was settled.
    Closed,
}

impl<'a> Conflict<'a> {
    /// An open conflict.
    pub fn of(open: &'a OpenConflict) -> Self {
        let OpenConflict { conflict, fact, scope: _, kind, key, version, opened_at } = open;
        let (key, opened_at) = (key.as_ref(), shown(*opened_at));
        Self { conflict: *conflict, fact: *fact, kind, key, version: *version, opened_at }
    }
}

/// Where a conflict is in its life, and what is contested, where that still stands.
pub fn standing(case: &Case, conflict: ConflictId) -> (ConflictStanding, Option<&Contest>) {
    let is_it = |contest: &&Contest| contest.conflict == conflict;
    match &case.head.truth {
        Truth::Contested(contest) if contest.conflict == conflict => (ConflictStanding::Open, Some(contest)),
        Truth::Contested(_) | Truth::Settled(_) | Truth::Ended(_) => {
            let settled = case.head.reopenable.as_ref().filter(is_it);
            (if settled.is_some() { ConflictStanding::Settled } else { ConflictStanding::Closed }, settled)
        }
    }
}

impl<'a> ConflictShown<'a> {
    /// The conflict of a fact.
    pub fn of(case: &'a Case, conflict: ConflictId) -> Self {
        let (state, contest) = standing(case, conflict);
        let side = |revision: &'a Revision| Side {
            version: revision.number,
            recorded_at: shown(revision.recorded_at),
            admission: admission(case, revision),
            said: Said::of(revision),
        };
        Self {
            conflict,
            fact: case.head.fact,
            kind: &case.head.kind,
            scope: &case.head.scope,
            state,
            version: contest.map(|contest| contest.version),
            opened_at: contest.map(|contest| shown(contest.opened_at)),
            versions: case.revisions.iter().map(side).collect(),
        }
    }
}

/// Whether the version may be recalled once it is kept.
pub fn admission(case: &Case, revision: &Revision) -> Admission {
    match case.head.quarantined.contains(&revision.number) {
        true => Admission::Quarantined,
        false => Admission::Admitted,
    }
}

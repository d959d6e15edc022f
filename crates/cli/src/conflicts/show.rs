//! `conflicts show`.

use serde::Serialize;
use truthkeeper::{
    Admission, Case, ConflictId, Contest, FactId, FactType, Revision, RevisionNumber, Scope, Truth,
};

use super::{conflict, versions};
use crate::args::Global;
use crate::error::CliError;
use crate::session::Session;
use crate::show::json::{Said, shown};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The conflict.
    conflict: String,
}

/// A conflict with what its versions say.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Shown<'a> {
    conflict: ConflictId,
    fact: FactId,
    #[serde(rename = "type")]
    kind: &'a FactType,
    scope: &'a Scope,
    state: Standing,
    /// What `--expect-conflict` takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    opened_at: Option<String>,
    versions: Vec<Side<'a>>,
}

/// One version.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Side<'a> {
    version: RevisionNumber,
    recorded_at: String,
    admission: Admission,
    #[serde(flatten)]
    said: Said<'a>,
}

/// Where a conflict is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Standing {
    /// It waits for its owner.
    Open,
    /// It is settled, and can be opened again.
    Settled,
    /// The fact changed since it was settled.
    Closed,
}

pub(crate) async fn run(global: &Global, args: &Args) -> Result<(), CliError> {
    let conflict = conflict(&args.conflict)?;
    let session = Session::open(global).await?;
    let case = session.memory.conflict(&session.caller, conflict).await?;
    session.answer(&Shown::of(&case, conflict), || text(&case, conflict))
}

fn standing(case: &Case, conflict: ConflictId) -> (Standing, Option<&Contest>) {
    let is_it = |contest: &&Contest| contest.conflict == conflict;
    match &case.head.truth {
        Truth::Contested(contest) if contest.conflict == conflict => (Standing::Open, Some(contest)),
        Truth::Contested(_) | Truth::Settled(_) | Truth::Ended(_) => {
            let settled = case.head.reopenable.as_ref().filter(is_it);
            (if settled.is_some() { Standing::Settled } else { Standing::Closed }, settled)
        }
    }
}

impl<'a> Shown<'a> {
    fn of(case: &'a Case, conflict: ConflictId) -> Self {
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

fn admission(case: &Case, revision: &Revision) -> Admission {
    match case.head.quarantined.contains(&revision.number) {
        true => Admission::Quarantined,
        false => Admission::Admitted,
    }
}

fn text(case: &Case, conflict: ConflictId) -> String {
    let (state, contest) = standing(case, conflict);
    let key = case.revisions.iter().filter_map(|side| side.words.as_ref()?.key.as_ref()).next();
    let key = key.map_or_else(String::new, |key| format!(", key {}", key.as_str()));
    let scope = case.head.scope.path();
    let opened = contest.map_or_else(String::new, |contest| format!(", opened {}", contest.opened_at));
    let head =
        format!("conflict {conflict}{opened}\nfact {}, {}, {scope}{key}", case.head.fact, case.head.kind);
    let end = match (state, contest) {
        (Standing::Open, Some(contest)) => format!(
            "to settle it: memory conflicts settle {conflict} --expect-conflict {} --keep VERSION",
            contest.version
        ),
        (Standing::Settled, _) => format!("settled as above; memory conflicts reopen {conflict} undoes it"),
        (Standing::Open | Standing::Closed, _) => "settled, and the fact changed since".to_owned(),
    };
    let sides: Vec<_> = case.revisions.iter().map(|side| (side, admission(case, side))).collect();
    format!("{head}\n\n{}\n\n{end}", versions::text(&sides))
}

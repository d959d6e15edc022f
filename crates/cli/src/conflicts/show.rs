//! `conflicts show`.

use server::wire::{ConflictShown, ConflictStanding, admission, standing};
use truthkeeper::{Case, ConflictId};

use super::{conflict, versions};
use crate::args::Global;
use crate::error::CliError;
use crate::session::Session;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The conflict.
    conflict: String,
}

pub(crate) async fn run(global: &Global, args: &Args) -> Result<(), CliError> {
    let conflict = conflict(&args.conflict)?;
    let session = Session::open(global).await?;
    let case = session.memory.conflict(&session.caller, conflict).await?;
    session.answer(&ConflictShown::of(&case, conflict), || text(&case, conflict))
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
        (ConflictStanding::Open, Some(contest)) => format!(
            "to settle it: memory conflicts settle {conflict} --expect-conflict {} --keep VERSION",
            contest.version
        ),
        (ConflictStanding::Settled, _) => {
            format!("settled as above; memory conflicts reopen {conflict} undoes it")
        }
        (ConflictStanding::Open | ConflictStanding::Closed, _) => {
            "settled, and the fact changed since".to_owned()
        }
    };
    let sides: Vec<_> = case.revisions.iter().map(|side| (side, admission(case, side))).collect();
    format!("{head}\n\n{}\n\n{end}", versions::text(&sides))
}

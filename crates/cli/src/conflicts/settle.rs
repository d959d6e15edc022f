//! `conflicts settle` and `conflicts reopen`.

use clap::ArgGroup;
use truthkeeper::{BadInput, Draft, RevisionNumber, Ruling};

use super::conflict;
use crate::args::Global;
use crate::error::CliError;
use crate::facts::act::{Keyed, done};
use crate::facts::revision;
use crate::said;
use crate::session::Session;

#[derive(Debug, clap::Args)]
#[command(group(ArgGroup::new("ruling").required(true).args(["keep", "text", "content"])))]
pub(crate) struct Settle {
    /// The conflict.
    conflict: String,
    /// The version that is true.
    #[arg(long, value_name = "N")]
    keep: Option<u32>,
    /// A version that is true as well: it becomes a fact of its own, without a key.
    #[arg(long, value_name = "N", requires = "keep")]
    apart: Option<u32>,
    /// What is true instead, as text: the content {"text": TEXT}.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    text: Option<String>,
    /// What is true instead, as any JSON.
    #[arg(long, value_name = "JSON", allow_hyphen_values = true)]
    content: Option<String>,
    /// The version of the conflict as it was shown; refused where it changed since.
    #[arg(long, value_name = "N")]
    expect_conflict: u32,
    /// Why, in at most 500 characters.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    note: Option<String>,
    #[command(flatten)]
    keyed: Keyed,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Reopen {
    /// The conflict.
    conflict: String,
    #[command(flatten)]
    keyed: Keyed,
}

pub(crate) async fn settle(global: &Global, args: &Settle) -> Result<(), CliError> {
    let (key, conflict) = (args.keyed.key()?, conflict(&args.conflict)?);
    let (ruling, seen) = (ruling(args)?, (conflict, args.expect_conflict));
    let session = Session::open(global).await?;
    let (caller, note) = (&session.caller, args.note.as_deref());
    let outcome = session.memory.settle(caller, Some(key.clone()), seen, ruling, note).await;
    done(&session, key, outcome).await
}

pub(crate) async fn reopen(global: &Global, args: &Reopen) -> Result<(), CliError> {
    let (key, conflict) = (args.keyed.key()?, conflict(&args.conflict)?);
    let session = Session::open(global).await?;
    let outcome = session.memory.reopen(&session.caller, Some(key.clone()), conflict).await;
    done(&session, key, outcome).await
}

fn ruling(args: &Settle) -> Result<Ruling, CliError> {
    let number = |field, number: Option<u32>| number.map(|number| revision(field, number)).transpose();
    let (keep, apart) = (number("keep", args.keep)?, number("apart", args.apart)?);
    Ok(match (keep, apart) {
        (Some(keep), Some(apart)) => both(keep, apart)?,
        (Some(keep), None) => Ruling::Keep(keep),
        (None, _) => {
            let content = said::content(args.text.as_deref(), args.content.as_deref())?;
            Ruling::Reword(Box::new(Draft { content, ..Draft::default() }))
        }
    })
}

fn both(keep: RevisionNumber, apart: RevisionNumber) -> Result<Ruling, BadInput> {
    if keep == apart {
        return Err(BadInput::new("apart", "must be another version than the one to keep"));
    }
    Ok(Ruling::Both { keep, apart })
}

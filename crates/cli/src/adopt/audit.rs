//! `memory adopt audit`.

use std::path::PathBuf;

use serde::Serialize;
use truthkeeper::{Container, LegacyAudit, Review};

use crate::adopt::OwnerArgs;
use crate::adopt::papers::Papers;
use crate::args::Global;
use crate::error::CliError;
use crate::out;
use crate::session::Session;
use crate::show::counted;
use crate::show::table::table;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    owner: OwnerArgs,
    /// Where audit and review are put: a folder of your own [default: in the data folder].
    #[arg(long, value_name = "DIR")]
    folder: Option<String>,
    /// Only show the groups, and begin no review.
    #[arg(long)]
    show: bool,
}

#[derive(Debug, Serialize)]
struct Told<'a> {
    owner: String,
    audit: &'a LegacyAudit,
    digest: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    review: Option<PathBuf>,
}

pub(super) async fn run(global: &Global, args: &Args) -> Result<(), CliError> {
    let named = args.owner.owner(global)?;
    let session = Session::open(global).await?;
    let owner = match named {
        Some(owner) => owner,
        None => only_owner(&session).await?,
    };
    let audit = session.memory.audit_legacy(&session.caller, &owner).await?;
    if audit.groups.is_empty() && !session.json {
        out::note(&format!("nothing of {owner} waits for a review"));
        return Ok(());
    }
    let review = match args.show || audit.groups.is_empty() {
        true => None,
        false => Some(Papers::open(args.folder.as_deref())?.keep_audit(&audit, &Review::of(&audit))?),
    };
    let told = Told { owner: owner.to_string(), digest: audit.digest(), audit: &audit, review };
    session.answer(&told, || text(&owner, &audit))?;
    if let (Some(path), false) = (&told.review, session.json) {
        let path = path.display();
        out::note(&format!("edit {path}, or decide by `memory adopt review {path}`"));
    }
    Ok(())
}

/// The owner whose rows wait, where there is one alone.
async fn only_owner(session: &Session) -> Result<Container, CliError> {
    let census = session.memory.census(&session.caller).await?;
    let waits = |one: &&truthkeeper::OwnerCensus| {
        one.census.legacy + one.census.unclassified + one.census.deferred > 0
    };
    let owners: Vec<Container> = census.iter().filter(waits).map(|one| one.owner()).collect();
    match owners.as_slice() {
        [owner] => Ok(owner.clone()),
        [] => Err(CliError::NothingToReview),
        several => Err(CliError::WhichOwner { owners: several.iter().map(ToString::to_string).collect() }),
    }
}

fn text(owner: &Container, audit: &LegacyAudit) -> String {
    let rows: usize = audit.groups.iter().map(|group| group.rows.len()).sum();
    let head = format!("{} of {owner} in {}", counted(rows, "row"), counted(audit.groups.len(), "group"));
    let lines = audit.groups.iter().map(|group| {
        let bulk = if group.safe { "safe" } else { "one by one" };
        vec![
            group.id.clone(),
            group.kind.name().to_owned(),
            counted(group.rows.len(), "row"),
            group.action.name().to_owned(),
            group.uncertainty.name().to_owned(),
            bulk.to_owned(),
            group.why.clone(),
        ]
    });
    let headings = ["group", "kind", "rows", "action", "uncertainty", "bulk", "why"];
    let words = if audit.words_only { "\ntoo many rows: compared by their words alone" } else { "" };
    format!("{head}\n{}{words}", table(&headings, lines))
}

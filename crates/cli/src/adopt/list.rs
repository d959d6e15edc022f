//! `memory adopt list`.

use serde::Serialize;
use truthkeeper::{
    Actor, Adoption, AdoptionId, BadInput, FactId, KeptLegacy, Legacy, LegacyHeld, LegacyPage, Scope, Text,
    limits,
};

use crate::adopt::OwnerArgs;
use crate::args::Global;
use crate::error::CliError;
use crate::out;
use crate::session::Session;
use crate::show::counted;
use crate::show::fact::actor;
use crate::show::json::shown;
use crate::show::table::{brief, table};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    owner: OwnerArgs,
    /// At most that many, up to 100.
    #[arg(long, value_name = "N", default_value_t = limits::PAGE_ITEMS_DEFAULT)]
    limit: usize,
    /// Only those beyond this row.
    #[arg(long, value_name = "ROW")]
    after: Option<String>,
    /// List the reviews that were applied, or have begun to be.
    #[arg(long, conflicts_with_all = ["owner", "limit", "after"])]
    adoptions: bool,
}

#[derive(Debug, Serialize)]
struct Rows<'a> {
    rows: Vec<Row<'a>>,
    damaged: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<FactId>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Row<'a> {
    row: FactId,
    scope: &'a Scope,
    digest: &'a str,
    imported_at: String,
    standing: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a Text>,
    memory: &'a Legacy,
}

#[derive(Debug, Serialize)]
struct Adoptions<'a> {
    adoptions: Vec<Begun<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Begun<'a> {
    adoption: AdoptionId,
    owner: String,
    reviewer: &'a Actor,
    steps: u32,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    begun_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    applied_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rolled_back_at: Option<String>,
}

pub(super) async fn run(global: &Global, args: &Args) -> Result<(), CliError> {
    if args.adoptions {
        return adoptions(global).await;
    }
    let owner = args.owner.owner(global)?;
    let after = args.after.as_deref().map(FactId::parse).transpose()?;
    let limit = u32::try_from(args.limit).ok().filter(|_| (1..=limits::PAGE_ITEMS_MAX).contains(&args.limit));
    let most = limits::PAGE_ITEMS_MAX;
    let limit = limit.ok_or_else(|| BadInput::new("limit", format!("must be from 1 to {most}")))?;
    let session = Session::open(global).await?;
    let page = session.memory.legacy_rows(&session.caller, owner.as_ref(), after, limit).await?;
    let LegacyPage { rows: kept, damaged, next } = page;
    if damaged > 0 && !session.json {
        out::note(&format!("{} damaged: `memory ledger check` names them", counted(damaged, "row")));
    }
    if kept.is_empty() && damaged == 0 && !session.json {
        out::note("nothing was brought in");
        return Ok(());
    }
    let rows = Rows { rows: kept.iter().map(Row::of).collect(), damaged, next };
    session.answer(&rows, || {
        let headings = ["row", "owner", "origin", "standing", "text"];
        table(&headings, kept.iter().map(line))
    })?;
    if let (Some(next), false) = (next, session.json) {
        out::note(&format!("there may be more: --after {next}"));
    }
    Ok(())
}

async fn adoptions(global: &Global) -> Result<(), CliError> {
    let session = Session::open(global).await?;
    let found = session.memory.adoptions(&session.caller).await?;
    if found.is_empty() && !session.json {
        out::note("no review was applied");
        return Ok(());
    }
    let told = Adoptions { adoptions: found.iter().map(Begun::of).collect() };
    session.answer(&told, || {
        let headings = ["adoption", "owner", "reviewer", "begun", "state"];
        table(
            &headings,
            told.adoptions.iter().map(|one| {
                let state = one.state.to_owned();
                vec![
                    one.adoption.to_string(),
                    one.owner.clone(),
                    actor(one.reviewer),
                    one.begun_at.clone().unwrap_or_default(),
                    state,
                ]
            }),
        )
    })
}

impl<'a> Row<'a> {
    fn of(kept: &'a KeptLegacy) -> Self {
        Self {
            row: kept.row.row,
            scope: &kept.row.scope,
            digest: &kept.digest,
            imported_at: shown(kept.row.imported_at),
            standing: standing(kept),
            note: kept.row.standing.note.as_ref(),
            memory: &kept.row.legacy,
        }
    }
}

impl<'a> Begun<'a> {
    fn of(adoption: &'a Adoption) -> Self {
        Self {
            adoption: adoption.adoption,
            owner: adoption.scope.anchor().to_string(),
            reviewer: &adoption.reviewer,
            steps: adoption.steps,
            state: match (adoption.is_unfinished(), adoption.rolled_back_at) {
                (true, _) => "unfinished",
                (false, Some(_)) => "taken back",
                (false, None) => "applied",
            },
            begun_at: adoption.begun_at.map(shown),
            applied_at: adoption.applied_at.map(shown),
            rolled_back_at: adoption.rolled_back_at.map(shown),
        }
    }
}

fn standing(kept: &KeptLegacy) -> &'static str {
    let standing = &kept.row.standing;
    match (standing.decision, standing.held == LegacyHeld::Cited, standing.is_reconciled) {
        (Some(decision), _, _) => decision.name(),
        (None, true, _) => "cited",
        (None, false, true) => "unclassified",
        (None, false, false) => "legacy",
    }
}

fn line(kept: &KeptLegacy) -> Vec<String> {
    vec![
        kept.row.row.to_string(),
        kept.row.scope.anchor().to_string(),
        kept.row.legacy.origin.name().to_owned(),
        standing(kept).to_owned(),
        brief(kept.row.legacy.text.as_str()),
    ]
}

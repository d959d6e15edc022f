//! `memory adopt census`.

use std::collections::BTreeMap;

use serde::Serialize;
use truthkeeper::{Admissions, Census, OwnerCensus};

use crate::adopt::OwnerArgs;
use crate::args::Global;
use crate::error::CliError;
use crate::out;
use crate::session::Session;
use crate::show::table::table;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    owner: OwnerArgs,
}

#[derive(Debug, Serialize)]
struct Told {
    owners: Vec<Owner>,
}

#[derive(Debug, Serialize)]
struct Owner {
    owner: String,
    recall: bool,
    rows: u64,
    legacy: u64,
    absorbed: u64,
    rejected: u64,
    deferred: u64,
    unclassified: u64,
    admitted: u64,
    excluded: BTreeMap<&'static str, u64>,
}

pub(super) async fn run(global: &Global, args: &Args) -> Result<(), CliError> {
    let named = args.owner.owner(global)?;
    let session = Session::open(global).await?;
    let mut census = session.memory.census(&session.caller).await?;
    census.retain(|one| named.as_ref().is_none_or(|named| one.owner() == *named));
    let mut owners = Vec::with_capacity(census.len());
    for one in &census {
        let admissions = session.memory.admissions(&session.caller, Some(&one.owner())).await?;
        owners.push(Owner::of(one, &admissions));
    }
    if owners.is_empty() && !session.json {
        out::note("nothing was brought in");
        return Ok(());
    }
    let told = Told { owners };
    session.answer(&told, || {
        let headings = ["owner", "recall", "", "", "", "", "", "recalled"];
        table(&headings, told.owners.iter().map(Owner::row))
    })
}

impl Owner {
    fn of(one: &OwnerCensus, admissions: &Admissions) -> Self {
        let Census { legacy, absorbed, rejected, deferred, unclassified } = one.census;
        Self {
            owner: one.owner().to_string(),
            recall: !one.is_reconciled,
            rows: one.census.rows(),
            legacy,
            absorbed,
            rejected,
            deferred,
            unclassified,
            admitted: admissions.admitted,
            excluded: admissions.excluded.iter().map(|(why, count)| (why.name(), *count)).collect(),
        }
    }

    fn row(&self) -> Vec<String> {
        let excluded: Vec<String> =
            self.excluded.iter().map(|(why, count)| format!("{count} {why}")).collect();
        let excluded =
            if excluded.is_empty() { String::new() } else { format!(", not {}", excluded.join(", ")) };
        vec![
            self.owner.clone(),
            if self.recall { "recall on" } else { "recall off" }.to_owned(),
            format!("{} legacy", self.legacy),
            format!("{} absorbed", self.absorbed),
            format!("{} rejected", self.rejected),
            format!("{} deferred", self.deferred),
            format!("{} unclassified", self.unclassified),
            format!("{} recalled{excluded}", self.admitted),
        ]
    }
}

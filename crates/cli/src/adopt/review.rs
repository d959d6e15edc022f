//! `memory adopt review`: how far a review is, and decisions about groups and rows.

use serde::Serialize;
use truthkeeper::{BadInput, Choice, LegacyAudit, Review, Text, limits};

use crate::adopt::papers;
use crate::args::Global;
use crate::error::CliError;
use crate::ledger::Confirmed;
use crate::out;
use crate::show::table::table;
use crate::show::{counted, escape};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The review, as `memory adopt audit` began it.
    #[arg(value_name = "REVIEW")]
    file: String,
    /// Approve every group that is safe and pending, unread.
    #[arg(long)]
    approve_safe: bool,
    /// Decide about a group, or a row of it: approve, reject, defer or pending. May be given again.
    #[arg(long, value_name = "GROUP[/ROW]=CHOICE")]
    decide: Vec<String>,
    /// A note that is kept with the decision about a group.
    #[arg(long, value_name = "GROUP=TEXT", allow_hyphen_values = true)]
    note: Vec<String>,
    /// Only as long as the review is of this version, as it was shown.
    #[arg(long, value_name = "VERSION")]
    expect: Option<String>,
    #[command(flatten)]
    confirmed: Confirmed,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Told<'a> {
    version: String,
    pending: usize,
    groups: Vec<Group<'a>>,
}

#[derive(Debug, Serialize)]
struct Group<'a> {
    id: &'a str,
    kind: &'static str,
    rows: usize,
    safe: bool,
    decision: &'static str,
    pending: usize,
}

pub(super) async fn run(global: &Global, args: &Args) -> Result<(), CliError> {
    let _alone = papers::lock(&args.file)?;
    let (audit, mut review) = papers::read_review(&args.file)?;
    let before = review.digest();
    let approved = match args.approve_safe {
        true => review.approve_safe(&audit).map_err(CliError::Review)?,
        false => Vec::new(),
    };
    args.decide.iter().try_for_each(|decision| decide(&audit, &mut review, decision))?;
    args.note.iter().try_for_each(|note| put_note(&mut review, note))?;
    review.check(&audit).map_err(CliError::Review)?;
    // The same request again finds its decisions there: it is answered as before.
    let is_new = review.digest() != before;
    if is_new && args.expect.as_ref().is_some_and(|expected| *expected != before) {
        return Err(CliError::ReviewChanged { version: before });
    }
    let told = told(&audit, &review);
    match global.json {
        true => out::json(&told)?,
        false => out::text(&text(&told))?,
    }
    if !is_new {
        return Ok(());
    }
    args.confirmed.check(|| {
        let safe = match approved.len() {
            0 => String::new(),
            _ => format!(" (approve {})", approved.join(", ")),
        };
        format!(
            "write these decisions into {}{safe}; --expect {before} binds it to what it is now",
            args.file
        )
    })?;
    papers::replace_review(&args.file, &review)
}

fn decide(audit: &LegacyAudit, review: &mut Review, decision: &str) -> Result<(), BadInput> {
    let bad =
        |problem: &str| BadInput::new("decide", format!("{problem}: it is GROUP=CHOICE or GROUP/ROW=CHOICE"));
    let (named, choice) = decision.split_once('=').ok_or_else(|| bad("names no choice"))?;
    let choice = Choice::ALL
        .into_iter()
        .find(|one| one.name() == choice)
        .ok_or_else(|| bad("names no choice of approve, reject, defer and pending"))?;
    let (id, row) = named.split_once('/').map_or((named, None), |(id, row)| (id, Some(row)));
    let group = review.groups.iter_mut().find(|group| group.id == id);
    let group = group.ok_or_else(|| bad("names a group that the review does not have"))?;
    match row {
        None if choice == Choice::Approve && is_row_by_row(audit, id) => {
            return Err(bad("approves at once what is approved row by row"));
        }
        None => group.decision = choice,
        Some(row) => {
            let found = group.rows.iter_mut().find(|one| one.row.to_string() == row);
            found.ok_or_else(|| bad("names a row that the group does not have"))?.decision = Some(choice);
        }
    }
    Ok(())
}

fn is_row_by_row(audit: &LegacyAudit, id: &str) -> bool {
    audit.groups.iter().any(|group| group.id == id && group.is_row_by_row())
}

fn put_note(review: &mut Review, note: &str) -> Result<(), BadInput> {
    let bad = |problem: &str| BadInput::new("note", format!("{problem}: it is GROUP=TEXT"));
    let (id, text) = note.split_once('=').ok_or_else(|| bad("names no group"))?;
    let group = review.groups.iter_mut().find(|group| group.id == id);
    let group = group.ok_or_else(|| bad("names a group that the review does not have"))?;
    group.note = Some(Text::parse("note", text, limits::NOTE_CHARS_MAX)?);
    Ok(())
}

fn told<'a>(audit: &'a LegacyAudit, review: &'a Review) -> Told<'a> {
    let groups = review.groups.iter().map(|group| {
        let pending = group.rows.iter().filter(|row| group.choice(row) == Choice::Pending).count();
        let safe = audit.groups.iter().any(|one| one.id == group.id && one.safe);
        let (kind, decision) = (group.kind.name(), group.decision.name());
        Group { id: &group.id, kind, rows: group.rows.len(), safe, decision, pending }
    });
    let groups: Vec<Group<'_>> = groups.collect();
    Told { version: review.digest(), pending: groups.iter().map(|group| group.pending).sum(), groups }
}

fn text(told: &Told<'_>) -> String {
    let rows = told.groups.iter().map(|group| {
        let pending = match group.pending {
            0 => "decided".to_owned(),
            pending => format!("{pending} pending"),
        };
        vec![
            escape::in_line(group.id),
            group.kind.to_owned(),
            counted(group.rows, "row"),
            if group.safe { "safe" } else { "one by one" }.to_owned(),
            group.decision.to_owned(),
            pending,
        ]
    });
    let headings = ["group", "kind", "rows", "bulk", "decision", ""];
    let end = match told.pending {
        0 => "everything is decided: `memory adopt seal` seals it".to_owned(),
        pending => format!("{} to be decided", counted(pending, "row")),
    };
    format!("{}\n{end}\nversion {}", table(&headings, rows), told.version)
}

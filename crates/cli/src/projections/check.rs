//! `projections check` and `projections repair`.

use serde::Serialize;
use server::wire::{CopyFound, damage};
use truthkeeper::{Checked, Drift, Rebuilt};

use super::{Owned, facts};
use crate::args::Global;
use crate::error::CliError;
use crate::progress;
use crate::session::Session;
use crate::show::counted;

#[derive(Debug, Serialize)]
struct Repaired {
    repaired: usize,
    #[serde(flatten)]
    found: CopyFound,
}

pub(crate) async fn check(global: &Global, args: &Owned) -> Result<(), CliError> {
    let session = Session::open(global).await?;
    let checked = look(&session, args).await?;
    session.answer(&CopyFound::of(&checked), || text(&checked))?;
    verdict(&checked)
}

pub(crate) async fn repair(global: &Global, args: &Owned) -> Result<(), CliError> {
    let session = Session::open(global).await?;
    let owner = args.owner(&session).await?;
    let bar = progress::bar("repairing", None);
    let tenant = session.caller.tenant();
    let repaired = session.memory.repair_index(tenant, owner.as_ref(), |done| bar.set_position(done)).await?;
    bar.finish_and_clear();
    let checked = look(&session, args).await?;
    session.answer(&Repaired { repaired, found: CopyFound::of(&checked) }, || {
        let made = facts(u64::try_from(repaired).unwrap_or(u64::MAX));
        format!("made the rows of {made} again\n{}", text(&checked))
    })?;
    verdict(&checked)
}

/// What a rebuild came to.
#[derive(Debug, Serialize)]
struct Made {
    made: u64,
    left: u64,
}

pub(crate) async fn rebuild(global: &Global) -> Result<(), CliError> {
    let session = Session::open(global).await?;
    let tenant = session.caller.tenant();
    let bar = progress::bar("rebuilding", Some(session.memory.facts(tenant).await?));
    let Rebuilt { made, left } = session.memory.rebuild_index(tenant, |done| bar.set_position(done)).await?;
    bar.finish_and_clear();
    session.answer(&Made { made, left }, || format!("made the rows of {} anew, {left} left", facts(made)))?;
    if left > 0 {
        return Err(CliError::NotProjected { failed: left });
    }
    let whole = Owned { owner: None };
    verdict(&look(&session, &whole).await?)
}

async fn look(session: &Session, args: &Owned) -> Result<Checked, CliError> {
    let owner = args.owner(session).await?;
    let bar = progress::bar("checking", None);
    let tenant = session.caller.tenant();
    let checked = session.memory.check_index(tenant, owner.as_ref(), |done| bar.set_position(done)).await?;
    bar.finish_and_clear();
    Ok(checked)
}

fn verdict(checked: &Checked) -> Result<(), CliError> {
    if checked.is_clean() { Ok(()) } else { Err(CliError::Drifted) }
}

/// How many rows wait for their vectors, where there are any.
fn embed(rows: u64) -> String {
    if rows == 0 { String::new() } else { format!("; {} to embed", counted(rows, "row")) }
}

fn text(checked: &Checked) -> String {
    let Checked { total, owners: _, damage: damaged } = checked;
    let mut lines: Vec<String> = total
        .drifted
        .iter()
        .map(|one| {
            let row = one.row.map_or_else(String::new, |row| format!(" in row {row}"));
            format!("{}: {}{row}", one.drift.name(), one.fact)
        })
        .collect();
    let all: u64 = total.drift.values().sum();
    let unsaid = all.saturating_sub(u64::try_from(lines.len()).unwrap_or(u64::MAX));
    if unsaid > 0 {
        lines.push(format!("and {unsaid} more"));
    }
    lines.extend(damaged.iter().map(|one| format!("damaged: {}", damage(one))));
    let counts: Vec<String> = Drift::ALL
        .iter()
        .map(|kind| format!("{} {}", total.drift.get(kind).copied().unwrap_or(0), kind.name()))
        .collect();
    let rows = counted(total.rows, "row");
    lines.push(format!("{} and {rows}: {}{}", facts(total.facts), counts.join(", "), embed(total.to_embed)));
    lines.join("\n")
}

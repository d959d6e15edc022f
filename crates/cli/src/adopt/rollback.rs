//! `memory adopt rollback`.

use serde::Serialize;
use truthkeeper::{AdoptionId, RolledBack, StepDone, StepOutcome};

use crate::adopt::apply::{Came, counts};
use crate::args::Global;
use crate::error::CliError;
use crate::ledger::Confirmed;
use crate::progress;
use crate::session::Session;
use crate::show::counted;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The adoption, as `memory adopt apply` named it.
    #[arg(value_name = "ADOPTION")]
    adoption: String,
    #[command(flatten)]
    confirmed: Confirmed,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Told {
    adoption: AdoptionId,
    already_rolled_back: bool,
    steps: Vec<Came>,
}

pub(super) async fn run(global: &Global, args: &Args) -> Result<(), CliError> {
    let adoption = AdoptionId::parse(&args.adoption)?;
    let session = Session::open(global).await?;
    let steps = session.memory.adoption_steps(&session.caller, adoption).await?;
    let is_made = |done: &&StepDone| done.outcome == StepOutcome::Adopted;
    let made = steps.iter().filter(is_made).count();
    args.confirmed.check(|| {
        let facts = counted(made, "fact");
        format!(
            "forget the {facts} that it made, but for those that changed since, and ask about its rows again"
        )
    })?;
    let bar = progress::bar("taking back", Some(u64::try_from(steps.len()).unwrap_or(u64::MAX)));
    let shown = bar.clone();
    let advance = move |done| shown.inc(u64::try_from(done).unwrap_or(0));
    let back = session.memory.roll_back(&session.caller, adoption, advance).await?;
    bar.finish_and_clear();
    let told = Told {
        adoption,
        already_rolled_back: back.was_rolled_back,
        steps: back.steps.iter().map(Came::to).collect(),
    };
    session.answer(&told, || text(&back))?;
    match back.steps.iter().filter(|(_, why)| why.is_some()).count() {
        0 => Ok(()),
        refused => Err(CliError::StepsRefused { refused, steps: back.steps.len() }),
    }
}

fn text(back: &RolledBack) -> String {
    let head = if back.was_rolled_back { "taken back before" } else { "taken back" };
    let mut lines = vec![format!("{head}: {}", counts(&back.steps))];
    lines.extend(back.steps.iter().filter_map(|(done, why)| {
        let (fact, _) = done.fact?;
        why.as_ref().map(|why| format!("  step {}: {fact} stays: {why}", done.step))
    }));
    lines.join("\n")
}

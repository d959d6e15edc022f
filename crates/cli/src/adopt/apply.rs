//! `memory adopt apply`.

use std::collections::BTreeMap;

use serde::Serialize;
use truthkeeper::{AdoptionId, AdoptionStep, Applied, FactId, Step, StepDone};

use crate::adopt::papers;
use crate::args::Global;
use crate::error::CliError;
use crate::ledger::Confirmed;
use crate::session::Session;
use crate::show::counted;
use crate::show::table::{brief, table};
use crate::{out, progress};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The sealed review.
    #[arg(value_name = "SEALED")]
    file: String,
    #[command(flatten)]
    confirmed: Confirmed,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Told {
    adoption: AdoptionId,
    already_applied: bool,
    resumed: usize,
    steps: Vec<Came>,
    not_searchable_yet: usize,
}

#[derive(Debug, Serialize)]
struct Plan<'a> {
    steps: Vec<Planned<'a>>,
}

/// What a step would do.
#[derive(Debug, Serialize)]
struct Planned<'a> {
    step: u32,
    act: &'static str,
    rows: Vec<FactId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
}

/// What a step came to.
#[derive(Debug, Serialize)]
pub(super) struct Came {
    step: u32,
    outcome: &'static str,
    rows: Vec<FactId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fact: Option<FactId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

impl Came {
    pub(super) fn to((done, why): &(StepDone, Option<String>)) -> Self {
        Self {
            step: done.step,
            outcome: done.outcome.name(),
            rows: done.rows.clone(),
            fact: done.fact.map(|(fact, _)| fact),
            why: why.clone(),
        }
    }
}

pub(super) async fn run(global: &Global, args: &Args) -> Result<(), CliError> {
    let sealed = papers::read_sealed(&args.file)?;
    let steps = truthkeeper::plan(&sealed);
    if !args.confirmed.is_given() {
        match global.json {
            true => out::json(&Plan { steps: steps.iter().map(Planned::of).collect() })?,
            false => out::text(&plan(&steps))?,
        }
        let what = || format!("carry out {}", counted(steps.len(), "step"));
        return args.confirmed.check(what);
    }
    let session = Session::open(global).await?;
    let bar = progress::bar("applying", Some(u64::try_from(steps.len()).unwrap_or(u64::MAX)));
    let shown = bar.clone();
    let advance = move |done| shown.inc(u64::try_from(done).unwrap_or(0));
    let applied = session.memory.apply_review(&session.caller, &sealed, advance).await?;
    bar.finish_and_clear();
    let told = Told {
        adoption: applied.adoption,
        already_applied: applied.was_applied,
        resumed: applied.resumed,
        steps: applied.steps.iter().map(Came::to).collect(),
        not_searchable_yet: applied.unsearchable,
    };
    session.answer(&told, || text(&applied))?;
    let refused = applied.steps.iter().filter(|(_, why)| why.is_some()).count();
    match refused {
        0 => Ok(()),
        // It was said when it was applied, and is said again.
        _ if applied.was_applied => Ok(()),
        refused => Err(CliError::StepsRefused { refused, steps: applied.steps.len() }),
    }
}

impl<'a> Planned<'a> {
    fn of(step: &'a AdoptionStep) -> Self {
        let (act, rows, text) = match &step.step {
            Step::Adopt(adopted) => {
                let rows = adopted.cites.iter().map(|cite| cite.row).collect();
                ("adopt", rows, Some(adopted.wording.text.as_str()))
            }
            Step::Keep { row } => ("keep", vec![*row], None),
            Step::Reject { rows, .. } => ("reject", rows.clone(), None),
            Step::Defer { rows, .. } => ("defer", rows.clone(), None),
        };
        Self { step: step.number, act, rows, text }
    }
}

/// A line for each step.
fn plan(steps: &[AdoptionStep]) -> String {
    let lines = steps.iter().map(Planned::of).map(|planned| {
        let rows = counted(planned.rows.len(), "row");
        let text = planned.text.map_or_else(String::new, brief);
        vec![format!("{}.", planned.step), planned.act.to_owned(), rows, text]
    });
    table(&["step", "act", "rows", "text"], lines)
}

/// How many steps came to what.
pub(super) fn counts(steps: &[(StepDone, Option<String>)]) -> String {
    let mut counts: BTreeMap<_, usize> = BTreeMap::new();
    for (done, _) in steps {
        *counts.entry(done.outcome).or_default() += 1;
    }
    let counts: Vec<String> =
        counts.into_iter().map(|(outcome, count)| format!("{count} {}", outcome.name())).collect();
    counts.join(", ")
}

fn text(applied: &Applied) -> String {
    let mut lines = vec![match (applied.was_applied, applied.resumed) {
        (true, _) => format!("already applied: {}", counts(&applied.steps)),
        (false, 0) => format!("applied: {}", counts(&applied.steps)),
        (false, resumed) => {
            let before = counted(resumed, "step");
            format!("applied: {}; {before} had been done before", counts(&applied.steps))
        }
    }];
    let why = |(done, why): &(StepDone, Option<String>)| {
        why.as_ref().map(|why| format!("  step {}: {why}", done.step))
    };
    lines.extend(applied.steps.iter().filter_map(why));
    if applied.unsearchable > 0 {
        let facts = counted(applied.unsearchable, "fact");
        lines.push(format!("not searchable yet: {facts}; `memory projections status` says why"));
    }
    lines.push(format!("`memory adopt rollback {}` takes it back", applied.adoption));
    lines.join("\n")
}

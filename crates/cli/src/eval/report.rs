//! What an evaluation says: a table for people, one JSON object for programs.

use std::collections::BTreeMap;
use std::fmt;

use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;

use super::Mode;
use super::ask::Answer;
use super::dataset::Owner;
use super::import::Imported;
use super::score::{self, Figures, float};

/// What was measured, and how.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Report {
    settings: Settings,
    categories: BTreeMap<String, Figures>,
    all: Figures,
    /// Queries that were not asked because they have no gold.
    skipped: usize,
    ms: Milliseconds,
    stale: Stale,
    documents: usize,
    ingest: Ingest,
}

/// What was asked for.
#[derive(Debug, Serialize)]
pub(super) struct Settings {
    /// The file of documents.
    pub(super) docs: String,
    /// The file of queries.
    pub(super) queries: String,
    /// What the store lay on.
    pub(super) engine: &'static str,
    /// How recall looked.
    pub(super) mode: Mode,
    /// Documents asked for.
    pub(super) limit: usize,
    /// Categories left out.
    pub(super) skip: Vec<String>,
    /// Owners taken in.
    pub(super) owners: usize,
}

#[derive(Debug, Serialize)]
struct Milliseconds {
    p50: f64,
    p99: f64,
}

/// What should no longer be shown, among the first ten places of every query.
#[derive(Debug, Serialize)]
struct Stale {
    /// Documents that a later one supersedes.
    superseded: usize,
    /// How often one was shown; the ledger keeps them back, so none is.
    shown: usize,
    versions: Versions,
}

/// Stale versions that no document was said to supersede, so that only the order could hold them back.
#[derive(Debug, Serialize)]
struct Versions {
    queries: usize,
    /// How often a stale one was shown.
    shown: usize,
    /// How often one stood before every version that holds.
    first: usize,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Ingest {
    facts: usize,
    seconds: f64,
    facts_per_second: f64,
}

impl Report {
    /// Sums up.
    pub(super) fn of(
        settings: Settings,
        owners: &[Owner],
        imported: &Imported,
        answers: &[Answer<'_>],
    ) -> Self {
        let mut categories: BTreeMap<&str, Vec<&Answer<'_>>> = BTreeMap::new();
        for answer in answers {
            categories.entry(answer.category).or_default().push(answer);
        }
        let times: Vec<_> = answers.iter().map(|answer| answer.took).collect();
        let questions = owners.iter().flat_map(|owner| &owner.questions);
        Self {
            settings,
            categories: categories
                .into_iter()
                .map(|(name, answers)| {
                    (name.to_owned(), Figures::mean(answers.iter().map(|answer| &answer.score)))
                })
                .collect(),
            all: Figures::mean(answers.iter().map(|answer| &answer.score)),
            skipped: questions.filter(|question| question.gold.is_empty()).count(),
            ms: Milliseconds { p50: score::percentile(&times, 50), p99: score::percentile(&times, 99) },
            stale: Stale::of(imported, answers),
            documents: owners.iter().map(|owner| owner.documents.len()).sum(),
            ingest: Ingest::of(imported),
        }
    }
}

impl Stale {
    fn of(imported: &Imported, answers: &[Answer<'_>]) -> Self {
        let versions: Vec<_> = answers.iter().filter_map(|answer| answer.versions.as_ref()).collect();
        Self {
            superseded: imported.standings.iter().map(|standing| standing.superseded.len()).sum(),
            shown: answers.iter().map(|answer| answer.superseded).sum(),
            versions: Versions {
                queries: versions.len(),
                shown: versions.iter().map(|versions| versions.shown).sum(),
                first: versions.iter().filter(|versions| versions.first).count(),
            },
        }
    }
}

impl Ingest {
    fn of(imported: &Imported) -> Self {
        let facts = imported.standings.iter().map(|standing| standing.written).sum();
        let seconds = imported.took.as_secs_f64();
        Self { facts, seconds, facts_per_second: float(facts) / seconds }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { settings, categories, all, skipped, ms, stale, documents, ingest } = self;
        let mut table = Table::new();
        table
            .load_style(presets::ASCII_MARKDOWN)
            .set_header(["category", "n", "R@1", "R@5", "R@10", "MRR@10"]);
        for (name, figures) in categories.iter().map(|(name, one)| (name.as_str(), one)).chain([("all", all)])
        {
            let Figures { n, r1, r5, r10, mrr10 } = figures;
            let shares = [r1, r5, r10, mrr10].map(|share| format!("{share:.3}"));
            table.add_row([name.to_owned(), n.to_string()].into_iter().chain(shares));
        }
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        let Settings { engine, limit, owners, .. } = settings;
        writeln!(f, "{table}\n")?;
        writeln!(
            f,
            "{documents} documents of {owners} owners, on {engine}; {skipped} queries without gold skipped"
        )?;
        writeln!(f, "recall of {limit}: {:.1} ms (p50), {:.1} ms (p99)", ms.p50, ms.p99)?;
        let Ingest { facts, seconds, facts_per_second } = ingest;
        write!(f, "import: {facts} facts in {seconds:.1} s, {facts_per_second:.0} a second")?;
        if stale.superseded > 0 {
            let Stale { superseded, shown, .. } = stale;
            write!(f, "\nsuperseded: {superseded} documents, shown {shown} times in the first ten")?;
        }
        if stale.versions.queries > 0 {
            let Versions { queries, shown, first } = stale.versions;
            write!(
                f,
                "\nstale versions: {queries} queries, shown {shown} times in the first ten, before the update {first} times"
            )?;
        }
        Ok(())
    }
}

//! `duplicates list`.

use serde::Serialize;
use truthkeeper::{COMPARED_FACTS_MAX, DUPLICATE_PAIRS_MAX, Duplicate, Duplicates, NoMeaning, Seen, State};

use crate::args::Global;
use crate::error::CliError;
use crate::facts::filter::FilterArgs;
use crate::out;
use crate::session::Session;
use crate::show::json::Fact;
use crate::show::table::{brief, table};
use crate::show::{self, counted};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    filter: FilterArgs,
}

/// The pairs, and what they were looked for among.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed<'a> {
    duplicates: Vec<Pair<'a>>,
    compared: usize,
    facts_left_out: bool,
    pairs_left_out: bool,
    by_words_alone: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    no_meaning: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct Pair<'a> {
    older: Fact<'a>,
    newer: Fact<'a>,
}

pub(crate) async fn run(global: &Global, args: &Args) -> Result<(), CliError> {
    let filter = args.filter.filter(&crate::who::tenant(global)?, State::Active)?;
    let session = Session::open(global).await?;
    let found = session.memory.duplicates(&session.caller, &filter).await?;
    if found.pairs.is_empty() && !session.json {
        out::note(&format!("no two facts seem to say the same; {} compared", found.compared));
    } else {
        let headings = ["older", "newer", "type", "scope", "older text", "newer text"];
        session.answer(&Listed::of(&found), || table(&headings, found.pairs.iter().map(row)))?;
    }
    notes(&found).iter().for_each(|note| out::note(note));
    Ok(())
}

impl<'a> Listed<'a> {
    fn of(found: &'a Duplicates) -> Self {
        let Duplicates { pairs, compared, facts_left_out, pairs_left_out, by_words_alone, no_meaning } =
            found;
        let pair = |pair: &'a Duplicate| Pair { older: Fact::of(&pair.older), newer: Fact::of(&pair.newer) };
        Self {
            duplicates: pairs.iter().map(pair).collect(),
            compared: *compared,
            facts_left_out: *facts_left_out,
            pairs_left_out: *pairs_left_out,
            by_words_alone: *by_words_alone,
            no_meaning: no_meaning.map(code),
        }
    }
}

fn row(pair: &Duplicate) -> Vec<String> {
    let Duplicate { older, newer } = pair;
    let text = |seen: &Seen| brief(&show::fact::text(&seen.revision));
    vec![
        version(older),
        version(newer),
        newer.head.kind.to_string(),
        newer.head.scope.path(),
        text(older),
        text(newer),
    ]
}

/// A version of a fact in one word.
fn version(seen: &Seen) -> String {
    format!("{}@{}", seen.head.fact, seen.revision.number)
}

/// What was not compared, or not shown.
fn notes(found: &Duplicates) -> Vec<String> {
    let mut notes = Vec::new();
    if found.by_words_alone > 0 {
        let why = found.no_meaning.map_or_else(|| counted_statements(found), |why| reason(why).to_owned());
        notes.push(format!("compared by words alone: {why}"));
    }
    if found.facts_left_out {
        notes.push(format!(
            "only the newest {COMPARED_FACTS_MAX} facts were compared; --scope and --type choose"
        ));
    }
    if found.pairs_left_out {
        notes.push(format!(
            "truncated: at most {DUPLICATE_PAIRS_MAX} pairs are shown; --scope, --type and --tag choose"
        ));
    }
    notes
}

fn reason(why: NoMeaning) -> &'static str {
    match why {
        NoMeaning::NoEmbeddings => "there are no embeddings",
        NoMeaning::OtherModel => "the embeddings are of a model that is not here",
        NoMeaning::IndexUnreachable => "the search index cannot be reached",
    }
}

fn code(why: NoMeaning) -> &'static str {
    match why {
        NoMeaning::NoEmbeddings => "no-embeddings",
        NoMeaning::OtherModel => "other-model",
        NoMeaning::IndexUnreachable => "index-unreachable",
    }
}

/// How many statements the index knows no meaning of.
fn counted_statements(found: &Duplicates) -> String {
    counted(found.by_words_alone, "statement")
}

//! `duplicates list`.

use server::wire::Alike;
use truthkeeper::{COMPARED_FACTS_MAX, DUPLICATE_PAIRS_MAX, Duplicate, Duplicates, NoMeaning, Seen, State};

use crate::args::Global;
use crate::error::CliError;
use crate::facts::filter::FilterArgs;
use crate::out;
use crate::session::Session;
use crate::show::table::{brief, table};
use crate::show::{self, counted};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    filter: FilterArgs,
}

pub(crate) async fn run(global: &Global, args: &Args) -> Result<(), CliError> {
    let filter = args.filter.filter(&crate::who::tenant(global)?, State::Active)?;
    let session = Session::open(global).await?;
    let found = session.memory.duplicates(&session.caller, &filter).await?;
    if found.pairs.is_empty() && !session.json {
        out::note(&format!("no two facts seem to say the same; {} compared", found.compared));
    } else {
        let headings = ["older", "newer", "type", "scope", "older text", "newer text"];
        session.answer(&Alike::of(&found), || table(&headings, found.pairs.iter().map(row)))?;
    }
    notes(&found).iter().for_each(|note| out::note(note));
    Ok(())
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

/// How many statements the index knows no meaning of.
fn counted_statements(found: &Duplicates) -> String {
    counted(found.by_words_alone, "statement")
}

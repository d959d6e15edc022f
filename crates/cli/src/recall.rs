//! `memory recall`.

mod layout;
mod older;
mod turn;

use serde::Serialize;
use server::wire::Missed;
use server::wire::{Around, Older};
use truthkeeper::{
    Actor, BadInput, Block, FactId, FactType, Fit, OpenConflict, Recall, Recalled, RecalledFact, Warning,
    limits,
};

use self::layout::LayoutArgs;
use self::turn::TurnArgs;
use crate::args::Global;
use crate::config::{Config, SEARCH_FLOOR, SEARCH_LIMIT};
use crate::error::CliError;
use crate::facts::TimesArgs;
use crate::ranking::RankingArgs;
use crate::session::Session;
use crate::show::escape::in_line;
use crate::show::json::Said;
use crate::{out, show};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What to look for; not needed in mode list.
    query: Vec<String>,
    /// How to look: keyword, semantic, both, or list (the newest first), of which none is another name.
    #[arg(long, value_name = "MODE", default_value = "keyword")]
    mode: String,
    /// Only facts of these kinds, with commas between them.
    #[arg(long, value_name = "TYPE", value_delimiter = ',')]
    types: Vec<String>,
    /// At most that many facts [env: MEMORY_SEARCH_LIMIT] [default: 10].
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    #[command(flatten)]
    ranking: RankingArgs,
    /// Say below each fact what its score comes from, and what was found and is not shown.
    #[arg(long, conflicts_with = "block")]
    explain: bool,
    #[command(flatten)]
    times: TimesArgs,
    #[command(flatten)]
    turn: TurnArgs,
    #[command(flatten)]
    layout: LayoutArgs,
}

/// What a recall gave.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    facts: Vec<Found<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    legacy: Vec<Older<'a>>,
    #[serde(flatten)]
    around: Around<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    near: Option<Vec<Missed>>,
    block: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    policies: &'a str,
}

/// A fact that was recalled.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Found<'a> {
    id: FactId,
    #[serde(rename = "type")]
    kind: &'a FactType,
    scope: &'a truthkeeper::Scope,
    version: truthkeeper::RevisionNumber,
    created_at: String,
    #[serde(flatten)]
    said: Said<'a>,
    current_truth: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    #[serde(skip_serializing_if = "<[Fit]>::is_empty")]
    fits: &'a [Fit],
}

pub(crate) async fn run(global: &Global, args: Args) -> Result<(), CliError> {
    let layout = args.layout.layout(&global.config)?;
    let recalled = match &args.turn.run {
        Some(run) => {
            let (run, intents) = args.turn.parse(global, run)?;
            let session = Session::open(global).await?;
            let (query, caller) = (args.query.join(" "), &session.caller);
            (session.memory.recall_turn(caller, &run, &intents, &query).await?, session)
        }
        None => {
            let recall = asked(&global.config, &args)?;
            let session = Session::open(global).await?;
            (session.memory.recall(&session.caller, &recall).await?, session)
        }
    };
    let (recalled, session) = recalled;
    let block = Block::render(&recalled, layout);
    if args.layout.block && !session.json {
        return print(&block);
    }
    session.answer(&answer(&recalled, &block, args.explain), || text(&recalled, args.explain))
}

/// The policies for the system message first, where there are any, and the block after an empty line.
fn print(block: &Block) -> Result<(), CliError> {
    let parts = [block.policies(), block.as_str()].into_iter().filter(|part| !part.is_empty());
    match parts.collect::<Vec<_>>().as_slice() {
        [] => Ok(()),
        parts => out::json_line(&parts.join("\n\n")),
    }
}

fn kinds(names: &[String]) -> Result<Vec<FactType>, BadInput> {
    names.iter().map(|kind| FactType::parse(kind)).collect()
}

fn asked(config: &Config, args: &Args) -> Result<Recall, BadInput> {
    let query = args.query.join(" ");
    let kinds = kinds(&args.types)?;
    let recall = match args.mode.as_str() {
        "list" | "none" if query.is_empty() => Recall::newest(),
        "list" | "none" => return Err(BadInput::new("query", "has no use in mode list")),
        "keyword" | "semantic" | "both" if query.trim().is_empty() => {
            return Err(BadInput::new("query", "is missing; --mode list needs none"));
        }
        "keyword" => Recall::query(query),
        "semantic" => Recall::query(query).mode(truthkeeper::Mode::Semantic),
        "both" => Recall::query(query).mode(truthkeeper::Mode::Both),
        _ => return Err(BadInput::new("mode", "must be keyword, semantic, both, list or none")),
    };
    let limit = args.limit.map_or_else(|| config.number(&SEARCH_LIMIT), Ok)?;
    if !(1..=limits::PAGE_ITEMS_MAX).contains(&limit) {
        let most = limits::PAGE_ITEMS_MAX;
        return Err(BadInput::new("limit", format!("must be from 1 to {most}")));
    }
    let recall = recall.kinds(kinds).limit(limit).times(args.times.parse()?);
    Ok(args.ranking.ranking()?.or_floor(config.value(&SEARCH_FLOOR)?).of(recall))
}

fn answer<'a>(recalled: &'a Recalled, block: &'a Block, explain: bool) -> Answer<'a> {
    Answer {
        facts: recalled.facts.iter().map(|fact| found(fact, recalled.then.is_none(), explain)).collect(),
        legacy: recalled.legacy.iter().map(|legacy| Older::of(legacy, explain)).collect(),
        around: Around::of(recalled),
        near: explain.then(|| recalled.near.iter().map(Missed::of).collect()),
        block: block.as_str(),
        policies: block.policies(),
    }
}

fn found(fact: &RecalledFact, current_truth: bool, explain: bool) -> Found<'_> {
    let RecalledFact { case, revision, score, fits } = fact;
    Found {
        id: case.head.fact,
        kind: &case.head.kind,
        scope: &case.head.scope,
        version: revision.number,
        created_at: show::json::shown(revision.recorded_at),
        said: Said::of(revision),
        current_truth,
        score: *score,
        fits: if explain { fits } else { &[] },
    }
}

fn text(recalled: &Recalled, explain: bool) -> String {
    let mut lines: Vec<String> =
        (1..).zip(&recalled.facts).map(|(place, fact)| item(place, fact, explain)).collect();
    let older = (lines.len() + 1..).zip(&recalled.legacy);
    let older: Vec<String> = older.map(|(place, legacy)| older::item(place, legacy, explain)).collect();
    lines.extend(older);
    match (recalled.then, lines.is_empty()) {
        (Some(then), is_empty) => {
            let nothing = if is_empty { "; nothing was found" } else { "" };
            let times = format!("as known at {}, true at {}", then.known, then.valid);
            lines.insert(0, format!("{times}: not current truth{nothing}"));
        }
        (None, true) => lines.push("nothing that is true now was found".to_owned()),
        (None, false) => {}
    }
    if explain {
        lines.extend(recalled.near.iter().map(show::fit::missed));
    }
    let withheld: Vec<String> =
        recalled.withheld.iter().map(|(reason, count)| format!("{count} {}", reason.name())).collect();
    if !withheld.is_empty() {
        lines.push(format!("withheld: {}", withheld.join(", ")));
    }
    lines.extend(conflicts(&recalled.conflicts, recalled.conflicts_open));
    match recalled.not_searchable_yet {
        0 => {}
        count => {
            let named: Vec<String> = recalled.unsearchable.iter().map(ToString::to_string).collect();
            let more = if count > named.len() { ", …" } else { "" };
            lines.push(format!("not searchable yet: {count} recent changes: {}{more}", named.join(", ")));
        }
    }
    if let Some(why) = recalled.degraded {
        lines.push(format!("degraded: by words alone ({})", why.name()));
    }
    lines.extend(recalled.warnings.iter().map(|warning| format!("warning: {}", warning_text(*warning))));
    if recalled.index_drifted {
        lines.push(
            "degraded: the search index did not agree with the ledger when it was last checked".to_owned(),
        );
    }
    lines.join("\n")
}

fn warning_text(warning: Warning) -> String {
    let why = match warning {
        Warning::NeedsParticipant => "it keeps memory for each end user, and the run names none",
        Warning::NeedsConversation => "it asks for its conversation's facts, and the run names none",
        Warning::NeedsProject => "it asks for its project's facts, and the run names none",
    };
    format!("{}: {why}", warning.name())
}

/// Its number in the list, and how well it fits.
fn place_of(place: usize, score: Option<f64>) -> String {
    let score = score.map_or_else(String::new, |score| format!("{score:.2}  "));
    format!("{:<3} {score}", format!("{place}."))
}

fn why(fits: &[Fit], explain: bool) -> String {
    match explain && !fits.is_empty() {
        true => format!("\n    {}", show::fit::fits(fits)),
        false => String::new(),
    }
}

/// A fact with how well it fits, and below it what it is.
fn item(place: usize, fact: &RecalledFact, explain: bool) -> String {
    let RecalledFact { case, revision, score, fits } = fact;
    let who: &Actor = revision.author();
    format!(
        "{}{}\n    {} {}, {}, {}, {}{}",
        place_of(place, *score),
        in_line(&show::fact::text(revision)),
        case.head.fact,
        case.head.kind,
        show::fact::trust(revision.saying.trust),
        in_line(&show::fact::actor(who)),
        revision.recorded_at,
        why(fits, explain),
    )
}

fn conflicts(shown: &[OpenConflict], open: usize) -> Option<String> {
    let one = |conflict: &OpenConflict| {
        let key = conflict.key.as_ref().map_or_else(String::new, |key| format!(" \"{}\"", key.as_str()));
        in_line(&format!("{}{key} conflict {}", conflict.kind, conflict.conflict))
    };
    let named: Vec<String> = shown.iter().map(one).collect();
    let more = if open > shown.len() { "; `memory conflicts` shows all" } else { "" };
    match open {
        0 => None,
        1 => Some(format!("1 conflict withheld: {}", named.join(""))),
        open => Some(format!("{open} conflicts withheld{more}:\n  {}", named.join("\n  "))),
    }
}

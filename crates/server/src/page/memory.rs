//! The list of facts, and what a recall would find.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use truthkeeper::{
    BadInput, Caller, Cursor, Degraded, FactType, Filter, Mode, Reason, Recall, Recalled, Right,
    State as FactState, Times,
};

use super::fields::{Fields, Queried};
use super::frame::{Frame, Section, page};
use super::said::Said;
use super::session::SignedIn;
use super::version::{Version, state_name};
use super::when::When;
use super::{assets, link};
use crate::app::App;
use crate::fault::Fault;
use crate::input;
use crate::retrieve::within;

/// Facts of a page.
const PAGE_FACTS: usize = 25;
/// The states that a list can be of, by their names in the address and by those that owners read.
const STATES: [FactState; 5] = [
    FactState::Active,
    FactState::Conflicted,
    FactState::Superseded,
    FactState::Retracted,
    FactState::Expired,
];

#[derive(Template)]
#[template(path = "memory.html")]
struct List {
    frame: Frame,
    asked: Asked,
    versions: Vec<Version>,
    /// What stands around a search.
    around: Option<Around>,
    /// Where the list goes on.
    older: Option<String>,
    /// Whether this is not its beginning.
    is_later: bool,
}

/// What was asked, as the form shows it again.
struct Asked {
    query: String,
    kind: String,
    scope: String,
    key: String,
    tag: String,
    as_of: String,
    valid_at: String,
    states: Vec<Choice>,
    is_filtered: bool,
}

struct Choice {
    name: &'static str,
    words: &'static str,
    is_chosen: bool,
}

/// What a recall did not show, and why; and memories from before the ledger.
struct Around {
    withheld: Vec<(usize, &'static str)>,
    conflicts_open: usize,
    not_searchable_yet: usize,
    degraded: Option<&'static str>,
    index_drifted: bool,
    older: Vec<Older>,
}

struct Older {
    text: Said,
    written: Option<When>,
}

pub(crate) async fn list(
    State(app): State<App>,
    signed: SignedIn,
    Queried(fields): Queried,
) -> Result<Response, Fault> {
    let caller = signed.keyed.caller(Right::FactsRead)?;
    let asked = Asked::of(&fields);
    let frame = Frame::of(&app, &signed, Section::Memory, "Memory").await?;
    let now = frame.now;
    let answer = match fields.get("q") {
        Some(query) => {
            let recalled = found(&app, caller, query, &fields).await?;
            let seen = recalled.facts.iter().map(|fact| Version::recalled(fact, now));
            let around = Some(Around::of(&recalled, now));
            List { frame, asked, versions: seen.collect(), around, older: None, is_later: false }
        }
        None => {
            let (filter, times) = (filter(&fields, &caller)?, times(&fields)?);
            let after = fields.get("cursor").map(Cursor::from_text);
            let page = app.memory.list(&caller, &filter, times, after.as_ref(), PAGE_FACTS).await?;
            let versions = page.items.iter().map(|seen| Version::of(seen, now)).collect();
            let older = page.next.map(|next| {
                link::of("/memory", fields.others(&["cursor"]).into_iter().chain([("cursor", next.as_str())]))
            });
            List { frame, asked, versions, around: None, older, is_later: after.is_some() }
        }
    };
    page(&answer)
}

/// Searches as a turn would: by meaning too where there is a model.
async fn found(app: &App, caller: Caller, query: &str, fields: &Fields) -> Result<Recalled, Fault> {
    let caller = match fields.scope(caller.tenant())? {
        Some(scope) => within(caller, scope)?,
        None => caller,
    };
    let mode = if app.memory.meaning().await.is_some() { Mode::Both } else { Mode::Keyword };
    let kinds = fields.get("type").map(|kind| FactType::parse(kind.trim())).transpose()?;
    let recall = Recall::query(query).mode(mode).kinds(kinds.into_iter().collect()).limit(PAGE_FACTS);
    Ok(app.memory.recall(&caller, &recall.times(times(fields)?)).await?)
}

fn times(fields: &Fields) -> Result<Times, BadInput> {
    Ok(Times { as_of: fields.bound("asOf")?, valid_at: fields.bound("validAt")? })
}

fn filter(fields: &Fields, caller: &Caller) -> Result<Filter, BadInput> {
    let name = |field| fields.get(field).map(str::trim);
    let state = fields.get("state").map_or(Ok(FactState::Active), input::state)?;
    Filter::parse(name("type"), name("key"), name("tag"), fields.scope(caller.tenant())?, state)
}

impl Asked {
    fn of(fields: &Fields) -> Self {
        let field = |name| fields.get(name).unwrap_or_default().to_owned();
        let state = fields.get("state").and_then(FactState::parse).unwrap_or(FactState::Active);
        let choice =
            |one: FactState| Choice { name: one.name(), words: state_name(one), is_chosen: one == state };
        Self {
            query: field("q"),
            kind: field("type"),
            scope: field("scope"),
            key: field("key"),
            tag: field("tag"),
            as_of: field("asOf"),
            valid_at: field("validAt"),
            states: STATES.into_iter().map(choice).collect(),
            is_filtered: !fields.others(&["q", "cursor", "state"]).is_empty() || state != FactState::Active,
        }
    }
}

impl Around {
    fn of(recalled: &Recalled, now: truthkeeper::Timestamp) -> Self {
        let withheld = recalled.withheld.iter().map(|(reason, count)| (*count, why(*reason)));
        let older = recalled.legacy.iter().map(|legacy| Older {
            text: Said::of(legacy.row.legacy.text.as_str()),
            written: legacy.row.legacy.written_at.map(|at| When::of(at, now)),
        });
        Self {
            withheld: withheld.collect(),
            conflicts_open: recalled.conflicts_open,
            not_searchable_yet: recalled.not_searchable_yet,
            degraded: recalled.degraded.map(degraded),
            index_drifted: recalled.index_drifted,
            older: older.collect(),
        }
    }

    fn is_quiet(&self) -> bool {
        self.withheld.is_empty()
            && self.conflicts_open == 0
            && self.not_searchable_yet == 0
            && self.degraded.is_none()
            && !self.index_drifted
    }
}

fn degraded(degraded: Degraded) -> &'static str {
    match degraded {
        Degraded::NoEmbeddings => "It looked at the words alone: there is no model here.",
        Degraded::EmbedderUnreachable => "It looked at the words alone: the model cannot be reached.",
        Degraded::NotAllEmbedded => "Some texts were found by their words alone.",
        Degraded::OtherModel => "The index is being made anew by another model; not all is found by meaning.",
    }
}

/// Why something that was found is not shown.
fn why(reason: Reason) -> &'static str {
    match reason {
        Reason::Superseded => "replaced since",
        Reason::Retracted => "forgotten",
        Reason::Expired => "ran out",
        Reason::Conflicted => "in conflict, until its owner settles it",
        Reason::NotYet => "not true yet",
        Reason::Quarantined => "quarantined, until an operator admits it",
        Reason::Stale => "found by what it said before",
        Reason::Duplicate => "found twice",
        Reason::Restated => "says the same as one that is shown",
        Reason::Unknown => "not known to the ledger, or not yours",
        Reason::Erased => "erased",
        Reason::Damaged => "damaged",
        Reason::LegacyReconciled => "an older memory that a review decided about",
        Reason::LegacyHidden => "an older memory of unknown origin",
        Reason::LegacyCited => "an older memory that a fact rests on",
        Reason::LegacySaid => "an older memory that a fact says too",
        Reason::LegacyForeign => "an older memory of another project",
        Reason::LegacyRejected => "an older memory that a review turned down",
        Reason::LegacyLapsed => "an older memory whose time is over",
    }
}

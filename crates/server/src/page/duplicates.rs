//! Facts that seem to say the same: their owner makes them one, or says that they are two.

use askama::Template;
use axum::extract::State;
use axum::response::{IntoResponse as _, Redirect, Response};
use truthkeeper::{BadInput, Duplicate, FactId, Filter, Named, NoMeaning, Right, Timestamp, is_owner};

use super::act::{asked, done_at};
use super::assets;
use super::fields::Fields;
use super::frame::{Flash, Frame, Section, page};
use super::session::SignedIn;
use super::told::told;
use super::version::Version;
use crate::app::App;
use crate::fault::Fault;
use crate::input;

#[derive(Template)]
#[template(path = "duplicates.html")]
struct List {
    frame: Frame,
    pairs: Vec<Pair>,
    compared: usize,
    is_cut: bool,
    no_meaning: Option<&'static str>,
}

struct Pair {
    /// The one that is there for longer, and the other.
    sides: [Version; 2],
    is_own: bool,
}

pub(crate) async fn list(State(app): State<App>, signed: SignedIn) -> Result<Response, Fault> {
    signed.keyed.caller(Right::Review)?;
    let caller = signed.keyed.caller(Right::FactsRead)?;
    let found = app.memory.duplicates(&caller, &Filter::current()).await?;
    let frame = Frame::of(&app, &signed, Section::Review, "Possible duplicates").await?;
    let writes = frame.may_write;
    let pair = |pair: &Duplicate| Pair {
        is_own: writes && is_owner(&caller.actor, &pair.older.head.scope),
        sides: sides(pair, frame.now),
    };
    page(&List {
        pairs: found.pairs.iter().map(pair).collect(),
        compared: found.compared,
        is_cut: found.facts_left_out || found.pairs_left_out,
        no_meaning: found.no_meaning.map(why),
        frame,
    })
}

/// Makes two facts one: the one that is chosen goes on, and what the other rests on counts for it.
pub(crate) async fn merge(
    State(app): State<App>,
    signed: SignedIn,
    fields: Fields,
) -> Result<Response, Fault> {
    let (caller, key) = asked(&signed, Right::FactsWrite, &fields)?;
    let (survivor, other) = (named(&fields, "survivor")?, named(&fields, "other")?);
    let receipt = app.memory.merge(&caller, key, survivor, &[other]).await?;
    signed.say(Flash::of(told(&receipt)).or_undo(format!("/duplicates/split?fact={}", other.0)));
    Ok(Redirect::to("/duplicates").into_response())
}

/// Takes a fact out of the one that it was merged into, or puts on record that two are not the same.
pub(crate) async fn split(
    State(app): State<App>,
    signed: SignedIn,
    super::fields::Queried(asked_for): super::fields::Queried,
    fields: Fields,
) -> Result<Response, Fault> {
    let (caller, key) = asked(&signed, Right::FactsWrite, &fields)?;
    let fact = fields.get("fact").or(asked_for.get("fact"));
    let fact = FactId::parse(fact.ok_or_else(|| BadInput::new("fact", "is missing"))?)?;
    let from = fields.get("from").map(FactId::parse).transpose()?;
    let receipt = app.memory.split(&caller, key, fact, from).await?;
    Ok(done_at(&signed, "/duplicates", &receipt))
}

/// A fact and the version that was looked at: `ID@VERSION`.
fn named(fields: &Fields, name: &'static str) -> Result<Named, BadInput> {
    let text = fields.get(name).ok_or_else(|| BadInput::new(name, "is missing"))?;
    input::fact_at(text)
}

fn sides(pair: &Duplicate, now: Timestamp) -> [Version; 2] {
    let older = Version::of(&pair.older, now);
    let newer = Version::of(&pair.newer, now).beside(&pair.older.revision, &pair.newer.revision);
    [older, newer]
}

fn why(no_meaning: NoMeaning) -> &'static str {
    match no_meaning {
        NoMeaning::NoEmbeddings => "By their words alone: there is no model here.",
        NoMeaning::OtherModel => "By their words alone: the index is of another model.",
        NoMeaning::IndexUnreachable => "By their words alone: the search index does not answer.",
    }
}

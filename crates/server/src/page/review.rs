//! What waits besides conflicts: what was said again after it was forgotten, and what is kept out of recall.

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use truthkeeper::{Actor, Cause, HeldBack, MemoryError, ReviewId, Right, Seen, is_owner};

use super::act::{asked, done_at};
use super::assets;
use super::fields::Fields;
use super::frame::{Frame, Section, page};
use super::said::Said;
use super::session::SignedIn;
use super::version::Version;
use crate::app::App;
use crate::fault::Fault;

#[derive(Template)]
#[template(path = "review.html")]
struct List {
    frame: Frame,
    waiting: Vec<Waiting>,
    quarantined: Vec<Version>,
    /// Whether there are older facts that were not looked at.
    more: bool,
    /// Whether whoever is signed in admits what is quarantined.
    admits: bool,
}

/// A proposal that was held back.
struct Waiting {
    review: ReviewId,
    cause: &'static str,
    kind: Said,
    scope: Said,
    /// Whether there is a fact to look at: what was never approved is none.
    is_fact: bool,
    version: Version,
    is_own: bool,
}

pub(crate) async fn list(State(app): State<App>, signed: SignedIn) -> Result<Response, Fault> {
    let caller = signed.keyed.caller(Right::Review)?;
    let held = app.memory.held_back(&caller).await?;
    let (quarantined, more) = match signed.keyed.may(Right::FactsRead) {
        true => app.memory.quarantined(&caller).await?,
        false => (Vec::new(), false),
    };
    let frame = Frame::of(&app, &signed, Section::Review, "Review").await?;
    let waiting = |held: &HeldBack| Waiting {
        review: held.review,
        cause: words(held.cause),
        kind: Said::of(held.kind.as_str()),
        scope: Said::of(held.scope.path()),
        is_fact: held.cause != Cause::MemoryFact,
        version: Version::of_revision(held.fact, &held.proposed, frame.now),
        is_own: is_owner(&caller.actor, &held.scope),
    };
    let is_operator = match caller.actor {
        Actor::Operator { .. } => true,
        Actor::User { .. } | Actor::Agent { .. } | Actor::Migration { .. } | Actor::Service { .. } => false,
    };
    page(&List {
        waiting: held.iter().map(waiting).collect(),
        quarantined: quarantined.iter().map(|seen: &Seen| Version::of(seen, frame.now)).collect(),
        more,
        admits: is_operator && frame.may_write,
        frame,
    })
}

pub(crate) async fn accept(
    State(app): State<App>,
    signed: SignedIn,
    Path(id): Path<String>,
    fields: Fields,
) -> Result<Response, Fault> {
    let (caller, key) = asked(&signed, Right::Review, &fields)?;
    let receipt = app.memory.accept(&caller, key, named(&id)?).await?;
    Ok(done_at(&signed, "/review", &receipt))
}

pub(crate) async fn dismiss(
    State(app): State<App>,
    signed: SignedIn,
    Path(id): Path<String>,
    fields: Fields,
) -> Result<Response, Fault> {
    let (caller, key) = asked(&signed, Right::Review, &fields)?;
    let receipt = app.memory.dismiss(&caller, key, named(&id)?).await?;
    Ok(done_at(&signed, "/review", &receipt))
}

/// Why a proposal waits, for its owner.
fn words(cause: Cause) -> &'static str {
    match cause {
        Cause::SaidAgainAfterForgotten => "said again after you forgot it",
        Cause::MemoryFact => "an agent wants to remember it",
    }
}

fn named(id: &str) -> Result<ReviewId, MemoryError> {
    ReviewId::parse(id).map_err(|_| MemoryError::NoSuchReview)
}

//! The acts on one fact. Each answers with the fact's page, where it says what it came to.

use axum::extract::State;
use axum::response::{IntoResponse as _, Redirect, Response};
use truthkeeper::{BadInput, Caller, FactId, Receipt, RequestKey, Right};

use super::fields::Fields;
use super::frame::Flash;
use super::session::SignedIn;
use super::told::told;
use crate::app::App;
use crate::fault::Fault;
use crate::input::Named;

/// Who acts, and the name of the request.
pub(crate) fn asked(
    signed: &SignedIn,
    right: Right,
    fields: &Fields,
) -> Result<(Caller, Option<RequestKey>), Fault> {
    Ok((signed.keyed.caller(right)?, signed.request(fields)?))
}

pub(crate) async fn verify(
    State(app): State<App>,
    signed: SignedIn,
    Named(fact): Named,
    fields: Fields,
) -> Result<Response, Fault> {
    let (caller, key) = asked(&signed, Right::FactsWrite, &fields)?;
    let receipt = app.memory.verify(&caller, key, fact, fields.expected()?).await?;
    Ok(done(&signed, fact, &receipt))
}

/// It can be brought back at once.
pub(crate) async fn forget(
    State(app): State<App>,
    signed: SignedIn,
    Named(fact): Named,
    fields: Fields,
) -> Result<Response, Fault> {
    let (caller, key) = asked(&signed, Right::FactsWrite, &fields)?;
    let receipt = app.memory.forget(&caller, key, fact, fields.expected()?, fields.get("reason")).await?;
    let flash = Flash::of(told(&receipt));
    signed.say(match caller.actor.is_person() {
        true => flash.or_undo(format!("/memory/{fact}/restore")),
        false => flash,
    });
    Ok(Redirect::to(&path_of(fact)).into_response())
}

pub(crate) async fn restore(
    State(app): State<App>,
    signed: SignedIn,
    Named(fact): Named,
    fields: Fields,
) -> Result<Response, Fault> {
    let (caller, key) = asked(&signed, Right::FactsWrite, &fields)?;
    let receipt = app.memory.restore(&caller, key, fact, None).await?;
    Ok(done(&signed, fact, &receipt))
}

pub(crate) async fn move_fact(
    State(app): State<App>,
    signed: SignedIn,
    Named(fact): Named,
    fields: Fields,
) -> Result<Response, Fault> {
    let (caller, key) = asked(&signed, Right::FactsWrite, &fields)?;
    let to = fields.scope(caller.tenant())?.ok_or_else(|| BadInput::new("scope", "is missing"))?;
    let receipt = app.memory.move_fact(&caller, key, (fact, fields.expected()?), &to).await?;
    Ok(match caller.reader.may_read(&to) {
        true => done(&signed, fact, &receipt),
        false => done_at(&signed, "/memory", &receipt),
    })
}

pub(crate) async fn hold(
    State(app): State<App>,
    signed: SignedIn,
    Named(fact): Named,
    fields: Fields,
) -> Result<Response, Fault> {
    let (caller, key) = asked(&signed, Right::FactsWrite, &fields)?;
    let receipt = app.memory.hold(&caller, key, fact, is_on(&fields)?).await?;
    Ok(done(&signed, fact, &receipt))
}

/// An operator lets a fact into recall, or takes it out.
pub(crate) async fn admission(
    State(app): State<App>,
    signed: SignedIn,
    Named(fact): Named,
    fields: Fields,
) -> Result<Response, Fault> {
    let (caller, key) = asked(&signed, Right::FactsWrite, &fields)?;
    let receipt = match is_on(&fields)? {
        true => app.memory.admit(&caller, key, fact).await?,
        false => app.memory.quarantine(&caller, key, fact).await?,
    };
    Ok(done(&signed, fact, &receipt))
}

fn is_on(fields: &Fields) -> Result<bool, BadInput> {
    match fields.get("on") {
        Some("yes") => Ok(true),
        Some("no") => Ok(false),
        Some(_) | None => Err(BadInput::new("on", "must be yes or no")),
    }
}

/// Says what it came to on the fact's page.
pub(crate) fn done(signed: &SignedIn, fact: FactId, receipt: &Receipt) -> Response {
    done_at(signed, &path_of(fact), receipt)
}

/// Says what it came to on the page of a path.
pub(crate) fn done_at(signed: &SignedIn, path: &str, receipt: &Receipt) -> Response {
    signed.say(Flash::of(told(receipt)));
    Redirect::to(path).into_response()
}

fn path_of(fact: FactId) -> String {
    format!("/memory/{fact}")
}

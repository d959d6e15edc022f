//! The acts on a fact that is there.

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use serde_json::Value;
use truthkeeper::{RevisionNumber, Right};

use super::Expected;
use super::write::expect_version;
use crate::app::App;
use crate::changed::changed;
use crate::fault::Fault;
use crate::input::{self, Asked, Members, Named};
use crate::keyed::Keyed;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Query {
    expect_version: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Why {
    reason: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Back {
    version: Option<RevisionNumber>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct To {
    scope: Value,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Hold {
    legal_hold: bool,
}

pub(crate) async fn forget(
    State(app): State<App>,
    keyed: Keyed,
    Named(fact): Named,
    Asked(query): Asked<Query>,
    members: Members,
) -> Result<Response, Fault> {
    let (caller, key) = (keyed.caller(Right::FactsWrite)?, keyed.request_key()?);
    let asked = query.expect_version.map(|text| input::version("expectVersion", &text)).transpose()?;
    let expected = Expected::of(&keyed, asked)?;
    let Why { reason } = members.read()?;
    let outcome =
        app.memory.forget(&caller, Some(key.clone()), fact, expected.number, reason.as_deref()).await;
    let receipt = outcome.map_err(|error| expected.refused(error))?;
    changed(&app, &keyed, &caller, &key, receipt).await
}

pub(crate) async fn verify(
    State(app): State<App>,
    keyed: Keyed,
    Named(fact): Named,
    Members(mut members): Members,
) -> Result<Response, Fault> {
    let (caller, key) = (keyed.caller(Right::FactsWrite)?, keyed.request_key()?);
    let expected = Expected::of(&keyed, expect_version(&mut members)?)?;
    Members(members).none()?;
    let outcome = app.memory.verify(&caller, Some(key.clone()), fact, expected.number).await;
    let receipt = outcome.map_err(|error| expected.refused(error))?;
    changed(&app, &keyed, &caller, &key, receipt).await
}

/// Brings a fact back; the version, where it is named, must be the one that stood last.
pub(crate) async fn restore(
    State(app): State<App>,
    keyed: Keyed,
    Named(fact): Named,
    members: Members,
) -> Result<Response, Fault> {
    let (caller, key) = (keyed.caller(Right::FactsWrite)?, keyed.request_key()?);
    Expected::none(&keyed)?;
    let Back { version } = members.read()?;
    if version.is_some_and(|version| version < RevisionNumber::FIRST) {
        return Err(truthkeeper::BadInput::new("version", "must be a whole number from 1").into());
    }
    let receipt = app.memory.restore(&caller, Some(key.clone()), fact, version).await?;
    changed(&app, &keyed, &caller, &key, receipt).await
}

pub(crate) async fn move_fact(
    State(app): State<App>,
    keyed: Keyed,
    Named(fact): Named,
    Members(mut members): Members,
) -> Result<Response, Fault> {
    let (caller, key) = (keyed.caller(Right::FactsWrite)?, keyed.request_key()?);
    let expected = Expected::of(&keyed, expect_version(&mut members)?)?;
    let To { scope } = Members(members).read()?;
    let to = input::scope(&scope, caller.tenant())?;
    let outcome = app.memory.move_fact(&caller, Some(key.clone()), (fact, expected.number), &to).await;
    let receipt = outcome.map_err(|error| expected.refused(error))?;
    changed(&app, &keyed, &caller, &key, receipt).await
}

pub(crate) async fn hold(
    State(app): State<App>,
    keyed: Keyed,
    Named(fact): Named,
    members: Members,
) -> Result<Response, Fault> {
    let (caller, key) = (keyed.caller(Right::FactsWrite)?, keyed.request_key()?);
    Expected::none(&keyed)?;
    let Hold { legal_hold } = members.read()?;
    let receipt = app.memory.hold(&caller, Some(key.clone()), fact, legal_hold).await?;
    changed(&app, &keyed, &caller, &key, receipt).await
}

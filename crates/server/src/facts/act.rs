//! The acts on a fact that is there.

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use serde_json::Value;
use truthkeeper::{RevisionNumber, Right};

use super::Expected;
use super::write::expect_version;
use crate::app::App;
use crate::change::Change;
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
    let change = Change::by(app, &keyed, Right::FactsWrite)?;
    let asked = query.expect_version.map(|text| input::version("expectVersion", &text)).transpose()?;
    let expected = Expected::of(&keyed, asked)?;
    let Why { reason } = members.read()?;
    let outcome =
        change.memory.forget(&change.caller, change.key(), fact, expected.number, reason.as_deref()).await;
    change.done_of(expected, outcome).await
}

pub(crate) async fn verify(
    State(app): State<App>,
    keyed: Keyed,
    Named(fact): Named,
    Members(mut members): Members,
) -> Result<Response, Fault> {
    let change = Change::by(app, &keyed, Right::FactsWrite)?;
    let expected = Expected::of(&keyed, expect_version(&mut members)?)?;
    Members(members).none()?;
    let outcome = change.memory.verify(&change.caller, change.key(), fact, expected.number).await;
    change.done_of(expected, outcome).await
}

/// Brings a fact back; the version, where it is named, must be the one that stood last.
pub(crate) async fn restore(
    State(app): State<App>,
    keyed: Keyed,
    Named(fact): Named,
    members: Members,
) -> Result<Response, Fault> {
    let change = Change::unconditional(app, &keyed, Right::FactsWrite)?;
    let Back { version } = members.read()?;
    input::is_number("version", version)?;
    let receipt = change.memory.restore(&change.caller, change.key(), fact, version).await?;
    change.done(receipt).await
}

pub(crate) async fn move_fact(
    State(app): State<App>,
    keyed: Keyed,
    Named(fact): Named,
    Members(mut members): Members,
) -> Result<Response, Fault> {
    let change = Change::by(app, &keyed, Right::FactsWrite)?;
    let expected = Expected::of(&keyed, expect_version(&mut members)?)?;
    let To { scope } = Members(members).read()?;
    let to = input::scope(&scope, change.caller.tenant())?;
    let outcome = change.memory.move_fact(&change.caller, change.key(), (fact, expected.number), &to).await;
    change.done_of(expected, outcome).await
}

pub(crate) async fn hold(
    State(app): State<App>,
    keyed: Keyed,
    Named(fact): Named,
    members: Members,
) -> Result<Response, Fault> {
    let change = Change::unconditional(app, &keyed, Right::FactsWrite)?;
    let Hold { legal_hold } = members.read()?;
    let receipt = change.memory.hold(&change.caller, change.key(), fact, legal_hold).await?;
    change.done(receipt).await
}

//! The acts on a fact that is there.

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use serde_json::Value;
use truthkeeper::Right;
use utoipa::ToSchema;

use super::Expected;
use crate::app::App;
use crate::change::Change;
use crate::described::{params, shapes};
use crate::fault::Fault;
use crate::input::{self, Asked, Members, Named};
use crate::keyed::Keyed;
use crate::wire::Changed;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Query {
    expect_version: Option<String>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Why {
    reason: Option<String>,
}

/// What is expected to stand.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Stands {
    #[schema(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u32)]
    expect_version: Option<Value>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Back {
    #[schema(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u32)]
    version: Option<Value>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct To {
    #[schema(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u32)]
    expect_version: Option<Value>,
    #[schema(value_type = shapes::Scope)]
    scope: Value,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Hold {
    legal_hold: bool,
}

/// Forgets a fact. Its revisions stay readable, and it can be restored.
#[utoipa::path(delete, path = "", tag = "facts", operation_id = "forgetFact", params(("id" = String, Path, description = "The fact", format = Uuid), params::Expected), request_body = Option<Why>, responses((status = 200, description = "What it came to", body = Changed<'static>), (status = 201, description = "A fact was made", body = Changed<'static>), (status = 202, description = "It waits for its owner", body = Changed<'static>)))]
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

/// Vouches for a fact, as a person.
#[utoipa::path(post, path = "/verify", tag = "facts", operation_id = "verifyFact", params(("id" = String, Path, description = "The fact", format = Uuid)), request_body = Option<Stands>, responses((status = 200, description = "What it came to", body = Changed<'static>), (status = 201, description = "A fact was made", body = Changed<'static>), (status = 202, description = "It waits for its owner", body = Changed<'static>)))]
pub(crate) async fn verify(
    State(app): State<App>,
    keyed: Keyed,
    Named(fact): Named,
    members: Members,
) -> Result<Response, Fault> {
    let change = Change::by(app, &keyed, Right::FactsWrite)?;
    let Stands { expect_version } = members.read()?;
    let expected = Expected::of(&keyed, input::number("expectVersion", expect_version)?)?;
    let outcome = change.memory.verify(&change.caller, change.key(), fact, expected.number).await;
    change.done_of(expected, outcome).await
}

/// Brings a fact back; the version, where it is named, must be the one that stood last.
#[utoipa::path(post, path = "/restore", tag = "facts", operation_id = "restoreFact", params(("id" = String, Path, description = "The fact", format = Uuid)), request_body = Option<Back>, responses((status = 200, description = "What it came to", body = Changed<'static>), (status = 201, description = "A fact was made", body = Changed<'static>), (status = 202, description = "It waits for its owner", body = Changed<'static>)))]
pub(crate) async fn restore(
    State(app): State<App>,
    keyed: Keyed,
    Named(fact): Named,
    members: Members,
) -> Result<Response, Fault> {
    let change = Change::unconditional(app, &keyed, Right::FactsWrite)?;
    let Back { version } = members.read()?;
    let version = input::number("version", version)?;
    let receipt = change.memory.restore(&change.caller, change.key(), fact, version).await?;
    change.done(receipt).await
}

/// Moves a fact to another scope.
#[utoipa::path(post, path = "/move", tag = "facts", operation_id = "moveFact", params(("id" = String, Path, description = "The fact", format = Uuid)), request_body = To, responses((status = 200, description = "What it came to", body = Changed<'static>), (status = 201, description = "A fact was made", body = Changed<'static>), (status = 202, description = "It waits for its owner", body = Changed<'static>)))]
pub(crate) async fn move_fact(
    State(app): State<App>,
    keyed: Keyed,
    Named(fact): Named,
    members: Members,
) -> Result<Response, Fault> {
    let change = Change::by(app, &keyed, Right::FactsWrite)?;
    let To { expect_version, scope } = members.read()?;
    let expected = Expected::of(&keyed, input::number("expectVersion", expect_version)?)?;
    let to = input::scope(&scope, change.caller.tenant())?;
    let outcome = change.memory.move_fact(&change.caller, change.key(), (fact, expected.number), &to).await;
    change.done_of(expected, outcome).await
}

/// Places a fact under legal hold, or lifts that.
#[utoipa::path(post, path = "/hold", tag = "facts", operation_id = "holdFact", params(("id" = String, Path, description = "The fact", format = Uuid)), request_body = Hold, responses((status = 200, description = "What it came to", body = Changed<'static>), (status = 201, description = "A fact was made", body = Changed<'static>), (status = 202, description = "It waits for its owner", body = Changed<'static>)))]
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

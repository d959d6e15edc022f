//! Acts on several facts, each by itself, and on all of an owner's.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use serde_json::Value;
use truthkeeper::{BadInput, Each, FactId, Filter, Right, State as FactState};
use utoipa::ToSchema;

use crate::app::App;
use crate::change::{Change, marked};
use crate::described::shapes;
use crate::fault::{Fault, Refused};
use crate::input::{self, Members};
use crate::keyed::Keyed;
use crate::wire::{Bulk, ForgotAll};

/// A fact, and the version that must be the current one.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Target {
    #[schema(value_type = String, format = Uuid)]
    pub(crate) id: FactId,
    #[schema(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u32)]
    pub(crate) expect_version: Option<Value>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Move {
    facts: Vec<Target>,
    #[schema(value_type = shapes::Scope)]
    scope: Value,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Forget {
    facts: Vec<Target>,
    reason: Option<String>,
}

/// Whose facts, and which of them.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Everything {
    #[schema(value_type = shapes::Scope)]
    scope: Value,
    #[serde(rename = "type")]
    kind: Option<String>,
    key: Option<String>,
    tag: Option<String>,
    reason: Option<String>,
}

/// Moves several facts, each by itself.
#[utoipa::path(post, path = "/facts/move", tag = "facts", operation_id = "moveFacts", request_body = Move, responses((status = 200, description = "What became of each", body = Bulk<'static, Refused>)))]
pub(crate) async fn move_facts(
    State(app): State<App>,
    keyed: Keyed,
    members: Members,
) -> Result<Response, Fault> {
    let change = Change::unconditional(app, &keyed, Right::FactsWrite)?;
    let Move { facts, scope } = members.read()?;
    let to = input::scope(&scope, change.caller.tenant())?;
    let facts = named(facts)?;
    let all = change.memory.move_facts(&change.caller, change.key().as_ref(), &facts, &to).await?;
    Ok(told(&change, &all))
}

/// Forgets several facts, each by itself.
#[utoipa::path(post, path = "/facts/forget", tag = "facts", operation_id = "forgetFacts", request_body = Forget, responses((status = 200, description = "What became of each", body = Bulk<'static, Refused>)))]
pub(crate) async fn forget(
    State(app): State<App>,
    keyed: Keyed,
    members: Members,
) -> Result<Response, Fault> {
    let change = Change::unconditional(app, &keyed, Right::FactsWrite)?;
    let Forget { facts, reason } = members.read()?;
    let facts = named(facts)?;
    let (key, reason) = (change.key(), reason.as_deref());
    let all = change.memory.forget_facts(&change.caller, key.as_ref(), &facts, reason).await?;
    Ok(told(&change, &all))
}

/// Forgets every current fact of one owner.
#[utoipa::path(post, path = "/facts/forget-all", tag = "facts", operation_id = "forgetAll", request_body = Everything, responses((status = 200, description = "How many were forgotten, and what was kept", body = ForgotAll)))]
pub(crate) async fn forget_all(
    State(app): State<App>,
    keyed: Keyed,
    members: Members,
) -> Result<Response, Fault> {
    let change = Change::unconditional(app, &keyed, Right::FactsWrite)?;
    let Everything { scope, kind, key, tag, reason } = members.read()?;
    let owner = input::scope(&scope, change.caller.tenant())?.anchor();
    let filter = Filter::parse(kind.as_deref(), key.as_deref(), tag.as_deref(), None, FactState::Active)?;
    let (caller, key, reason) = (&change.caller, change.key(), reason.as_deref());
    let forgot = change.memory.forget_all(caller, key, &filter, Some(&owner), reason).await?;
    Ok(marked(forgot.replayed, Json(ForgotAll::of(&forgot)).into_response()))
}

/// The facts with their versions.
pub(crate) fn named(facts: Vec<Target>) -> Result<Vec<truthkeeper::Named>, BadInput> {
    let named = |Target { id, expect_version }| Ok((id, input::number("expectVersion", expect_version)?));
    facts.into_iter().map(named).collect()
}

fn told(change: &Change, all: &[Each]) -> Response {
    let receipts = || all.iter().filter_map(|each| each.outcome.as_ref().ok());
    let replayed = receipts().next().is_some() && receipts().all(|receipt| receipt.replayed);
    let told = Json(Bulk::of(all, change.name(), |error| Refused::of(&Fault::of(error))));
    marked(replayed, told.into_response())
}

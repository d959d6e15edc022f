//! `/v1/memory/conflicts`: what waits for its owner's word.

use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Response};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use truthkeeper::{BadInput, ConflictId, Draft, Id, MemoryError, Right, Ruling};
use utoipa::ToSchema;

use crate::app::App;
use crate::change::Change;
use crate::described::params;
use crate::facts::read::limit;
use crate::fault::Fault;
use crate::input::{Asked, Members, number};
use crate::keyed::Keyed;
use crate::wire::{Changed, Conflict, ConflictShown};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Part {
    limit: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
struct Open<'a> {
    data: Vec<Conflict<'a>>,
    /// How many are open, those that are not shown among them.
    open: usize,
}

/// What is true, as an owner says it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Word {
    /// The version of the conflict as the owner saw it.
    #[schema(value_type = u64, minimum = 0, maximum = 4_294_967_295_u32)]
    expect_version: u32,
    #[schema(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u32)]
    keep: Option<Value>,
    #[schema(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u32)]
    apart: Option<Value>,
    content: Option<Value>,
    note: Option<String>,
}

/// Open conflicts, without what they say.
#[utoipa::path(get, path = "/conflicts", tag = "conflicts", operation_id = "listConflicts", params(params::Most), responses((status = 200, description = "Open conflicts, without what they say", body = Open<'static>)))]
pub(crate) async fn list(
    State(app): State<App>,
    keyed: Keyed,
    Asked(asked): Asked<Part>,
) -> Result<Response, Fault> {
    let caller = keyed.caller(Right::Review)?;
    let (listed, open) = app.memory.conflicts(&caller, limit(asked.limit.as_deref())?).await?;
    Ok(Json(Open { data: listed.iter().map(Conflict::of).collect(), open }).into_response())
}

/// A conflict with what its sides say.
#[utoipa::path(get, path = "/conflicts/{id}", tag = "conflicts", operation_id = "getConflict", params(("id" = String, Path, description = "The conflict", format = Uuid)), responses((status = 200, description = "The conflict with its sides", body = ConflictShown<'static>)))]
pub(crate) async fn show(
    State(app): State<App>,
    keyed: Keyed,
    Path(id): Path<String>,
) -> Result<Response, Fault> {
    let caller = keyed.caller(Right::Review)?;
    let conflict = named(&id)?;
    let case = app.memory.conflict(&caller, conflict).await?;
    Ok(Json(ConflictShown::of(&case, conflict)).into_response())
}

/// Settles a conflict: its owner says what is true.
#[utoipa::path(post, path = "/conflicts/{id}/settle", tag = "conflicts", operation_id = "settleConflict", params(("id" = String, Path, description = "The conflict", format = Uuid)), request_body = Word, responses((status = 200, description = "What it came to", body = Changed<'static>), (status = 201, description = "A fact was made", body = Changed<'static>), (status = 202, description = "It waits for its owner", body = Changed<'static>)))]
pub(crate) async fn settle(
    State(app): State<App>,
    keyed: Keyed,
    Path(id): Path<String>,
    members: Members,
) -> Result<Response, Fault> {
    let change = Change::unconditional(app, &keyed, Right::Review)?;
    let is_null = members.0.get("content").is_some_and(Value::is_null);
    let mut word: Word = members.read()?;
    word.content = word.content.or(is_null.then_some(Value::Null));
    let seen = (named(&id)?, word.expect_version);
    let note = word.note.take();
    let ruling = ruling(word, change.caller.tenant())?;
    let receipt = change.memory.settle(&change.caller, change.key(), seen, ruling, note.as_deref()).await?;
    change.done(receipt).await
}

/// Undoes the settling of a conflict.
#[utoipa::path(post, path = "/conflicts/{id}/reopen", tag = "conflicts", operation_id = "reopenConflict", params(("id" = String, Path, description = "The conflict", format = Uuid)), responses((status = 200, description = "What it came to", body = Changed<'static>), (status = 201, description = "A fact was made", body = Changed<'static>), (status = 202, description = "It waits for its owner", body = Changed<'static>)))]
pub(crate) async fn reopen(
    State(app): State<App>,
    keyed: Keyed,
    Path(id): Path<String>,
    members: Members,
) -> Result<Response, Fault> {
    let change = Change::unconditional(app, &keyed, Right::Review)?;
    members.none()?;
    let receipt = change.memory.reopen(&change.caller, change.key(), named(&id)?).await?;
    change.done(receipt).await
}

fn named(id: &str) -> Result<ConflictId, MemoryError> {
    ConflictId::parse(id).map_err(|_| MemoryError::NoSuchConflict)
}

fn ruling(word: Word, tenant: &Id) -> Result<Ruling, BadInput> {
    match (number("keep", word.keep)?, number("apart", word.apart)?, word.content) {
        (Some(keep), None, None) => Ok(Ruling::Keep(keep)),
        (Some(keep), Some(apart), None) if keep != apart => Ok(Ruling::Both { keep, apart }),
        (Some(_), Some(_), None) => {
            Err(BadInput::new("apart", "must be another version than the one to keep"))
        }
        (None, None, Some(content)) => {
            let draft = Draft::from_json(json!({ "content": content }), tenant)?;
            Ok(Ruling::Reword(Box::new(draft)))
        }
        (Some(_) | None, Some(_) | None, Some(_) | None) => {
            Err(BadInput::new("keep", "give keep, keep and apart, or content"))
        }
    }
}

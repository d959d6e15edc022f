//! `/v1/memory/receipts`: what recalls gave to whom, and why.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use truthkeeper::{MemoryError, ReceiptId, Right};

use crate::app::App;
use crate::cursor;
use crate::described::params;
use crate::facts::read::{Page, limit};
use crate::fault::Fault;
use crate::input::Asked;
use crate::keyed::Keyed;
use crate::wire::Recalling;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Part {
    limit: Option<String>,
    cursor: Option<String>,
}

/// What recalls showed.
#[utoipa::path(get, path = "/receipts", tag = "recall", operation_id = "listReceipts", params(params::Part), responses((status = 200, description = "What recalls showed, newest first", body = Page<Recalling<'static>>)))]
pub(crate) async fn list(
    State(app): State<App>,
    keyed: Keyed,
    Asked(part): Asked<Part>,
) -> Result<Response, Fault> {
    let caller = keyed.caller(Right::FactsRead)?;
    let size = limit(part.limit.as_deref())?;
    let list = format!("receipts of {}", keyed.key().id);
    let before = cursor::place(&list, part.cursor.as_deref())?.map(ReceiptId::parse).transpose()?;
    let receipts = app.memory.receipts(&caller, before, size).await?;
    let next = receipts.last().filter(|_| receipts.len() == size);
    let next_cursor = next.map(|last| cursor::bound(&list, &last.receipt.to_string()));
    Ok(Json(Page { data: receipts.iter().map(Recalling::of).collect(), next_cursor }).into_response())
}

/// What one recall showed, and why.
#[utoipa::path(get, path = "/receipts/{id}", tag = "recall", operation_id = "getReceipt", params(("id" = String, Path, description = "The receipt", format = Uuid)), responses((status = 200, description = "What a recall showed, and why", body = Recalling<'static>)))]
pub(crate) async fn get(
    State(app): State<App>,
    keyed: Keyed,
    Path(id): Path<String>,
) -> Result<Response, Fault> {
    let caller = keyed.caller(Right::FactsRead)?;
    let receipt = app.memory.receipt(&caller, named(&id)?).await?;
    Ok(Json(Recalling::of(&receipt)).into_response())
}

/// Forgets what was asked; what was shown stays known.
#[utoipa::path(delete, path = "/receipts/{id}/query", tag = "recall", operation_id = "forgetQuery", params(("id" = String, Path, description = "The receipt", format = Uuid)), responses((status = 204, description = "What was asked is forgotten")))]
pub(crate) async fn forget_query(
    State(app): State<App>,
    keyed: Keyed,
    Path(id): Path<String>,
) -> Result<StatusCode, Fault> {
    let caller = keyed.caller(Right::FactsRead)?;
    app.memory.forget_query(&caller, named(&id)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn named(id: &str) -> Result<ReceiptId, MemoryError> {
    ReceiptId::parse(id).map_err(|_| MemoryError::NoSuchReceipt)
}

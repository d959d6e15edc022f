//! `/v1/memory/forgotten`: what is over and can be brought back.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use truthkeeper::{Right, State as FactState};

use crate::app::App;
use crate::described::params;
use crate::facts::read::{Page, Wanted};
use crate::fault::Fault;
use crate::input::Asked;
use crate::keyed::Keyed;
use crate::wire::Over;

/// What was forgotten or ran out, and can be restored.
#[utoipa::path(get, path = "/forgotten", tag = "facts", operation_id = "listForgotten", params(params::Filters, params::Part), responses((status = 200, description = "What was forgotten or ran out", body = Page<Over<'static>>)))]
pub(crate) async fn list(
    State(app): State<App>,
    keyed: Keyed,
    Asked(mut wanted): Asked<Wanted>,
) -> Result<Response, Fault> {
    let caller = keyed.caller(Right::FactsRead)?;
    wanted.without_state_and_times()?;
    let filter = wanted.filter(caller.tenant(), FactState::Retracted)?;
    let (after, limit) = wanted.place()?;
    let page = app.memory.forgotten(&caller, &filter, after.as_ref(), limit).await?;
    let next_cursor = page.next.map(|next| next.as_str().to_owned());
    Ok(Json(Page { data: page.items.iter().map(Over::of).collect(), next_cursor }).into_response())
}

//! `/v1/memory/duplicates`: facts that seem to say the same.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use truthkeeper::{FactId, Right, State as FactState};

use crate::app::App;
use crate::change::Change;
use crate::facts::bulk::{Target, named};
use crate::facts::read::Wanted;
use crate::fault::Fault;
use crate::input::{Asked, Members};
use crate::keyed::Keyed;
use crate::wire::Alike;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Merge {
    survivor: Target,
    others: Vec<Target>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Split {
    fact: FactId,
    from: Option<FactId>,
}

pub(crate) async fn list(
    State(app): State<App>,
    keyed: Keyed,
    Asked(mut wanted): Asked<Wanted>,
) -> Result<Response, Fault> {
    let caller = keyed.caller(Right::Review)?;
    wanted.without_state_and_times()?;
    wanted.without_pages()?;
    let filter = wanted.filter(caller.tenant(), FactState::Active)?;
    let found = app.memory.duplicates(&caller, &filter).await?;
    Ok(Json(Alike::of(&found)).into_response())
}

pub(crate) async fn merge(State(app): State<App>, keyed: Keyed, members: Members) -> Result<Response, Fault> {
    let change = Change::unconditional(app, &keyed, Right::Review)?;
    let Merge { survivor, others } = members.read()?;
    let (survivor, others) = (named(vec![survivor])?, named(others)?);
    let receipt = change.memory.merge(&change.caller, change.key(), survivor[0], &others).await?;
    change.done(receipt).await
}

pub(crate) async fn split(State(app): State<App>, keyed: Keyed, members: Members) -> Result<Response, Fault> {
    let change = Change::unconditional(app, &keyed, Right::Review)?;
    let Split { fact, from } = members.read()?;
    let receipt = change.memory.split(&change.caller, change.key(), fact, from).await?;
    change.done(receipt).await
}

//! Saying something: a new fact, or the next revision of one.

use axum::extract::State;
use axum::response::Response;
use serde_json::{Map, Value, json};
use truthkeeper::{BadInput, Draft, Right};

use super::Expected;
use crate::app::App;
use crate::change::Change;
use crate::described::shapes;
use crate::fault::Fault;
use crate::input::{self, Members, Named};
use crate::keyed::Keyed;
use crate::wire::Changed;

/// Says something: a new fact, or the next revision of the one that has the key.
#[utoipa::path(post, path = "/facts", tag = "facts", operation_id = "writeFact", request_body = shapes::Statement, responses((status = 200, description = "What it came to", body = Changed<'static>), (status = 201, description = "A fact was made", body = Changed<'static>), (status = 202, description = "It waits for its owner", body = Changed<'static>)))]
pub(crate) async fn write(
    State(app): State<App>,
    keyed: Keyed,
    Members(members): Members,
) -> Result<Response, Fault> {
    let change = Change::unconditional(app, &keyed, Right::FactsWrite)?;
    without_fact(&members)?;
    let draft = Draft::from_json(Value::Object(members), change.caller.tenant())?;
    let receipt = change.memory.remember(&change.caller, change.key(), draft).await?;
    change.done(receipt).await
}

/// Says the next revision of a fact.
#[utoipa::path(post, path = "/supersede", tag = "facts", operation_id = "supersedeFact", params(("id" = String, Path, description = "The fact", format = Uuid)), request_body = shapes::Change, responses((status = 200, description = "What it came to", body = Changed<'static>), (status = 201, description = "A fact was made", body = Changed<'static>), (status = 202, description = "It waits for its owner", body = Changed<'static>)))]
pub(crate) async fn supersede(
    State(app): State<App>,
    keyed: Keyed,
    Named(fact): Named,
    Members(mut members): Members,
) -> Result<Response, Fault> {
    let change = Change::by(app, &keyed, Right::FactsWrite)?;
    without_fact(&members)?;
    let expected = Expected::of(&keyed, input::number("expectVersion", members.remove("expectVersion"))?)?;
    members.insert("fact".to_owned(), json!(fact));
    let draft = Draft::from_json(Value::Object(members), change.caller.tenant())?;
    let draft = Draft { expect_version: expected.number.map(|number| number.get()), ..draft };
    let outcome = change.memory.remember(&change.caller, change.key(), draft).await;
    change.done_of(expected, outcome).await
}

/// The fact is named by the path.
fn without_fact(members: &Map<String, Value>) -> Result<(), BadInput> {
    match members.contains_key("fact") {
        true => Err(BadInput::new("body", "unknown field `fact`")),
        false => Ok(()),
    }
}

//! Saying something: a new fact, or the next revision of one.

use axum::extract::State;
use axum::response::Response;
use serde_json::{Map, Value, json};
use truthkeeper::{BadInput, Draft, Right};

use super::Expected;
use crate::app::App;
use crate::change::Change;
use crate::fault::Fault;
use crate::input::{self, Members, Named};
use crate::keyed::Keyed;

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

pub(crate) async fn supersede(
    State(app): State<App>,
    keyed: Keyed,
    Named(fact): Named,
    Members(mut members): Members,
) -> Result<Response, Fault> {
    let change = Change::by(app, &keyed, Right::FactsWrite)?;
    without_fact(&members)?;
    let expected = Expected::of(&keyed, expect_version(&mut members)?)?;
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

/// Takes `expectVersion` out of a body.
pub(crate) fn expect_version(
    members: &mut Map<String, Value>,
) -> Result<Option<truthkeeper::RevisionNumber>, BadInput> {
    match members.remove("expectVersion") {
        None | Some(Value::Null) => Ok(None),
        Some(given) => input::version("expectVersion", &given.to_string()).map(Some),
    }
}

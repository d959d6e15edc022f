//! `/v1/memory/remember`: what an agent remembers through its tool.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use serde_json::Value;
use truthkeeper::{
    BadInput, FactType, Id, KEEP_DAYS_DEFAULT, Memo, MemoryError, Near, Outcome, Receipt, Remember, Right,
    Run, Timestamp, ToolCall, limits,
};
use utoipa::ToSchema;

use crate::app::App;
use crate::change::{marked, status};
use crate::described::shapes;
use crate::fault::Fault;
use crate::input::{self, Members};
use crate::keyed::Keyed;
use crate::wire::Remembered;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RememberCall)]
struct Body {
    declaration: Declared,
    #[schema(value_type = shapes::Scope)]
    run: Value,
    call: Called,
    fact: Chosen,
}

/// What the agent may remember: its declaration, and never the model's choice.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = RememberDeclaration)]
struct Declared {
    types: Vec<String>,
    scope: String,
    #[schema(value_type = Option<u32>, minimum = 1, maximum = 3650)]
    keep_days: Option<Value>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = ToolCall)]
struct Called {
    #[schema(min_length = 1, max_length = 128)]
    run_id: String,
    #[schema(min_length = 1, max_length = 128)]
    step_id: Option<String>,
    #[schema(min_length = 1, max_length = 128)]
    tool_call_id: String,
    #[schema(min_length = 1, max_length = 128)]
    agent_id: String,
    #[schema(min_length = 1, max_length = 128)]
    agent_version: Option<String>,
}

/// What the model chose.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = RememberedStatement)]
struct Chosen {
    #[serde(rename = "type")]
    kind: String,
    #[schema(min_length = 1, max_length = 2000)]
    text: String,
    key: Option<String>,
    #[schema(format = DateTime)]
    valid_until: Option<String>,
}

/// Remembers something for an agent, as its tool is called.
#[utoipa::path(post, path = "/remember", tag = "facts", operation_id = "remember", request_body = Body, responses((status = 200, description = "What it came to", body = Remembered), (status = 201, description = "A fact was made", body = Remembered), (status = 202, description = "It waits for a person, or was dismissed by one", body = Remembered)))]
pub(crate) async fn remember(
    State(app): State<App>,
    keyed: Keyed,
    members: Members,
) -> Result<Response, Fault> {
    let caller = keyed.caller(Right::FactsWrite)?;
    let Body { declaration, run, call, fact } = members.read()?;
    let run = Run::of(input::scope(&run, caller.tenant()).map_err(of_run)?);
    let (declared, call, memo) = (declaration.read()?, call.read()?, fact.read()?);
    let receipt = app.memory.remember_by_tool(&caller, &declared, &run, &call, &memo).await;
    Ok(answer(&receipt.map_err(of_fact)?))
}

/// A field of the statement, as the body calls it.
fn of_fact(error: MemoryError) -> MemoryError {
    let MemoryError::BadInput(bad) = error else { return error };
    let field = match bad.field.as_ref() {
        "content" => "fact.text".to_owned(),
        named @ ("key" | "type" | "validUntil") => format!("fact.{named}"),
        named => named.to_owned(),
    };
    MemoryError::BadInput(BadInput::new(field, bad.problem))
}

fn answer(receipt: &Receipt) -> Response {
    // To be approved, or told to nobody: it is no fact that was made.
    let is_dismissed = matches!(receipt.outcome, Outcome::Dismissed { .. });
    let status = if is_dismissed { StatusCode::ACCEPTED } else { status(receipt.outcome) };
    marked(receipt.replayed, (status, Json(Remembered::of(receipt))).into_response())
}

/// A field of the scope, as the body calls it.
fn of_run(bad: BadInput) -> BadInput {
    let field =
        bad.field.strip_prefix("scope").map_or_else(|| bad.field.to_string(), |rest| format!("run{rest}"));
    BadInput::new(field, bad.problem)
}

impl Declared {
    fn read(self) -> Result<Remember, BadInput> {
        let near = Near::parse(&self.scope).ok_or_else(|| {
            let names: Vec<&str> = Near::ALL.iter().map(|near| near.name()).collect();
            BadInput::new("declaration.scope", format!("must be one of {}", names.join(", ")))
        })?;
        let types = self.types.iter().map(|kind| FactType::parse(kind)).collect::<Result<_, _>>()?;
        let days = (limits::KEEP_DAYS_MIN, limits::KEEP_DAYS_MAX);
        let asked = input::whole("declaration.keepDays", self.keep_days, days)?;
        Ok(Remember { types, near, keep_days: asked.unwrap_or(KEEP_DAYS_DEFAULT) })
    }
}

impl Called {
    fn read(self) -> Result<ToolCall, BadInput> {
        let optional = |field, id: Option<String>| id.map(|id| Id::parse(field, &id)).transpose();
        Ok(ToolCall {
            run: Id::parse("call.runId", &self.run_id)?,
            step: optional("call.stepId", self.step_id)?,
            call: Id::parse("call.toolCallId", &self.tool_call_id)?,
            agent: Id::parse("call.agentId", &self.agent_id)?,
            version: optional("call.agentVersion", self.agent_version)?,
        })
    }
}

impl Chosen {
    fn read(self) -> Result<Memo, BadInput> {
        let Self { kind, text, key, valid_until } = self;
        let valid_until = valid_until.map(|at| Timestamp::parse("fact.validUntil", &at)).transpose()?;
        Ok(Memo { kind: FactType::parse(&kind)?, text, key, valid_until })
    }
}

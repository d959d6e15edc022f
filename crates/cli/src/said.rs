//! A statement as the command line gives it: from options, or as JSON.

use serde_json::{Map, Value, json};
use truthkeeper::{BadInput, Draft, FactId, Id, Scope};

use crate::error::CliError;
use crate::input;

/// Whose a new fact is, and its slot.
#[derive(Debug, clap::Args)]
pub(crate) struct Place {
    /// The kind of fact, such as acme.preference.
    #[arg(long = "type", value_name = "TYPE", conflicts_with = "input")]
    kind: Option<String>,
    /// Whose it is, such as project:P/participant:X; the whole tenant when not given.
    #[arg(long, value_name = "SCOPE", conflicts_with = "input")]
    scope: Option<String>,
    /// The slot: the same key replaces the value before.
    #[arg(long, value_name = "KEY", conflicts_with = "input")]
    key: Option<String>,
}

/// What is said.
#[derive(Debug, clap::Args)]
pub(crate) struct Statement {
    /// What it says, as text: the content {"text": TEXT}.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    text: Option<String>,
    /// What it says, as any JSON.
    #[arg(long, value_name = "JSON", conflicts_with = "text", allow_hyphen_values = true)]
    content: Option<String>,
    /// All of it as JSON: '{…}', @FILE, or - for stdin.
    #[arg(long, value_name = "JSON|@FILE|-", allow_hyphen_values = true, conflicts_with_all = INSTEAD_OF_INPUT)]
    input: Option<String>,
    /// A tag; may be given again.
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,
    /// How sure its author is, from 0 to 1; 1 when not given.
    #[arg(long, value_name = "0..1")]
    confidence: Option<String>,
    /// asserted or unverified.
    #[arg(long, value_name = "TRUST")]
    trust: Option<String>,
    /// What it rests on, such as run:R-17 (message, run, operator, legacy); may be given again.
    #[arg(long, value_name = "KIND:ID")]
    evidence: Vec<String>,
    /// Whom or what it is about, such as participant:X; may be given again.
    #[arg(long, value_name = "KIND:ID")]
    subject: Vec<String>,
    /// From when it is true, such as 2026-11-01T10:00:00Z.
    #[arg(long, value_name = "TIME")]
    valid_from: Option<String>,
    /// Until when it is true, that instant not included.
    #[arg(long, value_name = "TIME")]
    valid_until: Option<String>,
    /// When its author saw it.
    #[arg(long, value_name = "TIME")]
    observed_at: Option<String>,
    /// How many days it is kept, from the first write on.
    #[arg(long, value_name = "DAYS")]
    keep_days: Option<u32>,
    /// Until when it is kept.
    #[arg(long, value_name = "TIME")]
    keep_until: Option<String>,
    /// Place it under legal hold.
    #[arg(long)]
    hold: bool,
    /// Why it is said.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    reason: Option<String>,
    /// The run that it comes from.
    #[arg(long, value_name = "ID")]
    run_id: Option<String>,
    /// The tool call that it comes from.
    #[arg(long, value_name = "ID")]
    tool_call_id: Option<String>,
    /// The message that it comes from.
    #[arg(long, value_name = "ID")]
    message_id: Option<String>,
    /// The version that must be the current one.
    #[arg(long, value_name = "N")]
    expect_version: Option<u32>,
}

/// The options that say a part of what `--input` says.
const INSTEAD_OF_INPUT: [&str; 17] = [
    "text",
    "content",
    "tag",
    "confidence",
    "trust",
    "evidence",
    "subject",
    "valid_from",
    "valid_until",
    "observed_at",
    "keep_days",
    "keep_until",
    "hold",
    "reason",
    "run_id",
    "tool_call_id",
    "message_id",
];

/// The draft of a new fact, or of the slot that it names.
pub(crate) fn new_fact(place: &Place, statement: &Statement, tenant: &Id) -> Result<Draft, CliError> {
    let mut json = members(statement)?;
    put(&mut json, "type", place.kind.as_deref());
    put(&mut json, "key", place.key.as_deref());
    if let Some(path) = &place.scope {
        json.insert("scope".to_owned(), json!(Scope::parse_path("scope", tenant, path)?));
    }
    Ok(Draft::from_json(Value::Object(json), tenant)?)
}

/// The draft of another revision of `fact`.
pub(crate) fn revision_of(fact: FactId, statement: &Statement, tenant: &Id) -> Result<Draft, CliError> {
    let draft = Draft::from_json(Value::Object(members(statement)?), tenant)?;
    if draft.fact.is_some_and(|named| named != fact) {
        return Err(BadInput::new("fact", "is another one than the command names").into());
    }
    Ok(Draft { fact: Some(fact), ..draft })
}

fn members(statement: &Statement) -> Result<Map<String, Value>, CliError> {
    let mut json = match &statement.input {
        Some(given) => input::read(given)?,
        None => from_options(statement)?,
    };
    if let Some(version) = statement.expect_version {
        json.insert("expectVersion".to_owned(), json!(version));
    }
    Ok(json)
}

fn from_options(statement: &Statement) -> Result<Map<String, Value>, BadInput> {
    let mut json = Map::new();
    if let Some(content) = content(statement.text.as_deref(), statement.content.as_deref())? {
        json.insert("content".to_owned(), content);
    }
    if !statement.tag.is_empty() {
        json.insert("tags".to_owned(), json!(statement.tag));
    }
    if let Some(confidence) = &statement.confidence {
        let number: Option<serde_json::Number> = confidence.parse().ok();
        json.insert("confidence".to_owned(), number.map_or(json!(confidence), Value::Number));
    }
    for (field, given) in [("evidence", &statement.evidence), ("subjects", &statement.subject)] {
        if !given.is_empty() {
            json.insert(field.to_owned(), pairs(field, given)?);
        }
    }
    for (field, given) in [
        ("trust", &statement.trust),
        ("validFrom", &statement.valid_from),
        ("validUntil", &statement.valid_until),
        ("observedAt", &statement.observed_at),
        ("reason", &statement.reason),
    ] {
        put(&mut json, field, given.as_deref());
    }
    put_object(&mut json, "retention", retention(statement));
    put_object(&mut json, "generatedBy", provenance(statement));
    Ok(json)
}

/// A content as it is given: plain text, or any JSON.
pub(crate) fn content(text: Option<&str>, content: Option<&str>) -> Result<Option<Value>, BadInput> {
    if let Some(text) = text {
        return Ok(Some(json!({ "text": text })));
    }
    let parse = |json: &str| {
        serde_json::from_str(json).map_err(|error| {
            BadInput::new("content", format!("is no JSON: {}; --text takes plain text", input::fault(&error)))
        })
    };
    content.map(parse).transpose()
}

fn retention(statement: &Statement) -> Map<String, Value> {
    let mut json = Map::new();
    if let Some(days) = statement.keep_days {
        json.insert("keepDays".to_owned(), json!(days));
    }
    put(&mut json, "keepUntil", statement.keep_until.as_deref());
    if statement.hold {
        json.insert("legalHold".to_owned(), json!(true));
    }
    json
}

fn provenance(statement: &Statement) -> Map<String, Value> {
    let mut json = Map::new();
    put(&mut json, "runId", statement.run_id.as_deref());
    put(&mut json, "toolCallId", statement.tool_call_id.as_deref());
    put(&mut json, "messageId", statement.message_id.as_deref());
    json
}

/// `kind:id` as objects of the two.
fn pairs(field: &'static str, given: &[String]) -> Result<Value, BadInput> {
    let pair = |pair: &String| {
        let (kind, id) = pair.split_once(':').ok_or_else(|| BadInput::new(field, "must be KIND:ID"))?;
        Ok(json!({ "kind": kind, "id": id }))
    };
    given.iter().map(pair).collect()
}

fn put(json: &mut Map<String, Value>, field: &str, value: Option<&str>) {
    if let Some(value) = value {
        json.insert(field.to_owned(), json!(value));
    }
}

fn put_object(json: &mut Map<String, Value>, field: &str, object: Map<String, Value>) {
    if !object.is_empty() {
        json.insert(field.to_owned(), Value::Object(object));
    }
}

//! The fields that mem0, and what is built on it, keep with a memory: in an export as in a vector store.

use std::collections::BTreeSet;

use fact::{BadInput, Legacy, LegacyOrigin, Text, is_blank, limits};
use serde_json::{Map, Value};

use crate::fields::{self, Names};
use crate::out::{Out, Walk};
use crate::{Skip, place};

/// Where the words are, the first that is there.
pub(crate) const WORDS: [&str; 4] = ["data", "memory", "text", "content"];

const NAMES: Names = Names {
    kind: &["type", "category"],
    key: &["key"],
    tags: &["tags", "categories"],
    origin: &["source"],
    owner: &["owner", "user_id", "agent_id"],
    project: &["project", "project_id"],
    confidence: &["confidence"],
    written_at: &["updated_at", "created_at"],
    valid_from: &["valid_from"],
    valid_until: &["valid_until", "expiration_date"],
};

/// The parts of an episode, in the order in which they are told.
const EPISODE: [(&str, &str); 7] = [
    ("goal", "Goal"),
    ("context", "Context"),
    ("approach", "Approach"),
    ("outcome", "Outcome"),
    ("outcome_quality", "Outcome quality"),
    ("lessons", "Lessons"),
    ("actors", "Actors"),
];

/// Gives the memories of a list, each at its `id`, or at its number where it has none.
pub(crate) fn list(list: &[Value], origin: LegacyOrigin, out: &mut Out<'_>) -> Walk {
    let mut seen = BTreeSet::new();
    for (index, value) in list.iter().enumerate() {
        let id = value.get("id").and_then(id);
        let at = id.as_deref().map_or_else(|| place::line(index + 1), place::place);
        match value {
            Value::Object(_) if id.is_some_and(|id| !seen.insert(id)) => out.skip(at, Skip::Duplicate)?,
            Value::Object(fields) => give(at, fields, origin, out)?,
            Value::String(words) if is_blank(words) => out.skip(at, Skip::Blank)?,
            Value::String(words) => {
                let row = fields::row(out.source, origin, at.clone(), words);
                out.row(at, row)?;
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => {
                out.refuse(at, BadInput::new("memory", "must be an object"))?;
            }
        }
    }
    Ok(())
}

/// An id in words or digits.
pub(crate) fn id(value: &Value) -> Option<String> {
    match value {
        Value::String(id) if !is_blank(id) => Some(id.clone()),
        Value::Number(id) => Some(id.to_string()),
        Value::Null | Value::Bool(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Gives one memory. `origin` is what it has where it names none.
pub(crate) fn give(at: Text, payload: &Map<String, Value>, origin: LegacyOrigin, out: &mut Out<'_>) -> Walk {
    if is_bookkeeping(payload) {
        return out.skip(at, Skip::Bookkeeping);
    }
    let named = WORDS.iter().find_map(|name| payload.get(*name).filter(|value| !value.is_null()));
    let row = match named {
        Some(Value::String(words)) if !is_blank(words) => row(&at, words, payload, origin, out),
        None | Some(Value::String(_)) => match (episode(payload), named) {
            (Some(words), _) => row(&at, &words, payload, origin, out),
            (None, Some(_)) => return out.skip(at, Skip::Blank),
            (None, None) => {
                Err(BadInput::new("text", "is not there: expected data, memory, text or content"))
            }
        },
        Some(_) => Err(BadInput::new("text", "must be a string")),
    };
    out.row(at, row)
}

fn row(
    at: &Text,
    words: &str,
    payload: &Map<String, Value>,
    origin: LegacyOrigin,
    out: &Out<'_>,
) -> Result<Legacy, BadInput> {
    let mut row = fields::row(out.source, origin, at.clone(), words)?;
    fields::fill(&mut row, payload, &NAMES);
    if let Some(scope) = fields::find(payload, "scope") {
        narrow(&mut row, scope);
    }
    Ok(row)
}

/// A scope by the name of a project narrows the row to it. One that says neither that, nor that the row is for all
/// that its owner does, is not understood.
fn narrow(row: &mut Legacy, scope: &Value) {
    let project = scope.as_str().and_then(|scope| scope.strip_prefix("project:"));
    match (
        scope.as_str(),
        project.map(|project| Text::parse_name("scope", project.trim(), limits::ID_CHARS_MAX)),
    ) {
        (_, Some(Ok(project))) if row.project.is_none() => row.project = Some(project),
        (_, Some(Ok(project))) if row.project.as_ref() == Some(&project) => {}
        (Some("project"), None) if row.project.is_some() => {}
        (Some("global" | "user"), None) => {}
        _ => fields::malformed(row, "scope"),
    }
}

/// What mem0 writes for itself: whom it met in which memories, and who uses it.
fn is_bookkeeping(payload: &Map<String, Value>) -> bool {
    let is_identity = payload.get("type").and_then(Value::as_str) == Some("user_identity");
    payload.contains_key("linked_memory_ids") || is_identity
}

/// The words of an episode: its parts that are there.
fn episode(payload: &Map<String, Value>) -> Option<String> {
    let is_episode = fields::find(payload, "source").and_then(Value::as_str) == Some("episode");
    let parts = EPISODE.iter().filter_map(|(name, title)| {
        let words = told(fields::find(payload, name)?);
        words.map(|words| format!("{title}: {words}"))
    });
    let words = parts.collect::<Vec<_>>().join("\n");
    (is_episode && !words.is_empty()).then_some(words)
}

fn told(value: &Value) -> Option<String> {
    match value {
        Value::String(words) => Some(words.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(is_true) => Some(is_true.to_string()),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().filter_map(told).collect();
            (!items.is_empty()).then(|| items.join("; "))
        }
        Value::Null | Value::Object(_) => None,
    }
}

//! One fact, or one conflict, as a line of a block: nothing in it can end the line, open a tag, or hide.

use fact::{Actor, Legacy, Revision, Text};
use ledger::OpenConflict;
use serde_json::{Value, json};

use crate::answer::{RecalledFact, RecalledLegacy};
use crate::block::Style;
use crate::safe::visible;

/// A fact.
pub(super) fn fact(fact: &RecalledFact, style: Style, is_current: bool) -> String {
    match style {
        Style::Tagged => escaped(&tagged_fact(fact, is_current).to_string()),
        Style::Plain => plain_fact(fact, is_current),
    }
}

/// A memory from before the ledger, labelled as what it is.
pub(super) fn legacy(legacy: &RecalledLegacy, style: Style) -> String {
    let Legacy { text, origin, written_at, .. } = &legacy.row.legacy;
    let label = legacy.label();
    let (text, written) = (visible(text.as_str()), written_at.map(|at| at.to_string()));
    match style {
        Style::Tagged => escaped(
            &json!({
                "id": legacy.row.row,
                "type": legacy.row.legacy.kind(),
                "label": label,
                "origin": origin.name(),
                "writtenAt": written,
                "current_truth": false,
                "content": { "text": text },
            })
            .to_string(),
        ),
        Style::Plain => {
            let said = escaped(&json!([legacy.row.legacy.kind(), label, written]).to_string());
            format!("- {said} (not current truth) {}", escaped(&json!(text).to_string()))
        }
    }
}

/// A conflict, without what it is about.
pub(super) fn conflict(conflict: &OpenConflict, style: Style) -> String {
    let key = conflict.key.as_ref().map(|key| visible(Text::as_str(key)));
    match style {
        Style::Tagged => escaped(
            &json!({
                "withheld": "conflict",
                "type": conflict.kind,
                "key": key,
                "conflict": conflict.conflict,
                "note": "versions of this fact contradict each other; ask instead of guessing",
            })
            .to_string(),
        ),
        Style::Plain => {
            let about = escaped(&json!([conflict.kind, key]).to_string());
            format!("- withheld: versions of {about} contradict each other; ask instead of guessing")
        }
    }
}

/// A verified fact of a kind that was declared to be a policy.
pub(super) fn policy(fact: &RecalledFact) -> String {
    format!("- {} ({})", content(fact), escaped(&json!(fact.case.head.fact).to_string()))
}

fn tagged_fact(fact: &RecalledFact, is_current: bool) -> Value {
    let revision = &fact.revision;
    let mut item = json!({
        "id": fact.case.head.fact,
        "type": fact.case.head.kind,
        "trust": revision.saying.trust,
        "assertedBy": visible(&asserted_by(revision.author())),
        "recordedAt": revision.recorded_at.to_string(),
        "current_truth": is_current,
        "content": revision.content().map_or(Value::Null, |content| cleaned(content.value())),
    });
    if let Some(members) = item.as_object_mut() {
        members.extend(key(fact).map(|key| ("key".to_owned(), json!(key))));
        members.extend(provenance(revision).map(|tag| ("provenance".to_owned(), json!(tag))));
    }
    item
}

fn plain_fact(fact: &RecalledFact, is_current: bool) -> String {
    let revision = &fact.revision;
    let said = json!([
        fact.case.head.kind,
        revision.saying.trust,
        visible(&asserted_by(revision.author())),
        revision.recorded_at.to_string(),
    ]);
    let key = key(fact).map_or_else(String::new, |key| format!(" {}:", escaped(&json!(key).to_string())));
    let then = if is_current { "" } else { " (not current truth)" };
    format!("- {}{then}{key} {}", escaped(&said.to_string()), content(fact))
}

/// What it says, on one line: a text as a JSON string, anything else as JSON.
fn content(fact: &RecalledFact) -> String {
    let value = fact.revision.content().map_or(Value::Null, |content| cleaned(content.value()));
    let text = match &value {
        Value::Object(members) if members.len() == 1 => members.get("text").filter(|text| text.is_string()),
        Value::Object(_)
        | Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::String(_)
        | Value::Array(_) => None,
    };
    escaped(&text.unwrap_or(&value).to_string())
}

fn key(fact: &RecalledFact) -> Option<String> {
    fact.revision.words.as_ref().and_then(|words| words.key.as_ref()).map(|key| visible(key.as_str()))
}

/// What it was taken from: the message, the tool call or the run, else the first thing that it rests on.
fn provenance(revision: &Revision) -> Option<String> {
    let from = &revision.saying.provenance;
    let named = [("message", &from.message), ("tool-call", &from.tool_call), ("run", &from.run)];
    let named = named.into_iter().find_map(|(kind, id)| id.as_ref().map(|id| format!("{kind}:{id}")));
    let evidence = || {
        let first = revision.evidence().next()?;
        Some(format!("{}:{}", json!(first.kind).as_str().unwrap_or_default(), first.id))
    };
    named.or_else(evidence).map(|tag| visible(&tag))
}

fn asserted_by(actor: &Actor) -> String {
    match actor {
        Actor::User { id } => format!("user {id}"),
        Actor::Operator { id } => format!("operator {id}"),
        Actor::Agent { id, .. } => format!("agent {id}"),
        Actor::Migration { id } => format!("migration {id}"),
        Actor::Service { id } => format!("service {id}"),
    }
}

/// Every string and every member's name without what hides or reorders text.
fn cleaned(value: &Value) -> Value {
    match value {
        Value::String(string) => Value::String(visible(string)),
        Value::Array(items) => Value::Array(items.iter().map(cleaned).collect()),
        Value::Object(members) => {
            Value::Object(members.iter().map(|(name, member)| (visible(name), cleaned(member))).collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

/// JSON in which no tag can begin, still the same JSON, on one line.
fn escaped(json: &str) -> String {
    json.chars().fold(String::with_capacity(json.len()), |mut out, c| {
        match c {
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            '\u{2028}' => out.push_str("\\u2028"),
            '\u{2029}' => out.push_str("\\u2029"),
            _ => out.push(c),
        }
        out
    })
}

//! mem0: an export in JSON, or the history that it keeps in SQLite.
//!
//! An export is a list of memories, or an object that has it under `results` or `memories`; relations of its graph
//! may stand beside them under `relations`. A memory has its words under `memory`, `text` or `data`, and with it `id`,
//! `user_id`, `agent_id`, `created_at`, `updated_at`, `categories`, `expiration_date`, and what the application put
//! under `metadata`. Of a history the last state of each memory is a row; the earlier ones are skipped.

use std::path::Path;

use fact::{BadInput, LegacyOrigin};
use serde_json::Value;

use crate::out::{Out, Walk};
use crate::{SourceError, fields, json, payload, place, sqlite};

mod history;

const EXPECTED: &str = "a JSON list of memories, an object with `results` or `memories`, or a SQLite file with a \
                        table `history` (id, memory_id, new_memory, event, created_at, updated_at, is_deleted)";

pub(crate) fn read(path: &Path, out: &mut Out<'_>) -> Walk {
    if sqlite::is_database(path)? {
        return history::read(path, out);
    }
    let export = json::read(path)?;
    let Some(list) = export.as_ref().and_then(memories) else {
        return Err(SourceError::other(path, EXPECTED).into());
    };
    payload::list(list, LegacyOrigin::Extracted, out)?;
    let relations = export.as_ref().and_then(|export| export.get("relations")).and_then(Value::as_array);
    relations.into_iter().flatten().enumerate().try_for_each(|(index, value)| relation(index + 1, value, out))
}

/// The list of an export, which older versions put into a list of results once more.
pub(crate) fn memories(export: &Value) -> Option<&Vec<Value>> {
    match export {
        Value::Array(list) => Some(list),
        Value::Object(fields) => ["results", "memories"].iter().find_map(|name| memories(fields.get(*name)?)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

/// A line of the graph, told as one sentence.
fn relation(number: usize, value: &Value, out: &mut Out<'_>) -> Walk {
    let at = place::place(&format!("relations:{number}"));
    let word = |names: &[&str]| names.iter().find_map(|name| value.get(*name)?.as_str());
    let words = (word(&["source"]), word(&["relationship", "relation"]), word(&["target", "destination"]));
    let row = match words {
        (Some(source), Some(relation), Some(target)) => {
            let words = format!("{source} {} {target}", relation.replace('_', " "));
            fields::row(out.source, LegacyOrigin::Extracted, at.clone(), &words)
        }
        _ => Err(BadInput::new("relation", "must have source, relationship and target")),
    };
    out.row(at, row)
}

//! Claude: its memory as it was copied or exported.
//!
//! A text has headings (also bold lines), lists, paragraphs, and lines such as `[2025-04-05] - drinks tea`. The file
//! `memories.json` of the data export, or the folder that it lies in, has one entry an account: a text under
//! `conversations_memory`, one for each project under `project_memories`, and files under `memory_files`.

use std::path::Path;

use fact::BadInput;
use serde_json::{Map, Value};

use crate::dated::{self, Copied};
use crate::out::{Out, Walk};
use crate::text_file::{self, Opened, TextFile};
use crate::{Skip, SourceError, json, place};

const EXPECTED: &str =
    "a text, or memories.json with `conversations_memory`, `project_memories` or `memory_files`";
const PARTS: [&str; 3] = ["conversations_memory", "project_memories", "memory_files"];

pub(crate) fn read(path: &Path, out: &mut Out<'_>) -> Walk {
    let inside = path.join("memories.json");
    let path = if path.is_dir() { &inside } else { path };
    if let Some(export) = json::or_text(path, EXPECTED)? {
        let accounts = accounts(&export).ok_or_else(|| SourceError::other(path, EXPECTED))?;
        let many = accounts.len() > 1;
        return accounts.iter().enumerate().try_for_each(|(index, fields)| {
            let prefix = if many { format!("{}/", index + 1) } else { String::new() };
            account(&prefix, fields, out)
        });
    }
    let Opened::Text(text) = text_file::read(path)? else {
        return Err(SourceError::other(path, EXPECTED).into());
    };
    let name = path.file_name().map(|name| place::relative(Path::new(name))).unwrap_or_default();
    dated::give(&Copied { name: &name, owner: None, project: None, by_line: false }, &text, out)
}

/// The entries of an export, each of which has a part that is known.
fn accounts(export: &Value) -> Option<Vec<&Map<String, Value>>> {
    let entries = match export {
        Value::Array(entries) => entries.iter().collect(),
        Value::Object(_) => vec![export],
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return None,
    };
    let is_known = |fields: &&Map<String, Value>| PARTS.iter().any(|part| fields.contains_key(*part));
    entries.into_iter().map(|entry| entry.as_object().filter(is_known)).collect()
}

fn account(prefix: &str, fields: &Map<String, Value>, out: &mut Out<'_>) -> Walk {
    let owner = fields.get("account_uuid").and_then(Value::as_str);
    if let Some(value) = fields.get("conversations_memory") {
        part(&format!("{prefix}conversations_memory"), value, owner, None, out)?;
    }
    match fields.get("project_memories") {
        Some(Value::Object(projects)) => {
            for (project, value) in projects {
                part(&format!("{prefix}project_memories/{project}"), value, owner, Some(project), out)?;
            }
        }
        Some(value) => not_parts(&format!("{prefix}project_memories"), value, out)?,
        None => {}
    }
    match fields.get("memory_files") {
        Some(Value::Array(files)) => {
            for (index, file) in files.iter().enumerate() {
                let named = ["path", "name", "file_name"].iter().find_map(|name| file.get(*name)?.as_str());
                let name = named
                    .map_or_else(|| (index + 1).to_string(), |name| name.trim_start_matches('/').to_owned());
                let words = ["content", "text"].iter().find_map(|name| file.get(*name));
                part(&format!("{prefix}memory_files/{name}"), words.unwrap_or(file), owner, None, out)?;
            }
        }
        Some(value) => not_parts(&format!("{prefix}memory_files"), value, out)?,
        None => {}
    }
    Ok(())
}

fn part(name: &str, value: &Value, owner: Option<&str>, project: Option<&str>, out: &mut Out<'_>) -> Walk {
    match value {
        Value::String(words) => {
            let copied = Copied { name, owner, project, by_line: false };
            dated::give(&copied, &TextFile::whole(words), out)
        }
        Value::Null => out.skip(place::place(name), Skip::Blank),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            out.refuse(place::place(name), BadInput::new("text", "must be a string"))
        }
    }
}

fn not_parts(name: &str, value: &Value, out: &mut Out<'_>) -> Walk {
    if value.is_null() {
        return out.skip(place::place(name), Skip::Blank);
    }
    out.refuse(place::place(name), BadInput::new("memories", "must be named texts"))
}

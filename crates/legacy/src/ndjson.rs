//! Our own plain form: one JSON object a line, for whoever brings memories from elsewhere.
//!
//! | field | what it is |
//! |---|---|
//! | `text` | what the memory says, at most 16,384 characters; the one field that must be there |
//! | `id` | its id in the source, by which the row is known again; without it, its line |
//! | `type` | what kind of fact it would be, such as `acme.preference` |
//! | `key` | the key that it had |
//! | `tags` | a list of words |
//! | `origin` | `extracted`, `episode`, `migration`, `explicit` or `unknown`, which it is when nothing is said |
//! | `owner` | whose it is |
//! | `project` | the project that it belongs to |
//! | `confidence` | a decimal from 0 to 1 |
//! | `writtenAt`, `validFrom`, `validUntil` | times with their zone, such as `2026-11-01T10:00:00Z` |
//!
//! Blank lines are skipped. A line with a field that is not in this list is refused; a field that is not as it must
//! be is left out and named.

use std::collections::BTreeSet;
use std::path::Path;

use fact::{BadInput, Legacy, LegacyOrigin, Text};
use serde_json::{Map, Value};

use crate::fields::{self, Names};
use crate::jsonl::{self, Line};
use crate::out::{Out, Walk};
use crate::{Skip, SourceError, payload, place};

const EXPECTED: &str = "lines of JSON, each an object with `text`, and any of id, type, key, tags, origin, owner, \
                        project, confidence, writtenAt, validFrom, validUntil";

const FIELDS: [&str; 12] = [
    "text",
    "id",
    "type",
    "key",
    "tags",
    "origin",
    "owner",
    "project",
    "confidence",
    "writtenAt",
    "validFrom",
    "validUntil",
];

const NAMES: Names = Names {
    kind: &["type"],
    key: &["key"],
    tags: &["tags"],
    origin: &["origin"],
    owner: &["owner"],
    project: &["project"],
    confidence: &["confidence"],
    written_at: &["writtenAt"],
    valid_from: &["validFrom"],
    valid_until: &["validUntil"],
};

/// The name of a field in a refusal, in characters.
const NAME_CHARS_MAX: usize = 64;

pub(crate) fn read(path: &Path, out: &mut Out<'_>) -> Walk {
    is_ours(path)?;
    let mut seen = BTreeSet::new();
    jsonl::each(path, &mut |number, line| {
        let at = place::line(number);
        match line {
            Line::Blank => out.skip(at, Skip::Blank),
            Line::Bad(why) => out.refuse(at, why),
            Line::Object(fields) => {
                let id = fields.get("id").and_then(payload::id);
                let at = id.as_deref().map_or(at, place::place);
                if id.is_some_and(|id| !seen.insert(id)) {
                    return out.skip(at, Skip::Duplicate);
                }
                let row = row(&at, &fields, out);
                out.row(at, row)
            }
        }
    })
}

/// Refuses a file in which no line is an object: it is of something else.
fn is_ours(path: &Path) -> Result<(), SourceError> {
    let mut is_ours = false;
    let mut is_empty = true;
    jsonl::each(path, &mut |_, line| -> Result<(), SourceError> {
        is_empty &= matches!(line, Line::Blank);
        is_ours |= matches!(line, Line::Object(_));
        Ok(())
    })?;
    if is_ours || is_empty { Ok(()) } else { Err(SourceError::other(path, EXPECTED)) }
}

fn row(at: &Text, fields: &Map<String, Value>, out: &Out<'_>) -> Result<Legacy, BadInput> {
    if let Some(name) = fields.keys().find(|name| !FIELDS.contains(&name.as_str())) {
        let name: String = name.chars().filter(|c| !c.is_control()).take(NAME_CHARS_MAX).collect();
        return Err(BadInput::new(name, "is no field of a row"));
    }
    let words = match fields.get("text") {
        Some(Value::String(words)) => words,
        Some(_) => return Err(BadInput::new("text", "must be a string")),
        None => return Err(BadInput::new("text", "is not there")),
    };
    let mut row = fields::row(out.source, LegacyOrigin::Explicit, at.clone(), words)?;
    fields::fill(&mut row, fields, &NAMES);
    let id = fields.get("id").filter(|id| !id.is_null());
    if id.is_some_and(|id| payload::id(id).is_none()) {
        fields::malformed(&mut row, "id");
    }
    Ok(row)
}

//! The MCP reference memory server: a graph, one entity or relation a line.
//!
//! `{"type": "entity", "name", "entityType", "observations": […]}` gives a row for each observation, whose words begin
//! with the entity's name; its type is a tag. `{"type": "relation", "from", "to", "relationType"}` gives one row.

use std::collections::BTreeSet;
use std::path::Path;

use fact::{BadInput, LegacyOrigin, Text, is_blank};
use serde_json::{Map, Value};

use crate::fields;
use crate::jsonl::{self, Line};
use crate::out::{Out, Walk};
use crate::{Skip, SourceError, place};

const EXPECTED: &str = "lines of JSON, each {\"type\": \"entity\", \"name\", \"entityType\", \"observations\"} or \
                        {\"type\": \"relation\", \"from\", \"to\", \"relationType\"}";

/// What was met of the graph.
#[derive(Default)]
struct Met {
    entities: BTreeSet<String>,
    rows: BTreeSet<(String, String)>,
}

pub(crate) fn read(path: &Path, out: &mut Out<'_>) -> Walk {
    let mut met = Met { entities: entities(path)?, ..Met::default() };
    jsonl::each(path, &mut |number, line| {
        let at = place::line(number);
        match line {
            Line::Blank => out.skip(at, Skip::Blank),
            Line::Bad(why) => out.refuse(at, why),
            Line::Object(fields) => match fields.get("type").and_then(Value::as_str) {
                Some("entity") => entity(number, &fields, &mut met, out),
                Some("relation") => relation(number, &fields, &mut met, out),
                Some(_) | None => out.refuse(at, BadInput::new("type", "must be entity or relation")),
            },
        }
    })
}

/// The names of the graph's entities, which may stand anywhere in it. A file without any line of a graph is refused.
fn entities(path: &Path) -> Result<BTreeSet<String>, SourceError> {
    let mut names = BTreeSet::new();
    let mut is_graph = false;
    let mut is_empty = true;
    jsonl::each(path, &mut |_, line| -> Result<(), SourceError> {
        is_empty &= matches!(line, Line::Blank);
        if let Line::Object(fields) = line {
            let kind = fields.get("type").and_then(Value::as_str);
            is_graph |= matches!(kind, Some("entity" | "relation"));
            names.extend(word(&fields, "name").filter(|_| kind == Some("entity")).map(str::to_owned));
        }
        Ok(())
    })?;
    if is_graph || is_empty { Ok(names) } else { Err(SourceError::other(path, EXPECTED)) }
}

fn word<'a>(fields: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    fields.get(name)?.as_str().map(str::trim).filter(|word| !is_blank(word))
}

fn entity(number: usize, fields: &Map<String, Value>, met: &mut Met, out: &mut Out<'_>) -> Walk {
    let Some(name) = word(fields, "name") else {
        return out.refuse(place::line(number), BadInput::new("name", "must be a string with words"));
    };
    let Some(observations) = fields.get("observations").and_then(Value::as_array) else {
        return out.refuse(place::line(number), BadInput::new("observations", "must be a list"));
    };
    if observations.is_empty() {
        return out.skip(place::place(name), Skip::BareEntity);
    }
    let kind = word(fields, "entityType");
    for (index, observation) in observations.iter().enumerate() {
        let at = place::place(&format!("{name}#{}", index + 1));
        match observation.as_str() {
            None => out.refuse(at, BadInput::new("observations", "must be strings"))?,
            Some(words) if is_blank(words) => out.skip(at, Skip::Blank)?,
            Some(words) => row(at, (name, words), &format!("{name}: {}", words.trim()), kind, met, out)?,
        }
    }
    Ok(())
}

fn relation(number: usize, fields: &Map<String, Value>, met: &mut Met, out: &mut Out<'_>) -> Walk {
    let named = (word(fields, "from"), word(fields, "relationType"), word(fields, "to"));
    let (Some(from), Some(kind), Some(to)) = named else {
        let why = BadInput::new("relation", "must have from, to and relationType with words");
        return out.refuse(place::line(number), why);
    };
    let line = format!("{from}/{kind}/{to}");
    let at = place::place(&line);
    if !met.entities.contains(from) || !met.entities.contains(to) {
        return out.skip(at, Skip::LooseRelation);
    }
    row(at, ("", &line), &format!("{from} {kind} {to}"), None, met, out)
}

/// Gives a row of what is said about an entity, once.
fn row(
    at: Text,
    (name, said): (&str, &str),
    words: &str,
    kind: Option<&str>,
    met: &mut Met,
    out: &mut Out<'_>,
) -> Walk {
    if !met.rows.insert((name.to_owned(), said.trim().to_owned())) {
        return out.skip(at, Skip::Duplicate);
    }
    let row = fields::row(out.source, LegacyOrigin::Extracted, at.clone(), words).map(|mut row| {
        kind.into_iter().for_each(|kind| fields::add_tag(&mut row, "entityType", kind));
        row
    });
    out.row(at, row)
}

//! What surrounds the words of a memory, taken from named fields. A field that is not as it must be is left out, and
//! its name kept.

use fact::{BadInput, is_blank};
use fact::{Confidence, FactType, Legacy, LegacyOrigin, LegacySource, Text, Timestamp, limits};
use serde_json::{Map, Value};

/// The names under which a source keeps each field, the one that counts most first.
pub(crate) struct Names {
    pub(crate) kind: &'static [&'static str],
    pub(crate) key: &'static [&'static str],
    pub(crate) tags: &'static [&'static str],
    pub(crate) origin: &'static [&'static str],
    pub(crate) owner: &'static [&'static str],
    pub(crate) project: &'static [&'static str],
    pub(crate) confidence: &'static [&'static str],
    pub(crate) written_at: &'static [&'static str],
    pub(crate) valid_from: &'static [&'static str],
    pub(crate) valid_until: &'static [&'static str],
}

/// A row that has its words and nothing else yet.
pub(crate) fn row(
    source: LegacySource,
    origin: LegacyOrigin,
    place: Text,
    words: &str,
) -> Result<Legacy, BadInput> {
    let text = Text::parse("text", words.trim(), limits::CONTENT_CHARS_MAX)?;
    Ok(Legacy::new(source, origin, place, text))
}

/// Fills the row with what the fields say.
pub(crate) fn fill(row: &mut Legacy, fields: &Map<String, Value>, names: &Names) {
    if let Some((name, value)) = first(fields, names.origin) {
        match value.as_str().and_then(origin) {
            Some(origin) => row.origin = origin,
            None => {
                row.origin = LegacyOrigin::Unknown;
                malformed(row, name);
            }
        }
    }
    fill_kind(row, fields, names);
    for name in names.tags {
        if let Some(value) = find(fields, name) {
            fill_tags(row, name, value);
        }
    }
    row.key = name_of(row, fields, names.key, limits::KEY_CHARS_MAX);
    row.owner = name_of(row, fields, names.owner, limits::ID_CHARS_MAX);
    row.project = name_of(row, fields, names.project, limits::ID_CHARS_MAX);
    row.confidence = parsed(row, fields, names.confidence, |digits| Confidence::parse(digits).ok());
    row.written_at = time(row, fields, names.written_at);
    row.valid_from = time(row, fields, names.valid_from);
    row.valid_until = time(row, fields, names.valid_until);
}

/// Adds a tag that comes from around the words, such as a heading.
pub(crate) fn add_tag(row: &mut Legacy, name: &'static str, tag: &str) {
    match Text::parse_name("tags", tag.trim(), limits::TAG_CHARS_MAX) {
        Ok(tag) if row.tags.contains(&tag) => {}
        Ok(tag) if row.tags.len() < limits::TAGS_MAX => row.tags.push(tag),
        Ok(_) | Err(_) => malformed(row, name),
    }
}

/// Keeps the name of a field that is not as it must be.
pub(crate) fn malformed(row: &mut Legacy, name: &str) {
    let name = Text::stored(name.to_owned());
    if !row.malformed.contains(&name) {
        row.malformed.push(name);
    }
}

/// A field by its name, in the object or in its `metadata`. One that is null or blank is not there.
pub(crate) fn find<'a>(fields: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    let metadata = fields.get("metadata").and_then(Value::as_object);
    let found = [Some(fields), metadata].into_iter().flatten().filter_map(|fields| fields.get(name));
    let mut there = found.filter(|value| !value.is_null() && !value.as_str().is_some_and(is_blank));
    there.next()
}

fn first<'a>(fields: &'a Map<String, Value>, names: &[&'static str]) -> Option<(&'static str, &'a Value)> {
    names.iter().find_map(|name| find(fields, name).map(|value| (*name, value)))
}

fn origin(name: &str) -> Option<LegacyOrigin> {
    let all = [
        LegacyOrigin::Extracted,
        LegacyOrigin::Episode,
        LegacyOrigin::Migration,
        LegacyOrigin::Explicit,
        LegacyOrigin::Unknown,
    ];
    all.into_iter().find(|origin| origin.name() == name.trim())
}

/// A category that is no type is still a tag.
fn fill_kind(row: &mut Legacy, fields: &Map<String, Value>, names: &Names) {
    for name in names.kind {
        let Some(value) = find(fields, name) else {
            continue;
        };
        match value.as_str().map(|kind| FactType::parse(kind.trim())) {
            Some(Ok(kind)) if row.kind.is_none() => row.kind = Some(kind),
            Some(_) if *name == "category" => fill_tags(row, name, value),
            Some(Ok(_)) => {}
            Some(Err(_)) | None => malformed(row, name),
        }
    }
}

/// A list of words, or words with commas between them.
fn fill_tags(row: &mut Legacy, name: &'static str, value: &Value) {
    if let Some(words) = value.as_str() {
        words.split(',').filter(|tag| !is_blank(tag)).for_each(|tag| add_tag(row, name, tag));
        return;
    }
    let Some(list) = value.as_array() else {
        return malformed(row, name);
    };
    for tag in list {
        match tag.as_str() {
            Some(tag) => add_tag(row, name, tag),
            None => malformed(row, name),
        }
    }
}

fn name_of(
    row: &mut Legacy,
    fields: &Map<String, Value>,
    names: &[&'static str],
    chars_max: usize,
) -> Option<Text> {
    parsed(row, fields, names, |name| Text::parse_name("name", name, chars_max).ok())
}

fn time(row: &mut Legacy, fields: &Map<String, Value>, names: &[&'static str]) -> Option<Timestamp> {
    parsed(row, fields, names, |time| Timestamp::parse("time", time).ok())
}

/// The first of the fields that is there, read from its words or digits.
fn parsed<T>(
    row: &mut Legacy,
    fields: &Map<String, Value>,
    names: &[&'static str],
    parse: impl Fn(&str) -> Option<T>,
) -> Option<T> {
    let (name, value) = first(fields, names)?;
    let read = match value {
        Value::String(words) => parse(words.trim()),
        Value::Number(number) => parse(&number.to_string()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    };
    if read.is_none() {
        malformed(row, name);
    }
    read
}

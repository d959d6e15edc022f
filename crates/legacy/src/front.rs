//! The head of a note: lines of `key: value` between two fences, read as people and programs write them.
//!
//! A small part of YAML on purpose: a colon, a star or a bracket in a value that nobody quoted is only a character.

use serde_json::{Map, Value};

/// The name of a field, in characters.
const NAME_CHARS_MAX: usize = 40;

/// A note in two parts.
pub(crate) struct Note<'a> {
    /// Its head, by the names of its fields.
    pub(crate) head: Map<String, Value>,
    /// What follows the head.
    pub(crate) body: &'a str,
    /// The number of the body's first line, from 1.
    pub(crate) first_line: usize,
}

/// Parts a note. Without a fence at the very start, or without one that closes it, or with a line between them that
/// is no field, there is no head: a rule at the top of a text is only a rule.
pub(crate) fn parted(text: &str) -> Option<Note<'_>> {
    let mut lines = text.split_inclusive('\n');
    let mut at = lines.next().filter(|line| line.trim_end() == "---")?.len();
    let mut head = Vec::new();
    for line in lines {
        at += line.len();
        if matches!(line.trim_end(), "---" | "...") {
            let first_line = head.len() + 3;
            return Some(Note { head: fields(&head)?, body: &text[at..], first_line });
        }
        head.push(line.trim_end());
    }
    None
}

/// The fields of a head, or nothing where a line is none.
fn fields(lines: &[&str]) -> Option<Map<String, Value>> {
    let mut fields = Map::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        at += 1;
        if is_empty(line) {
            continue;
        }
        let (name, value) = field(line)?;
        let is_open = value.is_empty() || is_block(value);
        let below = if is_open { below(&lines[at..]) } else { wrapped(&lines[at..]) };
        at += below.len();
        let value = match value {
            "" => nested(below),
            "|" | "|-" | "|+" => Value::String(block(below, "\n")),
            ">" | ">-" | ">+" => Value::String(block(below, " ")),
            value if below.is_empty() => plain(value),
            value => plain(&format!("{value} {}", block(below, " "))),
        };
        fields.insert(name.to_owned(), value);
    }
    Some(fields)
}

fn is_empty(line: &str) -> bool {
    line.trim().is_empty() || line.trim_start().starts_with('#')
}

fn is_block(value: &str) -> bool {
    matches!(value, "|" | "|-" | "|+" | ">" | ">-" | ">+")
}

/// `name: value`. A name is a few words at most.
fn field(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.trim().split_once(':')?;
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ');
    let is_parted = value.is_empty() || value.starts_with([' ', '\t']);
    let is_field = is_parted && !name.is_empty() && name.chars().all(is_name) && !name.starts_with('-');
    (is_field && name.chars().count() <= NAME_CHARS_MAX).then_some((name, value.trim()))
}

/// The lines on which a value goes on that began on its field's line.
fn wrapped<'a>(lines: &'a [&'a str]) -> &'a [&'a str] {
    let goes_on = |line: &&&str| line.starts_with([' ', '\t']) && !is_empty(line) && field(line).is_none();
    &lines[..lines.iter().take_while(goes_on).count()]
}

/// The lines that belong to a field which has nothing on its own line.
fn below<'a>(lines: &'a [&'a str]) -> &'a [&'a str] {
    let belongs = |line: &&&str| {
        line.trim().is_empty() || line.starts_with([' ', '\t']) || line.starts_with("- ") || **line == "-"
    };
    &lines[..lines.iter().take_while(belongs).count()]
}

/// A list of items, fields one level down, or words.
fn nested(lines: &[&str]) -> Value {
    let there: Vec<&str> = lines.iter().map(|line| line.trim()).filter(|line| !is_empty(line)).collect();
    let items = there.iter().map(|line| line.strip_prefix('-').map(|item| plain(item.trim())));
    let fields = there.iter().map(|line| field(line).map(|(name, value)| (name.to_owned(), plain(value))));
    if there.is_empty() {
        Value::Null
    } else if let Some(items) = items.collect() {
        Value::Array(items)
    } else if let Some(fields) = fields.collect() {
        Value::Object(fields)
    } else {
        Value::String(block(lines, "\n"))
    }
}

fn block(lines: &[&str], between: &str) -> String {
    lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(between).trim().to_owned()
}

/// A value on its field's line: quoted, a list in brackets, or words as they stand.
fn plain(value: &str) -> Value {
    if matches!(value, "null" | "~") {
        return Value::Null;
    }
    let list = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    match list.filter(|list| !list.starts_with('[')) {
        Some(list) => Value::Array(listed(list)),
        None => Value::String(unquoted(value)),
    }
}

fn unquoted(value: &str) -> String {
    if let Some(inner) = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        // By hand, people quote a path without minding its backslashes.
        return serde_json::from_str(value).unwrap_or_else(|_| inner.to_owned());
    }
    match value.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        Some(inner) => inner.replace("''", "'"),
        None => value.to_owned(),
    }
}

/// The items of `a, "b, c", d`.
fn listed(list: &str) -> Vec<Value> {
    let mut items = Vec::new();
    let mut item = String::new();
    let mut quote = None;
    for c in list.chars() {
        match quote {
            None if c == ',' => items.push(std::mem::take(&mut item)),
            None if item.trim().is_empty() && matches!(c, '"' | '\'') => {
                quote = Some(c);
                item.push(c);
            }
            None => item.push(c),
            Some(open) => {
                quote = (c != open).then_some(open);
                item.push(c);
            }
        }
    }
    items.push(item);
    let items = items.iter().map(|item| item.trim()).filter(|item| !item.is_empty());
    items.map(|item| Value::String(unquoted(item))).collect()
}

//! What a fact says, and who said it, as a person reads it: plain text, the same at every edge.

use serde_json::Value;
use similar::{ChangeTag, TextDiff};
use truthkeeper::{Actor, Content, Revision, Trust};

/// A stretch of a text beside an older one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Both have it.
    Same,
    /// The older one alone has it.
    Gone,
    /// The newer one alone has it.
    New,
}

/// `1 event`, `2 events`.
pub fn counted(count: impl TryInto<u64>, thing: &str) -> String {
    let count = count.try_into().unwrap_or(u64::MAX);
    if count == 1 { format!("1 {thing}") } else { format!("{count} {thing}s") }
}

/// What a revision says, as text.
pub fn text(revision: &Revision) -> String {
    revision.content().map_or_else(|| "(erased)".to_owned(), content)
}

/// A content as text: its text where it is nothing else, its JSON otherwise.
pub fn content(content: &Content) -> String {
    text_alone(content.value()).map_or_else(|| content.value().to_string(), str::to_owned)
}

/// The text of a content that is nothing else.
pub fn text_alone(content: &Value) -> Option<&str> {
    match content {
        Value::String(text) => Some(text),
        Value::Object(members) if members.len() == 1 => match members.get("text") {
            Some(Value::String(text)) => Some(text),
            Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_))
            | None => None,
        },
        Value::Object(_) | Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => None,
    }
}

/// An actor as `--actor` takes it.
pub fn actor(actor: &Actor) -> String {
    match actor {
        Actor::User { id } => format!("user:{id}"),
        Actor::Agent { id, version: Some(version) } => format!("agent:{id}@{version}"),
        Actor::Agent { id, version: None } => format!("agent:{id}"),
        Actor::Operator { id } => format!("operator:{id}"),
        Actor::Migration { id } => format!("migration:{id}"),
        Actor::Service { id } => format!("service:{id}"),
    }
}

/// The name of a trust.
pub fn trust(trust: Trust) -> &'static str {
    match trust {
        Trust::Asserted => "asserted",
        Trust::Unverified => "unverified",
        Trust::Verified => "verified",
    }
}

/// What `newer` has otherwise than `older`, word by word.
pub fn changes(older: &str, newer: &str) -> Vec<(Change, String)> {
    let mut stretches: Vec<(Change, String)> = Vec::new();
    let diff = TextDiff::from_words(older, newer);
    for word in diff.iter_all_changes() {
        let change = match word.tag() {
            ChangeTag::Equal => Change::Same,
            ChangeTag::Delete => Change::Gone,
            ChangeTag::Insert => Change::New,
        };
        match stretches.last_mut().filter(|(last, _)| *last == change) {
            Some((_, text)) => text.push_str(word.value()),
            None => stretches.push((change, word.value().to_owned())),
        }
    }
    stretches
}

/// True for what a terminal obeys, and for what changes or hides text without being seen. Joiners and variation
/// selectors, which emoji and several scripts are written with, are not among them.
pub fn hides(c: char) -> bool {
    let is_needed =
        matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{180b}'..='\u{180d}' | '\u{180f}');
    // A braille blank is a sign that shows nothing.
    let is_format = matches!(c, '\u{2800}' | '\u{2028}' | '\u{2029}' | '\u{fff9}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}');
    c.is_control() || is_format || (truthkeeper::is_invisible(c) && !is_needed)
}

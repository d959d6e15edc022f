//! Which model made a vector, as one line that can be a key.

use std::fmt;

use crate::Role;

/// What tells vectors apart: two vectors are compared only where all of this is equal.
///
/// Its text is a stable line of six words, and differs wherever the id does. It is a key of rows and caches.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ModelId {
    /// Who runs it: `local`, or `openai-compat`.
    pub provider: String,
    /// Its name there.
    pub model: String,
    /// Which of the models of that name: a commit, or whatever the settings say.
    pub revision: String,
    /// How many numbers a vector has.
    pub size: usize,
    /// What is put before each text.
    pub prefixes: Prefixes,
}

/// What is put before a text, by its role; some models lose half their right answers without.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Prefixes {
    /// Before a passage, such as `search_document: `.
    pub passage: String,
    /// Before a query, such as `search_query: `.
    pub query: String,
}

impl Prefixes {
    pub(crate) fn of(&self, role: Role) -> &str {
        match role {
            Role::Passage => &self.passage,
            Role::Query => &self.query,
        }
    }
}

impl fmt::Display for ModelId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { provider, model, revision, size, prefixes: Prefixes { passage, query } } = self;
        write!(out, "{} {} {} {size}", word(provider), word(model), word(revision))?;
        write!(out, " {} {}", word(passage), word(query))
    }
}

/// The text as one word: what is not plain is escaped as in an address, and nothing is a lone `-`.
fn word(text: &str) -> String {
    match text {
        "" => "-".to_owned(),
        "-" => "%2D".to_owned(),
        _ => text.bytes().map(escaped).collect(),
    }
}

fn escaped(byte: u8) -> String {
    if byte.is_ascii_graphic() && byte != b'%' {
        char::from(byte).to_string()
    } else {
        format!("%{byte:02X}")
    }
}

#[cfg(test)]
mod tests;

//! A fact as a person reads it.

use std::fmt::Write as _;

pub(crate) use server::plain::{actor, text, trust};
use truthkeeper::{Admission, Seen, Text};

use crate::show::escape;
use crate::show::table::brief;

/// A fact as a sheet: a name and a value a line, its text last.
pub(crate) fn sheet(seen: &Seen) -> String {
    let Seen { head, revision, state, admission } = seen;
    let said = &revision.saying;
    let words = revision.words.as_ref();
    let mut sheet = String::new();
    let mut line = |name: &str, value: &str| {
        writeln!(sheet, "{name:<10} {}", escape::in_line(value)).expect("a string takes every write");
    };
    line("fact", &head.fact.to_string());
    line("version", &format!("{} ({})", revision.number, state.name()));
    line("type", head.kind.as_str());
    line("scope", &head.scope.path());
    let key = words.and_then(|words| words.key.as_ref());
    key.into_iter().for_each(|key| line("key", key.as_str()));
    line("said by", &format!("{}, {}", actor(revision.author()), trust(said.trust)));
    line("recorded", &revision.recorded_at.to_string());
    line("true from", &revision.valid_from().to_string());
    said.valid_until.into_iter().for_each(|until| line("until", &until.to_string()));
    let expires = said.retention.expires_at(head.created_at);
    expires.into_iter().for_each(|expires| line("kept until", &expires.to_string()));
    let tags: Vec<&str> = words.iter().flat_map(|words| &words.tags).map(Text::as_str).collect();
    if !tags.is_empty() {
        line("tags", &tags.join(", "));
    }
    if said.confidence != truthkeeper::Confidence::FULL {
        line("confidence", &said.confidence.to_string());
    }
    let evidence = revision.evidence().count();
    if evidence > 0 {
        line("evidence", &format!("{evidence} (--json shows it)"));
    }
    for merged in &revision.merged {
        line("merged", &format!("{merged}: `memory duplicates split FACT` undoes it"));
    }
    if head.held {
        line("held", "under legal hold");
    }
    if *admission == Admission::Quarantined {
        line("admission", "quarantined: `memory facts admit FACT` lets it into recall");
    }
    format!("{sheet}\n{}", text(revision))
}

/// The columns of a fact in a list.
pub(crate) const COLUMNS: [&str; 7] = ["fact", "version", "type", "scope", "trust", "recorded", "text"];

/// A fact in a list.
pub(crate) fn row(seen: &Seen) -> Vec<String> {
    let Seen { head, revision, .. } = seen;
    vec![
        head.fact.to_string(),
        revision.number.to_string(),
        head.kind.to_string(),
        head.scope.path(),
        trust(revision.saying.trust).to_owned(),
        revision.recorded_at.to_string(),
        brief(&text(revision)),
    ]
}

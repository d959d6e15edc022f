//! A review as TOML.

use std::fmt::Write as _;

use fact::Timestamp;
use toml::Value;

use super::{Review, ReviewGroup, ReviewRow};

const HEADER: &str = "\
# Memories from before the ledger, to be decided. Edit the decisions, save, and seal this file.
#
# Each group has a `decision`; write one of:
#   \"approve\"  do what `action` says      \"reject\"  leave the rows out until they change
#   \"defer\"    ask again next time        \"pending\" not decided yet; such a file cannot be sealed
# and, if you like, a `note` of at most 500 characters, which is kept with the decision.
#
# A row may have, after its `text`:
#   decision = \"reject\"                  about this row alone, whatever its group says
#   corrected = \"What it is to say\"      in place of `text`
#   from = \"2026-11-01T10:00:00Z\"        since when it is true; a time needs its zone
#   until = \"2026-12-01T00:00:00Z\"       until when it is true
#   keep = true                          of duplicates and fragments: this one is adopted and cites the others
#
# Possible contradictions, and rows whose `about` says that they are somebody else's, of a foreign project or decided
# before, are approved row by row. Everything else must stay as it is.
";

pub(super) fn render(review: &Review) -> String {
    let mut out = format!("{HEADER}\naudit = {}\n", quoted(&review.audit));
    review.groups.iter().for_each(|group| render_group(&mut out, group));
    out
}

fn render_group(out: &mut String, group: &ReviewGroup) {
    let ReviewGroup { id, kind, action, uncertainty, why, decision, note, rows } = group;
    out.push_str("\n[[group]]\n");
    line(out, "id", &quoted(id));
    line(out, "kind", &quoted(kind.name()));
    line(out, "action", &quoted(action.name()));
    line(out, "uncertainty", &quoted(uncertainty.name()));
    line(out, "why", &quoted(why));
    line(out, "decision", &quoted(decision.name()));
    if let Some(note) = note {
        line(out, "note", &quoted(note.as_str()));
    }
    rows.iter().for_each(|row| render_row(out, row));
}

fn render_row(out: &mut String, review: &ReviewRow) {
    let ReviewRow { row, about, text, keep, decision, corrected, from, until } = review;
    out.push_str("\n[[group.row]]\n");
    line(out, "row", &quoted(&row.to_string()));
    line(out, "about", &quoted(about.as_str()));
    line(out, "text", &quoted(text.as_str()));
    if *keep {
        line(out, "keep", "true");
    }
    if let Some(decision) = decision {
        line(out, "decision", &quoted(decision.name()));
    }
    if let Some(corrected) = corrected {
        line(out, "corrected", &quoted(corrected.as_str()));
    }
    for (field, time) in [("from", from), ("until", until)] {
        if let Some(time) = time {
            line(out, field, &quoted(&Timestamp::exact(*time)));
        }
    }
}

fn line(out: &mut String, field: &str, value: &str) {
    writeln!(out, "{field} = {value}").expect("a string takes every write");
}

/// A string as TOML writes it; with what would hide or turn around other text written out, so that a person sees it.
fn quoted(text: &str) -> String {
    if !text.chars().any(misleads) {
        return Value::String(text.to_owned()).to_string();
    }
    let mut out = String::from('"');
    for c in text.chars() {
        match (c, u32::from(c)) {
            ('"' | '\\', _) => out.extend(['\\', c]),
            (_, _) if !c.is_control() && !misleads(c) => out.push(c),
            (_, code) if code > 0xffff => out += &format!("\\U{code:08X}"),
            (_, code) => out += &format!("\\u{code:04X}"),
        }
    }
    out.push('"');
    out
}

/// Marks of direction, tag characters and invisible operators.
fn misleads(c: char) -> bool {
    matches!(c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2061}'..='\u{2069}'
        | '\u{e0000}'..='\u{e0fff}')
}

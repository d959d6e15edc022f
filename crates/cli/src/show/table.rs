//! Tables without lines: one thing a row, nothing wrapped and no id cut.

use std::io::{IsTerminal as _, stdout};

use comfy_table::{ContentArrangement, Table, presets};

use crate::show::escape;

/// Characters of a text that stand in a row; the whole text is in `get` and in JSON.
const TEXT_CHARS_MAX: usize = 80;

/// The rows, under their headings where a person looks at them: a program counts and cuts rows alone.
pub(crate) fn table(headings: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    if stdout().is_terminal() {
        table.set_header(headings.iter().copied());
    }
    for row in rows {
        table.add_row(row.iter().map(|cell| escape::in_line(cell)));
    }
    let lines: Vec<String> = table.lines().map(|line| line.trim().to_owned()).collect();
    lines.join("\n")
}

/// A text as it stands in a row.
pub(crate) fn brief(text: &str) -> String {
    match text.char_indices().nth(TEXT_CHARS_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

//! A table: one piece a row, its cells named by the head.

use super::{What, words};

/// The rows of a table, each with its line.
pub(super) fn rows(line: usize, lines: &[String]) -> Vec<(usize, What)> {
    let is_headed = lines.get(1).is_some_and(|second| is_delimiter(second));
    let head = if is_headed { cells(&lines[0]) } else { Vec::new() };
    let first = if is_headed { 2 } else { 0 };
    if lines.len() <= first {
        return vec![(line, What::Heading)];
    }
    let rows = lines.iter().enumerate().skip(first);
    rows.map(|(index, row)| (line + index, words(named(&head, &cells(row))))).collect()
}

fn is_delimiter(line: &str) -> bool {
    line.contains('-') && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' ' | '\t'))
}

/// `head: cell; head: cell`, without the cells that say nothing.
fn named(head: &[String], cells: &[String]) -> String {
    let cells = cells.iter().enumerate().filter(|(_, cell)| !cell.is_empty());
    let named = cells.map(|(index, cell)| match head.get(index).filter(|name| !name.is_empty()) {
        Some(name) => format!("{name}: {cell}"),
        None => cell.clone(),
    });
    named.collect::<Vec<_>>().join("; ")
}

/// The cells of a row. A bar after a backslash is part of its cell.
fn cells(line: &str) -> Vec<String> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let line = line.strip_suffix('|').filter(|rest| !rest.ends_with('\\')).unwrap_or(line);
    let mut cells = vec![String::new()];
    let mut is_escaped = false;
    for c in line.chars() {
        match c {
            '|' if !is_escaped => cells.push(String::new()),
            c => cells.last_mut().into_iter().for_each(|cell| cell.push(c)),
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    cells.iter().map(|cell| cell.trim().replace("\\|", "|")).collect()
}

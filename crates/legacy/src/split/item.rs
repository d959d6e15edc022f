//! A list item: one piece with what is nested in it, or one for each where that is long.

use super::block::{indent, marker};
use super::{ITEM_CHARS_MAX, What, words};

/// The pieces of an item, each with its line.
pub(super) fn pieces(line: usize, lines: &[String]) -> Vec<(usize, What)> {
    let whole = text(lines);
    if whole.chars().count() <= ITEM_CHARS_MAX {
        return vec![(line, words(whole))];
    }
    let is_item = |index: &usize| *index == 0 || marker(&lines[*index]).is_some();
    let starts: Vec<usize> = (0..lines.len()).filter(is_item).collect();
    let ends = starts.iter().skip(1).copied().chain([lines.len()]);
    let each = starts.iter().zip(ends);
    each.map(|(start, end)| (line + start, words(text(&lines[*start..end])))).collect()
}

/// The item without its mark, and what is below it as far to the right of it as it was.
fn text(lines: &[String]) -> String {
    let Some((first, rest)) = lines.split_first() else {
        return String::new();
    };
    let mut text = vec![without_box(marker(first).unwrap_or(first.trim())).to_owned()];
    let is_words = |line: &&String| !line.trim().is_empty();
    let base = rest.iter().filter(is_words).map(|line| indent(line)).min().unwrap_or_default();
    text.extend(rest.iter().map(|line| nested_line(line, base)));
    text.join("\n").trim_end().to_owned()
}

fn nested_line(line: &str, base: usize) -> String {
    let words = line.trim_start();
    let space = " ".repeat(indent(line).saturating_sub(base));
    match marker(words) {
        Some(item) if without_box(item) != item => format!("{space}- {}", without_box(item)),
        Some(_) | None if words.is_empty() => String::new(),
        Some(_) | None => format!("{space}{words}"),
    }
}

/// The words after the box of a task.
fn without_box(item: &str) -> &str {
    let boxes = ["[ ]", "[x]", "[X]"];
    let rest = boxes.iter().find_map(|mark| item.strip_prefix(mark));
    rest.filter(|rest| rest.is_empty() || rest.starts_with(' ')).map_or(item, str::trim_start)
}

//! Lines of an index: they only say which note holds the words.

use std::collections::BTreeSet;

use crate::split;

/// Whether the words are no more than the name of a note, perhaps with a line on what is in it.
pub(super) fn is_pointer(words: &str, has_file: &dyn Fn(&str) -> bool) -> bool {
    let words = words.trim();
    if words.starts_with('@') {
        return split::is_import(words);
    }
    match target(words) {
        Some((target, "")) => !target.contains("://"),
        Some((target, _)) => has_file(target),
        None => first_word(words).is_some_and(has_file),
    }
}

/// What a link at the start of the words leads to, and what follows it.
fn target(words: &str) -> Option<(&str, &str)> {
    let words = words.trim_start_matches('*');
    if let Some((name, rest)) = words.strip_prefix("[[").and_then(|words| words.split_once("]]")) {
        let target = name.split(['|', '#']).next().unwrap_or(name);
        return Some((target, rest.trim_start_matches('*').trim()));
    }
    let (_, rest) = words.strip_prefix('[')?.split_once("](")?;
    let (target, rest) = rest.split_once(')')?;
    let target = target.split('#').next().unwrap_or(target);
    Some((target, rest.trim_start_matches('*').trim()))
}

/// A path at the start of `path — summary` or `path: summary`.
fn first_word(words: &str) -> Option<&str> {
    let word = words.split_whitespace().next()?;
    let word = word.trim_end_matches(':').trim_matches('`');
    word.ends_with(".md").then_some(word)
}

/// Whether a note of the folder is meant by `target`, as it is named in `file`.
pub(super) fn is_there(names: &BTreeSet<String>, file: &str, target: &str) -> bool {
    let target = target.trim().trim_start_matches("./").trim_start_matches('/');
    let folder = file.rsplit_once('/').map(|(folder, _)| format!("{folder}/")).unwrap_or_default();
    let ways = [
        target.to_owned(),
        format!("{target}.md"),
        format!("{folder}{target}"),
        format!("{folder}{target}.md"),
    ];
    ways.iter().any(|way| names.contains(way) && way != file)
}

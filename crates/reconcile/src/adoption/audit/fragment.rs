//! Rows that are parts of one statement that was split at its lines.
//!
//! Only rows of one part of a source with lines that follow each other are looked at, and only where the text itself
//! says that it goes on: a comma, an `and`, a colon before short items.

use std::collections::{BTreeMap, BTreeSet};

use fact::{Text, limits};

use super::item::{Finding, Item};
use super::{Action, GroupKind, Uncertainty};

/// Lines from the beginning of one part to that of the next.
const LINES_APART_MAX: u32 = 2;
/// Words of an item of a list that says nothing by itself.
const ITEM_WORDS_MAX: usize = 3;
/// Words at the end of a part that goes on, and at the beginning of one that goes on from another.
const JOINS: [&str; 18] = [
    "and", "or", "but", "because", "which", "while", "whereas", "unless", "und", "oder", "aber", "weil",
    "sondern", "et", "ou", "mais", "y", "pero",
];

/// Each run of parts, in their order; the first is the keeper.
pub(super) fn find(items: &[Item<'_>], left: &BTreeSet<usize>) -> Vec<Finding> {
    let mut parts: BTreeMap<_, BTreeMap<(u32, usize), usize>> = BTreeMap::new();
    for place in left.iter().copied().filter(|place| !items[*place].is_episode()) {
        let Item { row, spot, .. } = &items[place];
        if let Some(line) = spot.line {
            let part = (row.legacy.source, spot.part, &row.scope);
            parts.entry(part).or_default().insert((line, place), place);
        }
    }
    parts.values().flat_map(|lines| runs(items, &lines.values().copied().collect::<Vec<_>>())).collect()
}

fn runs(items: &[Item<'_>], lines: &[usize]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut run: Vec<usize> = Vec::new();
    for place in lines.iter().copied() {
        if !goes_on(items, &run, place) {
            findings.extend(finding(items, std::mem::take(&mut run)));
        }
        run.push(place);
    }
    findings.extend(finding(items, run));
    findings
}

/// Whether a row goes on from those before it.
fn goes_on(items: &[Item<'_>], run: &[usize], next: usize) -> bool {
    let (Some(first), Some(last)) = (run.first(), run.last()) else { return false };
    let (first, last, next) = (&items[*first], &items[*last], &items[next]);
    let (Some(from), Some(to)) = (last.spot.line, next.spot.line) else { return false };
    let follows = (from + 1..=from.saturating_add(LINES_APART_MAX)).contains(&to);
    follows && run.len() < limits::EVIDENCE_MAX && (is_open(last, next) || is_item_of(first, next))
}

fn is_open(last: &Item<'_>, next: &Item<'_>) -> bool {
    let (before, after) = (last.folded.as_str(), next.folded.as_str());
    let is_join = |word: Option<&str>| word.is_some_and(|word| JOINS.contains(&word));
    before.ends_with(',')
        || is_join(before.rsplit(' ').next())
        || (is_join(after.split(' ').next()) && !is_ended(before))
}

/// Whether a row is an item of the list that the first one opens.
fn is_item_of(first: &Item<'_>, next: &Item<'_>) -> bool {
    let next = next.folded.as_str();
    first.folded.ends_with(':') && !is_ended(next) && next.split(' ').count() <= ITEM_WORDS_MAX
}

fn is_ended(text: &str) -> bool {
    text.ends_with(['.', '!', '?', ':', ';'])
}

fn finding(items: &[Item<'_>], members: Vec<usize>) -> Option<Finding> {
    let [first, rest @ ..] = members.as_slice() else { return None };
    if rest.is_empty() {
        return None;
    }
    let is_list = items[*first].folded.ends_with(':');
    let mut whole = items[*first].folded.clone();
    for (place, member) in rest.iter().enumerate() {
        whole += if is_list && place > 0 { ", " } else { " " };
        whole += &items[*member].folded;
    }
    // Where it is too long for one fact, the person must say it shorter.
    Some(Finding {
        kind: GroupKind::Fragments,
        members,
        action: Action::AdoptWhole,
        uncertainty: Uncertainty::Medium,
        why: "they follow each other in their source, and each goes on where the one before stops".to_owned(),
        safe: false,
        whole: Text::parse("whole", &whole, limits::CONTENT_CHARS_MAX).ok(),
    })
}

//! Long lists in pages.

use std::ops::Range;

use super::super::fields::Fields;
use crate::plain::counted;

/// Where one is in a long list.
pub(super) struct Pages {
    pub(super) shown: Range<usize>,
    pub(super) of: usize,
    pub(super) before: Option<String>,
    pub(super) after: Option<String>,
}

impl Pages {
    /// The page that was asked for: from an item on, so many of them.
    pub(super) fn of(asked: &Fields, path: &str, of: usize, most: usize) -> Self {
        let from = asked.get("from").and_then(|from| from.parse::<usize>().ok()).unwrap_or(0);
        let from = if from < of { from - from % most } else { 0 };
        let shown = from..of.min(from + most);
        let link = |from: usize| format!("{path}?from={from}");
        let before = from.checked_sub(most).map(link);
        let after = (shown.end < of).then(|| link(shown.end));
        Self { shown, of, before, after }
    }

    /// Whether there is more than one.
    pub(super) fn are_several(&self) -> bool {
        self.before.is_some() || self.after.is_some()
    }

    /// `26 to 50 of 437`.
    pub(super) fn words(&self) -> String {
        format!("{} to {} of {}", self.shown.start + 1, self.shown.end, self.of)
    }
}

/// `1 row`, `2 rows`.
pub(super) fn rows(count: usize) -> String {
    if count == 1 { "1 memory".to_owned() } else { format!("{count} memories") }
}

/// `1 step`, `2 steps`.
pub(super) fn steps(count: usize) -> String {
    counted(count, "step")
}

#[cfg(test)]
mod tests {
    use super::super::super::fields::Fields;
    use super::Pages;

    #[test]
    fn every_item_is_on_one_page() {
        for (of, pages) in [(0, 1), (1, 1), (25, 1), (26, 2), (60, 3)] {
            let (mut seen, mut count, mut path) = (Vec::new(), 0, "?from=0".to_owned());
            loop {
                let from = path.split_once('=').unwrap().1.to_owned();
                let asked = Fields::of(vec![("from".to_owned(), from)]);
                let page = Pages::of(&asked, "", of, 25);
                seen.extend(page.shown.clone());
                count += 1;
                match page.after {
                    Some(after) => path = after,
                    None => break,
                }
            }
            assert_eq!((seen, count), ((0..of).collect::<Vec<_>>(), pages));
        }
    }

    #[test]
    fn what_is_beyond_the_end_begins_again() {
        for from in ["9", "x", "-1", ""] {
            let asked = Fields::of(vec![("from".to_owned(), from.to_owned())]);
            assert_eq!(Pages::of(&asked, "", 5, 2).shown, 0..2);
        }
    }
}

//! Records of what happened, those that have to do with each other together.

use std::collections::{BTreeMap, BTreeSet};

use fact::Text;

use super::item::{Finding, Item};
use super::sets::Sets;
use super::{Action, GroupKind, Uncertainty};

/// Episodes that share a word beyond which it tells nothing of them.
const SHARERS_MAX: usize = 20;
/// Words that two related episodes have in common, of those of the shorter one, in percent.
const SHARED_MIN_PERCENT: usize = 50;

/// Those of one scope that share a project, a tag or half of their words; and one group of each scope's rest.
pub(super) fn find(items: &[Item<'_>], left: &BTreeSet<usize>) -> Vec<Finding> {
    let episodes: Vec<usize> = left.iter().copied().filter(|place| items[*place].is_episode()).collect();
    let mut sets = Sets::new(items.len());
    by_label(items, &episodes).into_values().for_each(|tied| sets.tie(tied));
    by_words(items, &episodes).into_iter().for_each(|(one, other)| sets.tie([one, other]));
    let (related, alone): (Vec<_>, Vec<_>) =
        sets.of(episodes).into_values().partition(|members| members.len() > 1);
    let mut rest: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for place in alone.into_iter().flatten() {
        rest.entry((&items[place].row.scope, items[place].is_bulk())).or_default().push(place);
    }
    let related =
        related.into_iter().map(|members| finding(members, "they share a project, a tag or their words"));
    related
        .chain(
            rest.into_values().map(|members| finding(members, "they record what happened, each by itself")),
        )
        .collect()
}

fn finding(members: Vec<usize>, why: &str) -> Finding {
    Finding {
        kind: GroupKind::RelatedEpisodes,
        members,
        action: Action::KeepEach,
        uncertainty: Uncertainty::Medium,
        why: format!("{why}; what is approved stays a record and is never current truth"),
        safe: false,
        whole: None,
    }
}

/// Episodes by scope, and project or tag.
fn by_label<'a>(
    items: &'a [Item<'_>],
    episodes: &[usize],
) -> BTreeMap<(&'a fact::Scope, bool, &'a Text), Vec<usize>> {
    let mut labels: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for place in episodes.iter().copied() {
        let row = items[place].row;
        let projects = row.legacy.project.iter().map(|project| (true, project));
        for (is_project, label) in projects.chain(row.legacy.tags.iter().map(|tag| (false, tag))) {
            labels.entry((&row.scope, is_project, label)).or_default().push(place);
        }
    }
    labels
}

/// Pairs of one scope that share enough of their words, common words apart.
fn by_words(items: &[Item<'_>], episodes: &[usize]) -> BTreeSet<(usize, usize)> {
    let mut holders: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for place in episodes.iter().copied() {
        let Item { row, gist, .. } = &items[place];
        gist.words().for_each(|word| holders.entry((&row.scope, word)).or_default().push(place));
    }
    let mut shared: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for held in holders.values().filter(|held| held.len() <= SHARERS_MAX) {
        for (at, one) in held.iter().enumerate() {
            held[at + 1..].iter().for_each(|other| *shared.entry((*one, *other)).or_default() += 1);
        }
    }
    let is_enough = |((one, other), count): &((usize, usize), usize)| {
        let words = |place: usize| items[place].gist.words().count();
        100 * count >= SHARED_MIN_PERCENT * words(*one).min(words(*other))
    };
    shared.into_iter().filter(is_enough).map(|(pair, _)| pair).collect()
}

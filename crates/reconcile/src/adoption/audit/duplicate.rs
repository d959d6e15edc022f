//! Rows that say the same.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use fact::limits;

use super::item::{Finding, Item, Kinship};
use super::{Action, GroupKind, Uncertainty};
use crate::adoption::row::Flag;

/// Each keeper with all that are near it, and what the ledger holds already. The best keepers come first, so a row that
/// is near only to a sibling of it is left for a group of its own.
pub(super) fn find(items: &[Item<'_>], left: &BTreeSet<usize>, kinship: &Kinship) -> Vec<Finding> {
    let mut left: BTreeSet<usize> =
        left.iter().copied().filter(|place| !items[*place].is_episode()).collect();
    let mut keepers: Vec<usize> = left.iter().copied().collect();
    keepers.sort_by_cached_key(|place| Reverse(rank(&items[*place])));
    let mut findings = Vec::new();
    for keeper in keepers {
        if !left.contains(&keeper) {
            continue;
        }
        let siblings: BTreeSet<usize> =
            kinship.near(keeper).filter(|near| *near != keeper && left.contains(near)).collect();
        if siblings.is_empty() && !is_held(&items[keeper]) {
            continue;
        }
        let members: Vec<usize> = [keeper].into_iter().chain(siblings).collect();
        members.iter().for_each(|member| {
            left.remove(member);
        });
        findings.push(finding(items, members));
    }
    findings
}

/// What makes a row the keeper: written last, then saying the most, then by its id.
fn rank(item: &Item<'_>) -> impl Ord + use<> {
    let row = item.row;
    (row.legacy.written_at, row.legacy.text.as_str().chars().count(), Reverse(row.row))
}

fn is_held(item: &Item<'_>) -> bool {
    item.flags.contains(&Flag::InLedger)
}

fn finding(items: &[Item<'_>], members: Vec<usize>) -> Finding {
    let rows = || members.iter().map(|member| &items[*member]);
    let first = &items[members[0]];
    let equal = rows().all(|item| item.folded == first.folded);
    let agree = rows().all(|item| is_as(item, first));
    let held = rows().any(is_held);
    let mut why = match (members.len(), equal) {
        (1, _) => "the ledger says it already".to_owned(),
        (_, true) => "they say the same, word for word".to_owned(),
        (_, false) => "they seem to say the same in other words".to_owned(),
    };
    if members.len() > 1 {
        why += "; the keeper was written last, or says the most";
    }
    if members.len() > 1 && held {
        why += "; the ledger says it already";
    }
    if held {
        why += ", so that the fact there would cite what is approved";
    }
    if !agree {
        why += "; their kinds, keys or times are not the same";
    }
    if members.len() > limits::EVIDENCE_MAX {
        why += &format!("; one fact cites at most {}, so reject or defer the rest", limits::EVIDENCE_MAX);
    }
    Finding {
        kind: GroupKind::LikelyDuplicates,
        action: Action::AdoptKeeper,
        uncertainty: if equal && agree { Uncertainty::Low } else { Uncertainty::Medium },
        why,
        safe: equal && agree && members.len() <= limits::EVIDENCE_MAX && rows().all(Item::is_bulk),
        whole: None,
        members,
    }
}

/// Whether nothing but the words could tell two rows apart once they are one fact. What the ledger holds is current
/// without an end that is known here, so a row with times of its own does not agree with it.
fn is_as(item: &Item<'_>, first: &Item<'_>) -> bool {
    let (one, other) = (&item.row.legacy, &first.row.legacy);
    let unbounded = one.valid_from.is_none() && one.valid_until.is_none();
    one.valid_from == other.valid_from
        && one.valid_until == other.valid_until
        && one.kind == other.kind
        && one.key == other.key
        && (!is_held(item) || unbounded)
}

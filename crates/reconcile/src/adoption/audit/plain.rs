//! Rows about which nothing is remarkable but, perhaps, what was decided before.

use std::collections::{BTreeMap, BTreeSet};

use super::item::{Finding, Item};
use super::{Action, GroupKind, Uncertainty};
use crate::adoption::row::Flag;

/// One group of all that may be approved in bulk, and one for each thing that forbids it.
pub(super) fn find(items: &[Item<'_>], left: &BTreeSet<usize>) -> Vec<Finding> {
    let mut groups: BTreeMap<Option<Flag>, Vec<usize>> = BTreeMap::new();
    for place in left.iter().copied() {
        let flag = items[place].flags.iter().copied().find(|flag| !flag.allows_bulk());
        groups.entry(flag).or_default().push(place);
    }
    groups.into_iter().map(|(flag, members)| finding(flag, members)).collect()
}

fn finding(flag: Option<Flag>, members: Vec<usize>) -> Finding {
    Finding {
        kind: GroupKind::Plain,
        members,
        action: if flag.is_some() { Action::DecideEach } else { Action::AdoptEach },
        uncertainty: if flag.is_some() { Uncertainty::High } else { Uncertainty::Low },
        why: flag.map_or("nothing speaks against them", why).to_owned(),
        safe: flag.is_none(),
        whole: None,
    }
}

fn why(flag: Flag) -> &'static str {
    match flag {
        Flag::RejectedBefore => "an earlier review rejected them; they have changed since",
        Flag::DeferredBefore => "an earlier review put them off",
        Flag::RolledBackBefore => "they were adopted once, and that was taken back",
        Flag::Forgotten => "they say what was forgotten",
        Flag::HiddenText => "they hold text that nobody sees, or that is shown in another order",
        Flag::UnknownScope
        | Flag::ForeignProject
        | Flag::MalformedFields
        | Flag::UnknownOrigin
        | Flag::Contested
        | Flag::AgainstLedger
        | Flag::InLedger
        | Flag::UnfitKey
        | Flag::UnfitTags => "something about them needs a look",
    }
}

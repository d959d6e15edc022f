//! Rows of which it is not clear where they come from or whose they are.

use std::collections::BTreeMap;

use super::item::{Finding, Item};
use super::{Action, GroupKind, Uncertainty};
use crate::adoption::row::Flag;

/// One group for each scope and flag, by the gravest flag of a row.
pub(super) fn find(items: &[Item<'_>]) -> Vec<Finding> {
    let mut groups: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (place, item) in items.iter().enumerate() {
        if let Some(flag) = item.flags.iter().find(|flag| flag.is_of_provenance()) {
            groups.entry((*flag, &item.row.scope)).or_default().push(place);
        }
    }
    let finding = |((flag, _), members)| Finding {
        kind: GroupKind::MalformedProvenance,
        members,
        action: Action::DecideEach,
        uncertainty: Uncertainty::High,
        why: why(flag).to_owned(),
        safe: false,
        whole: None,
    };
    groups.into_iter().map(finding).collect()
}

fn why(flag: Flag) -> &'static str {
    match flag {
        Flag::UnknownScope => {
            "their source says that they are somebody else's than the scope they were imported into"
        }
        Flag::ForeignProject => {
            "their source names a project that the scope they were imported into does not name"
        }
        Flag::MalformedFields => {
            "fields of their source are not as they must be, such as a time without a zone"
        }
        Flag::UnknownOrigin
        | Flag::Contested
        | Flag::AgainstLedger
        | Flag::Forgotten
        | Flag::RejectedBefore
        | Flag::RolledBackBefore
        | Flag::DeferredBefore
        | Flag::HiddenText
        | Flag::InLedger
        | Flag::UnfitKey
        | Flag::UnfitTags => "nobody knows how they came to be remembered",
    }
}

//! Which memories of a source an import takes for a scope.

use std::collections::BTreeSet;

use fact::{Legacy, Scope, folded};

/// Why a memory is not taken for a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NotTaken {
    /// Its source says that it is somebody else's.
    OfAnother,
}

impl NotTaken {
    /// What is said about it.
    pub fn name(self) -> &'static str {
        match self {
            Self::OfAnother => "of another owner",
        }
    }
}

/// Takes what its source says is `whose`; where nobody is named, what it says is the scope's own person's, and what it
/// says is nobody's.
pub fn take(memory: &Legacy, scope: &Scope, whose: Option<&str>) -> Result<(), NotTaken> {
    let person = scope.participant.as_ref().or(scope.user.as_ref()).map(|id| id.as_str());
    match (memory.owner.as_ref().map(|owner| owner.as_str()), whose.or(person)) {
        (None, _) => Ok(()),
        (Some(owner), Some(whose)) if owner == whose => Ok(()),
        (Some(_), _) => Err(NotTaken::OfAnother),
    }
}

/// Whether a memory is one of before, changed since or standing elsewhere: at the place that is its alone, beside others
/// with most of its words, or word for word.
pub fn is_changed(before: &Legacy, now: &Legacy) -> bool {
    let place = before.origin_place();
    let is_same_place = before.source == now.source && !place.is_empty() && place == now.origin_place();
    let is_alone = before.sole_place().is_some();
    folded(before.text.as_str()) == folded(now.text.as_str())
        || is_same_place && (is_alone || resembles(before, now))
}

/// Whether two texts share at least half of their words.
fn resembles(one: &Legacy, other: &Legacy) -> bool {
    let words = |legacy: &Legacy| -> BTreeSet<String> {
        legacy.text.as_str().split_whitespace().map(str::to_lowercase).collect()
    };
    let (one, other) = (words(one), words(other));
    4 * one.intersection(&other).count() >= one.len() + other.len()
}

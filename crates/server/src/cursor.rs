//! Where a page begins, bound to the list that it was given for: for another list it means nothing.

use sha2::{Digest as _, Sha256};
use truthkeeper::BadInput;

/// Characters of the digest of the list.
const BOUND_CHARS: usize = 16;

/// A place in a list, as it is given to callers.
pub(crate) fn bound(list: &str, place: &str) -> String {
    format!("{place}{}", digest(list, place))
}

/// The place that a cursor of that list names.
pub(crate) fn place<'a>(list: &str, cursor: &'a str) -> Result<&'a str, BadInput> {
    let split = cursor.len().checked_sub(BOUND_CHARS).and_then(|at| cursor.split_at_checked(at));
    let ours = split.filter(|(place, bound)| digest(list, place) == *bound);
    ours.map(|(place, _)| place).ok_or_else(|| BadInput::new("cursor", "does not belong to this list"))
}

fn digest(list: &str, place: &str) -> String {
    let digest = Sha256::new().chain_update(list).chain_update([0]).chain_update(place).finalize();
    digest.iter().take(BOUND_CHARS / 2).map(|byte| format!("{byte:02x}")).collect()
}

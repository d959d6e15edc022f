//! Where a page begins, bound to the list that it was given for: for another list it means nothing.

use sha2::{Digest as _, Sha256};
use truthkeeper::{BadInput, hex};

/// Characters of the digest of the list.
const BOUND_CHARS: usize = 16;

/// A place in a list, as it is given to callers.
pub(crate) fn bound(list: &str, place: &str) -> String {
    format!("{place}{}", digest(list, place))
}

/// The place that a cursor of that list names; none where none was sent.
pub(crate) fn place<'a>(list: &str, cursor: Option<&'a str>) -> Result<Option<&'a str>, BadInput> {
    let Some(cursor) = cursor else { return Ok(None) };
    let split = cursor.len().checked_sub(BOUND_CHARS).and_then(|at| cursor.split_at_checked(at));
    let ours = split.filter(|(place, bound)| digest(list, place) == *bound);
    let (place, _) = ours.ok_or_else(|| BadInput::new("cursor", "does not belong to this list"))?;
    Ok(Some(place))
}

fn digest(list: &str, place: &str) -> String {
    let digest = Sha256::new().chain_update(list).chain_update([0]).chain_update(place).finalize();
    hex(&digest[..BOUND_CHARS / 2])
}

//! A forgotten or lapsed fact is brought back.

use fact::{
    Case, Decision, Ending, Entry, Happening, Origin, Outcome, RevisionNumber, Saying, Timestamp, Truth,
};

use crate::refusal::{check_person, ended};
use crate::{Moment, Refusal, again, ask, compose};

/// Writes the revision that stood last again: valid from now, without an end.
/// A retention that would be over already is dropped; the admission is what an operator made of it.
pub fn restore(
    case: &Case,
    revision: Option<RevisionNumber>,
    moment: &Moment<'_>,
) -> Result<Decision, Refusal> {
    check_person(moment.actor)?;
    let now = moment.at(case);
    let last = stood_last(case, now)?;
    if revision.is_some_and(|named| named != last) {
        return Err(Refusal::NotLatest);
    }
    let before = ask::readable(case, last)?;
    let saying = Saying {
        origin: Origin::Restored(last),
        said_by: None,
        admission: again::admission(&case.head, last),
        valid_from: None,
        valid_until: None,
        retention: compose::unexpired(&before.saying.retention, case.head.created_at, now),
        ..before.saying.clone()
    };
    let number = case.head.latest.next();
    let happening = Happening::Revised { revision: number, entry: Entry::Settles, saying };
    let happenings = vec![(happening, again::words(before))];
    Ok(ask::decided(case, happenings, number, Outcome::Restored))
}

/// The revision that stood last, where nothing stands any more.
fn stood_last(case: &Case, now: Timestamp) -> Result<RevisionNumber, Refusal> {
    let last = match &case.head.truth {
        Truth::Contested(_) => return Err(Refusal::StillCurrent),
        Truth::Settled(_) if case.head.truth.stands(now) => return Err(Refusal::StillCurrent),
        Truth::Settled(reign) | Truth::Ended(Ending::Expired { reign, .. }) => {
            reign.spans().last().map(|span| span.revision)
        }
        Truth::Ended(Ending::Retracted { revisions, .. }) => revisions.last().copied(),
        Truth::Ended(Ending::Merged { .. } | Ending::Erased { .. } | Ending::Unapproved { .. }) => None,
    };
    last.ok_or_else(|| ended(&case.head.truth))
}

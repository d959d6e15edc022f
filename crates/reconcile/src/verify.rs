//! A person vouches for what stands.

use fact::{
    Case, Decision, Entry, Happening, Origin, Outcome, Revision, RevisionNumber, Saying, Timestamp, Trust,
    Truth, Words,
};

use crate::refusal::check_person;
use crate::{Moment, Refusal, again, ask};

/// Writes the settled revision again as verified by this person. It holds since the old one held, so that the
/// truth over time does not break; what was to follow it is written again after it.
pub fn verify(
    case: &Case,
    expected: Option<RevisionNumber>,
    moment: &Moment<'_>,
) -> Result<Decision, Refusal> {
    check_person(moment.actor)?;
    let now = moment.at(case);
    let settled = match &case.head.truth {
        Truth::Contested(contest) => {
            return Err(Refusal::Contested { conflict: contest.conflict });
        }
        Truth::Settled(_) | Truth::Ended(_) => case.head.truth.settled(now).ok_or(Refusal::NotCurrent)?,
    };
    ask::check_expected(case, expected, now)?;
    let revision = ask::readable(case, settled)?;
    if revision.saying.trust == Trust::Verified {
        return Ok(ask::unchanged(case, settled));
    }
    let number = case.head.latest.next();
    let mut happenings = vec![written(case, revision, number, Origin::Verified(settled))];
    let mut next = number;
    for later in to_follow(case, now) {
        next = next.next();
        happenings.push(written(case, later, next, Origin::Restored(later.number)));
    }
    Ok(ask::decided(case, happenings, number, Outcome::Verified))
}

/// `revision` again, as `number`, from the same start.
fn written(case: &Case, revision: &Revision, number: RevisionNumber, origin: Origin) -> (Happening, Words) {
    let trust = match origin {
        Origin::Verified(_) => Trust::Verified,
        Origin::Stated | Origin::Restored(_) => revision.saying.trust,
    };
    let saying = Saying {
        origin,
        trust,
        admission: again::admission(&case.head, revision.number),
        valid_from: Some(revision.valid_from()),
        ..revision.saying.clone()
    };
    let happening = Happening::Revised { revision: number, entry: Entry::Settles, saying };
    (happening, again::words(revision))
}

/// The revisions that are recorded already and begin later: a newer one would end them before they begin.
fn to_follow(case: &Case, now: Timestamp) -> impl Iterator<Item = &Revision> {
    case.revisions.iter().filter(move |revision| {
        let begins_later = revision.valid_from() > now && revision.words.is_some();
        begins_later && case.head.truth.state(revision.number, now) == Some(fact::State::Active)
    })
}

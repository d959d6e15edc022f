//! A person vouches for what stands.

use fact::{
    Case, Decision, Entry, Happening, Origin, Outcome, Retention, RevisionNumber, Saying, Trust, Truth, Words,
};

use crate::again::{self, Again};
use crate::refusal::{check_person, ended};
use crate::{Moment, Refusal, ask};

/// Writes the settled revision again as verified by this person. It holds since the old one held, so that the
/// truth over time does not break; what was to follow it is written again after it.
pub fn verify(
    case: &Case,
    expected: Option<RevisionNumber>,
    moment: &Moment<'_>,
) -> Result<Decision, Refusal> {
    check_person(moment.actor)?;
    let now = moment.at(case);
    let Truth::Settled(reign) = &case.head.truth else { return Err(ended(&case.head.truth)) };
    let settled = case.head.truth.settled(now).ok_or(Refusal::NotCurrent)?;
    ask::check_expected(case, expected, now)?;
    if ask::readable(case, settled)?.saying.trust == Trust::Verified {
        return Ok(ask::unchanged(case, settled));
    }
    let number = case.head.latest.next();
    let again = again::standing(case, reign, settled);
    let happenings = again.iter().map(|again| written(case, again, settled)).collect();
    Ok(ask::decided(case, happenings, number, Outcome::Verified))
}

/// The settled revision as verified, and each that is to follow as it was.
fn written(case: &Case, again: &Again<'_>, settled: RevisionNumber) -> (Happening, Words) {
    let said = again.saying(&case.head);
    let number = again.revision.number;
    let saying = if number == settled {
        let retention = if said.retention.unless_verified { Retention::default() } else { said.retention };
        Saying { origin: Origin::Verified(settled), trust: Trust::Verified, said_by: None, retention, ..said }
    } else {
        Saying { origin: Origin::Restored(number), said_by: None, ..said }
    };
    let happening = Happening::Revised { revision: again.number, entry: Entry::Settles, saying };
    (happening, again::words(again.revision))
}

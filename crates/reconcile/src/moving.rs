//! A fact moves to another scope: from a project to everybody, or back.

use fact::{
    Case, Decision, Entry, FactId, Happening, Origin, Outcome, RevisionNumber, Saying, Scope, Truth, Words,
};

use crate::again::{self, Again};
use crate::refusal::{check_owner, ended};
use crate::{Moment, Refusal, ask, place};

/// Where a fact is to go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Destination {
    /// Whose it is to be.
    pub scope: Scope,
    /// Another fact that has its key, or makes its statement, there.
    pub taken: Option<FactId>,
}

/// What stands is written again in the other scope, true since it was, and nothing else about it changes. Its history
/// goes with it. Only its owner may.
pub fn move_fact(
    case: &Case,
    to: &Destination,
    expected: Option<RevisionNumber>,
    moment: &Moment<'_>,
) -> Result<Decision, Refusal> {
    check_owner(moment.actor, &case.head.scope)?;
    let now = moment.at(case);
    let Truth::Settled(reign) = &case.head.truth else { return Err(ended(&case.head.truth)) };
    let first = ask::current(case, now).filter(|_| case.head.truth.stands(now)).ok_or(Refusal::NotCurrent)?;
    ask::check_expected(case, expected, now)?;
    ask::readable(case, first)?;
    if case.head.scope == to.scope {
        return Ok(ask::unchanged(case, first));
    }
    if case.head.held {
        return Err(Refusal::LegalHold);
    }
    if let Some(by) = to.taken {
        return Err(Refusal::Taken { by });
    }
    let again = again::standing(case, reign, first);
    let number = case.head.latest.next();
    let happenings = again.iter().map(|again| written(case, again, number, &to.scope)).collect();
    let mut decision = ask::decided(case, happenings, number, Outcome::Moved);
    let places = place::places(case, &to.scope).into_iter();
    decision.change.grounds.extend(places.map(|place| place.ground(case)));
    Ok(decision)
}

/// The first one brings the fact to the scope, and the others follow it there.
fn written(case: &Case, again: &Again<'_>, first: RevisionNumber, scope: &Scope) -> (Happening, Words) {
    let said = again.saying(&case.head);
    let (revision, origin) = (again.number, Origin::Moved(again.revision.number));
    let author = again.revision.author().clone();
    let observed_at = said.observed_at.or(Some(again.revision.recorded_at));
    let saying = Saying { origin, observed_at, said_by: Some(author), ..said };
    let happening = if revision == first {
        Happening::Moved { revision, scope: scope.clone(), saying }
    } else {
        Happening::Revised { revision, entry: Entry::Settles, saying }
    };
    (happening, again::words(again.revision))
}

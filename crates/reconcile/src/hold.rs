//! Legal hold, and an operator's admission of what was quarantined.

use fact::{Actor, Case, Decision, Happening, Outcome, Words};

use crate::refusal::check_person;
use crate::{Barrier, Moment, Refusal, ask};

/// Places the legal hold, or lifts it. Nothing changes when it is so already.
pub fn hold(case: &Case, on: bool, moment: &Moment<'_>) -> Result<Decision, Refusal> {
    check_person(moment.actor)?;
    let revision = ask::last_named(case, moment.at(case));
    let (happening, outcome) = if on {
        (Happening::HoldPlaced, Outcome::HoldPlaced)
    } else {
        (Happening::HoldLifted, Outcome::HoldLifted)
    };
    if case.head.held == on {
        return Ok(ask::unchanged(case, revision));
    }
    let happenings = vec![(happening, Words::default())];
    Ok(ask::decided(case, happenings, revision, outcome))
}

/// Lets every quarantined revision of the truth into recall.
pub fn admit(case: &Case, moment: &Moment<'_>) -> Result<Decision, Refusal> {
    match moment.actor {
        Actor::Operator { .. } => {}
        Actor::User { .. } | Actor::Agent { .. } | Actor::Migration { .. } | Actor::Service { .. } => {
            return Err(Refusal::NotPermitted { why: Barrier::OperatorOnly });
        }
    }
    let quarantined = &case.head.quarantined;
    let Some(newest) = quarantined.last().copied() else {
        return Ok(ask::unchanged(case, ask::last_named(case, moment.at(case))));
    };
    let admitted = |revision| (Happening::Admitted { revision }, Words::default());
    let happenings = quarantined.iter().copied().map(admitted).collect();
    Ok(ask::decided(case, happenings, newest, Outcome::Admitted))
}

//! Legal hold, and what an operator lets into recall or takes out of it.

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

/// Takes every revision of the truth out of recall.
pub fn quarantine(case: &Case, moment: &Moment<'_>) -> Result<Decision, Refusal> {
    check_operator(moment.actor)?;
    let newest = ask::last_named(case, moment.at(case));
    let mut admitted = case.head.truth.revisions();
    admitted.retain(|revision| !case.head.quarantined.contains(revision));
    if admitted.is_empty() {
        return Ok(ask::unchanged(case, newest));
    }
    let quarantined = |revision| (Happening::Quarantined { revision }, Words::default());
    let happenings = admitted.into_iter().map(quarantined).collect();
    Ok(ask::decided(case, happenings, newest, Outcome::Quarantined))
}

/// Lets every quarantined revision of the truth into recall.
pub fn admit(case: &Case, moment: &Moment<'_>) -> Result<Decision, Refusal> {
    check_operator(moment.actor)?;
    let mut quarantined = case.head.truth.revisions();
    // A side that lost a conflict stays as it is until the conflict is opened again.
    quarantined.retain(|revision| case.head.quarantined.contains(revision));
    let Some(newest) = quarantined.last().copied() else {
        return Ok(ask::unchanged(case, ask::last_named(case, moment.at(case))));
    };
    let admitted = |revision| (Happening::Admitted { revision }, Words::default());
    let happenings = quarantined.into_iter().map(admitted).collect();
    Ok(ask::decided(case, happenings, newest, Outcome::Admitted))
}

fn check_operator(actor: &Actor) -> Result<(), Refusal> {
    match actor {
        Actor::Operator { .. } => Ok(()),
        Actor::User { .. } | Actor::Agent { .. } | Actor::Migration { .. } | Actor::Service { .. } => {
            Err(Refusal::NotPermitted { why: Barrier::OperatorOnly })
        }
    }
}

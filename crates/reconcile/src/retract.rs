//! A fact is forgotten.

use fact::{Case, Decision, Happening, Outcome, RevisionNumber, Text, Truth, Words};

use crate::refusal::ended;
use crate::{Barrier, Moment, Refusal, ask};

/// Forgets what stands or is contested. A machine may not where it would settle a conflict.
pub fn retract(
    case: &Case,
    expected: Option<RevisionNumber>,
    reason: Option<Text>,
    moment: &Moment<'_>,
) -> Result<Decision, Refusal> {
    let now = moment.at(case);
    match &case.head.truth {
        Truth::Settled(_) if case.head.truth.stands(now) => {}
        Truth::Contested(_) if moment.actor.is_person() => {}
        Truth::Contested(_) => {
            return Err(Refusal::NotPermitted { why: Barrier::MachineNeverSettles });
        }
        Truth::Settled(_) | Truth::Ended(_) => return Err(ended(&case.head.truth)),
    }
    ask::check_expected(case, expected, now)?;
    if case.head.held {
        return Err(Refusal::LegalHold);
    }
    let words = Words { reason, ..Words::default() };
    let revision = ask::last_named(case, now);
    let happenings = vec![(Happening::Retracted, words)];
    Ok(ask::decided(case, happenings, revision, Outcome::Retracted))
}

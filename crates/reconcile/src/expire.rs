//! The end of a fact by the clock is put on record.

use fact::{Case, Decision, Happening, Outcome, Truth, Words};

use crate::{Moment, Refusal, ask};

/// Records that nothing of the fact holds any more. Nothing changes where something does, or will.
pub fn expire(case: &Case, moment: &Moment<'_>) -> Result<Decision, Refusal> {
    let now = moment.at(case);
    let revision = ask::last_named(case, now);
    match &case.head.truth {
        Truth::Settled(_) if !case.head.truth.stands(now) => {
            Ok(ask::decided(case, vec![(Happening::Expired, Words::default())], revision, Outcome::Expired))
        }
        Truth::Settled(_) | Truth::Contested(_) | Truth::Ended(_) => Ok(ask::unchanged(case, revision)),
    }
}

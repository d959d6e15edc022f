//! What waits for the owner after it was forgotten is taken back up, or dismissed for good.

use fact::{Case, Decision, Entry, Happening, Origin, Outcome, ReviewId, SaidAgain, Saying, Verdict, Words};

use crate::refusal::check_owner;
use crate::{Moment, Refusal, ask, compose};

/// Makes a proposal that waited the truth: as it was said, by the person who takes it up. An end that came while it
/// waited is dropped.
pub fn accept(case: &Case, review: ReviewId, moment: &Moment<'_>) -> Result<Decision, Refusal> {
    let said = waiting(case, review, moment)?;
    let proposed = &said.proposed;
    let revision = case.head.latest.next();
    let (said, now) = (&proposed.saying, moment.at(case));
    let saying = Saying {
        origin: Origin::Accepted(review),
        valid_until: said.valid_until.filter(|until| *until > now),
        retention: compose::unexpired(&said.retention, case.head.created_at, now),
        ..said.clone()
    };
    let words = proposed.words.clone().ok_or(Refusal::NotWaiting)?;
    let happenings = vec![
        (Happening::ReviewClosed { review, verdict: Verdict::Accepted }, Words::default()),
        (Happening::Revised { revision, entry: Entry::Settles, saying }, words),
    ];
    Ok(ask::decided(case, happenings, revision, Outcome::Accepted { review }))
}

/// Dismisses a proposal that waited: whoever makes it again is not asked about.
pub fn dismiss(case: &Case, review: ReviewId, moment: &Moment<'_>) -> Result<Decision, Refusal> {
    waiting(case, review, moment)?;
    let happening = Happening::ReviewClosed { review, verdict: Verdict::Dismissed };
    let revision = ask::last_named(case, moment.at(case));
    let outcome = Outcome::Dismissed { review };
    Ok(ask::decided(case, vec![(happening, Words::default())], revision, outcome))
}

fn waiting<'a>(case: &'a Case, review: ReviewId, moment: &Moment<'_>) -> Result<&'a SaidAgain, Refusal> {
    check_owner(moment.actor, &case.head.scope)?;
    let said = case.said_again.iter().find(|said| said.review == review && !said.dismissed);
    said.ok_or(Refusal::NotWaiting)
}

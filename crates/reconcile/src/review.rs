//! What waits for a person is taken up, or dismissed for good: what was said again after it was forgotten, and what an agent
//! may not remember by itself.

use fact::{
    Case, Cause, Decision, Entry, Happening, Origin, Outcome, Retention, ReviewId, SaidAgain, Saying,
    Timestamp, Truth, Verdict, Words,
};

use crate::refusal::{check_owner, check_person};
use crate::{Moment, Refusal, ask, compose};

/// Makes a proposal that waited the truth: as it was said, by the person who takes it up. An end that came while it
/// waited is dropped.
pub fn accept(case: &Case, review: ReviewId, moment: &Moment<'_>) -> Result<Decision, Refusal> {
    let waiting = waiting(case, review, moment)?;
    let proposed = &waiting.proposed;
    let revision = case.head.next_revision();
    let (said, now) = (&proposed.saying, moment.at(case));
    // Approval lets an agent's word in, and does not make it the approver's.
    let (said_by, retention) = match waiting.cause {
        Cause::SaidAgainAfterForgotten => (said.said_by.clone(), said.retention.clone()),
        Cause::MemoryFact => {
            check_standing(case)?;
            (Some(proposed.author().clone()), kept_from(&said.retention, proposed.recorded_at, now))
        }
    };
    let saying = Saying {
        origin: Origin::Accepted(review),
        valid_until: said.valid_until.filter(|until| *until > now),
        retention: compose::unexpired(&retention, case.head.created_at, now),
        said_by,
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

/// What waits, for somebody who may decide about it: what was forgotten is its owner's, and what an agent would remember is
/// approved by any person who may write there.
fn waiting<'a>(case: &'a Case, review: ReviewId, moment: &Moment<'_>) -> Result<&'a SaidAgain, Refusal> {
    let said = case.said_again.iter().find(|said| said.review == review);
    match said.map(|said| said.cause) {
        Some(Cause::MemoryFact) => check_person(moment.actor)?,
        Some(Cause::SaidAgainAfterForgotten) | None => check_owner(moment.actor, &case.head.scope)?,
    }
    said.filter(|said| !said.dismissed).ok_or(Refusal::NotWaiting)
}

/// Refuses to let an agent's word into a conflict, or into the place of what a legal hold keeps.
fn check_standing(case: &Case) -> Result<(), Refusal> {
    match &case.head.truth {
        Truth::Contested(contest) => Err(Refusal::Contested { conflict: contest.conflict }),
        Truth::Settled(_) if case.head.held => Err(Refusal::LegalHold),
        Truth::Settled(_) | Truth::Ended(_) => Ok(()),
    }
}

/// As long as it would have been kept, from now on: its time begins when it is let in.
fn kept_from(retention: &Retention, proposed_at: Timestamp, now: Timestamp) -> Retention {
    let waited = now.micros().saturating_sub(proposed_at.micros());
    let later = |until: Timestamp| Timestamp::from_micros(until.micros().saturating_add(waited));
    Retention { keep_until: retention.keep_until.map(later), ..retention.clone() }
}

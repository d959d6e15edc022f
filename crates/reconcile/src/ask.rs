//! A fact that someone wants to change, and the decisions that can come of it.

use fact::{
    Case, Change, Decision, Ground, Happening, NewEvent, Outcome, Revision, RevisionNumber, Timestamp, Words,
};

use crate::Refusal;

/// The settled revision; once nothing holds any more, the one that held last. None when contested or ended.
pub(crate) fn current(case: &Case, now: Timestamp) -> Option<RevisionNumber> {
    case.head.truth.reign()?.latest_at(now).map(|span| span.revision)
}

/// Refuses when another revision was expected to be the settled one.
pub(crate) fn check_expected(
    case: &Case,
    expected: Option<RevisionNumber>,
    now: Timestamp,
) -> Result<(), Refusal> {
    let current = current(case, now);
    if expected.is_none() || expected == current {
        return Ok(());
    }
    Err(Refusal::Changed { current })
}

/// The revision that the truth names last: the settled one, the newest side, or what ended last.
pub(crate) fn last_named(case: &Case, now: Timestamp) -> RevisionNumber {
    current(case, now).or_else(|| case.head.truth.revisions().last().copied()).unwrap_or(case.head.latest)
}

/// Nothing is appended; the request is remembered.
pub(crate) fn unchanged(case: &Case, revision: RevisionNumber) -> Decision {
    decided(case, Vec::new(), revision, Outcome::Unchanged)
}

/// `happenings` are appended to the fact as it is.
pub(crate) fn decided(
    case: &Case,
    happenings: Vec<(Happening, Words)>,
    revision: RevisionNumber,
    outcome: Outcome,
) -> Decision {
    let fact = case.head.fact;
    let event = |(happening, words)| NewEvent { fact, happening, words };
    Decision {
        change: Change {
            grounds: vec![Ground::Head { fact, version: case.head.version }],
            events: happenings.into_iter().map(event).collect(),
        },
        fact,
        revision,
        outcome,
    }
}

/// The revision of that number, unless its words are gone.
pub(crate) fn readable(case: &Case, number: RevisionNumber) -> Result<&Revision, Refusal> {
    case.revision(number).filter(|revision| revision.words.is_some()).ok_or(Refusal::NotCurrent)
}

/// Places the legal hold that a person asked for together with a statement.
pub(crate) fn with_hold(case: &Case, wanted: bool, mut decision: Decision) -> Decision {
    if !wanted || case.head.held {
        return decision;
    }
    decision.change.events.push(NewEvent {
        fact: decision.fact,
        happening: Happening::HoldPlaced,
        words: Words::default(),
    });
    if decision.outcome == Outcome::Unchanged {
        decision.outcome = Outcome::HoldPlaced;
    }
    decision
}

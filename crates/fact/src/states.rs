//! The state of a revision, as its fact's truth has it.

use crate::truth::{Ending, Reign, Truth};
use crate::{Head, RevisionNumber, State, Timestamp};

impl Truth {
    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Settled(_) => "settled",
            Self::Contested(_) => "contested",
            Self::Ended(Ending::Retracted { .. }) => "retracted",
            Self::Ended(Ending::Expired { .. }) => "expired",
            Self::Ended(Ending::Merged { .. }) => "merged",
            Self::Ended(Ending::Erased { .. }) => "erased",
            Self::Ended(Ending::Unapproved { .. }) => "unapproved",
        }
    }

    /// The state of `revision` without a clock, where this truth names it.
    fn fixed_state(&self, revision: RevisionNumber) -> Option<State> {
        match self {
            Self::Settled(reign) => reign
                .spans()
                .iter()
                .find(|span| span.revision == revision)
                .map(|span| if span.erased { State::Retracted } else { State::Active }),
            Self::Ended(Ending::Expired { reign, at }) => reign.state(revision, *at),
            Self::Contested(_) | Self::Ended(_) => self.state(revision, Timestamp::from_micros(0)),
        }
    }

    /// The state of `revision` at an instant, where this truth names it.
    pub fn state(&self, revision: RevisionNumber, at: Timestamp) -> Option<State> {
        match self {
            Self::Settled(reign) | Self::Ended(Ending::Expired { reign, .. }) => reign.state(revision, at),
            Self::Contested(contest) => contest.sides.contains(&revision).then_some(State::Conflicted),
            Self::Ended(Ending::Retracted { revisions, .. }) => {
                revisions.contains(&revision).then_some(State::Retracted)
            }
            Self::Ended(Ending::Merged { reign, .. }) => {
                let span = reign.spans().iter().find(|span| span.revision == revision)?;
                Some(if span.erased { State::Retracted } else { State::Superseded })
            }
            Self::Ended(Ending::Erased { .. } | Ending::Unapproved { .. }) => None,
        }
    }
}

impl Reign {
    fn state(&self, revision: RevisionNumber, at: Timestamp) -> Option<State> {
        let place = self.spans().iter().position(|span| span.revision == revision)?;
        let span = self.spans()[place];
        let successor = self.spans().get(place + 1).map(|next| next.from);
        let replaced = successor.is_some_and(|from| from <= at);
        let over = span.until.is_some_and(|until| until <= at);
        let over_first = over && span.until.zip(successor).is_none_or(|(until, from)| until <= from);
        Some(if span.erased {
            State::Retracted
        } else if over_first {
            State::Expired
        } else if replaced {
            State::Superseded
        } else {
            State::Active
        })
    }
}

/// The revisions whose state an event changed, without looking at a clock: the `state` column of the ledger.
pub fn turned(before: Option<&Head>, after: &Head) -> Vec<(RevisionNumber, State)> {
    let mut named: Vec<RevisionNumber> = before.map_or_else(Vec::new, |head| head.truth.revisions());
    named.extend(after.truth.revisions());
    named.push(after.latest);
    named.sort_unstable();
    named.dedup();
    let left = |revision| match (&after.truth, before.map(|head| &head.truth)) {
        (
            Truth::Ended(Ending::Retracted { at, .. } | Ending::Erased { at }),
            Some(
                Truth::Settled(reign)
                | Truth::Ended(Ending::Expired { reign, .. } | Ending::Merged { reign, .. }),
            ),
        ) => left_by(reign, revision, *at),
        (Truth::Contested(_), Some(Truth::Settled(_) | Truth::Ended(Ending::Expired { .. }))) => {
            State::Superseded
        }
        (Truth::Settled(_) | Truth::Ended(Ending::Merged { .. }), _) => State::Superseded,
        (Truth::Contested(_) | Truth::Ended(_), _) => State::Retracted,
    };
    let was = |revision| before.and_then(|head| head.truth.fixed_state(revision));
    let is_new = |revision| before.is_none_or(|head| revision > head.latest);
    named
        .into_iter()
        .filter_map(|revision| match (was(revision), after.truth.fixed_state(revision)) {
            (before, Some(state)) => (before != Some(state)).then_some((revision, state)),
            (Some(State::Retracted), None) => None,
            (Some(was), None) => Some((revision, left(revision))).filter(|(_, state)| *state != was),
            (None, None) => is_new(revision).then_some((revision, State::Superseded)),
        })
        .collect()
}

/// What became of a revision of `reign` that an ending or a conflict at `at` does not name: another one had
/// replaced it before, or its words are gone.
fn left_by(reign: &Reign, revision: RevisionNumber, at: Timestamp) -> State {
    let stood = reign.standing(at).iter().any(|span| span.revision == revision);
    if stood { State::Retracted } else { State::Superseded }
}

//! The truth of one fact as a row, and the fold of events into it.

use serde::{Deserialize, Serialize};

use crate::truth::{Contest, Ending, Reign, Truth};
use crate::{
    ConflictId, Entry, Event, FactId, FactType, Happening, Id, Position, RevisionNumber, Saying, Scope,
    Timestamp, limits,
};

/// The truth of one fact, and what the rules need to know about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Head {
    /// The fact.
    pub fact: FactId,
    /// Its kind.
    #[serde(rename = "type")]
    pub kind: FactType,
    /// Whose it is.
    pub scope: Scope,
    /// Whether it has a key.
    pub keyed: bool,
    /// The agent that keeps the key; none when it is nobody's own.
    pub keeper: Option<Id>,
    /// When it was first written.
    pub created_at: Timestamp,
    /// The last event about it: what a change is decided on.
    pub version: Position,
    /// The highest revision number.
    pub latest: RevisionNumber,
    /// Whether it is under legal hold.
    pub held: bool,
    /// Revisions of the truth that may not be recalled yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quarantined: Vec<RevisionNumber>,
    /// The truth.
    pub truth: Truth,
}

/// An event that does not follow from the head it is applied to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("event {position} ({event}) is not possible for a fact that is {state}")]
pub struct Forbidden {
    /// The event's place.
    pub position: Position,
    /// Its name.
    pub event: &'static str,
    /// What the fact is.
    pub state: &'static str,
}

/// The state of a revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It holds, or will from its start.
    Active,
    /// Another one took its place.
    Superseded,
    /// It was forgotten.
    Retracted,
    /// Its time is over.
    Expired,
    /// It is contested.
    Conflicted,
}

impl State {
    /// Every state.
    pub const ALL: [Self; 5] =
        [Self::Active, Self::Superseded, Self::Retracted, Self::Expired, Self::Conflicted];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Superseded => "superseded",
            Self::Retracted => "retracted",
            Self::Expired => "expired",
            Self::Conflicted => "conflicted",
        }
    }

    /// Reads a name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }
}

/// Folds one event into the head of its fact. Replaying all events gives the tables.
pub fn apply(head: Option<&Head>, event: &Event) -> Result<Head, Forbidden> {
    let forbidden = || Forbidden {
        position: event.position,
        event: event.happening.name(),
        state: head.map_or("unknown", |head| head.truth.name()),
    };
    match head {
        None => create(event).ok_or_else(forbidden),
        Some(head) => {
            let mut next = head.clone();
            next.version = event.position;
            advance(&mut next, event).ok_or_else(forbidden)?;
            let named = next.truth.revisions();
            next.quarantined.retain(|revision| named.contains(revision));
            Ok(next)
        }
    }
}

fn create(event: &Event) -> Option<Head> {
    let Happening::Created { kind, scope, keyed, held, saying } = &event.happening else {
        return None;
    };
    let first = RevisionNumber::FIRST;
    Some(Head {
        fact: event.fact,
        kind: kind.clone(),
        scope: scope.clone(),
        keyed: *keyed,
        keeper: if *keyed { event.actor.keeper().cloned() } else { None },
        created_at: event.recorded_at,
        version: event.position,
        latest: first,
        held: *held,
        quarantined: quarantined(first, saying),
        truth: Truth::Settled(Reign::of(saying.span(first, event.recorded_at, event.recorded_at))),
    })
}

/// Changes `head` by `event`, or gives nothing where the event does not follow.
fn advance(head: &mut Head, event: &Event) -> Option<()> {
    match &event.happening {
        Happening::Created { .. } => None,
        Happening::Revised { revision, entry, saying } => revise(head, event, *revision, *entry, saying),
        Happening::EvidenceAdded { revision } => {
            bump_contest(&mut head.truth);
            (*revision <= head.latest).then_some(())
        }
        Happening::Retracted => {
            let ending = match &head.truth {
                Truth::Settled(_) | Truth::Contested(_) => Ending::Retracted {
                    revisions: standing(&head.truth, event.recorded_at)?,
                    at: event.recorded_at,
                    by_person: event.actor.is_person(),
                },
                Truth::Ended(_) => return None,
            };
            head.truth = Truth::Ended(ending);
            Some(())
        }
        Happening::HeldBack { .. } => matches!(head.truth, Truth::Ended(_)).then_some(()),
        Happening::Admitted { revision } => {
            let before = head.quarantined.len();
            head.quarantined.retain(|quarantined| quarantined != revision);
            bump_contest(&mut head.truth);
            (head.quarantined.len() < before).then_some(())
        }
        Happening::HoldPlaced => (!std::mem::replace(&mut head.held, true)).then_some(()),
        Happening::HoldLifted => std::mem::replace(&mut head.held, false).then_some(()),
        Happening::Erased { revisions, .. } => {
            head.truth = erase(&head.truth, revisions, event.recorded_at);
            Some(())
        }
    }
}

fn revise(
    head: &mut Head,
    event: &Event,
    revision: RevisionNumber,
    entry: Entry,
    saying: &Saying,
) -> Option<()> {
    if revision != head.latest.next() {
        return None;
    }
    head.latest = revision;
    let span = saying.span(revision, head.created_at, event.recorded_at);
    match (entry, &mut head.truth) {
        (Entry::History, _) => return Some(()),
        (Entry::Settles, Truth::Settled(reign)) => {
            head.truth = Truth::Settled(reign.succeeded_by(span, event.recorded_at));
        }
        (Entry::Settles, Truth::Ended(_)) => head.truth = Truth::Settled(Reign::of(span)),
        (Entry::Opens(conflict), Truth::Settled(_)) => {
            head.truth = Truth::Contested(open(head, conflict, revision, event)?);
        }
        (Entry::Joins(conflict), Truth::Contested(contest))
            if contest.conflict == conflict && contest.sides.len() < limits::CONFLICT_SIDES_MAX =>
        {
            contest.sides.push(revision);
            contest.version += 1;
        }
        (Entry::Settles, Truth::Contested(_))
        | (Entry::Opens(_), Truth::Contested(_) | Truth::Ended(_))
        | (Entry::Joins(_), Truth::Contested(_) | Truth::Settled(_) | Truth::Ended(_)) => return None,
    }
    head.quarantined.extend(quarantined(revision, saying));
    Some(())
}

fn open(head: &Head, conflict: ConflictId, challenger: RevisionNumber, event: &Event) -> Option<Contest> {
    let mut sides = standing(&head.truth, event.recorded_at)?;
    sides.push(challenger);
    Some(Contest { conflict, version: 1, opened: event.position, opened_at: event.recorded_at, sides })
}

/// The revisions of `truth` that no other one has replaced by `at` and whose words are not gone, oldest first.
fn standing(truth: &Truth, at: Timestamp) -> Option<Vec<RevisionNumber>> {
    let revisions: Vec<RevisionNumber> = match truth {
        Truth::Settled(reign) => {
            reign.standing(at).iter().filter(|span| !span.erased).map(|span| span.revision).collect()
        }
        Truth::Contested(_) | Truth::Ended(_) => truth.revisions(),
    };
    (!revisions.is_empty()).then_some(revisions)
}

fn erase(truth: &Truth, revisions: &[RevisionNumber], at: Timestamp) -> Truth {
    let gone = Truth::Ended(Ending::Erased { at });
    let kept = |named: &[RevisionNumber]| -> Vec<RevisionNumber> {
        named.iter().copied().filter(|revision| !revisions.contains(revision)).collect()
    };
    match truth {
        Truth::Settled(reign) => reign.without(revisions, at).map_or(gone, Truth::Settled),
        Truth::Contested(contest) => match kept(&contest.sides) {
            sides if sides.is_empty() => gone,
            sides if sides.len() == contest.sides.len() => truth.clone(),
            sides => Truth::Contested(Contest { sides, version: contest.version + 1, ..contest.clone() }),
        },
        Truth::Ended(Ending::Retracted { revisions: named, at, by_person }) => match kept(named) {
            left if left.is_empty() => gone,
            left => Truth::Ended(Ending::Retracted { revisions: left, at: *at, by_person: *by_person }),
        },
        Truth::Ended(Ending::Erased { .. }) => truth.clone(),
    }
}

fn bump_contest(truth: &mut Truth) {
    match truth {
        Truth::Contested(contest) => contest.version += 1,
        Truth::Settled(_) | Truth::Ended(_) => {}
    }
}

fn quarantined(revision: RevisionNumber, saying: &Saying) -> Vec<RevisionNumber> {
    match saying.admission {
        crate::Admission::Quarantined => vec![revision],
        crate::Admission::Admitted => Vec::new(),
    }
}

impl Truth {
    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Settled(_) => "settled",
            Self::Contested(_) => "contested",
            Self::Ended(Ending::Retracted { .. }) => "retracted",
            Self::Ended(Ending::Erased { .. }) => "erased",
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
            Self::Contested(_) | Self::Ended(_) => self.state(revision, Timestamp::from_micros(0)),
        }
    }

    /// The state of `revision` at an instant, where this truth names it.
    pub fn state(&self, revision: RevisionNumber, at: Timestamp) -> Option<State> {
        match self {
            Self::Settled(reign) => reign.state(revision, at),
            Self::Contested(contest) => contest.sides.contains(&revision).then_some(State::Conflicted),
            Self::Ended(Ending::Retracted { revisions, .. }) => {
                revisions.contains(&revision).then_some(State::Retracted)
            }
            Self::Ended(Ending::Erased { .. }) => None,
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
        (Truth::Contested(contest), Some(Truth::Settled(reign))) => {
            left_by(reign, revision, contest.opened_at)
        }
        (Truth::Ended(Ending::Retracted { at, .. } | Ending::Erased { at }), Some(Truth::Settled(reign))) => {
            left_by(reign, revision, *at)
        }
        (Truth::Settled(_), _) => State::Superseded,
        (Truth::Contested(_) | Truth::Ended(_), _) => State::Retracted,
    };
    let was = |revision| before.and_then(|head| head.truth.fixed_state(revision));
    let is_new = |revision| before.is_none_or(|head| revision > head.latest);
    named
        .into_iter()
        .filter_map(|revision| match (was(revision), after.truth.fixed_state(revision)) {
            (before, Some(state)) => (before != Some(state)).then_some((revision, state)),
            (Some(State::Retracted), None) => None,
            (Some(_), None) => Some((revision, left(revision))),
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

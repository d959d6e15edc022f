//! The fold of events into the truth of a fact.

mod merge;

use crate::truth::{Contest, Ending, Reign, Truth};
use crate::{
    Cause, ConflictId, Entry, Event, FactType, Happening, Head, Position, ReviewId, RevisionNumber, Saying,
    Scope, Span, Timestamp, limits,
};

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
            forget_settled(&mut next, head, &event.happening);
            if !is_forgotten(&next.truth) {
                next.waiting.clear();
            }
            if is_gone(&next.truth) {
                next.asked.clear();
            }
            let sides = next.reopenable.iter().flat_map(|contest| contest.sides.clone());
            let named: Vec<RevisionNumber> = next.truth.revisions().into_iter().chain(sides).collect();
            next.quarantined.retain(|revision| named.contains(revision));
            Ok(next)
        }
    }
}

fn create(event: &Event) -> Option<Head> {
    let first = RevisionNumber::FIRST;
    let head = |kind: &FactType, scope: &Scope, keyed: &bool| Head {
        fact: event.fact,
        kind: kind.clone(),
        scope: scope.clone(),
        keyed: *keyed,
        keeper: if *keyed { event.actor.keeper().cloned() } else { None },
        created_at: event.recorded_at,
        version: event.position,
        latest: first,
        held: false,
        quarantined: Vec::new(),
        waiting: Vec::new(),
        asked: Vec::new(),
        reopenable: None,
        absorbed: Vec::new(),
        apart: Vec::new(),
        truth: Truth::Ended(Ending::Unapproved { at: event.recorded_at }),
    };
    match &event.happening {
        Happening::Created { kind, scope, keyed, held, saying } => Some(Head {
            held: *held,
            quarantined: quarantined(first, saying),
            truth: Truth::Settled(Reign::of(saying.span(first, event.recorded_at, event.recorded_at))),
            ..head(kind, scope, keyed)
        }),
        Happening::Proposed { kind, scope, keyed, review, saying: _ } => {
            Some(Head { asked: vec![*review], ..head(kind, scope, keyed) })
        }
        Happening::Revised { .. }
        | Happening::EvidenceAdded { .. }
        | Happening::Retracted
        | Happening::HeldBack { .. }
        | Happening::ReviewClosed { .. }
        | Happening::Settled { .. }
        | Happening::Reopened { .. }
        | Happening::Expired
        | Happening::Moved { .. }
        | Happening::Merged { .. }
        | Happening::Absorbed(_)
        | Happening::Split { .. }
        | Happening::Released { .. }
        | Happening::Admitted { .. }
        | Happening::Quarantined { .. }
        | Happening::HoldPlaced
        | Happening::HoldLifted
        | Happening::Erased { .. } => None,
    }
}

/// Nothing can become of it any more.
fn is_gone(truth: &Truth) -> bool {
    matches!(truth, Truth::Ended(Ending::Merged { .. } | Ending::Erased { .. }))
}

fn is_forgotten(truth: &Truth) -> bool {
    matches!(truth, Truth::Ended(Ending::Retracted { .. }))
}

/// A conflict that was settled can be opened again until something else changes the truth, or a side's words go.
fn forget_settled(next: &mut Head, before: &Head, happening: &Happening) {
    let settled_now = next.reopenable != before.reopenable;
    let erased = |side: &RevisionNumber| matches!(happening, Happening::Erased { revisions, .. } if revisions.contains(side));
    let side_is_gone = next.reopenable.iter().any(|contest| contest.sides.iter().any(erased));
    if !settled_now && (next.truth != before.truth || side_is_gone) {
        next.reopenable = None;
    }
}

/// Changes `head` by `event`, or gives nothing where the event does not follow.
fn advance(head: &mut Head, event: &Event) -> Option<()> {
    match &event.happening {
        Happening::Created { .. } | Happening::Proposed { .. } => None,
        Happening::Revised { revision, entry, saying } => revise(head, event, *revision, *entry, saying),
        Happening::EvidenceAdded { revision } => {
            bump_contest(&mut head.truth);
            (*revision <= head.latest && head.truth.is_said()).then_some(())
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
        Happening::HeldBack { review, cause, .. } => hold_back(head, *review, *cause),
        Happening::ReviewClosed { review, .. } => {
            let waiting = [&mut head.waiting, &mut head.asked];
            let waiting = waiting.into_iter().find(|waiting| waiting.contains(review))?;
            waiting.retain(|waiting| waiting != review);
            Some(())
        }
        Happening::Settled { conflict, kept } => {
            let contest = contested(&head.truth, *conflict)?;
            contest.sides.contains(&kept.revision).then(|| settle(head, contest, *kept))
        }
        Happening::Reopened { conflict } => {
            let contest = head.reopenable.take().filter(|settled| settled.conflict == *conflict)?;
            head.truth = Truth::Contested(Contest { version: contest.version + 1, ..contest });
            Some(())
        }
        Happening::Expired => {
            let Truth::Settled(reign) = &head.truth else { return None };
            let ending = Ending::Expired { reign: reign.clone(), at: event.recorded_at };
            (!head.truth.stands(event.recorded_at)).then(|| head.truth = Truth::Ended(ending))
        }
        Happening::Moved { revision, scope, saying } => relocate(head, event, *revision, scope, saying),
        Happening::Merged { into } => merge::merge(head, *into, event.recorded_at),
        Happening::Absorbed(link) => merge::absorb(head, *link),
        Happening::Split { from } => merge::split(head, *from),
        Happening::Released { fact } => merge::release(head, *fact),
        Happening::Admitted { revision } => {
            let before = head.quarantined.len();
            head.quarantined.retain(|quarantined| quarantined != revision);
            bump_contest(&mut head.truth);
            (head.quarantined.len() < before).then_some(())
        }
        Happening::Quarantined { revision } => {
            let place = head.quarantined.binary_search(revision).err()?;
            head.truth.revisions().contains(revision).then(|| {
                head.quarantined.insert(place, *revision);
                bump_contest(&mut head.truth);
            })
        }
        Happening::HoldPlaced => (!std::mem::replace(&mut head.held, true)).then_some(()),
        Happening::HoldLifted => std::mem::replace(&mut head.held, false).then_some(()),
        Happening::Erased { revisions, .. } => {
            head.truth = erase(&head.truth, revisions, event.recorded_at);
            Some(())
        }
    }
}

/// A proposal waits, once.
fn hold_back(head: &mut Head, review: ReviewId, cause: Cause) -> Option<()> {
    let (waiting, may_wait) = match cause {
        Cause::SaidAgainAfterForgotten => (&mut head.waiting, is_forgotten(&head.truth)),
        Cause::MemoryFact => (&mut head.asked, !is_gone(&head.truth)),
    };
    waiting.retain(|waiting| *waiting != review);
    waiting.push(review);
    may_wait.then_some(())
}

/// What stood is written again in another scope.
fn relocate(
    head: &mut Head,
    event: &Event,
    revision: RevisionNumber,
    scope: &Scope,
    saying: &Saying,
) -> Option<()> {
    number(head, revision, saying)?;
    let Truth::Settled(_) = &head.truth else { return None };
    head.scope = scope.clone();
    head.truth = Truth::Settled(Reign::of(saying.span(revision, head.created_at, event.recorded_at)));
    head.quarantined.extend(quarantined(revision, saying));
    Some(())
}

/// Takes the next number; what was merged into a revision follows what is written again of it.
fn number(head: &mut Head, revision: RevisionNumber, saying: &Saying) -> Option<()> {
    let again = saying.origin.written_again();
    for link in head.absorbed.iter_mut().filter(|link| again == Some(link.revision)) {
        link.revision = revision;
    }
    (revision == head.next_revision()).then(|| head.latest = revision)
}

fn revise(
    head: &mut Head,
    event: &Event,
    revision: RevisionNumber,
    entry: Entry,
    saying: &Saying,
) -> Option<()> {
    if !head.truth.is_said() && entry != Entry::Settles {
        return None;
    }
    number(head, revision, saying)?;
    let span = saying.span(revision, head.created_at, event.recorded_at);
    match (entry, &mut head.truth) {
        (Entry::History, _) => return Some(()),
        (Entry::Settles, Truth::Settled(reign) | Truth::Ended(Ending::Expired { reign, .. })) => {
            head.truth = Truth::Settled(reign.succeeded_by(span, event.recorded_at));
        }
        (
            Entry::Settles,
            Truth::Ended(
                Ending::Retracted { .. }
                | Ending::Merged { .. }
                | Ending::Erased { .. }
                | Ending::Unapproved { .. },
            ),
        ) => {
            head.truth = Truth::Settled(Reign::of(span));
        }
        (Entry::Opens(conflict), Truth::Settled(_) | Truth::Ended(Ending::Expired { .. })) => {
            head.truth = Truth::Contested(open(head, conflict, revision, event)?);
        }
        (Entry::Resolves(conflict), truth) => {
            let contest = contested(truth, conflict)?;
            settle(head, contest, span);
        }
        (Entry::Joins(conflict), Truth::Contested(contest))
            if contest.conflict == conflict && contest.sides.len() < limits::CONFLICT_SIDES_MAX =>
        {
            contest.sides.push(revision);
            contest.version += 1;
        }
        (Entry::Settles, Truth::Contested(_))
        | (Entry::Opens(_), Truth::Contested(_))
        | (
            Entry::Opens(_),
            Truth::Ended(
                Ending::Retracted { .. }
                | Ending::Merged { .. }
                | Ending::Erased { .. }
                | Ending::Unapproved { .. },
            ),
        )
        | (Entry::Joins(_), Truth::Contested(_) | Truth::Settled(_) | Truth::Ended(_)) => return None,
    }
    head.quarantined.extend(quarantined(revision, saying));
    Some(())
}

/// The contest of that conflict, where the fact is contested.
fn contested(truth: &Truth, conflict: ConflictId) -> Option<Contest> {
    match truth {
        Truth::Contested(contest) => Some(contest.clone()).filter(|contest| contest.conflict == conflict),
        Truth::Settled(_) | Truth::Ended(_) => None,
    }
}

/// One span holds instead of a contest, which can be opened again.
fn settle(head: &mut Head, contest: Contest, span: Span) {
    head.reopenable = Some(Contest { version: contest.version + 1, ..contest });
    head.truth = Truth::Settled(Reign::of(span));
}

fn open(head: &Head, conflict: ConflictId, challenger: RevisionNumber, event: &Event) -> Option<Contest> {
    let mut sides = standing(&head.truth, event.recorded_at)?;
    sides.push(challenger);
    Some(Contest { conflict, version: 1, opened: event.position, opened_at: event.recorded_at, sides })
}

/// The revisions of `truth` that no other one has replaced by `at` and whose words are not gone, oldest first.
fn standing(truth: &Truth, at: Timestamp) -> Option<Vec<RevisionNumber>> {
    let revisions: Vec<RevisionNumber> = match truth {
        Truth::Settled(reign) | Truth::Ended(Ending::Expired { reign, .. }) => {
            reign.standing(at).iter().filter(|span| !span.erased).map(|span| span.revision).collect()
        }
        Truth::Contested(_)
        | Truth::Ended(
            Ending::Retracted { .. }
            | Ending::Merged { .. }
            | Ending::Erased { .. }
            | Ending::Unapproved { .. },
        ) => truth.revisions(),
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
        Truth::Ended(Ending::Expired { reign, at: since }) => {
            let left = reign.without(revisions, at);
            left.map_or(gone, |reign| Truth::Ended(Ending::Expired { reign, at: *since }))
        }
        Truth::Ended(Ending::Merged { into, reign, at: since }) => {
            let left = reign.without(revisions, at);
            left.map_or(gone, |reign| Truth::Ended(Ending::Merged { into: *into, reign, at: *since }))
        }
        Truth::Ended(Ending::Unapproved { .. }) => gone,
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

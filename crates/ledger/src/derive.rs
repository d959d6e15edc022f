//! Which rows follow from an event: pure, so that appending, rebuilding and checking cannot disagree.

use crate::commitment;
use crate::seal::{self, Turn};

use fact::{
    Contest, Ending, Entry, Event, Happening, Head, Id, Position, ReviewId, RevisionNumber, Saying, Slot,
    State, Statement, Text, Truth, Words, canonical, turned,
};

/// An event with its fact before and after it.
pub(crate) struct Step<'a> {
    pub(crate) tenant: &'a Id,
    pub(crate) event: &'a Event,
    slot: Option<String>,
    statement: Option<String>,
    says: Option<String>,
    pub(crate) before: Option<&'a Head>,
    pub(crate) after: &'a Head,
}

impl<'a> Step<'a> {
    /// The step that an event with those words makes; erased words are empty ones.
    pub(crate) fn of(
        tenant: &'a Id,
        event: &'a Event,
        words: &Words,
        secret: &[u8],
        before: Option<&'a Head>,
        after: &'a Head,
    ) -> Self {
        let slot = slot(after, words, secret);
        let statement = statement(after, &event.happening, words, secret);
        let says = says(after, &event.happening, words, secret);
        Self { tenant, event, slot, statement, says, before, after }
    }
}

/// A row to write. Times and positions are plain numbers from here on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Put {
    Fact(FactRow),
    FactAdvanced {
        fact: String,
        before: i64,
        version: i64,
        head: String,
        slot: SlotMove,
        /// Whose it is from now on, where it was moved.
        scope: Option<String>,
    },
    Access {
        token: String,
        fact: String,
    },
    AccessGone {
        token: String,
        fact: String,
    },
    Revision(RevisionRow),
    RevisionTurned {
        fact: String,
        revision: i64,
        state: State,
        turned_at: i64,
        ended_at: Option<i64>,
    },
    RevisionUnsaid {
        fact: String,
        revision: i64,
    },
    RevisionSettled {
        fact: String,
        revision: i64,
        settled_at: i64,
    },
    /// A side that lost to one that starts at `from`. Where it starts no earlier it never comes back for a time in the
    /// past: when it was settled is negative from then on, until the conflict is opened again.
    RevisionLost {
        fact: String,
        revision: i64,
        from: i64,
    },
    RevisionUnsettled {
        fact: String,
        revision: i64,
        since: i64,
    },
    Truth {
        fact: String,
        recorded_at: i64,
        position: i64,
        truth: String,
    },
    Conflict(ConflictRow),
    ConflictClosed {
        conflict: String,
        closed: i64,
    },
    Review {
        review: String,
        fact: String,
        position: i64,
        cause: &'static str,
    },
    ReviewClosed {
        review: String,
        closed: i64,
    },
    Erasure {
        position: i64,
        erased_by: i64,
    },
}

/// What happens to the slot of a fact: any revision's words name it, and it is free once the fact is erased.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SlotMove {
    Stays,
    Is(String),
    Free,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FactRow {
    pub(crate) fact: String,
    pub(crate) kind: String,
    pub(crate) scope: String,
    pub(crate) slot: Option<String>,
    pub(crate) created: i64,
    pub(crate) version: i64,
    pub(crate) head: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RevisionRow {
    pub(crate) fact: String,
    pub(crate) revision: i64,
    pub(crate) position: i64,
    pub(crate) recorded_at: i64,
    pub(crate) state: State,
    pub(crate) turned_at: i64,
    pub(crate) ended_at: Option<i64>,
    pub(crate) settled_at: Option<i64>,
    pub(crate) valid_from: i64,
    pub(crate) valid_until: Option<i64>,
    pub(crate) statement: Option<String>,
    pub(crate) says: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ConflictRow {
    pub(crate) conflict: String,
    pub(crate) fact: String,
    pub(crate) anchor: String,
    pub(crate) people: Option<String>,
    pub(crate) opened: i64,
    pub(crate) opened_at: i64,
    pub(crate) version: i64,
    pub(crate) closed: Option<i64>,
}

/// Every row that follows from a step, in the order in which they are written.
pub(crate) fn rows(step: &Step<'_>) -> Vec<Put> {
    let mut rows = Vec::with_capacity(6);
    match &step.event.happening {
        Happening::Created { saying, .. } => {
            rows.extend(new_fact(step));
            rows.push(new_revision(step, RevisionNumber::FIRST, Entry::Settles, saying));
        }
        Happening::Proposed { .. } => {
            rows.extend(new_fact(step));
            rows.extend(new_review(step));
        }
        Happening::Revised { revision, entry, saying } => {
            rows.push(advanced_fact(step));
            rows.push(new_revision(step, *revision, *entry, saying));
            if matches!(entry, Entry::Resolves(_)) {
                rows.extend(lost(step));
            }
        }
        Happening::HeldBack { .. } => {
            rows.push(advanced_fact(step));
            rows.extend(new_review(step));
        }
        Happening::Erased { revisions, positions } => {
            rows.push(advanced_fact(step));
            rows.extend(erasures(step, revisions, positions));
        }
        Happening::Settled { kept, .. } => {
            rows.push(advanced_fact(step));
            rows.push(Put::RevisionSettled {
                fact: step.event.fact.to_string(),
                revision: i64::from(kept.revision.get()),
                settled_at: step.event.recorded_at.micros(),
            });
            rows.extend(lost(step));
        }
        Happening::Reopened { .. } => {
            rows.push(advanced_fact(step));
            rows.extend(unsettled(step));
        }
        Happening::Moved { revision, saying, .. } => {
            rows.extend(relocated(step));
            rows.push(new_revision(step, *revision, Entry::Settles, saying));
        }
        Happening::EvidenceAdded { .. }
        | Happening::Merged { .. }
        | Happening::Absorbed(_)
        | Happening::Split { .. }
        | Happening::Released { .. }
        | Happening::Retracted
        | Happening::ReviewClosed { .. }
        | Happening::Expired
        | Happening::Admitted { .. }
        | Happening::Quarantined { .. }
        | Happening::HoldPlaced
        | Happening::HoldLifted => rows.push(advanced_fact(step)),
    }
    rows.extend(turned_revisions(step));
    rows.push(Put::Truth {
        fact: step.event.fact.to_string(),
        recorded_at: step.event.recorded_at.micros(),
        position: step.event.position.get(),
        truth: seal::turn(step.event.fact, step.event.recorded_at, &turn(step)),
    });
    rows.extend(conflict(step));
    rows.extend(closed_reviews(step));
    rows
}

fn turn(step: &Step<'_>) -> Turn {
    Turn {
        position: step.event.position,
        follows: step.before.map_or(Position::START, |head| head.version),
        truth: step.after.truth.clone(),
    }
}

fn erasures(step: &Step<'_>, revisions: &[RevisionNumber], positions: &[Position]) -> Vec<Put> {
    let (fact, erased_by) = (step.event.fact.to_string(), step.event.position.get());
    let erasure = |position: &Position| Put::Erasure { position: position.get(), erased_by };
    let unsaid = |revision: &RevisionNumber| Put::RevisionUnsaid {
        fact: fact.clone(),
        revision: i64::from(revision.get()),
    };
    positions.iter().map(erasure).chain(revisions.iter().map(unsaid)).collect()
}

/// The sides of a conflict that is settled, but for the one that was kept.
fn lost(step: &Step<'_>) -> Vec<Put> {
    let sides = step.before.map_or_else(Vec::new, |head| head.truth.revisions());
    let kept = step.after.truth.reign().and_then(|reign| reign.spans().first());
    let lost = |side: RevisionNumber| {
        let kept = kept.filter(|kept| kept.revision != side)?;
        let (fact, from) = (step.event.fact.to_string(), kept.from.micros());
        Some(Put::RevisionLost { fact, revision: i64::from(side.get()), from })
    };
    sides.into_iter().filter_map(lost).collect()
}

/// What was kept, and was no truth before the conflict, is none any more once the conflict is open again; and what
/// was one before is one again.
fn unsettled(step: &Step<'_>) -> Vec<Put> {
    let mut kept = step.before.map_or_else(Vec::new, |head| head.truth.revisions());
    kept.extend(step.after.truth.revisions());
    kept.sort_unstable();
    kept.dedup();
    let since = contest(step.after).map_or(i64::MAX, |contest| contest.opened_at.micros());
    let unsettled = |revision: RevisionNumber| Put::RevisionUnsettled {
        fact: step.event.fact.to_string(),
        revision: i64::from(revision.get()),
        since,
    };
    kept.into_iter().map(unsettled).collect()
}

fn new_review(step: &Step<'_>) -> Option<Put> {
    let (review, cause) = step.event.happening.held_back()?;
    Some(Put::Review {
        review: review.to_string(),
        fact: step.event.fact.to_string(),
        position: step.event.position.get(),
        cause: cause.name(),
    })
}

/// What waits no more: a person decided, or the fact is not forgotten any more.
fn closed_reviews(step: &Step<'_>) -> impl Iterator<Item = Put> {
    let closed = step.event.position.get();
    let waited = step.before.into_iter().flat_map(|head| head.waiting.iter().chain(&head.asked));
    let waits = |review: &&ReviewId| step.after.waiting.contains(review) || step.after.asked.contains(review);
    let over = waited.filter(move |review| !waits(review));
    over.map(move |review| Put::ReviewClosed { review: review.to_string(), closed })
}

fn new_fact(step: &Step<'_>) -> Vec<Put> {
    let fact = step.event.fact.to_string();
    let position = step.event.position.get();
    let tokens = step.after.scope.tokens();
    let access = tokens.into_iter().map(|token| Put::Access { token, fact: fact.clone() });
    let row = FactRow {
        fact: fact.clone(),
        kind: step.after.kind.as_str().to_owned(),
        scope: canonical(&step.after.scope),
        slot: step.slot.clone(),
        created: position,
        version: position,
        head: seal::head(step.after),
    };
    [Put::Fact(row)].into_iter().chain(access).collect()
}

/// A fact in another scope: others find it, and nothing that it said before is said where it was.
fn relocated(step: &Step<'_>) -> Vec<Put> {
    let fact = step.event.fact.to_string();
    let before = step.before.map_or_else(Vec::new, |head| head.scope.tokens());
    let after = step.after.scope.tokens();
    let gone = before.iter().filter(|token| !after.contains(token));
    let gone = gone.map(|token| Put::AccessGone { token: token.clone(), fact: fact.clone() });
    let new = after.iter().filter(|token| !before.contains(token));
    let new = new.map(|token| Put::Access { token: token.clone(), fact: fact.clone() });
    let said = step.before.map_or_else(Vec::new, |head| head.truth.revisions());
    let unsaid = said
        .into_iter()
        .map(|revision| Put::RevisionUnsaid { fact: fact.clone(), revision: i64::from(revision.get()) });
    [advanced_fact(step)].into_iter().chain(gone).chain(new).chain(unsaid).collect()
}

fn advanced_fact(step: &Step<'_>) -> Put {
    Put::FactAdvanced {
        fact: step.event.fact.to_string(),
        before: step.before.map_or(0, |head| head.version.get()),
        version: step.event.position.get(),
        head: seal::head(step.after),
        slot: match (&step.after.truth, &step.slot) {
            (Truth::Ended(Ending::Erased { .. }), _) => SlotMove::Free,
            (_, Some(slot)) => SlotMove::Is(slot.clone()),
            (_, None) => SlotMove::Stays,
        },
        scope: step
            .before
            .filter(|before| before.scope != step.after.scope)
            .map(|_| canonical(&step.after.scope)),
    }
}

/// A revision is superseded from birth, unless the truth that names it says otherwise.
fn new_revision(step: &Step<'_>, number: RevisionNumber, entry: Entry, saying: &Saying) -> Put {
    let at = step.event.recorded_at.micros();
    let span = saying.span(number, step.after.created_at, step.event.recorded_at);
    let turned = turned(step.before, step.after);
    let state = turned.iter().find(|(one, _)| *one == number).map_or(State::Superseded, |(_, state)| *state);
    Put::Revision(RevisionRow {
        fact: step.event.fact.to_string(),
        revision: i64::from(number.get()),
        position: step.event.position.get(),
        recorded_at: at,
        state,
        turned_at: at,
        ended_at: over(state).then_some(at),
        settled_at: match entry {
            Entry::Settles | Entry::Resolves(_) => Some(at),
            Entry::History | Entry::Opens(_) | Entry::Joins(_) => None,
        },
        valid_from: span.from.micros(),
        valid_until: span.until.map(fact::Timestamp::micros),
        statement: step.statement.clone(),
        says: step.says.clone(),
    })
}

/// The revisions from before this step whose state it changed.
fn turned_revisions(step: &Step<'_>) -> impl Iterator<Item = Put> {
    let fact = step.event.fact.to_string();
    let at = step.event.recorded_at.micros();
    let known = step.before.filter(|head| head.truth.is_said()).map_or(0, |head| head.latest.get());
    let turned = turned(step.before, step.after).into_iter().filter(move |(number, _)| number.get() <= known);
    turned.map(move |(number, state)| Put::RevisionTurned {
        fact: fact.clone(),
        revision: i64::from(number.get()),
        state,
        turned_at: at,
        ended_at: over(state).then_some(at),
    })
}

/// Whether a revision in that state is over for good.
pub(crate) fn over(state: State) -> bool {
    match state {
        State::Superseded | State::Retracted | State::Expired => true,
        State::Active | State::Conflicted => false,
    }
}

fn conflict(step: &Step<'_>) -> Vec<Put> {
    let before = step.before.and_then(contest);
    let after = contest(step.after);
    let mut rows = Vec::new();
    if let Some(over) = before.filter(|old| after.is_none_or(|new| new.conflict != old.conflict)) {
        let closed = step.event.position.get();
        rows.push(Put::ConflictClosed { conflict: over.conflict.to_string(), closed });
    }
    if let Some(open) = after.filter(|new| before.is_none_or(|old| old != *new)) {
        let mut tokens = step.after.scope.tokens().into_iter();
        rows.push(Put::Conflict(ConflictRow {
            conflict: open.conflict.to_string(),
            fact: step.event.fact.to_string(),
            anchor: tokens.next().unwrap_or_default(),
            people: tokens.next(),
            opened: open.opened.get(),
            opened_at: open.opened_at.micros(),
            version: i64::from(open.version),
            closed: None,
        }));
    }
    rows
}

fn contest(head: &Head) -> Option<&Contest> {
    match &head.truth {
        Truth::Contested(contest) => Some(contest),
        Truth::Settled(_) | Truth::Ended(_) => None,
    }
}

/// The slot that a head has by the words of its first revision, as it is looked up.
fn slot(head: &Head, words: &Words, secret: &[u8]) -> Option<String> {
    let key = words.key.clone().filter(|_| head.keyed)?;
    let slot = Slot { kind: head.kind.clone(), scope: head.scope.clone(), key, keeper: head.keeper.clone() };
    Some(commitment::slot(secret, &slot))
}

/// The statement that a new revision makes, as it is looked up.
fn statement(head: &Head, happening: &Happening, words: &Words, secret: &[u8]) -> Option<String> {
    let content = words.content.as_ref().filter(|_| happening.recorded().is_some())?;
    let made = Statement {
        kind: head.kind.clone(),
        scope: head.scope.clone(),
        statement: Text::stored(content.statement()),
    };
    Some(commitment::statement(secret, &made))
}

/// What a new revision says within its owner's facts, whatever its kind, as it is looked up.
fn says(head: &Head, happening: &Happening, words: &Words, secret: &[u8]) -> Option<String> {
    let content = words.content.as_ref().filter(|_| happening.recorded().is_some())?;
    Some(commitment::says(secret, &head.scope, content))
}

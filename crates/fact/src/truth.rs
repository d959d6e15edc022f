//! The truth of one fact, as a value that makes a wrong reading impossible to write.

use serde::{Deserialize, Serialize};

use crate::{ConflictId, FactId, Position, RevisionNumber, Timestamp};

/// The truth of a fact: settled, contested, or ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "truth")]
pub enum Truth {
    /// The revisions in force in order of time: now, and those whose start is already recorded.
    Settled(Reign),
    /// Several revisions are contested; none may be recalled.
    Contested(Contest),
    /// It is over.
    Ended(Ending),
}

/// Revisions in the order in which they were recorded, each starting later than the one before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reign {
    spans: Vec<Span>,
}

/// When one revision holds, before a later one cuts it short.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// The revision.
    pub revision: RevisionNumber,
    /// From when it holds.
    pub from: Timestamp,
    /// Until when it holds, that instant not included; open without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
    /// Its words are gone: the span still ends what was before it, and holds nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub erased: bool,
}

/// The contested revisions of one fact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Contest {
    /// The conflict.
    pub conflict: ConflictId,
    /// Rises with every join, added evidence, change of admission, settling and reopening.
    pub version: u32,
    /// The event that opened it.
    pub opened: Position,
    /// When that was.
    pub opened_at: Timestamp,
    /// The sides, oldest first.
    pub sides: Vec<RevisionNumber>,
}

/// How a fact ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "ending")]
pub enum Ending {
    /// It was forgotten, and can be restored.
    Retracted {
        /// What stood then, oldest first; the last one is what a restore brings back.
        revisions: Vec<RevisionNumber>,
        /// When.
        at: Timestamp,
        /// Whether a person did it, after which a machine that says it again is held back.
        by_person: bool,
    },
    /// Its time is over. It holds nothing by the clock since before, and is continued as if it still stood.
    Expired {
        /// What held until then.
        reign: Reign,
        /// When that was recorded.
        at: Timestamp,
    },
    /// It says the same as another fact, which goes on for both.
    Merged {
        /// The other fact.
        into: FactId,
        /// What held until then; a split brings it back.
        reign: Reign,
        /// When.
        at: Timestamp,
    },
    /// Its words are gone.
    Erased {
        /// When.
        at: Timestamp,
    },
    /// It never began: what was proposed waits for a person, or was dismissed. Nobody but who decides about it sees it.
    Unapproved {
        /// When it was proposed.
        at: Timestamp,
    },
}

impl Truth {
    /// The revision that holds at an instant: the only way to one that may be recalled.
    pub fn settled(&self, at: Timestamp) -> Option<RevisionNumber> {
        self.reign()?.at(at).filter(|span| !span.erased).map(|span| span.revision)
    }

    /// The revisions in order of time, where they are neither contested nor forgotten; over or not.
    pub fn reign(&self) -> Option<&Reign> {
        match self {
            Self::Settled(reign) | Self::Ended(Ending::Expired { reign, .. }) => Some(reign),
            Self::Contested(_)
            | Self::Ended(
                Ending::Retracted { .. }
                | Ending::Merged { .. }
                | Ending::Erased { .. }
                | Ending::Unapproved { .. },
            ) => None,
        }
    }

    /// Whether anything of it was ever said: otherwise there is no such fact to anybody but who decides about it.
    pub fn is_said(&self) -> bool {
        !matches!(self, Self::Ended(Ending::Unapproved { .. }))
    }

    /// The fact that it was merged into.
    pub fn merged_into(&self) -> Option<FactId> {
        match self {
            Self::Ended(Ending::Merged { into, .. }) => Some(*into),
            Self::Settled(_)
            | Self::Contested(_)
            | Self::Ended(
                Ending::Retracted { .. }
                | Ending::Expired { .. }
                | Ending::Erased { .. }
                | Ending::Unapproved { .. },
            ) => None,
        }
    }

    /// Whether something of it holds at `now`, or will.
    pub fn stands(&self, now: Timestamp) -> bool {
        self.settled(now).is_some() || self.next_turn(now).is_some()
    }

    /// Every revision that it names, oldest first.
    pub fn revisions(&self) -> Vec<RevisionNumber> {
        match self {
            Self::Settled(reign)
            | Self::Ended(Ending::Expired { reign, .. } | Ending::Merged { reign, .. }) => {
                reign.spans.iter().map(|span| span.revision).collect()
            }
            Self::Contested(contest) => contest.sides.clone(),
            Self::Ended(Ending::Retracted { revisions, .. }) => revisions.clone(),
            Self::Ended(Ending::Erased { .. } | Ending::Unapproved { .. }) => Vec::new(),
        }
    }

    /// The next instant after `now` at which another revision holds, or none does.
    pub fn next_turn(&self, now: Timestamp) -> Option<Timestamp> {
        match self {
            Self::Settled(reign) => {
                let turns = reign.spans.iter().flat_map(|span| [Some(span.from), span.until]);
                let later = turns.flatten().filter(|turn| *turn > now);
                let holds = self.settled(now);
                later.filter(|turn| self.settled(*turn) != holds).min()
            }
            Self::Contested(_) | Self::Ended(_) => None,
        }
    }
}

impl Reign {
    /// The reign of one revision.
    pub fn of(span: Span) -> Self {
        Self { spans: vec![span] }
    }

    /// The span in force at an instant: of those that have begun the one recorded last, unless it is over.
    pub fn at(&self, at: Timestamp) -> Option<&Span> {
        let begun = self.spans.iter().rev().find(|span| span.from <= at);
        begun.filter(|span| span.until.is_none_or(|until| at < until))
    }

    /// The span that has begun last at an instant, over or not; before the first start, the first.
    pub fn latest_at(&self, at: Timestamp) -> Option<&Span> {
        self.spans.iter().rev().find(|span| span.from <= at).or(self.spans.first())
    }

    /// The spans, in order of time.
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// The spans that no later one has replaced by `at`: the one that has begun last, and those to come.
    pub(crate) fn standing(&self, at: Timestamp) -> &[Span] {
        let current = self.spans.iter().rposition(|span| span.from <= at);
        &self.spans[current.unwrap_or(0)..]
    }

    /// Adds a revision recorded at `now`: it ends every span that starts no earlier, and what was over by then is let go.
    #[must_use]
    pub(crate) fn succeeded_by(&self, span: Span, now: Timestamp) -> Self {
        let mut spans: Vec<Span> = self.spans.iter().copied().filter(|old| old.from < span.from).collect();
        spans.push(span);
        Self { spans: Self { spans }.standing(now).to_vec() }
    }

    /// Marks the ones erased at `at`; none when nothing is left that could hold.
    #[must_use]
    pub(crate) fn without(&self, erased: &[RevisionNumber], at: Timestamp) -> Option<Self> {
        let mark = |span: &Span| Span { erased: span.erased || erased.contains(&span.revision), ..*span };
        let spans: Vec<Span> = self.standing(at).iter().map(mark).collect();
        spans.iter().any(|span| !span.erased).then_some(Self { spans })
    }
}

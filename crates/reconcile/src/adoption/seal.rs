//! Sealing: a review in which everything is decided, and can be carried out, becomes a document that no one edits.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use fact::{
    Actor, BadInput, Content, FactId, FactType, LegacyOrigin, Proposal, Scope, Text, Timestamp, limits,
};
use serde_json::json;

use super::audit::{Audit, Group, GroupKind, GroupRow};
use super::plan::{Step, plan};
use super::review::{BadReview, Choice, Review, ReviewGroup, ReviewRow};
use super::row::{fit_key, fit_tags};
use super::sealed::{Ruling, Sealed, SealedRow, Wording};

/// Why a review cannot be sealed. Carries no text of a row.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotSealable {
    /// Who would seal it is a machine.
    #[error("only a person can seal a review: a user or an operator")]
    NotAPerson,
    /// It is not a review of the audit.
    #[error("the review is not as it must be")]
    NotOfAudit(#[from] BadReview),
    /// Something is still pending.
    #[error("not decided yet: {}", .groups.join(", "))]
    Undecided {
        /// The groups in which it is.
        groups: Vec<String>,
    },
    /// A decision about a whole group approves what must be approved row by row.
    #[error(
        "group {group} is approved row by row: write decision = \"approve\" in each row that holds, and another \
         decision for the group"
    )]
    RowByRow {
        /// The group.
        group: String,
    },
    /// It is not clear which row is adopted for the others.
    #[error("group {group}: exactly one of its approved rows must have keep = true")]
    Keeper {
        /// The group.
        group: String,
    },
    /// One fact would cite too many rows.
    #[error(
        "group {group}: {count} rows are approved, and one fact cites at most {}; reject or defer the rest",
        limits::EVIDENCE_MAX
    )]
    TooMany {
        /// The group.
        group: String,
        /// Rows that are approved.
        count: usize,
    },
    /// The audit has a row in two groups.
    #[error("row {row} is in two groups of the audit; make it anew")]
    Overlap {
        /// The row.
        row: FactId,
    },
    /// Two approved rows would be one fact.
    #[error("row {row} would say the same as row {other}: reject one of them")]
    SameStatement {
        /// One row.
        row: FactId,
        /// The other one.
        other: FactId,
    },
    /// A row cannot be adopted as it was decided.
    #[error("row {row} cannot be adopted so")]
    Unfit {
        /// The row.
        row: FactId,
        /// Which field, and what is wrong with it.
        #[source]
        bad: BadInput,
    },
}

/// Seals the review of an audit. Refuses what could not be carried out, so that nothing of it fails half-way.
pub fn seal(audit: &Audit, review: &Review, reviewer: Actor, at: Timestamp) -> Result<Sealed, NotSealable> {
    if !reviewer.is_person() {
        return Err(NotSealable::NotAPerson);
    }
    review.check(audit)?;
    check_decided(review)?;
    let reviewed: BTreeMap<&str, &ReviewGroup> =
        review.groups.iter().map(|group| (group.id.as_str(), group)).collect();
    let mut rows = Vec::new();
    for group in &audit.groups {
        rows.extend(Decided::of(group, reviewed[group.id.as_str()]).sealed(at)?);
    }
    check_apart(&rows)?;
    leave_shared_keys(&mut rows);
    let sealed = Sealed::new(audit.digest(), reviewer, at, rows);
    check_steps(&sealed)?;
    Ok(sealed)
}

fn check_decided(review: &Review) -> Result<(), NotSealable> {
    let is_pending = |group: &&ReviewGroup| group.rows.iter().any(|row| group.choice(row) == Choice::Pending);
    let groups: Vec<String> = review.groups.iter().filter(is_pending).map(|group| group.id.clone()).collect();
    if groups.is_empty() { Ok(()) } else { Err(NotSealable::Undecided { groups }) }
}

fn check_apart(rows: &[SealedRow]) -> Result<(), NotSealable> {
    let mut seen = BTreeSet::new();
    match rows.iter().find(|row| !seen.insert(row.row)) {
        Some(twice) => Err(NotSealable::Overlap { row: twice.row }),
        None => Ok(()),
    }
}

/// A group of the audit with the decisions about it.
struct Decided<'a> {
    group: &'a Group,
    note: Option<&'a Text>,
    /// Its rows in the order of the audit.
    rows: Vec<Row<'a>>,
    /// Whether a row is approved by the decision about the group.
    as_group: bool,
}

/// A row of the audit with the decision about it.
struct Row<'a> {
    found: &'a GroupRow,
    review: &'a ReviewRow,
    choice: Choice,
}

impl<'a> Decided<'a> {
    fn of(group: &'a Group, review: &'a ReviewGroup) -> Self {
        let rows: BTreeMap<FactId, &ReviewRow> = review.rows.iter().map(|row| (row.row, row)).collect();
        let row = |found: &'a GroupRow| {
            let row = rows[&found.row];
            Row { found, review: row, choice: review.choice(row) }
        };
        let as_group =
            review.decision == Choice::Approve && review.rows.iter().any(|row| row.decision.is_none());
        Self { group, note: review.note.as_ref(), rows: group.rows.iter().map(row).collect(), as_group }
    }

    fn sealed(&self, at: Timestamp) -> Result<Vec<SealedRow>, NotSealable> {
        let group = || self.group.id.clone();
        if self.as_group && self.group.is_row_by_row() {
            return Err(NotSealable::RowByRow { group: group() });
        }
        if let Some(note) = self.note {
            Text::parse("note", note.as_str(), limits::NOTE_CHARS_MAX)
                .map_err(|bad| BadReview::new(format!("group {}, note", self.group.id), bad.problem))?;
        }
        let keeper = if self.group.kind.has_keeper() { self.keeper()? } else { None };
        let sealed = self.rows.iter().map(|row| {
            Ok(SealedRow {
                row: row.found.row,
                digest: row.found.digest.clone(),
                group: group(),
                ruling: row.ruling(keeper, at)?,
                note: self.note.cloned(),
            })
        });
        sealed.collect()
    }

    /// The row that is adopted for all that are approved.
    fn keeper(&self) -> Result<Option<FactId>, NotSealable> {
        let group = || self.group.id.clone();
        let approved: Vec<&Row<'_>> = self.rows.iter().filter(|row| row.choice == Choice::Approve).collect();
        if approved.len() > limits::EVIDENCE_MAX {
            return Err(NotSealable::TooMany { group: group(), count: approved.len() });
        }
        if let [] | [_] = approved.as_slice() {
            return Ok(approved.first().map(|row| row.found.row));
        }
        let keepers: Vec<&&Row<'_>> = approved.iter().filter(|row| row.review.keep).collect();
        let [keeper] = keepers.as_slice() else {
            return Err(NotSealable::Keeper { group: group() });
        };
        if self.group.kind == GroupKind::Fragments && keeper.review.corrected.is_none() {
            return Err(keeper.unfit("corrected", "must say what the fragments say together"));
        }
        Ok(Some(keeper.found.row))
    }
}

impl Row<'_> {
    fn ruling(&self, keeper: Option<FactId>, at: Timestamp) -> Result<Ruling, NotSealable> {
        match self.choice {
            Choice::Pending | Choice::Defer => Ok(Ruling::Defer),
            Choice::Reject => Ok(Ruling::Reject),
            Choice::Approve if self.found.legacy.origin == LegacyOrigin::Episode => {
                self.check_unedited("an episode stays as it was written; leave it out")?;
                Ok(Ruling::Keep)
            }
            Choice::Approve => match keeper.filter(|keeper| *keeper != self.found.row) {
                Some(keeper) => {
                    self.check_unedited("is for the row that is kept; leave it out")?;
                    Ok(Ruling::Cite { keeper })
                }
                None => Ok(Ruling::Adopt(Box::new(self.wording(at)?))),
            },
        }
    }

    fn check_unedited(&self, problem: &'static str) -> Result<(), NotSealable> {
        let ReviewRow { corrected, from, until, .. } = self.review;
        let edits =
            [("corrected", corrected.is_some()), ("from", from.is_some()), ("until", until.is_some())];
        match edits.into_iter().find(|(_, is_edited)| *is_edited) {
            Some((field, _)) => Err(self.unfit(field, problem)),
            None => Ok(()),
        }
    }

    fn wording(&self, at: Timestamp) -> Result<Wording, NotSealable> {
        let legacy = &self.found.legacy;
        let until = self.review.until.or(legacy.valid_until);
        let from = self.review.from.or(legacy.valid_from);
        Ok(Wording {
            scope: self.found.scope.clone(),
            kind: legacy.kind(),
            text: self.review.corrected.clone().unwrap_or_else(|| legacy.text.clone()),
            key: fit_key(legacy).cloned(),
            tags: fit_tags(legacy).into_iter().cloned().collect(),
            confidence: legacy.confidence,
            valid_from: from.or_else(|| until.map(|until| begun(until, legacy.written_at, at))),
            valid_until: until,
            observed_at: legacy.written_at,
        })
    }

    fn unfit(
        &self,
        field: impl Into<std::borrow::Cow<'static, str>>,
        problem: impl Into<std::borrow::Cow<'static, str>>,
    ) -> NotSealable {
        NotSealable::Unfit { row: self.found.row, bad: BadInput::new(field, problem) }
    }
}

/// Since when what ends at `until` is true, where nobody says: a fact that ends must have begun before, whenever the plan
/// is carried out.
fn begun(until: Timestamp, written_at: Option<Timestamp>, sealed_at: Timestamp) -> Timestamp {
    let before = |time: &Timestamp| *time < until;
    let last = Timestamp::from_micros(until.micros().saturating_sub(1));
    written_at.filter(before).or(Some(sealed_at).filter(before)).unwrap_or(last)
}

/// A key that several facts would take in one scope is given to none of them.
fn leave_shared_keys(rows: &mut [SealedRow]) {
    let mut takers: HashMap<(Scope, Text), usize> = HashMap::new();
    let slot = |row: &SealedRow| match &row.ruling {
        Ruling::Adopt(wording) => wording.key.clone().map(|key| (wording.scope.clone(), key)),
        Ruling::Cite { .. } | Ruling::Keep | Ruling::Reject | Ruling::Defer => None,
    };
    rows.iter().filter_map(slot).for_each(|slot| *takers.entry(slot).or_default() += 1);
    for row in rows {
        let is_shared = slot(row).is_some_and(|slot| takers[&slot] > 1);
        if let (true, Ruling::Adopt(wording)) = (is_shared, &mut row.ruling) {
            wording.key = None;
        }
    }
}

/// Refuses what a ledger would refuse when the plan is carried out.
fn check_steps(sealed: &Sealed) -> Result<(), NotSealable> {
    let mut said: HashMap<(Scope, FactType, String), FactId> = HashMap::new();
    for step in plan(sealed) {
        let Step::Adopt(adoption) = step.step else { continue };
        let row = adoption.keeper;
        let unfit = |bad| NotSealable::Unfit { row, bad };
        Proposal::parse(adoption.draft(), &adoption.wording.scope.tenant, sealed.sealed_at())
            .map_err(unfit)?;
        let Wording { scope, kind, text, key, .. } = adoption.wording;
        let content = Content::parse(json!({"text": text.as_str()})).map_err(unfit)?;
        if key.is_none()
            && let Some(other) = said.insert((scope, kind, content.statement()), row)
        {
            return Err(NotSealable::SameStatement { row, other });
        }
    }
    Ok(())
}

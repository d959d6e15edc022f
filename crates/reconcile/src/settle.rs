//! A conflict is settled by its owner, or opened again.

use fact::{
    Admission, BadInput, Case, ConflictId, Contest, Decision, Entry, Ground, Happening, Head, NewEvent,
    Origin, Outcome, Proposal, Revision, RevisionNumber, Saying, Span, Text, Timestamp, Truth, Words,
};

use crate::compose::{self, Setting};
use crate::refusal::check_settler;
use crate::{Moment, Refusal, again, ask, place, same};

/// What the owner says about a conflict.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// The conflict.
    pub conflict: ConflictId,
    /// Its version as the owner saw it.
    pub version: u32,
    /// What is true.
    pub settlement: Settlement,
    /// Why, in the owner's words.
    pub note: Option<Text>,
}

/// What is true.
#[derive(Debug, Clone, PartialEq)]
pub enum Settlement {
    /// This side.
    Keep(RevisionNumber),
    /// Neither, but this.
    Reword(Box<Proposal>),
    /// Both: this side goes on, and the other becomes a fact of its own, without a key.
    Both {
        /// The side that goes on.
        keep: RevisionNumber,
        /// The side that becomes a fact of its own.
        apart: RevisionNumber,
        /// Another fact that says that already, so that none is made. One that was forgotten stands in the way.
        said: Option<Box<Head>>,
    },
}

/// Settles the conflict: what is kept holds since it did by itself, every other side is superseded.
pub fn settle(case: &Case, verdict: &Verdict, moment: &Moment<'_>) -> Result<Decision, Refusal> {
    check_settler(moment.actor, &case.head.scope)?;
    let contest = contest(case, verdict)?;
    if contest.version != verdict.version {
        return Err(Refusal::ConflictChanged { version: Some(contest.version) });
    }
    if case.head.held {
        return Err(Refusal::LegalHold);
    }
    match &verdict.settlement {
        Settlement::Keep(side) => keep(case, contest, *side, verdict),
        Settlement::Reword(proposal) => {
            let reworded = reword(case, contest, proposal, verdict, moment)?;
            Ok(ask::with_hold(case, proposal.legal_hold, reworded))
        }
        Settlement::Both { keep: side, apart, said } => {
            let apart = side_of(case, contest, *apart, "apart")?;
            if apart.number == *side {
                return Err(BadInput::new("apart", "must be another side").into());
            }
            let kept = keep(case, contest, *side, verdict)?;
            match said {
                None => set_apart(case, contest, kept, apart, moment),
                Some(head) if is_said(&head.truth, moment.at(case)) => Ok(kept),
                Some(head) => Err(Refusal::Taken { by: head.fact }),
            }
        }
    }
}

/// Opens the conflict again that was settled last, as long as nothing else changed the fact.
pub fn reopen(case: &Case, conflict: ConflictId, moment: &Moment<'_>) -> Result<Decision, Refusal> {
    check_settler(moment.actor, &case.head.scope)?;
    let settled = case.head.reopenable.as_ref().filter(|settled| settled.conflict == conflict);
    settled.ok_or(Refusal::NotReopenable)?;
    if case.head.held {
        return Err(Refusal::LegalHold);
    }
    let happenings = vec![(Happening::Reopened { conflict }, Words::default())];
    let revision = ask::last_named(case, moment.at(case));
    Ok(ask::decided(case, happenings, revision, Outcome::Reopened { conflict }))
}

fn is_said(truth: &Truth, now: Timestamp) -> bool {
    truth.stands(now) || matches!(truth, Truth::Contested(_))
}

fn contest<'a>(case: &'a Case, verdict: &Verdict) -> Result<&'a Contest, Refusal> {
    match &case.head.truth {
        Truth::Contested(contest) if contest.conflict == verdict.conflict => Ok(contest),
        Truth::Contested(_) | Truth::Settled(_) | Truth::Ended(_) => {
            Err(Refusal::ConflictChanged { version: None })
        }
    }
}

fn side_of<'a>(
    case: &'a Case,
    contest: &Contest,
    side: RevisionNumber,
    field: &'static str,
) -> Result<&'a Revision, Refusal> {
    let is_side = contest.sides.contains(&side);
    let side = case.revision(side).filter(|side| is_side && side.words.is_some());
    side.ok_or_else(|| BadInput::new(field, "is no side of the conflict").into())
}

fn keep(
    case: &Case,
    contest: &Contest,
    side: RevisionNumber,
    verdict: &Verdict,
) -> Result<Decision, Refusal> {
    let side = side_of(case, contest, side, "keep")?;
    let kept = span(side, case.head.created_at);
    let quarantined = case.head.quarantined.contains(&side.number);
    let happenings = vec![(Happening::Settled { conflict: contest.conflict, kept }, note(verdict))];
    let outcome = Outcome::Settled { conflict: contest.conflict, quarantined, apart: None };
    Ok(ask::decided(case, happenings, side.number, outcome))
}

/// The wording of one of the sides keeps that side.
fn reword(
    case: &Case,
    contest: &Contest,
    proposal: &Proposal,
    verdict: &Verdict,
    moment: &Moment<'_>,
) -> Result<Decision, Refusal> {
    if proposal.expected.is_some() {
        return Err(
            BadInput::new("expectVersion", "must be left out: the version of the conflict counts").into()
        );
    }
    let mut sides = contest.sides.iter().filter_map(|side| case.revision(*side));
    if let Some(side) = sides.clone().find(|side| same::same_content(proposal, side)) {
        return keep(case, contest, side.number, verdict);
    }
    let before = sides.next();
    let (actor, now) = (moment.actor, moment.at(case));
    let setting = Setting { actor, now, created: case.head.created_at, sources: moment.sources, before };
    let saying = compose::saying(proposal, &setting);
    compose::check_kept(&saying, &setting)?;
    let quarantined = saying.admission == Admission::Quarantined;
    let key = before.and_then(|side| side.words.as_ref()).and_then(|words| words.key.clone());
    let words = Words { reason: verdict.note.clone(), ..compose::words(proposal, before, key) };
    let revision = case.head.latest.next();
    let entry = Entry::Resolves(contest.conflict);
    let happenings = vec![(Happening::Revised { revision, entry, saying }, words)];
    let outcome = Outcome::Settled { conflict: contest.conflict, quarantined, apart: None };
    Ok(ask::decided(case, happenings, revision, outcome))
}

/// A side as a fact of its own: as it was said, true since it was, trusted no further.
fn set_apart(
    case: &Case,
    contest: &Contest,
    kept: Decision,
    side: &Revision,
    moment: &Moment<'_>,
) -> Result<Decision, Refusal> {
    let (head, fact, now) = (&case.head, moment.fresh.fact, moment.at(case));
    let saying = Saying {
        origin: Origin::SetApart { fact: head.fact, revision: side.number },
        said_by: None,
        admission: again::admission(head, side.number),
        valid_from: Some(side.valid_from()),
        retention: compose::unexpired(&side.saying.retention, now, now),
        ..side.saying.clone()
    };
    let (kind, scope) = (head.kind.clone(), head.scope.clone());
    let statement = place::made(&kind, &scope, side.content().ok_or(Refusal::NotCurrent)?);
    let happening = Happening::Created { kind, scope, keyed: false, held: false, saying };
    let words = Words { key: None, ..again::words(side) };
    let Decision { mut change, revision, .. } = kept;
    change.grounds.push(Ground::UnsaidBut { statement, fact: head.fact });
    change.events.push(NewEvent { fact, happening, words });
    let (conflict, quarantined) = (contest.conflict, head.quarantined.contains(&revision));
    let outcome = Outcome::Settled { conflict, quarantined, apart: Some(fact) };
    Ok(Decision { change, fact: head.fact, revision, outcome })
}

fn span(side: &Revision, created: Timestamp) -> Span {
    side.saying.span(side.number, created, side.recorded_at)
}

fn note(verdict: &Verdict) -> Words {
    Words { reason: verdict.note.clone(), ..Words::default() }
}

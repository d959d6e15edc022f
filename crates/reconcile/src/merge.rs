//! Facts that say the same become one, and become several again.

use std::collections::BTreeSet;

use fact::{
    BadInput, Case, Change, Decision, FactId, Ground, Happening, Link, NewEvent, Outcome, RevisionNumber,
    Words, limits,
};

use crate::refusal::{check_owner, ended};
use crate::{Moment, Refusal, ask};

/// A fact as its owner saw it.
#[derive(Debug, Clone, Copy)]
pub struct Viewed<'a> {
    /// The fact.
    pub case: &'a Case,
    /// The version that must be the current one.
    pub expected: Option<RevisionNumber>,
}

/// The first fact goes on for all; the others end as merged into it, and what they rest on counts for it by links.
/// All of it or nothing. Only their owner may, and only within one scope.
pub fn merge(survivor: Viewed<'_>, others: &[Viewed<'_>], moment: &Moment<'_>) -> Result<Decision, Refusal> {
    let (into, scope) = (survivor.case.head.fact, &survivor.case.head.scope);
    check_owner(moment.actor, scope)?;
    check_others(survivor.case, others)?;
    let revision = standing(survivor, moment)?;
    let mut change = Change { grounds: vec![ground(survivor.case)], events: Vec::new() };
    for other in others {
        if other.case.head.scope != *scope {
            return Err(
                BadInput::new("others", "must be of the same scope; a fact can be moved first").into()
            );
        }
        if other.case.head.kind != survivor.case.head.kind {
            return Err(BadInput::new("others", "must be of the same type").into());
        }
        let of = standing(*other, moment)?;
        if other.case.head.held {
            return Err(Refusal::LegalHold);
        }
        let fact = other.case.head.fact;
        change.grounds.push(ground(other.case));
        change.events.push(event(fact, Happening::Merged { into }));
        change.events.push(event(into, Happening::Absorbed(Link { revision, fact, of })));
    }
    let facts = u32::try_from(others.len()).unwrap_or(u32::MAX);
    Ok(Decision { change, fact: into, revision, outcome: Outcome::Merged { facts } })
}

/// The fact is not the same as the other one. Where it was merged into it, it stands again as if it had never been;
/// and where not, it is on record that they are two. Only its owner may.
///
/// A fact that it was merged into and that is out of sight keeps a link that leads nowhere from then on.
pub fn split(
    case: &Case,
    other: FactId,
    from: Option<&Case>,
    moment: &Moment<'_>,
) -> Result<Decision, Refusal> {
    let fact = case.head.fact;
    check_owner(moment.actor, &case.head.scope)?;
    if fact == other {
        return Err(BadInput::new("from", "must be another fact").into());
    }
    let revision = ask::last_named(case, moment.at(case));
    let outcome = Outcome::Split { from: other };
    match case.head.truth.merged_into() {
        Some(into) if into != other => return Err(Refusal::Merged { into }),
        Some(_) if case.head.held || from.is_some_and(|from| from.head.held) => {
            return Err(Refusal::LegalHold);
        }
        None if from.is_some_and(|from| is_apart(case, from)) => return Ok(ask::unchanged(case, revision)),
        Some(_) | None => {}
    }
    let mut events = vec![event(fact, Happening::Split { from: other })];
    if from.is_some_and(|from| from.head.absorbed.iter().any(|link| link.fact == fact)) {
        events.push(event(other, Happening::Released { fact }));
    }
    let grounds = [Some(case), from].into_iter().flatten().map(ground).collect();
    Ok(Decision { change: Change { grounds, events }, fact, revision, outcome })
}

/// Whether somebody said already that the two are not the same.
fn is_apart(one: &Case, other: &Case) -> bool {
    one.head.apart.contains(&other.head.fact) || other.head.apart.contains(&one.head.fact)
}

fn check_others(survivor: &Case, others: &[Viewed<'_>]) -> Result<(), BadInput> {
    let most = limits::BULK_FACTS_MAX;
    let named: BTreeSet<FactId> = others.iter().map(|other| other.case.head.fact).collect();
    if others.is_empty() || others.len() > most {
        return Err(BadInput::new("others", format!("must be 1 to {most} facts")));
    }
    if named.len() < others.len() || named.contains(&survivor.head.fact) {
        return Err(BadInput::new("others", "must be other facts, each named once"));
    }
    Ok(())
}

/// The revision that holds now, as its owner saw it.
fn standing(viewed: Viewed<'_>, moment: &Moment<'_>) -> Result<RevisionNumber, Refusal> {
    let (case, now) = (viewed.case, moment.at(viewed.case));
    let settled = case.head.truth.settled(now).ok_or_else(|| ended(&case.head.truth))?;
    ask::check_expected(case, viewed.expected, now)?;
    ask::readable(case, settled).map(|revision| revision.number)
}

fn ground(case: &Case) -> Ground {
    Ground::Head { fact: case.head.fact, version: case.head.version }
}

fn event(fact: FactId, happening: Happening) -> NewEvent {
    NewEvent { fact, happening, words: Words::default() }
}

//! What a proposal changes: the first line that fits.

use fact::{
    Case, Cause, Change, Contest, Decision, Ending, Entry, Ground, Happening, Merged, NewEvent, Outcome,
    Proposal, Reign, Revision, RevisionNumber, Saying, State, Target, Text, Timestamp, Trust, Truth, Words,
    limits,
};

use crate::compose::{self, Setting};
use crate::refusal::check_person;
use crate::{Barrier, Moment, Policy, Refusal, ask, place, same};

/// A proposal aimed at a fact that exists.
#[derive(Debug, Clone, Copy)]
struct Ask<'a> {
    case: &'a Case,
    proposal: &'a Proposal,
    moment: &'a Moment<'a>,
    now: Timestamp,
}

/// Decides what `proposal` changes about the fact that was found for it: the fact of its id, the fact in its
/// slot, or the fact that makes its statement (contested and forgotten ones included). Without one, it is a new fact.
pub fn decide(
    case: Option<&Case>,
    proposal: &Proposal,
    policy: &Policy,
    moment: &Moment<'_>,
) -> Result<Decision, Refusal> {
    if proposal.legal_hold {
        check_person(moment.actor)?;
    }
    let Some(case) = case else {
        return create(proposal, moment);
    };
    let ask = Ask { case, proposal, moment, now: moment.at(case) };
    ask::check_expected(case, proposal.expected, ask.now)?;
    let decision = match (&case.head.truth, case.head.truth.reign()) {
        (Truth::Contested(contest), _) => join(&ask, contest),
        (_, Some(reign)) if is_gone(reign, &ask) => say_after_end(&ask),
        (_, Some(reign)) => follow(&ask, reign, policy),
        (Truth::Ended(Ending::Retracted { revisions, by_person, .. }), _) => {
            say_again(&ask, revisions, *by_person)
        }
        (Truth::Ended(Ending::Merged { into, .. }), _) if is_by_id(&ask) => {
            Err(Refusal::Merged { into: *into })
        }
        (Truth::Ended(_) | Truth::Settled(_), _) => say_after_end(&ask),
    }?;
    Ok(ask::with_hold(case, proposal.legal_hold, decision))
}

/// Decides what an agent remembers through its tool, where a person must approve it first. What says nothing new does not
/// wait, and what waits for another reason waits for that.
pub(crate) fn propose(
    case: Option<&Case>,
    proposal: &Proposal,
    policy: &Policy,
    moment: &Moment<'_>,
) -> Result<Decision, Refusal> {
    let Some(case) = case else { return first_proposed(proposal, moment) };
    let decision = decide(Some(case), proposal, policy, moment)?;
    match decision.outcome {
        Outcome::Unchanged
        | Outcome::EvidenceAdded
        | Outcome::HeldBack { .. }
        | Outcome::Dismissed { .. } => {
            return Ok(decision);
        }
        Outcome::Created
        | Outcome::Superseded
        | Outcome::History
        | Outcome::ConflictOpened { .. }
        | Outcome::ConflictJoined { .. }
        | Outcome::Accepted { .. }
        | Outcome::Settled { .. }
        | Outcome::Reopened { .. }
        | Outcome::Expired
        | Outcome::Verified
        | Outcome::Retracted
        | Outcome::Restored
        | Outcome::Moved
        | Outcome::Merged { .. }
        | Outcome::Split { .. }
        | Outcome::Admitted
        | Outcome::Quarantined
        | Outcome::HoldPlaced
        | Outcome::HoldLifted => {}
    }
    let ask = Ask { case, proposal, moment, now: moment.at(case) };
    let current = ask::current(case, ask.now).and_then(|number| case.revision(number));
    hold_back(&ask, current, Cause::MemoryFact)
}

/// A fact that waits before it begins.
fn first_proposed(proposal: &Proposal, moment: &Moment<'_>) -> Result<Decision, Refusal> {
    let mut decision = create(proposal, moment)?;
    let review = moment.fresh.review;
    for event in &mut decision.change.events {
        if let Happening::Created { kind, scope, keyed, held: _, saying } = event.happening.clone() {
            event.happening = Happening::Proposed { kind, scope, keyed, review, saying };
        }
    }
    Ok(Decision { outcome: Outcome::HeldBack { review }, ..decision })
}

fn create(proposal: &Proposal, moment: &Moment<'_>) -> Result<Decision, Refusal> {
    if proposal.expected.is_some() {
        return Err(Refusal::Changed { current: None });
    }
    let Target::Place { kind, scope } = &proposal.target else {
        return Err(Refusal::NotCurrent);
    };
    let (actor, now, sources) = (moment.actor, moment.now, moment.sources);
    let setting = Setting { actor, now, created: now, sources, before: None };
    let saying = compose::saying(proposal, &setting);
    compose::check_kept(&saying, &setting)?;
    let happening = Happening::Created {
        kind: kind.clone(),
        scope: scope.clone(),
        keyed: proposal.key.is_some(),
        held: proposal.legal_hold,
        saying,
    };
    let fact = moment.fresh.fact;
    let slot = place::slot(proposal, moment.actor).map(Ground::SlotEmpty);
    let unsaid = place::statement(proposal).map(Ground::Unsaid);
    Ok(Decision {
        change: Change {
            grounds: slot.into_iter().chain(unsaid).collect(),
            events: vec![NewEvent {
                fact,
                happening,
                words: compose::words(proposal, None, proposal.key.clone()),
            }],
        },
        fact,
        revision: RevisionNumber::FIRST,
        outcome: Outcome::Created,
    })
}

/// A contested fact takes what anyone says as another side, or as evidence for the side that says it already.
fn join(ask: &Ask<'_>, contest: &Contest) -> Result<Decision, Refusal> {
    let joined = Outcome::ConflictJoined { conflict: contest.conflict };
    let mut sides = contest.sides.iter().filter_map(|side| ask.case.revision(*side));
    let first = sides.clone().next();
    let says_merged = |merged: &&Merged| same::same_content(ask.proposal, &merged.revision);
    let by_merged =
        || ask.case.merged.iter().find(says_merged).and_then(|merged| ask.case.revision(merged.into));
    if let Some(side) = sides.find(|side| same::same_content(ask.proposal, side)).or_else(by_merged) {
        return Ok(repeat(ask, side, joined, joined));
    }
    if contest.sides.len() >= limits::CONFLICT_SIDES_MAX {
        return Err(Refusal::ConflictFull);
    }
    revise(ask, first, Entry::Joins(contest.conflict), joined)
}

/// A fact that is settled, even where it lapsed by the clock.
fn follow(ask: &Ask<'_>, reign: &Reign, policy: &Policy) -> Result<Decision, Refusal> {
    if let Some(revision) = repeated(ask, reign) {
        return Ok(repeat(ask, revision, Outcome::EvidenceAdded, Outcome::Unchanged));
    }
    let current = ask::current(ask.case, ask.now).and_then(|number| ask.case.revision(number));
    let says_merged = ask.case.merged.iter().any(|merged| same::repeats(ask.proposal, &merged.revision));
    if let Some(current) = current
        .filter(|current| says_merged && current.words.is_some() && ask.case.head.truth.stands(ask.now))
    {
        return Ok(repeat(ask, current, Outcome::EvidenceAdded, Outcome::Unchanged));
    }
    if current.is_some_and(|current| was_observed_before(ask.proposal, current)) {
        return revise(ask, current, Entry::History, Outcome::History);
    }
    let is_correction = current.is_some_and(|current| corrects_itself(ask, current));
    if !is_correction && is_doubtful(ask, current, policy) {
        let conflict = ask.moment.fresh.conflict;
        return revise(ask, current, Entry::Opens(conflict), Outcome::ConflictOpened { conflict });
    }
    supersede(ask, current)
}

/// The revision that says all of it already: the one in force at the start of the proposal. Where a statement is
/// how the fact was found, one that is to follow does too; the one in force then says something else, which a
/// statement may not replace.
fn repeated<'a>(ask: &Ask<'a>, reign: &Reign) -> Option<&'a Revision> {
    let start = ask.proposal.valid_from.unwrap_or(ask.now);
    let in_force = reign.at(start).map(|span| span.revision);
    let is_active = |number| ask.case.head.truth.state(number, ask.now) == Some(State::Active);
    let is_meant = |revision: &&Revision| {
        let number = revision.number;
        in_force == Some(number) || (same::is_by_statement(ask.proposal) && is_active(number))
    };
    ask.case.revisions.iter().filter(is_meant).find(|revision| same::repeats(ask.proposal, revision))
}

/// What held last is erased and nothing follows: the same to everyone as a fact that is erased as a whole.
fn is_gone(reign: &Reign, ask: &Ask<'_>) -> bool {
    reign.latest_at(ask.now).is_none_or(|span| span.erased) && !ask.case.head.truth.stands(ask.now)
}

/// What its author saw is older than what stands.
fn was_observed_before(proposal: &Proposal, current: &Revision) -> bool {
    let seen = current.saying.observed_at.unwrap_or(current.recorded_at);
    proposal.observed_at.is_some_and(|observed| observed < seen)
}

/// An agent corrects its own unverified keyed value through the remember tool: the tool call is its evidence.
fn corrects_itself(ask: &Ask<'_>, current: &Revision) -> bool {
    let agent = ask.moment.actor.keeper();
    agent.is_some()
        && ask.proposal.provenance.tool_call.is_some()
        && ask.case.head.keeper.as_ref() == agent
        && current.author().keeper() == agent
        && current.saying.trust == Trust::Unverified
}

/// A machine's update that its owner must settle: of a verified fact or of a key that another agent keeps,
/// below the line, or on no evidence.
fn is_doubtful(ask: &Ask<'_>, current: Option<&Revision>, policy: &Policy) -> bool {
    let actor = ask.moment.actor;
    let keeper = ask.case.head.keeper.as_ref();
    !actor.is_person()
        && (current.is_none_or(|current| current.saying.trust == Trust::Verified)
            || keeper.is_some_and(|keeper| actor.keeper() != Some(keeper))
            || ask.proposal.confidence < policy.doubt_below
            || ask.proposal.evidence.is_empty())
}

fn supersede(ask: &Ask<'_>, current: Option<&Revision>) -> Result<Decision, Refusal> {
    if ask.moment.actor.only_creates() && ask.case.head.truth.stands(ask.now) {
        return Err(Refusal::NotPermitted { why: Barrier::OnlyCreates });
    }
    if ask.case.head.held {
        return Err(Refusal::LegalHold);
    }
    revise(ask, current, Entry::Settles, Outcome::Superseded)
}

/// A fact that was forgotten is said again: its slot or its statement takes it back, unless a person had it forgotten.
fn say_again(ask: &Ask<'_>, forgotten: &[RevisionNumber], by_person: bool) -> Result<Decision, Refusal> {
    let last = forgotten.last().and_then(|number| ask.case.revision(*number));
    let is_person = ask.moment.actor.is_person();
    if is_person && is_by_id(ask) {
        Err(Refusal::NotCurrent)
    } else if by_person && !is_person {
        hold_back(ask, last, Cause::SaidAgainAfterForgotten)
    } else {
        revise(ask, last, Entry::Settles, Outcome::Restored)
    }
}

/// The words are gone, or the fact that went on for it is: its slot takes what is said as something new.
fn say_after_end(ask: &Ask<'_>) -> Result<Decision, Refusal> {
    if is_by_id(ask) {
        return Err(Refusal::NotCurrent);
    }
    revise(ask, None, Entry::Settles, Outcome::Created)
}

fn is_by_id(ask: &Ask<'_>) -> bool {
    match ask.proposal.target {
        Target::Fact(_) => true,
        Target::Place { .. } => false,
    }
}

/// The proposal waits for the owner. The same content waits once, with the evidence of every time that it was said;
/// what was dismissed is not asked again.
fn hold_back(ask: &Ask<'_>, before: Option<&Revision>, cause: Cause) -> Result<Decision, Refusal> {
    let number = ask::last_named(ask.case, ask.now);
    let said = ask.case.said_again.iter().find(|said| same::same_content(ask.proposal, &said.proposed));
    let (review, evidence) = match said {
        None => (ask.moment.fresh.review, ask.proposal.evidence.clone()),
        Some(said) if said.dismissed => {
            let dismissed = Outcome::Dismissed { review: said.review };
            return Ok(ask::decided(ask.case, Vec::new(), number, dismissed));
        }
        Some(said) => {
            let new = same::new_evidence(ask.proposal, &said.proposed);
            if new.is_empty() {
                let waits = Outcome::HeldBack { review: said.review };
                return Ok(ask::decided(ask.case, Vec::new(), number, waits));
            }
            (said.review, said.proposed.evidence().cloned().chain(new).collect())
        }
    };
    let happening = Happening::HeldBack { review, cause, saying: composed(ask, before)? };
    let words = Words { evidence, ..compose::words(ask.proposal, before, key(ask)) };
    Ok(ask::decided(ask.case, vec![(happening, words)], number, Outcome::HeldBack { review }))
}

/// The next revision of the fact, which keeps from `before` what the proposal leaves out.
fn revise(
    ask: &Ask<'_>,
    before: Option<&Revision>,
    entry: Entry,
    outcome: Outcome,
) -> Result<Decision, Refusal> {
    let revision = ask.case.head.next_revision();
    let happening = Happening::Revised { revision, entry, saying: composed(ask, before)? };
    let words = compose::words(ask.proposal, before, key(ask));
    Ok(ask::decided(ask.case, vec![(happening, words)], revision, outcome))
}

/// The key of the fact: in any words that are left, else as given. Where it goes on for another one it was found by
/// that one's key, and keeps its own.
fn key(ask: &Ask<'_>) -> Option<Text> {
    let mut left = ask.case.revisions.iter().filter_map(|revision| revision.words.as_ref());
    let kept = left.find_map(|words| words.key.clone());
    kept.or_else(|| ask.proposal.key.clone()).filter(|_| ask.case.head.keyed)
}

fn composed(ask: &Ask<'_>, before: Option<&Revision>) -> Result<Saying, Refusal> {
    let Moment { actor, sources, .. } = *ask.moment;
    let setting = Setting { actor, now: ask.now, created: ask.case.head.created_at, sources, before };
    let saying = compose::saying(ask.proposal, &setting);
    compose::check_kept(&saying, &setting)?;
    Ok(saying)
}

/// Nothing new is said; evidence that the revision does not have yet is added to it.
fn repeat(ask: &Ask<'_>, revision: &Revision, added: Outcome, nothing: Outcome) -> Decision {
    let number = revision.number;
    let evidence = same::new_evidence(ask.proposal, revision);
    if evidence.is_empty() {
        return ask::decided(ask.case, Vec::new(), number, nothing);
    }
    let words = Words { reason: ask.proposal.reason.clone(), evidence, ..Words::default() };
    let happening = Happening::EvidenceAdded { revision: number };
    ask::decided(ask.case, vec![(happening, words)], number, added)
}

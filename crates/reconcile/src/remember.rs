//! What an agent remembers through its tool: where it goes, what waits for a person, and what it changes.

use fact::{BadInput, Case, Decision, Near, Outcome, Proposal, Run, Scope, limits};

use crate::decide::{decide, propose};
use crate::{Moment, Policy, Refusal, reads_like_an_instruction, same};

/// What an agent remembers at once, in characters.
pub const REMEMBERED_CHARS_MAX: usize = 2_000;

/// What an agent remembers, as its declaration and its run have it.
#[derive(Debug, Clone, Copy)]
pub struct Remembered<'a> {
    /// The statement.
    pub proposal: &'a Proposal,
    /// Whether a person must approve it first.
    pub waits: bool,
}

/// The scope of what a run remembers for whom `near` means: from the run, never from the model. None where the run has no
/// such thing.
pub fn place_of(run: &Run, near: Near) -> Option<Scope> {
    let whole = run.scope();
    let tenant = || Scope::tenant(whole.tenant.clone());
    match near {
        Near::SameConversation => {
            let (thread, project) = (whole.thread.clone()?, whole.project.clone());
            Some(Scope { thread: Some(thread), project, ..tenant() })
        }
        Near::SameUser => match (&whole.participant, &whole.user) {
            (Some(participant), _) => {
                let (participant, project) = (Some(participant.clone()), whole.project.clone());
                Some(Scope { participant, project, ..tenant() })
            }
            (None, Some(user)) => Some(Scope { user: Some(user.clone()), ..tenant() }),
            (None, None) => None,
        },
        Near::SameProject => Some(Scope { project: Some(whole.project.clone()?), ..tenant() }),
        Near::Tenant => Some(tenant()),
    }
}

/// Whether a person must approve it: it is for more than one person, or its words read like an instruction.
pub fn waits(near: Near, text: &str, key: Option<&str>) -> bool {
    let is_wide = match near {
        Near::SameProject | Near::Tenant => true,
        Near::SameConversation | Near::SameUser => false,
    };
    is_wide || reads_like_an_instruction(text) || key.is_some_and(reads_like_an_instruction)
}

/// Refuses a text that is longer than an agent remembers at once.
pub fn check_text(text: &str) -> Result<(), BadInput> {
    let chars = text.chars().count();
    match chars > REMEMBERED_CHARS_MAX {
        true => {
            Err(BadInput::new("fact.text", format!("has {chars} characters; at most {REMEMBERED_CHARS_MAX}")))
        }
        false => Ok(()),
    }
}

/// Refuses to keep it for longer, or shorter, than anything is kept.
pub fn check_days(days: u32) -> Result<(), BadInput> {
    let (least, most) = (limits::KEEP_DAYS_MIN, limits::KEEP_DAYS_MAX);
    match (least..=most).contains(&days) {
        true => Ok(()),
        false => Err(BadInput::new("declaration.keepDays", format!("must be from {least} to {most}"))),
    }
}

/// Decides what it changes. Saying the same again is evidence, and no reason to keep it longer.
pub fn remember(
    case: Option<&Case>,
    remembered: Remembered<'_>,
    policy: &Policy,
    moment: &Moment<'_>,
) -> Result<Decision, Refusal> {
    let Remembered { proposal, waits } = remembered;
    if let Some(case) = case.filter(|case| is_said(case, proposal, moment)) {
        let again = Proposal { retention: None, ..proposal.clone() };
        let decision = decide(Some(case), &again, policy, moment)?;
        if matches!(decision.outcome, Outcome::Unchanged | Outcome::EvidenceAdded) {
            return Ok(decision);
        }
    }
    match waits {
        true => propose(case, proposal, policy, moment),
        false => decide(case, proposal, policy, moment),
    }
}

/// Whether the fact says now what is to be remembered.
fn is_said(case: &Case, proposal: &Proposal, moment: &Moment<'_>) -> bool {
    let current = case.head.truth.settled(moment.at(case)).and_then(|number| case.revision(number));
    current.is_some_and(|current| same::same_content(proposal, current))
}

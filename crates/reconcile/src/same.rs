//! Whether a proposal says anything that a revision does not say already.

use std::collections::BTreeSet;

use fact::{Evidence, Proposal, Revision, Saying, Target, Text, Trust, limits};

/// Equal content, validity, tags, subjects, trust and retention. What the proposal leaves out counts as equal.
pub(crate) fn repeats(proposal: &Proposal, revision: &Revision) -> bool {
    let said = &revision.saying;
    let tags = || tags_of(revision);
    same_content(proposal, revision)
        && proposal.valid_from.is_none_or(|from| from == revision.valid_from())
        && proposal.valid_until.is_none_or(|until| Some(until) == said.valid_until)
        && proposal.tags.as_ref().is_none_or(|given| given.iter().collect::<BTreeSet<_>>() == tags())
        && proposal.subjects.as_ref().is_none_or(|given| *given == said.subjects)
        && proposal.trust.is_none_or(|trust| is_as_trusted(said, trust))
        && proposal.retention.as_ref().is_none_or(|given| *given == said.retention)
}

/// What is derived is trusted no further than its sources, whatever is asked for.
fn is_as_trusted(said: &Saying, asked: Trust) -> bool {
    let derived = !said.provenance.derived_from.is_empty();
    asked == said.trust || (derived && asked.least(said.trust) == said.trust)
}

/// Equal content in canonical form; equal statement where that is how the fact was found.
pub(crate) fn same_content(proposal: &Proposal, revision: &Revision) -> bool {
    revision.content().is_some_and(|content| {
        if is_by_statement(proposal) {
            content.statement() == proposal.content.statement()
        } else {
            content.canonical() == proposal.content.canonical()
        }
    })
}

/// Whether its statement is all that the fact can be found by.
pub(crate) fn is_by_statement(proposal: &Proposal) -> bool {
    match proposal.target {
        Target::Place { .. } => proposal.key.is_none(),
        Target::Fact(_) => false,
    }
}

/// The evidence of a proposal that a revision does not have yet, as far as there is room for it.
pub(crate) fn new_evidence(proposal: &Proposal, revision: &Revision) -> Vec<Evidence> {
    let room = limits::EVIDENCE_MAX.saturating_sub(revision.own_evidence().count());
    let mut new: Vec<Evidence> = Vec::new();
    for evidence in &proposal.evidence {
        let is_known = revision.evidence().chain(&new).any(|one| one.same_as(evidence));
        if !is_known && new.len() < room {
            new.push(evidence.clone());
        }
    }
    new
}

fn tags_of(revision: &Revision) -> BTreeSet<&Text> {
    revision.words.iter().flat_map(|words| &words.tags).collect()
}

//! Where a proposal without a fact id is looked up.

use fact::{Actor, Proposal, Slot, Statement, Target, Text};

/// The slot that a proposal with a key is aimed at: for an agent, its own.
pub fn slot(proposal: &Proposal, actor: &Actor) -> Option<Slot> {
    match (&proposal.target, &proposal.key) {
        (Target::Place { kind, scope }, Some(key)) => Some(Slot {
            kind: kind.clone(),
            scope: scope.clone(),
            key: key.clone(),
            keeper: actor.keeper().cloned(),
        }),
        (Target::Place { .. }, None) | (Target::Fact(_), _) => None,
    }
}

/// The statement that a proposal without a key makes.
pub fn statement(proposal: &Proposal) -> Option<Statement> {
    match (&proposal.target, &proposal.key) {
        (Target::Place { kind, scope }, None) => Some(Statement {
            kind: kind.clone(),
            scope: scope.clone(),
            statement: Text::stored(proposal.content.statement()),
        }),
        (Target::Place { .. }, Some(_)) | (Target::Fact(_), _) => None,
    }
}

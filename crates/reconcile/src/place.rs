//! Where a fact is looked up that has no id yet: by the slot of its key, or by its statement.

use fact::{Actor, Case, Content, FactType, Ground, Proposal, Scope, Slot, Statement, Target, Text};

/// What a fact takes up in a scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// The slot of its key.
    Slot(Slot),
    /// A statement, where it has no key.
    Statement(Statement),
}

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
        (Target::Place { kind, scope }, None) => Some(made(kind, scope, &proposal.content)),
        (Target::Place { .. }, Some(_)) | (Target::Fact(_), _) => None,
    }
}

/// What a machine's proposal with a key says whatever its key is, as others may have said it without one: where a person
/// had that forgotten, a slot of its own does not bring it back. A content that holds its key says it without that too.
pub fn said_without_slot(proposal: &Proposal, actor: &Actor) -> Vec<Statement> {
    let (Target::Place { kind, scope }, Some(_), false) =
        (&proposal.target, &proposal.key, actor.is_person())
    else {
        return Vec::new();
    };
    let contents = [Some(proposal.content.clone()), proposal.content.without_key()];
    contents.into_iter().flatten().map(|content| made(kind, scope, &content)).collect()
}

/// The statement that a content makes.
pub fn made(kind: &FactType, scope: &Scope, content: &Content) -> Statement {
    Statement { kind: kind.clone(), scope: scope.clone(), statement: Text::stored(content.statement()) }
}

/// What a fact would take up in a scope, by every revision that its truth names.
pub fn places(case: &Case, scope: &Scope) -> Vec<Place> {
    let (kind, keeper) = (&case.head.kind, &case.head.keeper);
    let words = || case.revisions.iter().filter_map(|revision| revision.words.as_ref());
    if case.head.keyed {
        let key = words().find_map(|words| words.key.clone());
        let slot = |key| Slot { kind: kind.clone(), scope: scope.clone(), key, keeper: keeper.clone() };
        return key.into_iter().map(|key| Place::Slot(slot(key))).collect();
    }
    let contents = words().filter_map(|words| words.content.as_ref());
    contents.map(|content| Place::Statement(made(kind, scope, content))).collect()
}

impl Place {
    /// That nothing has it but, perhaps, the fact itself.
    pub(crate) fn ground(self, case: &Case) -> Ground {
        match self {
            Self::Slot(slot) => Ground::SlotEmpty(slot),
            Self::Statement(statement) => Ground::UnsaidBut { statement, fact: case.head.fact },
        }
    }
}

//! Why the rules refuse: never with the words of a fact.

use fact::{Actor, BadInput, ConflictId, FactId, RevisionNumber, Scope, Truth};

/// Why nothing is changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Another revision is the settled one than the caller expected, or none is.
    #[error("the fact changed meanwhile")]
    Changed {
        /// The settled revision; none where the fact is contested or ended.
        current: Option<RevisionNumber>,
    },
    /// A legal hold keeps what stands.
    #[error("the fact is under legal hold")]
    LegalHold,
    /// Not for this actor.
    #[error("not permitted: {why}")]
    NotPermitted {
        /// What stands in the way.
        why: Barrier,
    },
    /// The fact is unknown, ended or lapsed: there is nothing to change.
    #[error("nothing of the fact is current")]
    NotCurrent,
    /// It was merged into another fact, which goes on for both.
    #[error("the fact was merged into {into}")]
    Merged {
        /// The other fact.
        into: FactId,
    },
    /// It was not merged into any fact.
    #[error("the fact is not merged; the fact that it is not the same as must be named")]
    NotMerged,
    /// Another fact has the key, or makes the statement, where it is to go.
    #[error("{by} has its place there already")]
    Taken {
        /// The other fact.
        by: FactId,
    },
    /// The fact is contested: its owner settles the conflict instead.
    #[error("the fact is contested")]
    Contested {
        /// The conflict.
        conflict: ConflictId,
    },
    /// The conflict is not as it was when the request was made, or not open.
    #[error("the conflict changed meanwhile")]
    ConflictChanged {
        /// Its version; none where no such conflict is open.
        version: Option<u32>,
    },
    /// No such conflict of the fact can be opened again: the fact changed since it was settled.
    #[error("the conflict cannot be opened again")]
    NotReopenable,
    /// It does not wait, or not any more.
    #[error("nothing of that name waits for review")]
    NotWaiting,
    /// The conflict has as many sides as it may have.
    #[error("the conflict is full")]
    ConflictFull,
    /// Only the revision that stood last can be brought back.
    #[error("another revision stood last")]
    NotLatest,
    /// Something holds, will hold, or is contested, so that there is nothing to bring back.
    #[error("the fact still stands")]
    StillCurrent,
    /// What was said does not fit the fact.
    #[error(transparent)]
    BadInput(#[from] BadInput),
}

/// What keeps an actor from acting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Barrier {
    /// Migrations and services bring facts in; they do not replace one that stands.
    #[error("a migration or a service may only create")]
    OnlyCreates,
    /// A machine never settles a conflict, and a retraction would.
    #[error("a machine never settles a conflict")]
    MachineNeverSettles,
    /// Only a person may.
    #[error("only a person may do this")]
    PersonOnly,
    /// Only an operator may.
    #[error("only an operator may do this")]
    OperatorOnly,
    /// Only an agent, or a service that runs one.
    #[error("only an agent remembers so, or a service that runs one")]
    AgentOnly,
    /// Only the person whose it is may.
    #[error("only its owner may do this")]
    OwnerOnly,
}

/// Why nothing can be done about a fact of which nothing is settled.
pub(crate) fn ended(truth: &Truth) -> Refusal {
    match (truth, truth.merged_into()) {
        (Truth::Contested(contest), _) => Refusal::Contested { conflict: contest.conflict },
        (_, Some(into)) => Refusal::Merged { into },
        (Truth::Settled(_) | Truth::Ended(_), None) => Refusal::NotCurrent,
    }
}

/// Whether somebody may decide what its owner alone decides: a person, and the owner where there is one.
pub fn is_owner(actor: &Actor, scope: &Scope) -> bool {
    check_owner(actor, scope).is_ok()
}

/// Refuses every machine, and every person but the owner where there is one.
pub(crate) fn check_owner(actor: &Actor, scope: &Scope) -> Result<(), Refusal> {
    check_person(actor)?;
    match (scope.participant.as_ref().or(scope.user.as_ref()), actor) {
        (None, _) => Ok(()),
        (Some(owner), Actor::User { id }) if owner == id => Ok(()),
        (Some(_), _) => Err(Refusal::NotPermitted { why: Barrier::OwnerOnly }),
    }
}

/// Refuses every machine, and everyone but the owner, to decide a conflict.
pub(crate) fn check_settler(actor: &Actor, scope: &Scope) -> Result<(), Refusal> {
    if !actor.is_person() {
        return Err(Refusal::NotPermitted { why: Barrier::MachineNeverSettles });
    }
    check_owner(actor, scope)
}

/// Refuses everyone but a person.
pub(crate) fn check_person(actor: &Actor) -> Result<(), Refusal> {
    if actor.is_person() {
        return Ok(());
    }
    Err(Refusal::NotPermitted { why: Barrier::PersonOnly })
}

//! What a run of an agent may read: what its own conversation, end user and project open, and of that what it asks for.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::{Access, Container, Reader, Scope, Sight};

/// Which of the facts that a run may see are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Near {
    /// Those of its conversation.
    SameConversation,
    /// Those of its end user only.
    SameUser,
    /// Those of its project, with its end user's and its conversation's in it.
    SameProject,
    /// Any.
    Tenant,
}

/// What a run is about, as a scope: its conversation, its end user, its project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    scope: Scope,
    access: Access,
}

impl Near {
    /// Every one of them.
    pub const ALL: [Self; 4] = [Self::SameConversation, Self::SameUser, Self::SameProject, Self::Tenant];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::SameConversation => "same-conversation",
            Self::SameUser => "same-user",
            Self::SameProject => "same-project",
            Self::Tenant => "tenant",
        }
    }

    /// Reads a name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|near| near.name() == name)
    }
}

impl Run {
    /// A run in that scope. Whom a key acts for is nobody's end user: the scope alone says who is.
    pub fn of(scope: Scope) -> Self {
        let access = Access::of(&scope);
        Self { scope, access }
    }

    /// Its scope.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// The reader of what `near` means, of what both the run and `reader` may see; none where the run has no such
    /// thing, or is of another tenant.
    pub fn reader(&self, reader: &Reader, near: Near) -> Option<Reader> {
        let has_it = match near {
            Near::SameConversation => self.scope.thread.is_some(),
            Near::SameUser => self.scope.owner().is_some(),
            Near::SameProject => self.scope.project.is_some(),
            Near::Tenant => true,
        };
        let narrowed = || Sight::InRun(Box::new(reader.sight.clone()), Box::new(self.clone()), near);
        (has_it && reader.tenant == self.scope.tenant)
            .then(|| Reader { tenant: reader.tenant.clone(), sight: narrowed() })
    }

    /// Whether a fact of that scope is one that `near` means.
    pub(crate) fn means(&self, near: Near, scope: &Scope) -> bool {
        let run = &self.scope;
        self.access.opens(scope)
            && match near {
                Near::SameConversation => scope.thread.is_some() && scope.thread == run.thread,
                Near::SameUser => scope.owner().is_some() && scope.owner() == run.owner(),
                Near::SameProject => scope.project.is_some() && scope.project == run.project,
                Near::Tenant => true,
            }
    }

    /// The tokens of which each scope that the run may see has at least one.
    pub(crate) fn tokens(&self, near: Near) -> BTreeSet<String> {
        match (near, self.scope.owner()) {
            (Near::SameUser, Some(owner)) => [owner.token()].into(),
            (Near::SameConversation | Near::SameUser | Near::SameProject | Near::Tenant, _) => {
                self.access.containers().map(|container: Container| container.token()).collect()
            }
        }
    }
}

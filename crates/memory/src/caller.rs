//! Who calls: what they may read, where they may write, and as whom they act.

use fact::{Access, Actor, BadInput, Grants, Id, Reach, Reader, Scope, Sight, Writer};

/// Who calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// What they may read.
    pub reader: Reader,
    /// Where they may write.
    pub writer: Writer,
    /// As whom they act. Attribution comes from here, never from a draft.
    pub actor: Actor,
}

impl Caller {
    /// An operator of the install: reads and writes everything in the tenant; reads of content are audited.
    pub fn operator(tenant: Id, operator: Id) -> Self {
        Self {
            reader: Reader { tenant: tenant.clone(), sight: Sight::Operator },
            writer: Writer { tenant, reach: Reach::Admin },
            actor: Actor::Operator { id: operator },
        }
    }

    /// Someone who is what `scope` names: reads what its containers open, and writes as that person or place.
    pub fn within(scope: &Scope, actor: Actor) -> Result<Self, BadInput> {
        let reader =
            Reader { tenant: scope.tenant.clone(), sight: Sight::Within(Access::of(scope)) }.check()?;
        let writer = Writer { tenant: scope.tenant.clone(), reach: Reach::Within(Grants::of(scope)) };
        Ok(Self { reader, writer, actor })
    }

    /// The tenant.
    pub fn tenant(&self) -> &Id {
        &self.reader.tenant
    }
}

//! Which memories of a source an import takes for a scope.

use fact::{Legacy, Scope};

/// Why a memory is not taken for a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NotTaken {
    /// Its source says that it is somebody else's.
    OfAnother,
}

impl NotTaken {
    /// What is said about it.
    pub fn name(self) -> &'static str {
        match self {
            Self::OfAnother => "of another owner",
        }
    }
}

/// Takes what its source says is `whose`; where nobody is named, what it says is the scope's own person's, and what it
/// says is nobody's.
pub fn take(memory: &Legacy, scope: &Scope, whose: Option<&str>) -> Result<(), NotTaken> {
    let person = scope.participant.as_ref().or(scope.user.as_ref()).map(|id| id.as_str());
    match (memory.owner.as_ref().map(|owner| owner.as_str()), whose.or(person)) {
        (None, _) => Ok(()),
        (Some(owner), Some(whose)) if owner == whose => Ok(()),
        (Some(_), _) => Err(NotTaken::OfAnother),
    }
}

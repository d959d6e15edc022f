//! The one error for input that is not within its limits.

use std::borrow::Cow;

/// Input that was refused: which field, and what is wrong with it. Never holds the input itself.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {problem}")]
pub struct BadInput {
    /// The field as the caller names it, such as `scope.participantId`.
    pub field: Cow<'static, str>,
    /// What is wrong, with the limit.
    pub problem: Cow<'static, str>,
}

impl BadInput {
    /// Refuses `field` for `problem`.
    pub fn new(field: impl Into<Cow<'static, str>>, problem: impl Into<Cow<'static, str>>) -> Self {
        Self { field: field.into(), problem: problem.into() }
    }
}

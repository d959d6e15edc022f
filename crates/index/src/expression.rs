//! The one expression that an engine matches: a reader's tokens and a query's, all of them our own.

use crate::tokens::Words;

/// How an engine writes "and" and "or".
pub(crate) struct Operators {
    /// Both sides.
    pub(crate) and: &'static str,
    /// Either side.
    pub(crate) or: &'static str,
}

/// Any of `readers` and any token of `words`. Both must hold at least one.
pub(crate) fn expression(operators: &Operators, readers: &[String], words: &Words) -> String {
    let any_reader = readers.join(operators.or);
    let any_term = words.tokens().into_iter().collect::<Vec<_>>().join(operators.or);
    format!("({any_reader}){}({any_term})", operators.and)
}

//! One search as both engines make it.

use fact::Reader;

use crate::tokens::{self, Words};
use crate::{Query, readers};

/// A search that can find something.
pub(crate) struct Search<'a> {
    /// Who asks.
    pub(crate) reader: &'a Reader,
    /// What is asked.
    pub(crate) query: &'a Query,
    /// The tokens of who asks: at least one.
    pub(crate) readers: Vec<String>,
    /// The words of what is asked: at least one.
    pub(crate) words: Words,
}

impl<'a> Search<'a> {
    /// None where nothing can be found: a query without tokens, a limit of 0.
    pub(crate) fn of(reader: &'a Reader, query: &'a Query) -> Option<Self> {
        let words = tokens::of_query(query.text.as_str());
        let readers = readers::of_reader(reader);
        (query.limit > 0 && !words.is_empty()).then_some(Self { reader, query, readers, words })
    }
}

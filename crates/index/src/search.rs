//! One search as both engines make it.

use std::collections::BTreeSet;
use std::future::poll_fn;

use fact::Reader;
use futures_core::stream::BoxStream;

use crate::{Query, readers, tokens};

/// A search that can find something.
pub(crate) struct Search<'a> {
    /// Who asks.
    pub(crate) reader: &'a Reader,
    /// What is asked.
    pub(crate) query: &'a Query,
    /// The tokens of who asks: at least one.
    pub(crate) readers: Vec<String>,
    /// The tokens of what is asked: at least one.
    pub(crate) terms: BTreeSet<String>,
}

impl<'a> Search<'a> {
    /// None where nothing can be found: a query without tokens, a limit of 0.
    pub(crate) fn of(reader: &'a Reader, query: &'a Query) -> Option<Self> {
        let terms = tokens::of_query(query.text.as_str());
        let readers = readers::of_reader(reader);
        (query.limit > 0 && !terms.is_empty()).then_some(Self { reader, query, readers, terms })
    }
}

/// The next row, as it comes: a search may match more rows than are kept.
pub(crate) async fn next<R>(
    rows: &mut BoxStream<'_, Result<R, sqlx::Error>>,
) -> Result<Option<R>, sqlx::Error> {
    poll_fn(|context| rows.as_mut().poll_next(context)).await.transpose()
}

//! What could be found at another time: rows in memory, searched and scored as an engine's are.

use std::collections::HashMap;
use std::sync::Arc;

use fact::{Id, Reader};

use crate::around::StoredPlace;
use crate::near::Nearing;
use crate::rank::{Ranking, StoredRow, StoredScope, View};
use crate::search::Search;
use crate::shelf::{self, Kept, Shelf, StoredVector};
use crate::tokens::{self, Indexed};
use crate::{Around, IndexError, Matches, Nearby, Nearest, Query, Row, readers};

/// The rows of another time.
pub struct Past {
    rows: Vec<PastRow>,
    places: Vec<Place>,
}

struct PastRow {
    row: Row,
    fact: String,
    place: i64,
    indexed: Indexed,
}

/// A scope, with what it holds.
struct Place {
    scope: String,
    entries: i64,
    length: i64,
}

impl Past {
    /// Those rows, whoever may read them.
    pub fn of(rows: Vec<Row>) -> Self {
        let (mut known, mut places): (HashMap<String, usize>, Vec<Place>) = (HashMap::new(), Vec::new());
        let rows = rows.into_iter().map(|row| {
            let (scope, indexed) = (readers::place(&row.scope), tokens::of_text(row.text.as_str()));
            let place = *known.entry(scope.clone()).or_insert_with(|| {
                places.push(Place { scope, entries: 0, length: 0 });
                places.len() - 1
            });
            places[place].entries += 1;
            places[place].length += i64::from(indexed.length);
            PastRow { fact: row.fact.to_string(), place: number(place), indexed, row }
        });
        Self { rows: rows.collect(), places }
    }

    /// As `SearchIndex::search`.
    pub fn search(&self, reader: &Reader, query: &Query) -> Result<Matches, IndexError> {
        let Some(search) = Search::of(reader, query) else { return Ok(Matches::default()) };
        let view = View::of(reader, self.scopes())?;
        let mut ranking = Ranking::new(view, &search);
        for PastRow { row, fact, place, indexed } in &self.rows {
            ranking.add(&StoredRow {
                fact,
                revision: row.revision.get().into(),
                kind: row.kind.as_str(),
                scope: *place,
                length: indexed.length.into(),
                terms: &indexed.terms,
                around: StoredPlace::of(&row.around),
            })?;
        }
        Ok(ranking.best())
    }

    /// As `SearchIndex::nearest`.
    pub fn nearest(&self, reader: &Reader, query: &Nearest) -> Result<Nearby, IndexError> {
        let open: Vec<(i64, i64)> = self
            .scopes()
            .filter_map(|scope| match scope.is_open_to(reader) {
                Ok(true) => Some(Ok((scope.id, 0))),
                Ok(false) => None,
                Err(error) => Some(Err(error)),
            })
            .collect::<Result<_, _>>()?;
        let mut nearing = Nearing::new(reader, query);
        for kept in self.kept(&query.model, &open)? {
            nearing.add(kept);
        }
        Ok(nearing.best())
    }

    fn scopes(&self) -> impl Iterator<Item = StoredScope> {
        self.places.iter().enumerate().map(|(place, Place { scope, entries, length })| StoredScope {
            id: number(place),
            scope: scope.clone(),
            entries: *entries,
            length: *length,
            changes: 0,
        })
    }

    fn kept(&self, model: &str, scopes: &[(i64, i64)]) -> Result<Vec<Arc<Kept>>, IndexError> {
        let by_model = self.rows.iter().flat_map(|one| {
            let vectors = one.row.vectors.iter().filter(|vectors| vectors.model == model);
            vectors.flat_map(|vectors| &vectors.pieces).map(move |vector| (one, vector))
        });
        let stored = by_model.map(|(one, vector)| -> StoredVector {
            let Around { conversation, sequence, message, speaker } = &one.row.around;
            let name = |id: &Option<Id>| id.as_ref().map(Id::to_string);
            (
                one.place,
                one.fact.clone(),
                one.row.revision.get().into(),
                one.row.kind.as_str().to_owned(),
                name(conversation),
                sequence.map(i64::from),
                name(message),
                name(speaker),
                shelf::bytes(vector),
            )
        });
        Shelf::default().put(model, scopes, stored.collect())
    }
}

fn number(place: usize) -> i64 {
    i64::try_from(place).unwrap_or(i64::MAX)
}

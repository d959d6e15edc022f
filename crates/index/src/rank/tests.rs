//! What a search takes in, and what it refuses to.

use fact::{Access, Id, Reader, Sight, Text};

use super::{Ranking, StoredRow, StoredScope, View};
use crate::around::StoredPlace;
use crate::search::Search;
use crate::{IndexError, Query};

const FACT: &str = "01981f6e-6a1c-7c3e-8f0a-0123456789ab";

fn reader() -> Reader {
    Reader { tenant: Id::parse("tenant", "local").unwrap(), sight: Sight::Within(Access::default()) }
}

fn scope(id: i64, scope: &str, entries: i64) -> StoredScope {
    StoredScope::from((id, scope.to_owned(), entries, entries * 2, 0))
}

fn row(fact: &str, scope: i64) -> StoredRow<'_> {
    StoredRow {
        fact,
        revision: 1,
        kind: "note",
        scope,
        length: 2,
        terms: "wtea wcup wtea",
        around: StoredPlace::default(),
    }
}

fn found(rows: &[StoredRow<'_>]) -> Result<usize, IndexError> {
    let scopes =
        [scope(1, r#"{"tenantId":"local"}"#, 4), scope(2, r#"{"tenantId":"local","userId":"bob"}"#, 4)];
    let view = View::of(&reader(), scopes.into_iter())?;
    assert_eq!((view.stock.rows, view.stock.length), (4, 8));
    let query = Query { text: Text::stored("tea".to_owned()), kinds: Vec::new(), limit: 10 };
    let reader = reader();
    let search = Search::of(&reader, &query).unwrap();
    let mut ranking = Ranking::new(view, &search);
    rows.iter().try_for_each(|row| ranking.add(row))?;
    Ok(ranking.best().candidates.len())
}

#[test]
fn a_row_that_the_engine_should_not_have_matched_is_left_out() {
    let mut without = row(FACT, 1);
    without.terms = "wteapot";
    assert_eq!(found(&[row(FACT, 1), row(FACT, 2), row(FACT, 3), without]), Ok(1));
}

#[test]
fn a_damaged_row_is_named_by_its_column() {
    let mut revision = row(FACT, 1);
    revision.revision = 0;
    let mut length = row(FACT, 1);
    length.length = -1;
    for (row, column) in
        [(row("x", 1), "entries.fact"), (revision, "entries.revision"), (length, "entries.length")]
    {
        let error = found(&[row]).unwrap_err();
        assert!(matches!(error, IndexError::Corrupt(_)), "{error}");
        assert!(error.to_string().contains(column), "{error}");
    }
}

#[test]
fn a_damaged_scope_is_an_error_not_an_absence() {
    for stored in [scope(1, "{", 1), scope(1, r#"{"tenantId":"local"}"#, -1)] {
        let error = View::of(&reader(), [stored].into_iter()).err().unwrap();
        assert!(matches!(error, IndexError::Corrupt(_)), "{error}");
    }
}

#[test]
fn a_match_is_read_as_an_engine_gives_it() {
    let query = Query { text: Text::stored("tea".to_owned()), kinds: Vec::new(), limit: 10 };
    let reader = reader();
    let search = Search::of(&reader, &query).unwrap();
    let view = || View::of(&reader, [scope(1, r#"{"tenantId":"local"}"#, 4)].into_iter()).unwrap();
    let plain = format!(r#"["{FACT}", 1, "note", 1, 2, "wtea", null, null, null, null]"#);
    let turn = format!(r#"["{FACT}", 1, "note", 1, 2, "wtea", "c", 4, null, "\"Ann\""]"#);
    let matched = super::best(view(), &search, &format!("[{plain}, {turn}]")).unwrap();
    assert_eq!(matched.candidates.len(), 2);
    for broken in ["", "[[1]]", &format!("[{}]", plain.replace("1,", "\"1\",")), &plain.replace(FACT, "x")] {
        assert!(matches!(super::best(view(), &search, broken), Err(IndexError::Corrupt(_))), "{broken}");
    }
}

//! mem0's history: what it did to each memory, in the order in which it did it.

use std::path::Path;

use fact::{BadInput, LegacyOrigin};
use rusqlite::Row;
use rusqlite::types::ValueRef;
use serde_json::{Map, Value};

use super::EXPECTED;
use crate::out::{Halt, Out, Walk};
use crate::{Skip, payload, place, sqlite};

const HISTORY: &str = include_str!("sql/history.sql");

/// One line of the history. What is not there, or is of another type, is nothing.
struct State {
    id: Option<String>,
    memory: Option<String>,
    words: Result<String, BadInput>,
    is_gone: bool,
    is_earlier: bool,
    created_at: Option<String>,
    updated_at: Option<String>,
}

pub(super) fn read(path: &Path, out: &mut Out<'_>) -> Walk {
    let failed = |error| Halt::from(sqlite::failed(path, error));
    let connection = sqlite::open(path, EXPECTED)?;
    let mut statement = sqlite::prepared(&connection, HISTORY, path, EXPECTED)?;
    let mut rows = statement.query([]).map_err(failed)?;
    let mut number = 0;
    while let Some(row) = rows.next().map_err(failed)? {
        number += 1;
        give(number, state(row), out)?;
    }
    Ok(())
}

fn give(number: usize, state: State, out: &mut Out<'_>) -> Walk {
    let line = state.id.as_deref().map_or_else(|| place::line(number), place::place);
    let Some(memory) = state.memory else {
        return out.refuse(line, BadInput::new("memory_id", "must be a string"));
    };
    if state.is_earlier {
        return out.skip(line, Skip::Earlier);
    }
    let at = place::place(&memory);
    if state.is_gone {
        return out.skip(at, Skip::Deleted);
    }
    let words = match state.words {
        Ok(words) => words,
        Err(why) => return out.refuse(at, why),
    };
    let times = [("data", Some(words)), ("created_at", state.created_at), ("updated_at", state.updated_at)];
    let there = times.into_iter().filter_map(|(name, value)| Some((name.to_owned(), Value::String(value?))));
    payload::give(at, &there.collect::<Map<_, _>>(), LegacyOrigin::Extracted, out)
}

fn state(row: &Row<'_>) -> State {
    let text = |name: &str| row.get::<_, String>(name).ok();
    State {
        id: text("id"),
        memory: text("memory_id").filter(|id| !fact::is_blank(id)),
        words: words(row),
        is_gone: text("event").is_some_and(|event| event == "DELETE")
            || row.get::<_, i64>("is_deleted").is_ok_and(|is_deleted| is_deleted != 0),
        is_earlier: row.get::<_, i64>("is_earlier").is_ok_and(|is_earlier| is_earlier != 0),
        created_at: text("created_at"),
        updated_at: text("updated_at"),
    }
}

/// What a line remembers, or why that is no text.
fn words(row: &Row<'_>) -> Result<String, BadInput> {
    let bad = |why: &'static str| BadInput::new("new_memory", why);
    match row.get_ref("new_memory") {
        Ok(ValueRef::Text(words)) => {
            std::str::from_utf8(words).map(str::to_owned).map_err(|_| bad("is not UTF-8"))
        }
        Ok(ValueRef::Null) | Err(_) => Err(bad("is not there")),
        Ok(ValueRef::Integer(_) | ValueRef::Real(_) | ValueRef::Blob(_)) => Err(bad("must be text")),
    }
}

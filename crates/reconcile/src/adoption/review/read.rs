//! A review from TOML. By hand, so that an error names the group, the row and the field, and repeats no text.

use fact::{FactId, Text, Timestamp, limits};
use toml::{Table, Value};

use super::{BadReview, Choice, Review, ReviewGroup, ReviewRow};
use crate::adoption::audit::{Action, GroupKind, Uncertainty};

/// The fields of a table that are not read yet, and where it stands.
struct Fields {
    place: String,
    table: Table,
}

pub(super) fn parse(text: &str) -> Result<Review, BadReview> {
    let table = text.parse::<Table>().map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        BadReview::new(
            format!("line {line}"),
            "is not TOML; look at its quotes and brackets, and for a field that is there twice",
        )
    })?;
    let mut top = Fields { place: "the review".to_owned(), table };
    let audit = top.needed_string("audit")?;
    let groups = top.tables("group")?;
    top.end("audit and group")?;
    let groups = groups.into_iter().zip(1..).map(|(table, number)| group(table, number));
    Ok(Review { audit, groups: groups.collect::<Result<_, _>>()? })
}

fn group(table: Table, number: usize) -> Result<ReviewGroup, BadReview> {
    let mut fields = Fields { place: format!("group number {number}"), table };
    let id = fields.needed_string("id")?;
    if !id
        .strip_prefix('g')
        .is_some_and(|digits| digits.len() < 10 && digits.bytes().all(|byte| byte.is_ascii_digit()))
    {
        return Err(fields.bad("id", "must be the id of a group, such as g1"));
    }
    fields.place = format!("group {id}");
    let rows = fields.tables("row")?.into_iter().zip(1..);
    let group = ReviewGroup {
        kind: fields.one_of("kind", &GroupKind::ALL.map(|kind| (kind.name(), kind)))?,
        action: fields.one_of("action", &Action::ALL.map(|action| (action.name(), action)))?,
        uncertainty: fields.one_of("uncertainty", &Uncertainty::ALL.map(|level| (level.name(), level)))?,
        why: fields.needed_string("why")?,
        decision: fields.one_of("decision", &Choice::ALL.map(|choice| (choice.name(), choice)))?,
        note: fields.text("note", limits::NOTE_CHARS_MAX)?,
        rows: rows.map(|(table, number)| row(&fields.place, table, number)).collect::<Result<_, _>>()?,
        id,
    };
    fields.end("id, kind, action, uncertainty, why, decision, note and row")?;
    Ok(group)
}

fn row(group: &str, table: Table, number: usize) -> Result<ReviewRow, BadReview> {
    let mut fields = Fields { place: format!("{group}, row number {number}"), table };
    let row = fields.needed_string("row")?;
    let row = FactId::parse(&row).map_err(|bad| fields.bad("row", bad.problem))?;
    fields.place = format!("{group}, row {row}");
    let row = ReviewRow {
        row,
        about: Text::stored(fields.needed_string("about")?),
        text: Text::stored(fields.needed_string("text")?),
        keep: fields.flag("keep")?,
        decision: fields.maybe_one_of("decision", &Choice::ALL.map(|choice| (choice.name(), choice)))?,
        corrected: fields.text("corrected", limits::CONTENT_CHARS_MAX)?,
        from: fields.time("from")?,
        until: fields.time("until")?,
    };
    fields.end("row, about, text, keep, decision, corrected, from and until")?;
    Ok(row)
}

impl Fields {
    fn bad(&self, field: &str, problem: impl Into<String>) -> BadReview {
        BadReview::new(format!("{}, {field}", self.place), problem)
    }

    fn string(&mut self, field: &str) -> Result<Option<String>, BadReview> {
        match self.table.remove(field) {
            Some(Value::String(text)) => Ok(Some(text)),
            Some(
                Value::Integer(_)
                | Value::Float(_)
                | Value::Boolean(_)
                | Value::Datetime(_)
                | Value::Array(_)
                | Value::Table(_),
            ) => Err(self.bad(field, "must be text in quotes")),
            None => Ok(None),
        }
    }

    fn needed_string(&mut self, field: &str) -> Result<String, BadReview> {
        self.string(field)?.ok_or_else(|| self.bad(field, "is missing"))
    }

    fn text(&mut self, field: &'static str, chars_max: usize) -> Result<Option<Text>, BadReview> {
        let text = self.string(field)?;
        let parsed = text.map(|text| Text::parse(field, &text, chars_max)).transpose();
        parsed.map_err(|bad| self.bad(field, bad.problem))
    }

    fn maybe_one_of<T: Copy>(&mut self, field: &str, allowed: &[(&str, T)]) -> Result<Option<T>, BadReview> {
        let Some(given) = self.string(field)? else { return Ok(None) };
        let found = allowed.iter().find(|(name, _)| *name == given);
        let names = || allowed.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        found
            .map(|(_, value)| Some(*value))
            .ok_or_else(|| self.bad(field, format!("must be one of {}", names())))
    }

    fn one_of<T: Copy>(&mut self, field: &str, allowed: &[(&str, T)]) -> Result<T, BadReview> {
        self.maybe_one_of(field, allowed)?.ok_or_else(|| self.bad(field, "is missing"))
    }

    fn flag(&mut self, field: &str) -> Result<bool, BadReview> {
        match self.table.remove(field) {
            None => Ok(false),
            Some(value) => value.as_bool().ok_or_else(|| self.bad(field, "must be true or false")),
        }
    }

    /// A time in quotes or, as TOML has times of its own, without.
    fn time(&mut self, field: &'static str) -> Result<Option<Timestamp>, BadReview> {
        if let Some(Value::Datetime(time)) = self.table.get(field) {
            let written = Value::String(time.to_string());
            self.table.insert(field.to_owned(), written);
        }
        let text = self.string(field)?;
        let parsed = text.map(|text| Timestamp::parse(field, &text)).transpose();
        parsed.map_err(|bad| self.bad(field, bad.problem))
    }

    fn tables(&mut self, field: &str) -> Result<Vec<Table>, BadReview> {
        let bad = |fields: &Self| fields.bad(field, format!("must be written as [[{field}]] blocks"));
        let Some(value) = self.table.remove(field) else { return Ok(Vec::new()) };
        let Value::Array(values) = value else { return Err(bad(self)) };
        let tables = values.into_iter().map(|value| match value {
            Value::Table(table) => Ok(table),
            Value::String(_)
            | Value::Integer(_)
            | Value::Float(_)
            | Value::Boolean(_)
            | Value::Datetime(_)
            | Value::Array(_) => Err(bad(self)),
        });
        tables.collect()
    }

    /// Refuses fields that were not asked for.
    fn end(self, allowed: &str) -> Result<(), BadReview> {
        let is_plain =
            |name: &&String| name.len() <= 32 && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        match self.table.keys().find(is_plain).or_else(|| self.table.keys().next()) {
            None => Ok(()),
            Some(name) if is_plain(&name) => {
                Err(self.bad(name, format!("is no field; there may be {allowed}")))
            }
            Some(_) => Err(self.bad("a field", format!("is not known; there may be {allowed}"))),
        }
    }
}

//! The decisions about one group, and about each of its rows.

use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use truthkeeper::{
    BadInput, BadReview, Choice, Group, GroupRow, Review, ReviewGroup, ReviewRow, Text, limits,
};

use super::super::assets;
use super::super::fields::{Fields, Queried};
use super::super::frame::{Flash, Frame, Section, page, page_of};
use super::super::said::Said;
use super::super::session::SignedIn;
use super::drafts::{Draft, Tally, Unchanged};
use super::pages::Pages;
use super::review::GroupLine;
use super::row::{Row, Typed};
use super::{draft_of, safe, words};
use crate::app::App;
use crate::fault::Fault;

/// Rows of a page.
const PAGE_ROWS: usize = 25;

#[derive(Template)]
#[template(path = "adoption_group.html")]
struct Shown {
    frame: Frame,
    path: String,
    line: GroupLine,
    version: String,
    approving: &'static str,
    /// Whether each row that is approved is approved by itself.
    is_row_by_row: bool,
    has_keeper: bool,
    is_sealed: bool,
    /// The decision about all that have none of their own.
    decision: String,
    note: String,
    rows: Vec<Row>,
    pages: Pages,
    place: (usize, usize),
    next: Option<String>,
    problem: Option<Said>,
}

/// A review that is not kept any more, and what was typed for it.
#[derive(Template)]
#[template(path = "adoption_gone.html")]
struct Gone {
    frame: Frame,
    message: String,
    typed: Vec<Said>,
}

pub(super) async fn show(
    State(app): State<App>,
    signed: SignedIn,
    Path((audit, group)): Path<(String, String)>,
    Queried(asked): Queried,
) -> Result<Response, Fault> {
    let draft = draft_of(&app, &signed, &audit)?;
    page(&shown(&app, &signed, &draft, &group, &asked).await?)
}

pub(super) async fn decide(
    State(app): State<App>,
    signed: SignedIn,
    Path((audit, group)): Path<(String, String)>,
    fields: Fields,
) -> Result<Response, Fault> {
    let draft = match draft_of(&app, &signed, &audit) {
        Ok(draft) => draft,
        Err(fault) if fault.code == "review-not-kept" => return gone(&app, &signed, &fields, fault).await,
        Err(fault) => return Err(fault),
    };
    let changed = draft.change(fields.raw("version"), |review| {
        let audited = draft.audit.groups.iter().find(|one| one.id == group);
        let decided = review.groups.iter_mut().find(|one| one.id == group);
        match (audited, decided) {
            (Some(audited), Some(decided)) => take(audited, decided, &fields),
            (Some(_) | None, Some(_) | None) => Err(bad("the group", "there is none of that name")),
        }
    });
    let Err(why) = changed else { return Ok(saved(&signed, &draft, &group, &fields)) };
    let status = match why {
        Unchanged::Bad(_) => StatusCode::BAD_REQUEST,
        Unchanged::Sealed | Unchanged::Stale => StatusCode::CONFLICT,
    };
    let shown = shown(&app, &signed, &draft, &group, &fields).await?;
    let problem = Some(Said::of(safe::refused(&why)));
    page_of(status, &kept(Shown { problem, ..shown }, &fields))
}

/// Goes on where the button says.
fn saved(signed: &SignedIn, draft: &Draft, group: &str, fields: &Fields) -> Response {
    let review = draft.now().review;
    let words = review.groups.iter().find(|one| one.id == group).map(|one| Tally::of_group(one).words());
    signed.say(Flash::of(format!("Saved: {}.", words.unwrap_or_default())));
    let stays = fields.get("then") == Some("stay");
    let next = next(&review, group).filter(|_| !stays).map(|next| draft.path_to(&next));
    let here = match fields.get("from") {
        Some(from) if stays && from.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("{}?from={from}", draft.path_to(group))
        }
        Some(_) | None if stays => draft.path_to(group),
        Some(_) | None => format!("{}/summary", draft.path()),
    };
    Redirect::to(&next.unwrap_or(here)).into_response()
}

/// The group that is not decided yet after this one, or else the first.
fn next(review: &Review, group: &str) -> Option<String> {
    let place = review.groups.iter().position(|one| one.id == group)?;
    let (before, after) = review.groups.split_at(place);
    let mut others = after.iter().skip(1).chain(before);
    others.find(|one| Tally::of_group(one).left > 0).map(|one| one.id.clone())
}

/// Takes what a form says into the decisions about a group.
fn take(audited: &Group, decided: &mut ReviewGroup, fields: &Fields) -> Result<(), BadReview> {
    if let Some(choice) = choice_of(fields.raw("decision"), "the group")? {
        if choice == Choice::Approve && audited.is_row_by_row() {
            return Err(bad("the group", "these are approved one by one: decide each by itself"));
        }
        decided.decision = choice;
    }
    decided.note = match fields.get("note") {
        Some(note) => {
            Some(Text::parse("note", note.trim(), limits::NOTE_CHARS_MAX).map_err(|error| of(&error))?)
        }
        None => None,
    };
    let is_row = |row: &GroupRow| fields.all("row").any(|sent| sent == row.row.to_string());
    for (number, found) in audited.rows.iter().enumerate().filter(|(_, row)| is_row(row)) {
        let row = decided.rows.iter_mut().find(|row| row.row == found.row);
        if let Some(row) = row {
            take_row(row, fields, &format!("memory {}", number + 1))?;
        }
    }
    if let Some(keep) = fields.get("keep") {
        if !decided.rows.iter().any(|row| row.row.to_string() == keep) {
            return Err(bad("the one that is kept", "it is not of this group"));
        }
        decided.rows.iter_mut().for_each(|row| row.keep = row.row.to_string() == keep);
    }
    Ok(())
}

fn take_row(row: &mut ReviewRow, fields: &Fields, place: &str) -> Result<(), BadReview> {
    let name = |name: &str| format!("{name}-{}", row.row);
    let failed = |error: BadInput| bad(place, error.to_string());
    row.decision = choice_of(fields.raw(&name("choice")), place)?;
    // What a form does not have stays as it is.
    if fields.all(&name("corrected")).next().is_some() {
        let corrected = fields.get(&name("corrected")).filter(|text| *text != row.text.as_str());
        let corrected = corrected.map(|text| Text::parse("new words", text, limits::CONTENT_CHARS_MAX));
        row.corrected = corrected.transpose().map_err(failed)?;
        row.from = fields.time_in(&name("from"), "true from").map_err(failed)?;
        row.until = fields.time_in(&name("until"), "true until").map_err(failed)?;
        if row.from.zip(row.until).is_some_and(|(from, until)| until <= from) {
            return Err(bad(place, "true until: must be later than true from"));
        }
    }
    Ok(())
}

/// A choice by its name; none where nothing is chosen.
fn choice_of(name: &str, place: &str) -> Result<Option<Choice>, BadReview> {
    if name.is_empty() {
        return Ok(None);
    }
    let found = Choice::ALL.into_iter().find(|choice| choice.name() == name);
    found.map(Some).ok_or_else(|| bad(place, "it is approved, rejected, deferred or left"))
}

fn bad(place: &str, problem: impl Into<String>) -> BadReview {
    BadReview { place: place.to_owned(), problem: problem.into() }
}

fn of(error: &BadInput) -> BadReview {
    bad(&error.field, error.problem.as_ref())
}

async fn shown(
    app: &App,
    signed: &SignedIn,
    draft: &Draft,
    group: &str,
    asked: &Fields,
) -> Result<Shown, Fault> {
    let now = draft.now();
    let review = &now.review;
    let missing = || Fault::new(StatusCode::NOT_FOUND, "group-not-found", "the review has no such group");
    let (audited, decided) = draft.group(review, group).ok_or_else(missing)?;
    let frame = Frame::of(app, signed, Section::Adoption, words::kind(audited.kind)).await?;
    let pages = Pages::of(asked, &draft.path_to(group), audited.rows.len(), PAGE_ROWS);
    let found = audited.rows.get(pages.shown.clone()).unwrap_or_default().iter();
    let rows = found.map(|found| {
        let row = decided.rows.iter().find(|row| row.row == found.row);
        let mut typed = row.map(Typed::of).unwrap_or_default();
        if let (1, Some(row)) = (audited.rows.len(), row) {
            // Where there is but one, its decision and that of the group are one.
            typed.choice = decided.choice(row).name().to_owned();
        }
        Row::of(found, typed, frame.now)
    });
    let rows = rows.collect();
    let place = review.groups.iter().position(|one| one.id == group).map_or(0, |place| place + 1);
    Ok(Shown {
        path: draft.path(),
        line: GroupLine::of(draft, (audited, decided)).ok_or_else(missing)?,
        version: review.digest(),
        approving: words::approving(audited.action),
        is_row_by_row: audited.is_row_by_row(),
        has_keeper: audited.rows.iter().any(|row| row.keep),
        is_sealed: now.sealed.is_some(),
        decision: decided.decision.name().to_owned(),
        note: decided.note.as_ref().map(|note| note.as_str().to_owned()).unwrap_or_default(),
        rows,
        pages,
        place: (place, review.groups.len()),
        next: next(review, group).map(|next| draft.path_to(&next)),
        problem: None,
        frame,
    })
}

/// The same with what was sent in its fields.
fn kept(mut shown: Shown, fields: &Fields) -> Shown {
    for row in &mut shown.rows {
        if fields.all("row").any(|sent| sent == row.row.to_string()) {
            row.typed = Typed::sent(fields, row.row);
        }
    }
    let decision = fields.get("decision").unwrap_or(&shown.decision).to_owned();
    Shown { decision, note: fields.raw("note").to_owned(), ..shown }
}

async fn gone(app: &App, signed: &SignedIn, fields: &Fields, fault: Fault) -> Result<Response, Fault> {
    let frame = Frame::of(app, signed, Section::Adoption, "That review is gone").await?;
    let is_text = |name: &str| name == "note" || name.starts_with("corrected-");
    let typed = fields.others(&[]).into_iter().filter(|(name, _)| is_text(name));
    let typed = typed.map(|(_, text)| Said::of(text)).collect();
    page_of(fault.status, &Gone { frame, message: fault.message, typed })
}

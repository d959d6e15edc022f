//! What is contested, side by side, and what its owner says about it.

use askama::Template;
use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use serde_json::Value;
use truthkeeper::{
    Admission, BadInput, Caller, Case, ConflictId, Draft, FactId, MemoryError, OpenConflict, Outcome,
    Receipt, Right, Ruling, Timestamp, is_owner, limits,
};

use super::act::{asked, done_at};
use super::assets;
use super::edit::content;
use super::fields::Fields;
use super::frame::{Flash, Frame, Section, page, page_of};
use super::said::Said;
use super::session::SignedIn;
use super::version::Version;
use super::when::When;
use crate::app::App;
use crate::fault::Fault;
use crate::input;
use crate::plain;
use crate::wire::{ConflictStanding, admission, standing};

/// Conflicts that are gone through in one row.
const QUEUE_MAX: usize = 1_000;

#[derive(Template)]
#[template(path = "conflicts.html")]
struct List {
    frame: Frame,
    waiting: Vec<Waiting>,
    /// How many are open, those that are not shown among them.
    open: usize,
}

/// An open conflict, without what it says.
struct Waiting {
    conflict: ConflictId,
    kind: Said,
    scope: Said,
    key: Option<Said>,
    opened: When,
    is_own: bool,
}

#[derive(Template)]
#[template(path = "conflict.html")]
struct Shown {
    frame: Frame,
    conflict: ConflictId,
    fact: FactId,
    kind: Said,
    scope: Said,
    sides: Vec<Version>,
    standing: ConflictStanding,
    /// The version of the conflict, which a ruling is about.
    version: Option<u32>,
    opened: Option<When>,
    /// Which of how many it is.
    place: Option<(usize, usize)>,
    next: Option<ConflictId>,
    /// Whether whoever is signed in decides about it.
    is_own: bool,
    typed: Typed,
    problem: Option<Said>,
    /// Whether it changed since it was looked at.
    is_stale: bool,
}

/// What was typed, and is kept where the ruling is refused.
#[derive(Default)]
struct Typed {
    note: String,
    wording: String,
    /// How the wording is read: `text` or `json`.
    form: &'static str,
}

impl Typed {
    fn is_any(&self) -> bool {
        !self.note.trim().is_empty() || !self.wording.trim().is_empty()
    }
}

pub(crate) async fn list(State(app): State<App>, signed: SignedIn) -> Result<Response, Fault> {
    let caller = signed.keyed.caller(Right::Review)?;
    let (queue, open) = queue(&app, &caller).await?;
    let frame = Frame::of(&app, &signed, Section::Conflicts, "Conflicts").await?;
    let waiting = queue.iter().map(|one| Waiting {
        conflict: one.conflict,
        kind: Said::of(one.kind.as_str()),
        scope: Said::of(one.scope.path()),
        key: one.key.as_ref().map(|key| Said::of(key.as_str())),
        opened: When::of(one.opened_at, frame.now),
        is_own: is_owner(&caller.actor, &one.scope),
    });
    page(&List { waiting: waiting.collect(), open, frame })
}

pub(crate) async fn show(
    State(app): State<App>,
    signed: SignedIn,
    Path(id): Path<String>,
) -> Result<Response, Fault> {
    let caller = signed.keyed.caller(Right::Review)?;
    let conflict = named(&id)?;
    let case = app.memory.conflict(&caller, conflict).await?;
    let frame = Frame::of(&app, &signed, Section::Conflicts, "A conflict").await?;
    page(&shown(&app, &caller, frame, &case, conflict).await?)
}

pub(crate) async fn settle(
    State(app): State<App>,
    signed: SignedIn,
    Path(id): Path<String>,
    fields: Fields,
) -> Result<Response, Fault> {
    let (caller, key) = asked(&signed, Right::Review, &fields)?;
    let conflict = named(&id)?;
    let next = next(&queue(&app, &caller).await?.0, conflict);
    let outcome = match ruling(&fields) {
        Ok((version, ruling)) => {
            let seen = (conflict, version);
            app.memory
                .settle(&caller, key, seen, ruling.clone(), fields.get("note"))
                .await
                .map(|done| (ruling, done))
        }
        Err(bad) => Err(bad.into()),
    };
    match outcome {
        Ok((ruling, receipt)) => {
            let undo = format!("/conflicts/{conflict}/reopen");
            signed.say(Flash::of(settled(&ruling, &receipt)).or_undo(undo));
            let to = next.map_or_else(|| "/conflicts".to_owned(), |next| format!("/conflicts/{next}"));
            Ok(Redirect::to(&to).into_response())
        }
        Err(error) => again(&app, &signed, conflict, &fields, error.into()).await,
    }
}

pub(crate) async fn reopen(
    State(app): State<App>,
    signed: SignedIn,
    Path(id): Path<String>,
    fields: Fields,
) -> Result<Response, Fault> {
    let (caller, key) = asked(&signed, Right::Review, &fields)?;
    let conflict = named(&id)?;
    let receipt = app.memory.reopen(&caller, key, conflict).await?;
    Ok(done_at(&signed, &format!("/conflicts/{conflict}"), &receipt))
}

/// The conflict as it is now, with why the ruling was refused and with what was typed.
async fn again(
    app: &App,
    signed: &SignedIn,
    conflict: ConflictId,
    fields: &Fields,
    fault: Fault,
) -> Result<Response, Fault> {
    let is_stale = fault.code == "conflict-changed";
    if !is_stale && fault.code != "bad-input" {
        return Err(fault);
    }
    let caller = signed.keyed.caller(Right::Review)?;
    let case = app.memory.conflict(&caller, conflict).await?;
    let frame = Frame::of(app, signed, Section::Conflicts, "A conflict").await?;
    let shown = shown(app, &caller, frame, &case, conflict).await?;
    let typed = Typed {
        note: fields.raw("note").to_owned(),
        wording: fields.raw("wording").to_owned(),
        form: shown.typed.form,
    };
    let problem = (!is_stale).then(|| Said::of(fault.message));
    page_of(fault.status, &Shown { typed, problem, is_stale, ..shown })
}

async fn shown(
    app: &App,
    caller: &Caller,
    frame: Frame,
    case: &Case,
    conflict: ConflictId,
) -> Result<Shown, Fault> {
    let (standing, contest) = standing(case, conflict);
    let (queue, _) = queue(app, caller).await?;
    let place = queue.iter().position(|one| one.conflict == conflict);
    let is_text = case
        .revisions
        .iter()
        .all(|side| side.content().is_none_or(|content| plain::text_alone(content.value()).is_some()));
    Ok(Shown {
        conflict,
        fact: case.head.fact,
        kind: Said::of(case.head.kind.as_str()),
        scope: Said::of(case.head.scope.path()),
        sides: sides(case, frame.now),
        standing,
        version: contest.map(|contest| contest.version),
        opened: contest.map(|contest| When::of(contest.opened_at, frame.now)),
        place: place.map(|place| (place + 1, queue.len())),
        next: next(&queue, conflict),
        is_own: is_owner(&caller.actor, &case.head.scope) && caller.writer.may_write(&case.head.scope),
        typed: Typed { form: if is_text { "text" } else { "json" }, ..Typed::default() },
        problem: None,
        is_stale: false,
        frame,
    })
}

/// The versions, oldest first, each beside the oldest.
fn sides(case: &Case, now: Timestamp) -> Vec<Version> {
    let oldest = case.revisions.first();
    let side = |side| {
        let version = Version::of_revision(case.head.fact, side, now);
        let version = match oldest {
            Some(oldest) => version.beside(oldest, side),
            None => version,
        };
        Version { quarantined: admission(case, side) == Admission::Quarantined, ..version }
    };
    case.revisions.iter().map(side).collect()
}

/// The open conflicts, the one that waits for longest first, and how many there are.
async fn queue(app: &App, caller: &Caller) -> Result<(Vec<OpenConflict>, usize), Fault> {
    let (mut queue, open) = app.memory.conflicts(caller, QUEUE_MAX).await?;
    queue.reverse();
    Ok((queue, open))
}

/// The one after a conflict; the first one after the last.
fn next(queue: &[OpenConflict], conflict: ConflictId) -> Option<ConflictId> {
    let place = queue.iter().position(|one| one.conflict == conflict);
    let after = place.and_then(|place| queue.get(place + 1));
    after.or(queue.first()).map(|one| one.conflict).filter(|next| *next != conflict)
}

/// What the buttons of the form say, and the version of the conflict that was looked at.
fn ruling(fields: &Fields) -> Result<(u32, Ruling), BadInput> {
    let version = fields.get("version").and_then(|version| version.parse().ok());
    let version = version.ok_or_else(|| BadInput::new("version", "must be the conflict's"))?;
    let side = |name| match fields.get(name) {
        Some(side) => input::version(name, side),
        None => Err(BadInput::new(name, "is missing")),
    };
    let ruling = match (fields.get("keep"), fields.get("act")) {
        (Some(keep), None) => Ruling::Keep(input::version("keep", keep)?),
        (None, Some("reword")) => {
            Ruling::Reword(Box::new(Draft { content: Some(worded(fields)?), ..Draft::default() }))
        }
        (None, Some("both")) => {
            let (keep, apart) = (side("goesOn")?, side("apart")?);
            if keep == apart {
                return Err(BadInput::new("apart", "must be another version than the one that goes on"));
            }
            Ruling::Both { keep, apart }
        }
        (Some(_) | None, Some(_) | None) => {
            return Err(BadInput::new("keep", "choose a version, new words, or both"));
        }
    };
    Ok((version, ruling))
}

fn worded(fields: &Fields) -> Result<Value, BadInput> {
    let worded = content(fields.raw("wording"), fields.raw("form"));
    worded.map_err(|bad| BadInput { field: "wording".into(), ..bad })
}

fn settled(ruling: &Ruling, receipt: &Receipt) -> String {
    let kept = match ruling {
        Ruling::Keep(keep) => format!("Kept version {keep}."),
        Ruling::Reword(_) => "It says what you wrote now.".to_owned(),
        Ruling::Both { keep, apart } => {
            format!("Both are true: version {keep} goes on, and version {apart} is a fact of its own.")
        }
    };
    match matches!(receipt.outcome, Outcome::Settled { quarantined: true, .. }) {
        true => format!("{kept} It is quarantined: it stays out of recall until an operator admits it."),
        false => kept,
    }
}

fn named(id: &str) -> Result<ConflictId, MemoryError> {
    ConflictId::parse(id).map_err(|_| MemoryError::NoSuchConflict)
}

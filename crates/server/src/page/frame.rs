//! What stands around every section: where one is, who one is, what waits, and what was just done.

use askama::Template;
use axum::Extension;
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse as _, Response};
use truthkeeper::{Caller, OwnerCensus, Right, Timestamp, Waiting};
use uuid::Uuid;

use super::said::Said;
use super::session::SignedIn;
use super::sync;
use crate::app::App;
use crate::fault::Fault;

/// A part of the page that has a place in the navigation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    Memory,
    Conflicts,
    Forgotten,
    Review,
    Adoption,
    Sync,
    Status,
}

/// The sections in their order.
const SECTIONS: [(Section, &str, &str); 7] = [
    (Section::Memory, "Memory", "/memory"),
    (Section::Conflicts, "Conflicts", "/conflicts"),
    (Section::Forgotten, "Forgotten", "/forgotten"),
    (Section::Review, "Review", "/review"),
    (Section::Adoption, "Adoption", "/adoption"),
    (Section::Sync, "Search sync", "/sync"),
    (Section::Status, "Status", "/status"),
];

/// The first section that is for whoever is signed in.
pub(crate) fn first(signed: &SignedIn) -> &'static str {
    let allowed = SECTIONS.into_iter().find(|(section, ..)| section.is_for(signed));
    // A key that only writes has a form to write in.
    let otherwise = if signed.keyed.may(Right::FactsWrite) { "/memory/new" } else { "/memory" };
    allowed.map_or(otherwise, |(.., path)| path)
}

/// What is said once, after something was done.
#[derive(Debug, Clone)]
pub(crate) struct Flash {
    pub(crate) text: String,
    /// How to take it back.
    pub(crate) undo: Option<Undo>,
}

/// A form of one button that takes back what was done.
#[derive(Debug, Clone)]
pub(crate) struct Undo {
    pub(crate) path: String,
    pub(crate) request: String,
}

/// A place in the navigation.
pub(crate) struct Place {
    pub(crate) name: &'static str,
    pub(crate) path: &'static str,
    pub(crate) is_here: bool,
    /// How much waits there.
    pub(crate) waiting: usize,
}

/// What a page begins and ends with.
pub(crate) struct Frame {
    pub(crate) title: String,
    /// How much waits everywhere.
    pub(crate) waiting: usize,
    pub(crate) places: Vec<Place>,
    /// The key that is signed in with, and as whom it acts.
    pub(crate) label: Said,
    pub(crate) actor: Said,
    pub(crate) flash: Option<Flash>,
    pub(crate) now: Timestamp,
    pub(crate) may_write: bool,
}

impl Frame {
    /// The frame of a page in a section.
    pub(crate) async fn of(
        app: &App,
        signed: &SignedIn,
        here: Section,
        title: impl Into<String>,
    ) -> Result<Self, Fault> {
        let key = signed.keyed.key();
        let allowed = SECTIONS.into_iter().filter(|(section, ..)| section.is_for(signed));
        let (waiting, older) = (waiting(app, signed).await?, older(app, signed).await?);
        let place = |(section, name, path): (Section, _, _)| Place {
            name,
            path,
            is_here: section == here,
            waiting: section.waiting(waiting, older),
        };
        let places: Vec<Place> = allowed.map(place).collect();
        let waiting = places.iter().map(|place| place.waiting).sum();
        Ok(Self {
            title: title.into(),
            waiting,
            places,
            label: Said::of(key.label.as_str()),
            actor: Said::of(crate::plain::actor(&key.actor)),
            flash: signed.said(),
            now: app.memory.now(&key.tenant).await?,
            may_write: signed.keyed.may(Right::FactsWrite),
        })
    }

    /// A name for the request that a form makes: sent twice, it is answered twice and done once.
    pub(crate) fn request(&self) -> String {
        new_request()
    }
}

impl Section {
    /// Whether it is for whoever is signed in.
    fn is_for(self, signed: &SignedIn) -> bool {
        match self {
            Self::Memory | Self::Forgotten => signed.keyed.may(Right::FactsRead),
            Self::Conflicts | Self::Review => signed.keyed.may(Right::Review),
            Self::Adoption => signed.keyed.may(Right::Review) && signed.is_person(),
            Self::Sync => sync::whose(signed).is_ok(),
            Self::Status => signed.keyed.may(Right::Operate),
        }
    }

    /// How much waits there.
    fn waiting(self, waiting: Waiting, older: u64) -> usize {
        match self {
            Self::Memory | Self::Forgotten | Self::Status => 0,
            Self::Adoption => usize::try_from(older).unwrap_or(usize::MAX),
            Self::Conflicts => waiting.conflicts,
            Self::Review => waiting.reviews,
            Self::Sync => usize::try_from(waiting.failed).unwrap_or(usize::MAX),
        }
    }
}

/// How much waits for whoever is signed in.
async fn waiting(app: &App, signed: &SignedIn) -> Result<Waiting, Fault> {
    let waiting = match signed.keyed.may(Right::Review) {
        true => app.memory.waiting(&Caller::from(signed.keyed.key())).await?,
        false => Waiting::default(),
    };
    match signed.keyed.may(Right::Operate) {
        true => Ok(Waiting { failed: sync::failed(app, signed).await?, ..waiting }),
        false => Ok(waiting),
    }
}

/// How many older memories wait for whoever is signed in to decide about them.
async fn older(app: &App, signed: &SignedIn) -> Result<u64, Fault> {
    if !Section::Adoption.is_for(signed) {
        return Ok(0);
    }
    let caller = Caller::from(signed.keyed.key());
    let census = app.memory.census(&caller).await?;
    let theirs = census.iter().filter(|one| caller.writer.may_write(&one.scope));
    Ok(theirs.map(OwnerCensus::waiting).sum())
}

impl Flash {
    /// Something to say.
    pub(crate) fn of(text: impl Into<String>) -> Self {
        Self { text: text.into(), undo: None }
    }

    /// The same, with a way back.
    pub(crate) fn or_undo(self, path: String) -> Self {
        Self { undo: Some(Undo { path, request: new_request() }), ..self }
    }
}

/// A name that no request had.
pub(crate) fn new_request() -> String {
    Uuid::now_v7().to_string()
}

/// Marks an answer that says itself why something was refused.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shown;

/// A template as an answer.
pub(crate) fn page(template: &impl Template) -> Result<Response, Fault> {
    page_of(StatusCode::OK, template)
}

/// The same, with a status.
pub(crate) fn page_of(status: StatusCode, template: &impl Template) -> Result<Response, Fault> {
    match template.render() {
        Ok(html) => Ok((status, Extension(Shown), Html(html)).into_response()),
        Err(error) => {
            let fault = Fault::of_status(StatusCode::INTERNAL_SERVER_ERROR);
            Err(Fault { cause: Some(error.to_string()), ..fault })
        }
    }
}

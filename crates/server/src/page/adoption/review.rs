//! A review as a whole: its groups, and how far it is.

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use truthkeeper::{Group, ReviewGroup};

use super::super::assets;
use super::super::fields::Queried;
use super::super::frame::{Frame, Section, page};
use super::super::said::Said;
use super::super::session::SignedIn;
use super::super::when::When;
use super::drafts::{Draft, Tally};
use super::pages::Pages;
use super::{draft_of, words};
use crate::app::App;
use crate::fault::Fault;

/// Groups of a page.
const PAGE_GROUPS: usize = 50;

#[derive(Template)]
#[template(path = "adoption_review.html")]
struct Shown {
    frame: Frame,
    path: String,
    owner: Said,
    /// As of when the rows were looked at.
    at: When,
    words_only: bool,
    tally: Tally,
    is_sealed: bool,
    /// Rows of safe groups that are pending.
    safe: usize,
    groups: Vec<GroupLine>,
    pages: Pages,
}

/// A group in a list.
pub(super) struct GroupLine {
    pub(super) path: String,
    pub(super) kind: &'static str,
    pub(super) action: &'static str,
    pub(super) uncertainty: &'static str,
    pub(super) why: Said,
    pub(super) is_safe: bool,
    pub(super) tally: Tally,
    /// What its first row says.
    pub(super) first: Option<Said>,
}

pub(super) async fn show(
    State(app): State<App>,
    signed: SignedIn,
    Path(audit): Path<String>,
    Queried(asked): Queried,
) -> Result<Response, Fault> {
    let draft = draft_of(&app, &signed, &audit)?;
    let frame = Frame::of(&app, &signed, Section::Adoption, "Review of older memories").await?;
    let now = draft.now();
    let review = &now.review;
    let pages = Pages::of(&asked, &draft.path(), review.groups.len(), PAGE_GROUPS);
    let groups = review.groups.get(pages.shown.clone()).unwrap_or_default().iter();
    let groups = groups.filter_map(|group| GroupLine::of(&draft, draft.group(review, &group.id)?)).collect();
    let safe = review.safe_groups(&draft.audit).unwrap_or_default();
    let pending = review.groups.iter().filter(|group| safe.contains(&group.id));
    page(&Shown {
        path: draft.path(),
        owner: Said::of(draft.owner.to_string()),
        at: When::of(draft.audit.at, frame.now),
        words_only: draft.audit.words_only,
        tally: Tally::of(review),
        is_sealed: now.sealed.is_some(),
        safe: pending.map(|group| Tally::of_group(group).left).sum(),
        groups,
        pages,
        frame,
    })
}

impl GroupLine {
    pub(super) fn of(draft: &Draft, (audited, decided): (&Group, &ReviewGroup)) -> Option<Self> {
        Some(Self {
            path: draft.path_to(&audited.id),
            kind: words::kind(audited.kind),
            action: words::action(audited.action),
            uncertainty: words::uncertainty(audited.uncertainty),
            why: Said::of(words::sentence(&audited.why)),
            is_safe: audited.safe,
            tally: Tally::of_group(decided),
            first: audited.rows.first().map(|row| Said::of(row.legacy.text.as_str())),
        })
    }
}

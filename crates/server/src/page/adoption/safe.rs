//! Approving what is safe in one decision, after a look at what would become current.

use askama::Template;
use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use truthkeeper::{Choice, Group, GroupKind, LegacyOrigin, Review, ReviewGroup};

use super::super::assets;
use super::super::fields::Fields;
use super::super::frame::{Flash, Frame, Section, page};
use super::super::said::Said;
use super::super::session::SignedIn;
use super::drafts::{Draft, Unchanged};
use super::{draft_of, pages, words};
use crate::app::App;
use crate::fault::Fault;

/// Statements that a look names.
const NAMED_MAX: usize = 1_000;

#[derive(Template)]
#[template(path = "adoption_safe.html")]
struct Preview {
    frame: Frame,
    path: String,
    version: String,
    groups: Vec<Would>,
    /// Statements that would become current, and those that are named.
    current: usize,
    named: usize,
}

/// What approving a group would do.
pub(super) struct Would {
    pub(super) kind: &'static str,
    pub(super) path: String,
    pub(super) lines: Vec<Line>,
}

/// What would become of a row.
pub(super) struct Line {
    pub(super) text: Said,
    /// Rows that it would cite besides.
    pub(super) cites: usize,
    /// Whether it is kept as a record, and not as current truth.
    pub(super) is_record: bool,
}

pub(super) async fn show(
    State(app): State<App>,
    signed: SignedIn,
    Path(audit): Path<String>,
) -> Result<Response, Fault> {
    let draft = draft_of(&app, &signed, &audit)?;
    let frame = Frame::of(&app, &signed, Section::Adoption, "Approve what is safe").await?;
    let mut review = draft.now().review;
    let version = review.digest();
    let safe = review.approve_safe(&draft.audit).unwrap_or_default();
    let mut groups = would(&draft, &review, |group| safe.contains(&group.id));
    let current = groups.iter().flat_map(|group| &group.lines).filter(|line| !line.is_record).count();
    let mut left = NAMED_MAX;
    for group in &mut groups {
        group.lines.truncate(left);
        left -= group.lines.len();
    }
    page(&Preview { path: draft.path(), version, groups, current, named: NAMED_MAX - left, frame })
}

pub(super) async fn approve(
    State(app): State<App>,
    signed: SignedIn,
    Path(audit): Path<String>,
    fields: Fields,
) -> Result<Response, Fault> {
    let draft = draft_of(&app, &signed, &audit)?;
    let before = draft.tally().approved;
    let changed = draft.change(fields.raw("version"), |review| review.approve_safe(&draft.audit).map(drop));
    signed.say(Flash::of(match changed {
        Ok(()) => format!("{} approved.", pages::rows(draft.tally().approved.saturating_sub(before))),
        Err(why) => refused(&why),
    }));
    Ok(Redirect::to(&draft.path()).into_response())
}

/// Why nothing was decided.
pub(super) fn refused(why: &Unchanged) -> String {
    match why {
        Unchanged::Sealed => "The review is sealed: nothing was changed.".to_owned(),
        Unchanged::Stale => {
            "The review was changed meanwhile, in another window: nothing was taken. This is how it stands now."
                .to_owned()
        }
        Unchanged::Bad(bad) => bad.to_string(),
    }
}

/// What the approved rows of some groups would become.
pub(super) fn would(draft: &Draft, review: &Review, of: impl Fn(&ReviewGroup) -> bool) -> Vec<Would> {
    let groups = review.groups.iter().filter(|group| of(group));
    let would = groups.filter_map(|group| {
        let (audited, decided) = draft.group(review, &group.id)?;
        let lines = lines(audited, decided);
        let path = draft.path_to(&group.id);
        (!lines.is_empty()).then(|| Would { kind: words::kind(audited.kind), path, lines })
    });
    would.collect()
}

fn lines(audited: &Group, decided: &ReviewGroup) -> Vec<Line> {
    let has_keeper = match audited.kind {
        GroupKind::LikelyDuplicates | GroupKind::Fragments => true,
        GroupKind::MalformedProvenance
        | GroupKind::PossibleContradictions
        | GroupKind::Lapsed
        | GroupKind::RelatedEpisodes
        | GroupKind::Plain => false,
    };
    let approved: Vec<_> = decided.rows.iter().filter(|row| decided.choice(row) == Choice::Approve).collect();
    let keeper = approved.iter().find(|row| row.keep).or(approved.first()).map(|row| row.row);
    let shown = approved.iter().filter(|row| !has_keeper || Some(row.row) == keeper);
    let line = |row: &&&truthkeeper::ReviewRow| Line {
        text: Said::of(row.corrected.as_ref().unwrap_or(&row.text).as_str()),
        cites: if has_keeper { approved.len() - 1 } else { 0 },
        is_record: audited
            .rows
            .iter()
            .any(|found| found.row == row.row && found.legacy.origin == LegacyOrigin::Episode),
    };
    shown.map(|row| line(&row)).collect()
}

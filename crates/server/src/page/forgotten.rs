//! What is over and can be brought back.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use truthkeeper::{Cursor, Filter, Right};

use super::fact::Over;
use super::fields::Queried;
use super::frame::{Frame, Section, page};
use super::session::SignedIn;
use super::version::Version;
use super::{assets, link};
use crate::app::App;
use crate::fault::Fault;

/// Facts of a page.
const PAGE_FACTS: usize = 25;

#[derive(Template)]
#[template(path = "forgotten.html")]
struct List {
    frame: Frame,
    over: Vec<(Version, Over, bool)>,
    older: Option<String>,
    is_later: bool,
}

pub(crate) async fn list(
    State(app): State<App>,
    signed: SignedIn,
    Queried(fields): Queried,
) -> Result<Response, Fault> {
    let caller = signed.keyed.caller(Right::FactsRead)?;
    let after = fields.get("cursor").map(Cursor::from_text);
    let listed = app.memory.forgotten(&caller, &Filter::current(), after.as_ref(), PAGE_FACTS).await?;
    let frame = Frame::of(&app, &signed, Section::Forgotten, "Forgotten").await?;
    let restores = frame.may_write && caller.actor.is_person();
    let over = listed.items.into_iter().map(|forgotten| {
        let may_restore = restores && caller.writer.may_write(&forgotten.seen.head.scope);
        let version = Version::of(&forgotten.seen, frame.now);
        (version, Over::of(forgotten.ended, frame.now), may_restore)
    });
    let over = over.collect();
    let older = listed.next.map(|next| link::of("/forgotten", [("cursor", next.as_str())]));
    page(&List { frame, over, older, is_later: after.is_some() })
}

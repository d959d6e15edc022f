//! `/v1/memory/changes`: what happened to facts, page by page or as it happens.

use std::convert::Infallible;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream::{self, Stream, StreamExt as _};
use serde::{Deserialize, Serialize};
use truthkeeper::{BadInput, Caller, Changes, Position, Right, limits};
use utoipa::ToSchema;

use crate::app::App;
use crate::described::params;
use crate::facts::read::limit;
use crate::fault::Fault;
use crate::input::Asked;
use crate::keyed::Keyed;
use crate::wire::Happened;

/// How often a stream looks for what is new.
const LOOK: Duration = Duration::from_millis(500);
/// How often a stream says that it is alive where nothing is new.
const ALIVE: Duration = Duration::from_secs(15);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct From {
    after: Option<String>,
    limit: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
struct Happenings<'a> {
    data: Vec<Happened<'a>>,
    /// What `after` says next time.
    #[schema(value_type = u64)]
    after: Position,
    /// Whether there are more by now.
    more: bool,
}

/// What happened to facts after a position; as it happens where a stream is accepted.
#[utoipa::path(get, path = "/changes", tag = "changes", operation_id = "listChanges", params(params::After, params::Most, ("Last-Event-ID" = Option<String>, Header, description = "The last change that a stream gave", pattern = "^(latest|[0-9]{1,18})$")), responses((status = 200, description = "What happened, or a stream of it", content((Happenings<'static> = "application/json"), (String = "text/event-stream")))))]
pub(crate) async fn list(
    State(app): State<App>,
    keyed: Keyed,
    Asked(from): Asked<From>,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let caller = keyed.caller(Right::FactsRead)?;
    let limit = limit(from.limit.as_deref())?;
    let last = headers.get("last-event-id").map(|id| id.to_str().unwrap_or_default().to_owned());
    let mut after = start(&app, &caller, "after", from.after.as_deref()).await?;
    if let Some(last) = last {
        after = start(&app, &caller, "Last-Event-ID", Some(&last)).await?;
    }
    if wants_stream(&headers) {
        let alive = KeepAlive::new().interval(ALIVE);
        return Ok(Sse::new(follow(app, keyed, after)).keep_alive(alive).into_response());
    }
    let Changes { items, after, more } = app.memory.changes(&caller, after, limit).await?;
    Ok(Json(Happenings { data: items.iter().map(Happened::of).collect(), after, more }).into_response())
}

fn wants_stream(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|accept| accept.to_str().ok());
    let mut kinds = accepted.flat_map(|accept| accept.split(','));
    kinds.any(|kind| {
        kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("text/event-stream"))
    })
}

/// After which position: the first where nobody says, the last for `latest`.
async fn start(
    app: &App,
    caller: &Caller,
    field: &'static str,
    after: Option<&str>,
) -> Result<Position, Fault> {
    match after {
        None => Ok(Position::START),
        Some("latest") => Ok(app.memory.last_position(caller).await?),
        Some(number) => {
            let number = number.parse().ok().filter(|number: &i64| *number >= 0);
            let bad = || BadInput::new(field, "must be latest, or a position: a whole number from 0");
            Ok(Position::new(number.ok_or_else(bad)?))
        }
    }
}

/// The changes as they happen, as long as the key is good and the service runs. A client that comes again says the last
/// one that it has.
fn follow(app: App, keyed: Keyed, after: Position) -> impl Stream<Item = Result<Event, Infallible>> {
    let pages = stream::unfold((app, keyed, after, true), async |(app, keyed, mut after, mut at_once)| {
        loop {
            if !at_once && app.is_stopping_within(LOOK).await {
                return None;
            }
            let caller = keyed.still(&app, Right::FactsRead).await?;
            let changes = app.memory.changes(&caller, after, limits::PAGE_ITEMS_MAX).await.ok()?;
            (after, at_once) = (changes.after, changes.more);
            if !changes.items.is_empty() {
                let events: Vec<Event> =
                    changes.items.iter().filter_map(|change| event(&Happened::of(change))).collect();
                return Some((stream::iter(events), (app, keyed, after, at_once)));
            }
        }
    });
    pages.flatten().map(Ok)
}

fn event(change: &Happened<'_>) -> Option<Event> {
    Event::default().id(change.position().to_string()).event("change").json_data(change).ok()
}

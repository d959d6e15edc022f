//! Reading facts.

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use serde::{Deserialize, Serialize};
use truthkeeper::{BadInput, Cursor, Filter, Id, Right, State as FactState, Times, limits};
use utoipa::ToSchema;

use super::tag;
use crate::app::App;
use crate::cursor;
use crate::described::params;
use crate::fault::Fault;
use crate::input::{self, Asked, Named};
use crate::keyed::Keyed;
use crate::wire;

/// Which revision is asked for.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Which {
    version: Option<String>,
    as_of: Option<String>,
    valid_at: Option<String>,
}

/// Which facts are listed.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Wanted {
    #[serde(rename = "type")]
    kind: Option<String>,
    tenant_id: Option<String>,
    org_id: Option<String>,
    project_id: Option<String>,
    user_id: Option<String>,
    participant_id: Option<String>,
    thread_id: Option<String>,
    session_id: Option<String>,
    key: Option<String>,
    tag: Option<String>,
    state: Option<String>,
    as_of: Option<String>,
    valid_at: Option<String>,
    limit: Option<String>,
    cursor: Option<String>,
}

/// A page, and where the next one begins.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Page<T> {
    pub(crate) data: Vec<T>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) next_cursor: Option<String>,
}

/// Where a list of versions begins.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Part {
    limit: Option<String>,
    cursor: Option<String>,
}

/// One fact, or one of its revisions.
#[utoipa::path(get, path = "", tag = "facts", operation_id = "getFact", params(("id" = String, Path, description = "The fact", format = Uuid), params::Revision, params::Times), responses((status = 200, description = "The fact", body = wire::Fact<'static>, headers(("ETag" = String, description = "Its version")))))]
pub(crate) async fn get(
    State(app): State<App>,
    keyed: Keyed,
    Named(fact): Named,
    Asked(which): Asked<Which>,
) -> Result<Response, Fault> {
    let caller = keyed.caller(Right::FactsRead)?;
    let times = times(which.as_of.as_deref(), which.valid_at.as_deref())?;
    let seen = match which.version {
        Some(_) if times != Times::default() => {
            return Err(BadInput::new("version", "does not go with asOf or validAt").into());
        }
        Some(version) => app.memory.revision(&caller, fact, input::version("version", &version)?).await?,
        None => app.memory.get(&caller, fact, times).await?,
    };
    let etag = tag(seen.revision.number);
    Ok(([(header::ETAG, etag)], Json(wire::fact(&app.memory, &seen).await)).into_response())
}

/// A page of facts.
#[utoipa::path(get, path = "/facts", tag = "facts", operation_id = "listFacts", params(params::Filters, params::InState, params::Times, params::Part), responses((status = 200, description = "A page of facts, newest first", body = Page<wire::Fact<'static>>)))]
pub(crate) async fn list(
    State(app): State<App>,
    keyed: Keyed,
    Asked(mut wanted): Asked<Wanted>,
) -> Result<Response, Fault> {
    let caller = keyed.caller(Right::FactsRead)?;
    let filter = wanted.filter(caller.tenant(), FactState::Active)?;
    let times = times(wanted.as_of.as_deref(), wanted.valid_at.as_deref())?;
    let list = format!("facts {times:?}");
    let after = cursor::place(&list, wanted.cursor.as_deref())?.map(Cursor::from_text);
    let limit = limit(wanted.limit.as_deref())?;
    let page = app.memory.list(&caller, &filter, times, after.as_ref(), limit).await?;
    let next_cursor = page.next.map(|next| cursor::bound(&list, next.as_str()));
    Ok(Json(Page { data: wire::facts(&app.memory, &page.items).await, next_cursor }).into_response())
}

/// The newest first.
#[utoipa::path(get, path = "/revisions", tag = "facts", operation_id = "listRevisions", params(("id" = String, Path, description = "The fact", format = Uuid), params::Part), responses((status = 200, description = "Its revisions, newest first", body = Page<wire::Fact<'static>>)))]
pub(crate) async fn revisions(
    State(app): State<App>,
    keyed: Keyed,
    Named(fact): Named,
    Asked(part): Asked<Part>,
) -> Result<Response, Fault> {
    let caller = keyed.caller(Right::FactsRead)?;
    let size = limit(part.limit.as_deref())?;
    let list = format!("revisions of {fact}");
    let before = cursor::place(&list, part.cursor.as_deref())?;
    let before = before.map(|number| input::version("cursor", number)).transpose()?;
    let more = u32::try_from(size + 1).unwrap_or(u32::MAX);
    let mut seen = app.memory.revisions(&caller, fact, before, more).await?;
    let is_cut = seen.len() > size;
    seen.truncate(size);
    let next_cursor =
        seen.last().filter(|_| is_cut).map(|last| cursor::bound(&list, &last.revision.number.to_string()));
    Ok(Json(Page { data: wire::facts(&app.memory, &seen).await, next_cursor }).into_response())
}

impl Wanted {
    /// What the list is of.
    pub(crate) fn filter(&mut self, tenant: &Id, state: FactState) -> Result<Filter, BadInput> {
        let scope = [
            ("tenantId", self.tenant_id.take()),
            ("orgId", self.org_id.take()),
            ("projectId", self.project_id.take()),
            ("userId", self.user_id.take()),
            ("participantId", self.participant_id.take()),
            ("threadId", self.thread_id.take()),
            ("sessionId", self.session_id.take()),
        ];
        let scope = input::scope_of(scope, tenant)?;
        let state = self.state.as_deref().map_or(Ok(state), input::state)?;
        let (kind, key, tag) = (self.kind.as_deref(), self.key.as_deref(), self.tag.as_deref());
        Filter::parse(kind, key, tag, scope, state)
    }

    /// Where the page begins, and how much it holds.
    pub(crate) fn place(&self) -> Result<(Option<Cursor>, usize), BadInput> {
        Ok((self.cursor.as_deref().map(Cursor::from_text), limit(self.limit.as_deref())?))
    }

    /// Refuses what has no use for a list of how things are now.
    pub(crate) fn without_state_and_times(&self) -> Result<(), BadInput> {
        without(&[("state", &self.state), ("asOf", &self.as_of), ("validAt", &self.valid_at)])
    }

    /// Refuses what has no use for a list that comes whole.
    pub(crate) fn without_pages(&self) -> Result<(), BadInput> {
        without(&[("limit", &self.limit), ("cursor", &self.cursor)])
    }
}

fn without(given: &[(&'static str, &Option<String>)]) -> Result<(), BadInput> {
    match given.iter().find(|(_, given)| given.is_some()) {
        Some((field, _)) => Err(BadInput::new(*field, "has no use here")),
        None => Ok(()),
    }
}

pub(crate) fn times(as_of: Option<&str>, valid_at: Option<&str>) -> Result<Times, BadInput> {
    Ok(Times { as_of: input::bound("asOf", as_of)?, valid_at: input::bound("validAt", valid_at)? })
}

/// Items of a page, from 1 to 100.
pub(crate) fn limit(text: Option<&str>) -> Result<usize, BadInput> {
    let Some(text) = text else { return Ok(limits::PAGE_ITEMS_DEFAULT) };
    let most = limits::PAGE_ITEMS_MAX;
    let limit = text.parse().ok().filter(|limit| (1..=most).contains(limit));
    limit.ok_or_else(|| BadInput::new("limit", format!("must be from 1 to {most}")))
}

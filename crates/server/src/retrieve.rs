//! `/v1/memory/retrieve`: a search as a turn of an agent would make it, through the gate.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use truthkeeper::{
    BadInput, Caller, Embedded, FactType, Mode, Near, Recall, Recalled, Right, Run, Scope, limits,
};
use utoipa::ToSchema;

use crate::app::App;
use crate::described::shapes;
use crate::facts::read::times;
use crate::fault::Fault;
use crate::input::{self, Members};
use crate::keyed::Keyed;
use crate::serve::Search;
use crate::wire::{Around, Fact, Older};

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Wanted {
    query: Option<String>,
    mode: Option<String>,
    #[serde(default)]
    types: Vec<String>,
    #[schema(value_type = Option<shapes::Scope>)]
    scope: Option<Value>,
    #[schema(value_type = Option<u32>, minimum = 1, maximum = 100)]
    limit: Option<Value>,
    floor: Option<f64>,
    as_of: Option<String>,
    valid_at: Option<String>,
}

/// What was found, and what was not shown and why.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    results: Vec<Found<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    legacy: Vec<Older<'a>>,
    current_truth: bool,
    #[serde(flatten)]
    around: Around<'a>,
}

#[derive(Debug, Serialize, ToSchema)]
struct Found<'a> {
    fact: Fact<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
}

/// What a turn of an agent would find: current truth alone.
#[utoipa::path(post, path = "/retrieve", tag = "recall", operation_id = "retrieve", request_body = Wanted, responses((status = 200, description = "What was found, and what was not shown and why", body = Answer<'static>)))]
pub(crate) async fn retrieve(
    State(app): State<App>,
    keyed: Keyed,
    members: Members,
) -> Result<Response, Fault> {
    let caller = keyed.caller(Right::FactsRead)?;
    let mut wanted: Wanted = members.read()?;
    let scope = wanted.scope.take().filter(|scope| !scope.is_null());
    let scope = scope.map(|scope| input::scope(&scope, caller.tenant())).transpose()?;
    let caller = match scope {
        Some(scope) => within(caller, scope)?,
        None => caller,
    };
    let recalled = app.memory.recall(&caller, &wanted.recall(app.search)?).await?;
    let embedded = app.memory.embedded(recalled.facts.iter().map(|fact| &fact.revision)).await;
    Ok(Json(answer(&recalled, &embedded)).into_response())
}

/// The caller, who sees no more than what the narrowest container of a scope holds.
pub(crate) fn within(caller: Caller, scope: Scope) -> Result<Caller, BadInput> {
    let near = match (&scope.thread, scope.owner(), &scope.project) {
        (Some(_), _, _) => Near::SameConversation,
        (None, Some(_), _) => Near::SameUser,
        (None, None, Some(_)) => Near::SameProject,
        // Beside nothing else they would be passed over, and the whole tenant's facts come.
        (None, None, None) if scope.org.is_some() || scope.session.is_some() => {
            let field = if scope.org.is_some() { "scope.orgId" } else { "scope.sessionId" };
            let problem = "narrows no search by itself: name a thread, a participant, a user or a project";
            return Err(BadInput::new(field, problem));
        }
        (None, None, None) => Near::Tenant,
    };
    let reader = Run::of(scope).reader(&caller.reader, near);
    let reader = reader.ok_or_else(|| BadInput::new("scope", "holds nothing that can be searched"))?;
    Ok(Caller { reader, ..caller })
}

impl Wanted {
    fn recall(self, search: Search) -> Result<Recall, BadInput> {
        let mode = self.mode.as_deref().unwrap_or("keyword");
        let mode = Mode::parse(mode)
            .ok_or_else(|| BadInput::new("mode", "must be keyword, semantic, both, list or none"))?;
        let recall = match (mode, self.query) {
            (Mode::List, None) => Recall::newest(),
            (Mode::List, Some(_)) => return Err(BadInput::new("query", "has no use in mode list")),
            (Mode::Keyword | Mode::Semantic | Mode::Both, Some(query)) if !query.trim().is_empty() => {
                Recall::query(query).mode(mode)
            }
            (Mode::Keyword | Mode::Semantic | Mode::Both, _) => {
                return Err(BadInput::new("query", "is missing; mode list needs none"));
            }
        };
        let kinds = self.types.iter().map(|kind| FactType::parse(kind)).collect::<Result<_, _>>()?;
        let times = times(self.as_of.as_deref(), self.valid_at.as_deref())?;
        let recall = recall.kinds(kinds).times(times).floor(self.floor.or(search.floor));
        let most = u32::try_from(limits::PAGE_ITEMS_MAX).unwrap_or(u32::MAX);
        let asked = input::whole("limit", self.limit, (1, most))?;
        let asked = asked.and_then(|limit| usize::try_from(limit).ok());
        Ok(match asked.or(search.limit) {
            Some(limit) => recall.limit(limit),
            None => recall,
        })
    }
}

fn answer<'a>(recalled: &'a Recalled, embedded: &Embedded) -> Answer<'a> {
    let found = recalled.facts.iter().map(|fact| Found {
        fact: Fact::recalled(fact).embedded(embedded.model_of(&fact.revision)),
        score: fact.score,
    });
    Answer {
        results: found.collect(),
        legacy: recalled.legacy.iter().map(|legacy| Older::of(legacy, false)).collect(),
        current_truth: recalled.then.is_none(),
        around: Around::of(recalled),
    }
}

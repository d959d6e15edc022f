//! What a request says: its path, its query and its body, each refused in the same shape.

use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use truthkeeper::{BadInput, FactId, Id, RevisionNumber, Scope, State, Timestamp, limits};

use crate::app::App;
use crate::fault::Fault;
use crate::strict;

/// The members of a JSON body; none where the body is empty.
pub(crate) struct Members(pub(crate) Map<String, Value>);

/// The fact that a path names.
pub(crate) struct Named(pub(crate) FactId);

/// What the part after `?` says.
pub(crate) struct Asked<T>(pub(crate) T);

/// What holds nothing.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nothing {}

impl FromRequest<App> for Members {
    type Rejection = Fault;

    async fn from_request(request: Request, app: &App) -> Result<Self, Fault> {
        let kind = request.headers().get(header::CONTENT_TYPE).cloned();
        let bytes = axum::body::Bytes::from_request(request, app)
            .await
            .map_err(|rejection| Fault::of_status(rejection.status()))?;
        if bytes.is_empty() {
            return Ok(Self(Map::new()));
        }
        let kind = kind.as_ref().and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case("application/json") {
            let message = "Content-Type: must be application/json";
            return Err(Fault::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported-media-type", message));
        }
        match strict::from_slice(&bytes) {
            Ok(Value::Object(members)) => Ok(Self(members)),
            Ok(_) => Err(BadInput::new("body", "must be a JSON object").into()),
            Err(error) => Err(BadInput::new("body", no_json(&error)).into()),
        }
    }
}

impl FromRequestParts<App> for Named {
    type Rejection = Fault;

    /// What is no id names no fact, and is answered like any other that is not there.
    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Fault> {
        let id = Path::<String>::from_request_parts(parts, app).await.ok();
        let fact = id.and_then(|Path(id)| FactId::parse(&id).ok());
        Ok(Self(fact.ok_or(truthkeeper::MemoryError::NotFound)?))
    }
}

impl<T: DeserializeOwned> FromRequestParts<App> for Asked<T> {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Fault> {
        match Query::<T>::from_request_parts(parts, app).await {
            Ok(Query(asked)) => Ok(Self(asked)),
            Err(rejection) => Err(BadInput::new("query", fault(&rejection.body_text())).into()),
        }
    }
}

impl Members {
    /// Refuses every member.
    pub(crate) fn none(self) -> Result<(), Fault> {
        let Nothing {} = self.read()?;
        Ok(())
    }

    /// All of them as one value; unknown members are refused.
    pub(crate) fn read<T: DeserializeOwned>(self) -> Result<T, Fault> {
        serde_path_to_error::deserialize(Value::Object(self.0)).map_err(|error| {
            let (path, text) = (error.path().to_string(), error.inner().to_string());
            let path = if path == "." { "body".to_owned() } else { path };
            BadInput::new(path, fault(&text)).into()
        })
    }
}

/// Where it is wrong, and never what it says.
fn no_json(error: &serde_json::Error) -> String {
    let (line, column) = (error.line(), error.column());
    if error.is_data() {
        return format!("names a member twice at line {line}, column {column}");
    }
    if error.to_string().starts_with("recursion limit") {
        return format!("is nested too deeply: a content has at most {} levels", limits::CONTENT_DEPTH_MAX);
    }
    format!("is no JSON at line {line}, column {column}")
}

/// Which field is unknown or missing; a wrong value is never repeated.
fn fault(text: &str) -> String {
    let named = ["unknown field", "missing field", "duplicate field"];
    let place = named.iter().find_map(|name| text.find(name));
    let what = place.and_then(|place| text[place..].split(", expected").next());
    let what = what.unwrap_or_else(|| kind(text));
    what.chars().filter(|c| !c.is_control()).take(100).collect()
}

/// Of which kind a field must be, by what was expected of it.
fn kind(text: &str) -> &'static str {
    match text.rsplit_once("expected ").map(|(_, expected)| expected) {
        Some("a string") => "must be text",
        Some("a boolean") => "must be true or false",
        Some("a sequence") => "must be a list",
        Some("f64") => "must be a number",
        Some("a UUID string") => "must be an id",
        Some(what) if what.starts_with("struct") || what == "a map" => "must be an object",
        Some(_) | None if text.starts_with("UUID") => "must be an id",
        Some(_) | None => "is not of its kind",
    }
}

/// A whole number within its limits; none where a body says none.
pub(crate) fn whole(
    field: &'static str,
    given: Option<Value>,
    (least, most): (u32, u32),
) -> Result<Option<u32>, BadInput> {
    let Some(given) = given.filter(|given| !given.is_null()) else { return Ok(None) };
    let number = given.as_u64().and_then(|number| u32::try_from(number).ok());
    let number = number.filter(|number| (least..=most).contains(number));
    let bad = || BadInput::new(field, format!("must be a whole number from {least} to {most}"));
    number.ok_or_else(bad).map(Some)
}

/// A number of a revision, from 1.
pub(crate) fn version(field: &'static str, text: &str) -> Result<RevisionNumber, BadInput> {
    let number = text.parse().ok().and_then(RevisionNumber::new);
    number.ok_or_else(|| BadInput::new(field, format!("must be a whole number from 1 to {}", u32::MAX)))
}

/// A number of a revision as a body says it; none where it says none.
pub(crate) fn number(field: &'static str, given: Option<Value>) -> Result<Option<RevisionNumber>, BadInput> {
    given.filter(|given| !given.is_null()).map(|given| version(field, &given.to_string())).transpose()
}

/// A fact and the version that must be the current one, as `ID@VERSION`.
pub(crate) fn fact_at(text: &str) -> Result<truthkeeper::Named, BadInput> {
    let (fact, number) = text.split_once('@').unwrap_or((text, ""));
    Ok((FactId::parse(fact)?, Some(version("expectVersion", number)?)))
}

/// A time that bounds what is asked about: one with fewer digits covers its whole unit.
pub(crate) fn bound(field: &'static str, text: Option<&str>) -> Result<Option<Timestamp>, BadInput> {
    text.map(|text| Timestamp::parse_bound(field, text)).transpose()
}

/// A state by its name.
pub(crate) fn state(name: &str) -> Result<State, BadInput> {
    let bad = || BadInput::new("state", "must be active, superseded, retracted, expired or conflicted");
    State::parse(name).ok_or_else(bad)
}

/// A scope as a body says it; the caller's tenant where it names none.
pub(crate) fn scope(scope: &Value, tenant: &Id) -> Result<Scope, BadInput> {
    let draft = truthkeeper::Draft::from_json(serde_json::json!({ "scope": scope }), tenant)?;
    let scope = draft.scope.ok_or_else(|| BadInput::new("scope", "is missing"))?.check()?;
    if scope.tenant != *tenant {
        return Err(BadInput::new("scope.tenantId", "is not the caller's tenant"));
    }
    Ok(scope)
}

/// A scope as a query says it, each of its ids by its own name; none where it names none.
pub(crate) fn scope_of(
    ids: [(&'static str, Option<String>); 7],
    tenant: &Id,
) -> Result<Option<Scope>, BadInput> {
    let named: Map<String, Value> =
        ids.into_iter().filter_map(|(name, id)| Some((name.to_owned(), Value::String(id?)))).collect();
    (!named.is_empty()).then(|| scope(&Value::Object(named), tenant)).transpose()
}

//! What a form, or a link with a query, says.

use axum::Form;
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::request::Parts;
use axum::response::IntoResponse as _;
use truthkeeper::{BadInput, Id, RevisionNumber, Scope, Timestamp};

use crate::app::App;
use crate::fault::Fault;
use crate::input;

/// The fields of a form that was sent.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fields(Vec<(String, String)>);

/// The fields of a query.
pub(crate) struct Queried(pub(crate) Fields);

impl FromRequest<App> for Fields {
    type Rejection = Fault;

    async fn from_request(request: Request, app: &App) -> Result<Self, Fault> {
        match Form::<Vec<(String, String)>>::from_request(request, app).await {
            Ok(Form(fields)) => Ok(Self::of(fields)),
            Err(rejection) => Err(Fault::of_status(rejection.into_response().status())),
        }
    }
}

impl FromRequestParts<App> for Queried {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Fault> {
        match Query::<Vec<(String, String)>>::from_request_parts(parts, app).await {
            Ok(Query(fields)) => Ok(Self(Fields::of(fields))),
            Err(_) => Err(BadInput::new("query", "is not one that a page makes").into()),
        }
    }
}

impl Fields {
    /// A browser ends the lines of a text with two characters: nobody typed the first.
    pub(crate) fn of(fields: Vec<(String, String)>) -> Self {
        Self(fields.into_iter().map(|(name, value)| (name, value.replace("\r\n", "\n"))).collect())
    }

    /// What stands in a field; none where it is empty.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.all(name).find(|value| !value.trim().is_empty())
    }

    /// What stands in a field as it was typed.
    pub(crate) fn raw(&self, name: &str) -> &str {
        self.all(name).next().unwrap_or_default()
    }

    /// What stands in all fields of a name.
    pub(crate) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.0.iter().filter(move |(named, _)| named == name).map(|(_, value)| value.as_str())
    }

    /// Each field that is not empty, and its value, but for these.
    pub(crate) fn others(&self, but: &[&str]) -> Vec<(&str, &str)> {
        let others = self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        others.filter(|(name, value)| !but.contains(name) && !value.trim().is_empty()).collect()
    }

    /// The version that must be the current one.
    pub(crate) fn expected(&self) -> Result<Option<RevisionNumber>, BadInput> {
        self.get("expectVersion").map(|text| input::version("expectVersion", text)).transpose()
    }

    /// A scope, as `user:ann`.
    pub(crate) fn scope(&self, tenant: &Id) -> Result<Option<Scope>, BadInput> {
        self.get("scope").map(|path| Scope::parse_path("scope", tenant, path.trim())).transpose()
    }

    /// A time that bounds what is asked about.
    pub(crate) fn bound(&self, name: &'static str) -> Result<Option<Timestamp>, BadInput> {
        self.get(name).map(|text| Timestamp::parse_bound(name, &with_zone(text))).transpose()
    }

    /// A time.
    pub(crate) fn time(&self, name: &'static str) -> Result<Option<Timestamp>, BadInput> {
        self.time_in(name, name)
    }

    /// A time in a field of that name, which is called otherwise where it is refused.
    pub(crate) fn time_in(&self, name: &str, called: &'static str) -> Result<Option<Timestamp>, BadInput> {
        self.get(name).map(|text| Timestamp::parse(called, &with_zone(text))).transpose()
    }
}

/// What a browser's own field for a time says has no zone: the page says that it is UTC.
fn with_zone(text: &str) -> String {
    let text = text.trim();
    let shape: String = text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    match shape.as_str() {
        "0000-00-00T00:00" => format!("{text}:00Z"),
        "0000-00-00T00:00:00" | "0000-00-00T00:00:00.000" => format!("{text}Z"),
        _ => text.to_owned(),
    }
}

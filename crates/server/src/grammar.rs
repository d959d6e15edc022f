//! What a request to a route of the API may say beside its body, by the description: the rest is refused and not ignored.

use std::collections::BTreeMap;

use axum::extract::{MatchedPath, Request};
use axum::http::{Method, header};
use truthkeeper::BadInput;
use utoipa::openapi::RefOr;
use utoipa::openapi::path::{Operation, ParameterIn};

use crate::described::described;

/// What each route of the API takes, by its path.
pub(crate) struct Grammar(BTreeMap<String, Vec<(Method, Takes)>>);

/// Which of what could be ignored in silence a route takes.
struct Takes {
    query: bool,
    if_match: bool,
}

impl Grammar {
    /// As the description says it.
    pub(crate) fn of_the_api() -> Self {
        let routes = described().paths.paths.into_iter().map(|(path, item)| {
            let operations =
                [(Method::GET, item.get), (Method::POST, item.post), (Method::DELETE, item.delete)];
            let takes = operations.into_iter().filter_map(|(method, one)| Some((method, Takes::of(&one?))));
            (path, takes.collect())
        });
        Self(routes.collect())
    }

    /// Refuses a query where a route takes none, and a condition where it could not be kept: whoever sent it would believe
    /// that it was.
    pub(crate) fn check(&self, request: &Request) -> Result<(), BadInput> {
        let Some(path) = request.extensions().get::<MatchedPath>() else { return Ok(()) };
        let mut operations = self.0.get(path.as_str()).into_iter().flatten();
        let Some((_, takes)) = operations.find(|(method, _)| method == request.method()) else {
            return Ok(());
        };
        if !takes.query && request.uri().query().is_some_and(|query| !query.is_empty()) {
            return Err(BadInput::new("query", "has no use here: everything is said in the body"));
        }
        if !takes.if_match
            && request.method() != Method::GET
            && request.headers().contains_key(header::IF_MATCH)
        {
            return Err(BadInput::new("If-Match", "has no use here"));
        }
        Ok(())
    }
}

impl Takes {
    fn of(operation: &Operation) -> Self {
        let named = operation.parameters.iter().flatten().filter_map(|one| match one {
            RefOr::T(parameter) => Some((&parameter.parameter_in, parameter.name.as_str())),
            RefOr::Ref(_) => None,
        });
        Self {
            query: named.clone().any(|(place, _)| *place == ParameterIn::Query),
            if_match: named.clone().any(|one| one == (&ParameterIn::Header, "If-Match")),
        }
    }
}

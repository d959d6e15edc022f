//! What stands after `?`, as the description says it. The handlers' own types read it.

use serde::Serialize;
use utoipa::IntoParams;

use super::shapes::State;

/// Which facts.
#[derive(IntoParams, Serialize)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Filters {
    /// Only this type.
    #[serde(rename = "type")]
    kind: Option<String>,
    /// With the other ids: only facts of exactly this scope.
    tenant_id: Option<String>,
    org_id: Option<String>,
    project_id: Option<String>,
    user_id: Option<String>,
    participant_id: Option<String>,
    thread_id: Option<String>,
    session_id: Option<String>,
    /// Only facts with this key.
    key: Option<String>,
    /// Only facts with this tag.
    tag: Option<String>,
}

/// Which part of a list.
#[derive(IntoParams, Serialize)]
#[into_params(parameter_in = Query)]
pub(crate) struct Part {
    /// Items at most; 50 where it is not said.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<u32>,
    /// Where it begins, as the page before said it: it belongs to that list and its filters.
    cursor: Option<String>,
}

/// How much of a list that has no pages.
#[derive(IntoParams, Serialize)]
#[into_params(parameter_in = Query)]
pub(crate) struct Most {
    /// Items at most; 50 where it is not said.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<u32>,
}

/// As of which times.
#[derive(IntoParams, Serialize)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Times {
    /// What was known then: a time (RFC 3339), or a day.
    as_of: Option<String>,
    /// What was true then.
    valid_at: Option<String>,
}

/// In which state.
#[derive(IntoParams, Serialize)]
#[into_params(parameter_in = Query)]
pub(crate) struct InState {
    /// Active where it is not said.
    #[param(inline)]
    state: Option<State>,
}

/// Which revision.
#[derive(IntoParams, Serialize)]
#[into_params(parameter_in = Query)]
pub(crate) struct Revision {
    /// Its number; it does not go with a time.
    #[param(minimum = 1, maximum = 4_294_967_295_u32)]
    version: Option<u64>,
}

/// What is expected to stand.
#[derive(IntoParams, Serialize)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Expected {
    /// The version that must be the current one.
    #[param(minimum = 1, maximum = 4_294_967_295_u32)]
    expect_version: Option<u64>,
}

/// After which change.
#[derive(IntoParams, Serialize)]
#[into_params(parameter_in = Query)]
pub(crate) struct After {
    /// A position, or `latest`; from the first change on where it is not said.
    #[param(pattern = "^(latest|[0-9]{1,18})$")]
    after: Option<String>,
}

/// Whose.
#[derive(IntoParams, Serialize)]
#[into_params(parameter_in = Query)]
pub(crate) struct Owner {
    /// Such as `user:ann` or `project:P/participant:X`; everybody's where nobody is named.
    owner: Option<String>,
}

//! The description of the API (OpenAPI 3.1), made from the routes themselves.

pub(crate) mod params;
pub(crate) mod shapes;

use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::path::{HttpMethod, Operation, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{
    ContentBuilder, InfoBuilder, LicenseBuilder, ObjectBuilder, OpenApi, Ref, Required, Response,
    ResponseBuilder, SecurityRequirement, ServerBuilder, Type,
};
use utoipa::{OpenApi as _, ToSchema as _};

use crate::app;
use crate::fault::Problem;

const ABOUT: &str = "The memory that agents can be trusted with. Facts are written, corrected and forgotten, what is \
    doubtful waits for its owner, and only current truth is recalled.";
const KEY: &str = "key";
const TOO_OFTEN: u16 = 429;
/// What any route may refuse a request with.
const ALWAYS: [(u16, &str); 9] = [
    (400, "Something in it is not as it must be; an unknown field too"),
    (401, "The key is malformed, unknown or revoked"),
    (403, "The key lacks a right, the scope is not its to write, or a page of another origin asks"),
    (413, "The body is larger than 1 MiB"),
    (415, "The body is no JSON"),
    (421, "It does not answer under that name"),
    (TOO_OFTEN, "The key asks too often, or too many keys from that machine were wrong"),
    (500, "It failed; the log says why"),
    (503, "The store or the index does not answer now"),
];
const NAMED: (u16, &str) = (404, "It is not there, or not one that the key may read");
/// What a change may be refused with.
const CHANGING: [(u16, &str); 3] = [
    (409, "It is not as it was seen, is held, or another request has that key"),
    (412, "It is not the version that If-Match names"),
    (507, "The store is full"),
];
const NOT_HERE: (u16, &str) =
    (422, "There is nothing here to search by meaning with, or the run has not what its memory is kept for");
const SEARCHING: [(u16, &str); 2] = [NOT_HERE, (502, "The embedder failed")];

/// What every part of the description hangs on.
#[derive(utoipa::OpenApi)]
#[openapi(components(schemas(Problem<'static>)))]
struct Frame;

/// The description, as it is checked in.
pub fn openapi() -> String {
    let mut text = described().to_pretty_json().unwrap_or_default();
    text.push('\n');
    text
}

pub(crate) fn described() -> OpenApi {
    let mut description = Frame::openapi();
    description.merge(app::routes().into_openapi());
    let license = LicenseBuilder::new().name("MIT OR Apache-2.0").identifier(Some("MIT OR Apache-2.0"));
    description.info = InfoBuilder::new()
        .title("Truthkeeper")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(ABOUT))
        .license(Some(license.build()))
        .build();
    description.servers = Some(vec![ServerBuilder::new().url("http://127.0.0.1:7711").build()]);
    description.security = Some(vec![SecurityRequirement::new::<_, [&str; 0], &str>(KEY, [])]);
    let scheme = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("mem_…").build();
    if let Some(components) = &mut description.components {
        components.security_schemes.insert(KEY.to_owned(), SecurityScheme::Http(scheme).into());
        let all = ALWAYS.into_iter().chain([NAMED]).chain(CHANGING).chain(SEARCHING);
        components.responses.extend(all.map(|(status, why)| (name_of(status), refusal(status, why).into())));
    }
    for (path, item) in &mut description.paths.paths {
        let operations = [
            (HttpMethod::Get, &mut item.get),
            (HttpMethod::Post, &mut item.post),
            (HttpMethod::Delete, &mut item.delete),
        ];
        for (method, operation) in operations {
            if let Some(operation) = operation {
                complete(path, &method, operation);
            }
        }
    }
    description
}

/// Adds what routes of a kind have in common.
fn complete(path: &str, method: &HttpMethod, operation: &mut Operation) {
    let is_of_facts = ["/projections/", "/receipts/", "/retrieve"].iter().all(|other| !path.contains(other));
    let is_change = *method != HttpMethod::Get && is_of_facts;
    let is_open = !path.starts_with("/v1");
    let mut refusals: Vec<(u16, &str)> =
        ALWAYS.into_iter().filter(|(status, _)| !is_open || ![401, TOO_OFTEN].contains(status)).collect();
    if path.contains("{id}") || path.contains("/projections") || is_change {
        refusals.push(NAMED);
    }
    if is_change {
        refusals.extend(CHANGING);
    }
    if path.ends_with("/remember") {
        // Its run and its call name the request.
        refusals.push(NOT_HERE);
    } else if is_change {
        operation.parameters.get_or_insert_default().extend(change_headers(path).into_iter().map(Into::into));
    }
    if path.ends_with("/retrieve") {
        refusals.extend(SEARCHING);
    }
    for (status, _) in refusals {
        let refusal = Ref::from_response_name(name_of(status));
        operation.responses.responses.insert(status.to_string(), refusal.into());
    }
}

/// What a refusal of a status is called in the description.
fn name_of(status: u16) -> String {
    format!("Refused{status}")
}

fn refusal(status: u16, why: &str) -> Response {
    let body = ContentBuilder::new().schema(Some(Ref::from_schema_name(Problem::name()))).build();
    let id = ObjectBuilder::new().schema_type(Type::String);
    let id = HeaderBuilder::new().schema(Some(id)).description(Some("The id of the request")).build();
    let refusal = ResponseBuilder::new()
        .description(why)
        .content("application/problem+json", body)
        .header("X-Request-Id", id);
    if status != TOO_OFTEN {
        return refusal.build();
    }
    let wait = ObjectBuilder::new().schema_type(Type::Integer);
    let about = "Seconds after which it may be asked again";
    let wait = HeaderBuilder::new().schema(Some(wait)).description(Some(about)).build();
    refusal.header("Retry-After", wait).build()
}

fn change_headers(path: &str) -> Vec<Parameter> {
    let header = |name: &str, about: &str, most: usize, pattern: &str| {
        let text = ObjectBuilder::new()
            .schema_type(Type::String)
            .min_length(Some(1))
            .max_length(Some(most))
            .pattern(Some(pattern));
        ParameterBuilder::new()
            .name(name)
            .parameter_in(ParameterIn::Header)
            .required(Required::False)
            .description(Some(about))
            .schema(Some(text))
            .build()
    };
    let mut headers = vec![header(
        "Idempotency-Key",
        "A name for the request: sent again, it is answered again",
        100,
        "^[!-~]([ -~]*[!-~])?$",
    )];
    if path.contains("/facts/{id}") {
        let about =
            "The ETag that must be the current one; where an act holds whatever stands, it is refused";
        headers.push(header("If-Match", about, 20, "^(\\*|\"[1-9][0-9]{0,8}\")$"));
    }
    headers
}
